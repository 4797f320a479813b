"""A visitor's body: seen and met like a resident's, moved by an operator, and without a mind."""

from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from agents.action import Action, Talk, told
from graphs.surroundings import Percept
from world.body_state import BodyState

STAY_SECONDS = 86_400
"""Seconds that a visitor's action lasts in the record at most; it goes on until told otherwise."""
SOON_SECONDS = 3600
"""Seconds that people in sight expect a visitor's action to last, since nobody knows its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor(BodyState):
    """A visitor from outside: in town from one tick to another, or never if they only call."""

    about: str
    """Who they say they are: `a reporter from the county paper`."""
    came: int
    """The tick of their latest arrival."""
    left: int = -1
    """The tick from which they are gone; -1 while they stay."""
    told: int = -1
    """The tick of an operator's latest instruction."""

    @property
    def is_caller(self) -> bool:
        """True for a visitor who only calls, and is nowhere in town."""
        return 0 <= self.left <= self.came

    def is_here(self, tick: int) -> bool:
        """Return True when others can meet them at a tick."""
        return self.came <= tick and (self.left < 0 or tick < self.left)

    def doing(self, at: int) -> Action | None:
        """Return their action; after a talk, the one that it interrupted."""
        if self.talk is not None and at >= self.talk.end:
            return self.interrupted
        return self.action

    def acting(self, action: Action, tick: int) -> "Visitor":
        """Return the body with another action from a tick on, as an operator says."""
        return replace(self, action=action, talk=None, interrupted=None, told=tick)

    def talking(self, talk: Talk) -> "Visitor":
        """Return the body in a talk at its place; a caller's has no place."""
        before = replace(self, action=self.doing(talk.start), talk=None)
        if self.is_caller:
            return replace(before, talk=talk)
        # BodyState's own method, by name: a frozen class with slots has no bare `super`.
        held = BodyState.talking(before, talk)
        assert isinstance(held, Visitor)
        return held

    def written(self) -> str:
        """Return it as JSON."""
        return VISITOR.dump_json(self).decode()

    def percept(self, place: str, distance: int, at: int) -> Percept:
        """Return what others see of them, including who they say they are."""
        action = self.doing(at)
        assert action is not None
        return Percept(
            subject=self.agent,
            predicate=action.predicate,
            object=action.object,
            text=seen_as(self.agent, self.about, action.activity),
            place=place,
            distance=distance,
            is_person=True,
            can_talk=not self.is_talking(at),
            activity=action.activity,
            until=self.talk.end if self.is_talking(at) and self.talk else at + SOON_SECONDS,
            origin=action.start,
            about=self.about,
        )


VISITOR = TypeAdapter(Visitor)
"""Reads and writes a visitor as JSON."""


def seen_as(name: str, about: str, activity: str) -> str:
    """Return what others see: `Rosa Lind, a reporter, is taking notes`."""
    if not about:
        return told(name, activity)
    is_doing = activity.split(" ", 1)[0].endswith("ing")
    return f"{name}, {about}, is {activity}" if is_doing else f"{name}, {about}: {activity}"
