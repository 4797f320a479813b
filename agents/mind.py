"""The mind of one agent: its state between ticks."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from agents.goals import Goal, GoalChange
from agents.needs import NeedLevels
from agents.plan import DayPlan
from agents.routines import Routines

COURSE_KEPT = 100
SHARED_KEPT = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """A meeting that somebody has agreed to."""

    day: int
    """The town day, from 1."""
    start: int
    """Minute of the day."""
    end: int
    partners: tuple[str, ...]
    where: str
    """The place in words, as it stands in the plan: `the Copper Kettle`."""
    place: str = ""
    """Address of the room; empty if it is unknown."""

    @property
    def activity(self) -> str:
        """The activity as it is entered into the plan."""
        names = " and ".join(self.partners)
        return f"meeting {names} at {self.where}"


def with_appointment(
    known: Sequence[Appointment], new: Appointment, today: int
) -> tuple[Appointment, ...]:
    """Return the appointments with `new` added, without those of the days before `today`.

    Overlapping appointments at the same place are merged. If two at different places overlap, the
    one agreed first is kept.
    """
    kept = [each for each in known if each.day >= today]
    for at, each in enumerate(kept):
        if each.day == new.day and each.start < new.end and new.start < each.end:
            if each.where == new.where and each.start == new.start:
                partners = tuple(dict.fromkeys((*each.partners, *new.partners)))
                kept[at] = replace(each, partners=partners)
            return tuple(kept)
    return tuple(sorted((*kept, new), key=lambda each: (each.day, each.start)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Impression:
    """One agent's impression of another (the social memory of Affordable Generative Agents)."""

    relationship: str
    feeling: str = ""
    summary: str = ""
    """What they last talked about."""
    at: int = 0
    """Town second of the last change."""
    talks: int = 0
    closeness: float | None = None
    """Closeness felt, 0 to 1 (`agents.closeness`); None before the first talk, and in minds saved
    by versions without it."""
    course: tuple[tuple[int, float], ...] = ()
    """(town second, closeness) pairs: the first closeness, then one pair per talk; at most
    `COURSE_KEPT`."""
    shared: tuple[tuple[int, str], ...] = ()
    """(town second, summary) pairs of the talks before the last one, the latest `SHARED_KEPT`."""
    told: tuple[str, ...] = ()
    """Texts of memories that the agent has told this person (`graphs.talk_memories`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Idea:
    """Something new that a wandering mind wants to do on a day."""

    day: int
    activity: str
    part: Literal["morning", "afternoon", "evening"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPlace:
    """An arena as an agent knows it: its objects, and their states as last seen."""

    objects: tuple[str, ...] = ()
    states: tuple[tuple[str, str], ...] = ()
    """(object, state) pairs that differ from idle, as last seen."""
    owners: tuple[str, ...] = ()
    """The people who live there; empty for a public place."""
    seen: int = -1
    """Town second at which a change was last seen there; -1 if the place was never seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mind:
    """One agent's plan, counters, impressions and known places; saved with every commit.

    It is immutable: a thought returns a new one (`dataclasses.replace`).
    """

    name: str
    currently: str
    requirement: str
    """Today's requirement."""
    plan: DayPlan | None = None
    places: dict[str, KnownPlace] = field(default_factory=dict)
    """What is known of each place, by `sector: arena`; everything seen is added."""
    impressions: dict[str, Impression] = field(default_factory=dict)
    seen: dict[str, int] = field(default_factory=dict)
    """Town second at which an event was perceived, by event key; these events are no longer new."""
    considered: dict[str, int] = field(default_factory=dict)
    """Town second at which a reaction to a person was last considered, by name."""
    talked: dict[str, int] = field(default_factory=dict)
    """Town second at which the last talk with a person ended, by name."""
    unrated: tuple[str, ...] = ()
    """Ids of memories that have no rating yet, oldest first."""
    gathered: float = 0.0
    """Total importance of the memories rated since the last reflection."""
    reflected: int = -1_000_000
    """Town second of the last reflection."""
    refused: tuple[str, ...] = ()
    """Objects that were found taken during the current activity."""
    goals: tuple[Goal, ...] = ()
    """The agent's goals, the latest first."""
    goal_changes: tuple[GoalChange, ...] = ()
    """Revisions of the agent's goals, oldest first."""
    goal_day: int = 0
    """The last day on which the agent was asked whether to revise a goal."""
    goal_asked: int = -1
    """Town second at which the agent was last asked that; -1 before the first time."""
    heard: int = -1
    """Town second of the latest news that it has heard from entities other than people."""
    routines: Routines = field(default_factory=Routines)
    """The agent's routines."""
    dreamt: int = -1
    """Day of the last dream, from 1; -1 before the first."""
    idea: Idea | None = None
    """The latest idea of the wandering mind."""
    appointments: tuple[Appointment, ...] = ()
    """The agent's appointments, earliest first."""
    needs: NeedLevels | None = None
    """Its needs as of its last thought; None before the first thought, and in a run without
    needs."""
