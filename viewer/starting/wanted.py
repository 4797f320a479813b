"""What a guided start asks for, as the words of a command line."""

from dataclasses import dataclass
from pathlib import Path

from agents.errors import RunError
from world.runs.folder import check_name

SHIPPED = "Smolville (shipped)"
LENGTHS = {"6h": "a morning (6 hours)", "1d": "a day", "2d": "two days", "7d": "a week"}


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """One run, as somebody wants it to be."""

    name: str
    town: str = ""
    """A town's folder; empty for the shipped one."""
    people: tuple[str, ...] = ()
    """Full names."""
    model: str = "standin"
    """A spec."""
    length: str = "1d"
    seed: int = 0

    def options(self) -> list[str]:
        """Return the options of `smolville run`; RunError for what cannot be."""
        check_name(self.name)
        if not self.people:
            raise RunError("Choose who lives there: nobody is chosen.")
        if self.length not in LENGTHS:
            raise RunError(f"A run cannot begin with a length of {self.length!r}.")
        options = ["--agents", ",".join(self.people), "--model", self.model]
        options += ["--for", self.length, "--seed", str(self.seed)]
        if self.town:
            options += ["--town", str(Path(self.town))]
        return options


ANOTHER_DAY = ("--resume", "--for", "1d")
"""Let a run go on for a day more."""
TO_ITS_GOAL = ("--resume",)
"""Let a run go on to the goal it had."""
