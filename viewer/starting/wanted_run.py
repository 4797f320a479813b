"""A run requested with the guided start, as command-line options."""

from dataclasses import dataclass
from pathlib import Path

from agents.errors import RunError
from history.folder import check_name

SHIPPED = "Smolville (shipped)"
LENGTHS = {"6h": "a morning (6 hours)", "1d": "a day", "2d": "two days", "7d": "a week"}


@dataclass(frozen=True, kw_only=True)
class WantedRun:
    """The choices for a new run."""

    name: str
    town: str = ""
    """Folder of the town; empty for the shipped one."""
    people: tuple[str, ...] = ()
    """Full names."""
    model: str = "standin"
    """Spec of the model."""
    length: str = "1d"
    seed: int = 0

    def options(self) -> list[str]:
        """Return the command-line options of the run; RunError for impossible choices."""
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
"""Options that resume a run for one more day."""
TO_ITS_GOAL = ("--resume",)
"""Options that resume a run up to its goal."""
