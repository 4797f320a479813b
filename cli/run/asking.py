"""What `smolville run` is asked to do, and whether it goes together."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents.errors import RunError
from world.runs.naming import check_name


@dataclass(frozen=True, kw_only=True)
class Order:
    """The command line of `smolville run`; None for what was not said."""

    name: str | None = None
    town: Path | None = None
    agents: str | None = None
    duration: str | None = None
    until: str | None = None
    resume: bool = False
    overwrite: bool = False
    quiet: bool = False
    verbose: bool = False
    browser: bool = False
    settings: Path | None = None
    """The settings file that was named, for the page beside the run."""
    said: Mapping[str, Any] = field(default_factory=dict)
    """Settings that were given as flags, by the setting's name; None for what was not said."""

    def check(self) -> None:
        """Raise RunError when the name cannot be, or two options exclude each other."""
        if self.name is not None:
            check_name(self.name)
        has_cast = self.said.get("cast") is not None
        pairs = (
            ("--cast", has_cast, "--agents", self.agents is not None),
            ("--for", self.duration is not None, "--until", self.until is not None),
            ("--resume", self.resume, "--overwrite", self.overwrite),
            ("--quiet", self.quiet, "--verbose", self.verbose),
            ("--quiet", self.quiet, "--browser", self.browser),
            ("--headless", bool(self.said.get("headless")), "--browser", self.browser),
        )
        for first, has_first, second, has_second in pairs:
            if has_first and has_second:
                raise RunError(f"{first} and {second} exclude each other; leave one out.")
