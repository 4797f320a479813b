"""What a guided start asks for, as the words of a command line."""

from dataclasses import dataclass
from pathlib import Path

from agents.errors import RunError
from world.runs.naming import check_name

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

    def words(self) -> list[str]:
        """Return the words behind `smolville`; RunError for what cannot be."""
        if not self.people:
            raise RunError("Choose who lives there: nobody is chosen.")
        if self.length not in LENGTHS:
            raise RunError(f"A run cannot begin with a length of {self.length!r}.")
        words = ["run", check_name(self.name), "--agents", ",".join(self.people)]
        words += ["--model", self.model, "--for", self.length, "--seed", str(self.seed)]
        if self.town:
            words += ["--town", str(Path(self.town))]
        return words


def going_on(name: str, length: str = "1d") -> list[str]:
    """Return the words that let a run go on for some time more."""
    return ["run", check_name(name), "--resume", "--for", length]


def to_its_goal(name: str) -> list[str]:
    """Return the words that let a run go on to the goal it had."""
    return ["run", check_name(name), "--resume"]
