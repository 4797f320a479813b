"""An agent's actions, and the record of a talk."""

import re
from dataclasses import dataclass, replace
from typing import Literal

from smolville.agents.places import OUTDOORS, arena_of, sector_of, split_address

ActionKind = Literal["do", "sleep", "talk", "wait"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One action of an agent, from a start to an end in town seconds."""

    kind: ActionKind
    activity: str
    """The activity in the words of the plan, without the agent's name: `kneading dough`."""
    place: str
    """Address of the place or object that is used."""
    start: int
    end: int
    emoji: str = "🙂"
    predicate: str = "is"
    object: str = ""
    """Object of the event triple, whose subject is the agent."""
    object_state: str = ""
    """State of the used object during the action, in plain words; empty leaves it unchanged."""
    object_emoji: str = ""
    partners: tuple[str, ...] = ()
    """The other participants of a talk, or the person that the agent waits for."""
    fallback: bool = False
    """True when a declared fallback decided this, not a model's answer."""
    nowhere: bool = False
    """True if the model said that no place fits. The agent then acts where it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkLine:
    """One utterance of a talk."""

    speaker: str
    text: str
    at: int
    """Town second at which it is said."""
    fallback: bool = False

    def shift_time(self, seconds: int) -> "TalkLine":
        """Return the line with its time moved by `seconds`."""
        return replace(self, at=self.at + seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A talk that took place: one record, shared by everybody who took part."""

    id: str
    """Key of the talk: start tick and the participants' names."""
    participants: tuple[str, ...]
    """Who took part; the one who began comes first."""
    place: str
    start: int
    end: int
    lines: tuple[TalkLine, ...]
    ended_by: str = ""
    """Name of the person who ended it, or `the cap` if the maximum number of turns was reached."""

    def others(self, name: str) -> tuple[str, ...]:
        """Return everybody in the talk except `name`."""
        return tuple(other for other in self.participants if other != name)


ON_THE_WAY = "on the way to "
"""Beginning of the activity of somebody who is still walking to a place."""
GOING = frozenset(
    (  # noqa: SIM905
        "walking going heading strolling hurrying rushing cycling driving returning coming "
        "carrying bringing delivering"
    ).split()
)
"""Verbs of going or of carrying something somewhere: such a deed ends where it leads."""


_OWN = re.compile(r"\b(?:(my)|(me|myself)|I)\b")


def describe_action(name: str, activity: str) -> str:
    """Return somebody's activity as a sentence in the third person without a full stop.

    What they call theirs in it has their first name: `telling everybody about my party` is about
    Nadia's party to whoever sees Nadia.
    """
    first = name.partition(" ")[0]
    activity = _OWN.sub(
        lambda own: f"{first}'s" if own[1] else first if own[2] else "they", activity
    )
    is_doing = activity.split(" ", 1)[0].endswith("ing") or activity.startswith(ON_THE_WAY)
    return f"{name} is {activity}" if is_doing else f"{name}: {activity}"


def on_the_way(action: Action, here: str = "") -> str:
    """Return the activity of somebody who is still walking to the place of an action.

    Within a building, the room is named. Whoever is in that room already is doing the deed there,
    even if they still walk a few steps.
    """
    if arena_of(action.place) in ("", here, sector_of(here)):
        return action.activity
    sector, *rooms = split_address(action.place)
    if not rooms or sector != sector_of(here):
        return f"{ON_THE_WAY}{sector}"
    return f"{ON_THE_WAY}{rooms[0] if rooms[0][:1].isupper() else f'the {rooms[0]}'}"


def describe_start(name: str, action: Action, here: str) -> str:
    """Return the beginning of somebody's action as a sentence without a full stop.

    Whoever has to go to another building for it is not told as doing it already.
    """
    sector, first = sector_of(action.place), action.activity.split(" ", 1)[0]
    if sector in ("", OUTDOORS, sector_of(here)) or first in GOING or sector in action.activity:
        return describe_action(name, action.activity)
    purpose = f" for {action.activity}" if first.endswith("ing") else f": {action.activity}"
    return f"{name} is {on_the_way(action)}{purpose}"
