"""What somebody does for a while, and what was said in a talk."""

from dataclasses import dataclass, replace
from typing import Literal

ActionKind = Literal["do", "sleep", "talk", "wait"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One thing an agent does, from a start to an end in town seconds."""

    kind: ActionKind
    activity: str
    """In the agent's plan's words, without its name: `kneading dough`."""
    place: str
    """Address of the place or object used."""
    start: int
    end: int
    emoji: str = "🙂"
    predicate: str = "is"
    object: str = ""
    """With the agent as subject: the event triple."""
    object_state: str = ""
    """What the used object is like meanwhile, in plain words; empty leaves it as it is."""
    object_emoji: str = ""
    partners: tuple[str, ...] = ()
    """With whom, in a talk; for whom, in a wait."""
    fallback: bool = False
    """True when a declared fallback, not a model's answer, decided this."""
    nowhere: bool = False
    """True when the model said that no place fits: it is done where the agent stood then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One utterance of a talk."""

    speaker: str
    text: str
    at: int
    """Town second at which it is said."""
    fallback: bool = False

    def later(self, seconds: int) -> "Line":
        """Return the line said `seconds` later."""
        return replace(self, at=self.at + seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A conversation that was granted and held: one record for all who took part."""

    id: str
    """`talk` key: start tick and the participants' names."""
    participants: tuple[str, ...]
    """Who took part; the one who began comes first."""
    place: str
    start: int
    end: int
    lines: tuple[Line, ...]
    ended_by: str = ""
    """Who ended it, or `the cap` when the number of turns ran out."""

    def others(self, name: str) -> tuple[str, ...]:
        """Everyone in the talk but `name`."""
        return tuple(other for other in self.participants if other != name)


def told(name: str, activity: str) -> str:
    """Return somebody's activity as a sentence without its full stop."""
    first = activity.split(" ", 1)[0]
    return f"{name} is {activity}" if first.endswith("ing") else f"{name}: {activity}"
