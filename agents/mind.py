"""The mind of one agent: its state between ticks."""

import re
from calendar import month_name
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from smolville.agents.keywords import keywords_of
from smolville.agents.memory import Memory
from smolville.agents.needs import NeedLevels
from smolville.agents.persona import WEEKDAYS
from smolville.agents.plan import DayPlan
from smolville.agents.routines import Routines

MOST_GOALS = 3
SHARED = 2
"""Minimum number of keywords that a memory must share with a goal to concern it."""
_DATES = frozenset(name.casefold() for name in (*WEEKDAYS, *month_name))
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_PRONOUN = re.compile(r"^(?:She|He) ")
_WANTS = re.compile(
    r"\b(?:wants?|wishes|hopes?|plans?|means? to|looks? for|looking for|tries|trying|getting ready"
    r"|is going to|works? on|working on|writing|saves? for|saving)\b",
    re.IGNORECASE,
)
"""Words that show that a sentence states somebody's aim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """One goal of a person."""

    text: str
    since: int = 0
    """Town second since which the person has had this goal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalChange:
    """A revision of a goal: the difference, and the reason."""

    at: int
    kind: Literal["done", "changed", "new"]
    before: str
    """The goal before the revision; empty for a new goal."""
    after: str
    """The goal after the revision; empty for a goal that is done."""
    because: tuple[str, ...] = ()
    """Ids of the memories that caused the revision."""
    reason: str = ""


def first_goals(
    asked: Iterable[str], currently: str, first_name: str, at: int = 0
) -> tuple[Goal, ...]:
    """Return somebody's goals: those in the persona file, or else one from `currently`.

    The goal from `currently` is its first sentence that states an aim, or else its first sentence.
    A pronoun at the start of this sentence is replaced by the person's name.
    """
    texts = [" ".join(each.split()) for each in asked if each.strip()]
    if not texts:
        sentences = [each for each in _SENTENCE.split(" ".join(currently.split())) if each]
        told = [each for each in sentences if _WANTS.search(each)][:1] or sentences[:1]
        texts = [_PRONOUN.sub(f"{first_name} ", each) for each in told]
    return tuple(Goal(text=text, since=at) for text in texts[:MOST_GOALS])


def goals_line(goals: Iterable[Goal]) -> str:
    """Return goals on one line, as prompts show them; empty if there are none."""
    return " ".join(goal.text for goal in goals)


def concerns(memory: Memory, goal: Goal, own_name: str) -> bool:
    """Return True when a memory is about the same subject as a goal.

    Its owner's name and the names of days and months say nothing of the subject.
    """
    own = {part.casefold() for part in own_name.split()} | {own_name.casefold()} | _DATES
    said, wanted = (
        {word.casefold() for word in keywords_of(text)} - own for text in (memory.text, goal.text)
    )
    return len(said & wanted) >= SHARED


COURSE_KEPT = 100
SHARED_KEPT = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """Something that people have agreed in a talk to do on a certain day."""

    day: int
    """The town day, from 1."""
    start: int | None
    """Minute of the day; None for some time of that day."""
    end: int | None = None
    """Minute of the day; None if it takes as long as it takes."""
    partners: tuple[str, ...]
    """The others who do it: whom the person meets or waits for."""
    where: str = ""
    """The place in words, as earlier versions entered it into the plan: `the Copper Kettle`."""
    place: str = ""
    """Address of the room or spot; empty if it is unknown."""
    what: str = ""
    """What is done, in the words of whoever recorded it; empty in appointments of earlier
    versions."""
    who: tuple[str, ...] = ()
    """Everybody who does it; empty in appointments of earlier versions, which were meetings."""
    speaker: str = ""
    said: str = ""
    """The line with which the speaker agreed, as it was said."""
    at: int = 0
    """Town second at which that talk ended."""
    heard: tuple[str, ...] = ()
    """Everybody who took part in that talk."""
    by: str = ""
    """Another person who recorded it; empty if the person did so itself."""
    met: tuple[str, ...] = ()
    """The partners who came, or were talked to, at its time."""
    missed: bool = False
    """Whether the person waited for somebody who did not come."""
    done: bool = False
    """Whether the person has done it by themselves, whatever its hour."""

    @property
    def activity(self) -> str:
        """The activity as it is entered into the plan."""
        return self.what or f"meeting {' and '.join(self.partners)} at {self.where}"

    def is_of(self, name: str) -> bool:
        """Return whether a person does it; if not, it is done by others who said so."""
        return not self.who or name in self.who

    def told_to(self, name: str, by: str) -> "Appointment":
        """Return the record that `by` has made of an agreement, as it concerns another person."""
        return replace(self, by=by, partners=tuple(each for each in self.who if each != name))

    @property
    def is_joint(self) -> bool:
        """Whether the person does it together with others, so that one can miss the other."""
        return bool(self.partners) and set(self.partners) != set(self.who)

    def is_same(self, other: "Appointment") -> bool:
        """Return whether both record the same agreement, perhaps from two sides.

        One of them may lack the hour.
        """
        if self.day != other.day:
            return False
        is_said, is_told = self.said == other.said != "", self.by != other.by
        are_same = set(self.who) == set(other.who) != set()
        is_alike = are_same and are_alike(self.what, other.what)
        if self.start == other.start is not None:
            return is_said or is_alike or (are_same and is_told)
        is_like = is_said and bool(_longer_words(self.what) & _longer_words(other.what))
        return None in (self.start, other.start) and (
            is_alike or (are_same and is_like and is_told)
        )

    def is_beside(self, own: "Appointment") -> bool:
        """Return whether it is for the same thing as one's own agreement, made with others."""
        is_then = (self.day, self.start, self.place) == (own.day, own.start, own.place)
        return is_then and self.start is not None and are_alike(self.what, own.what)

    def replaces(self, older: "Appointment") -> bool:
        """Return whether a later talk has moved an agreement to another hour of its day.

        It is of the same people, at the same place, and in much the same words, the first included:
        `singing at the party` is no other hour for `going to the party`. What only others recorded
        replaces nothing of one's own.
        """
        is_later = self.day == older.day and self.at > older.at and self.start is not None
        is_theirs = set(self.who) == set(older.who) != set() and (not self.by or older.by)
        is_there = self.place == older.place != ""
        is_so = self.what.split()[:1] == older.what.split()[:1]
        return bool(
            is_later and is_theirs and is_there and is_so and are_alike(self.what, older.what)
        )


def are_alike(one: str, other: str, *, in_part: bool = False) -> bool:
    """Return whether two texts have most of their longer words in common.

    With `in_part`, most of those of the shorter text are enough.
    """
    words = [_longer_words(text) for text in (one, other)]
    counts = [len(each) for each in words]
    return 2 * len(words[0] & words[1]) > (min(counts) if in_part else max(counts))


def _longer_words(text: str) -> set[str]:
    words = (each.strip(".,;:!?\"'()") for each in text.casefold().split())
    return {each for each in words if len(each) > 3}


REMEMBERED = 7
"""Number of days for which an agreement that came to nothing is kept."""


def with_appointment(
    known: Sequence[Appointment], new: Appointment, today: int
) -> tuple[Appointment, ...]:
    """Return the appointments with `new` added, without those that are over before `today`.

    What both sides recorded counts as one, at one place; what was agreed anew replaces what it was.
    What only others recorded is one's own too if it is for something that one has agreed on. What
    somebody did not come to is kept for some days.
    """
    kept = [each for each in known if each.day >= today or _is_open(each, today)]
    same = next((each for each in kept if each.is_same(new)), None)
    if same is not None:
        kept.remove(same)
        is_better = not new.by and (bool(same.by) or (same.start is None and new.start is not None))
        own, other = (new, same) if is_better else (same, new)
        new = replace(
            own,
            start=other.start if own.start is None else own.start,
            end=other.end if own.end is None else own.end,
            place=_common_place(own, other),
        )
    kept = [*(each for each in kept if not new.replaces(each)), new]
    mine = [each for each in kept if not each.by]
    kept = [
        replace(each, by="") if any(each.is_beside(other) for other in mine) else each
        for each in kept
    ]
    return tuple(sorted(kept, key=lambda each: (each.day, each.start or 0)))


def _common_place(own: Appointment, other: Appointment) -> str:
    """Return the place at which both sides of an agreement meet: the same for either of them.

    The place counts that the speaker of the line recorded; of two speakers, the first by name.
    """
    if own.speaker == other.speaker:
        is_others = other.by == other.speaker
    else:
        is_others = other.speaker < own.speaker
    return (other.place or own.place) if is_others else (own.place or other.place)


def _is_open(each: Appointment, today: int) -> bool:
    """Return whether a past agreement came to nothing, and may still be spoken of."""
    is_kept = not each.is_joint or set(each.partners) <= set(each.met)
    return not is_kept and each.start is not None and each.day >= today - REMEMBERED


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
    """Texts of memories that were told in talks with this person (`graphs.talk_memories`)."""


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
    goal_asked: int = -1_000_000
    """Town second at which the agent was last asked whether to revise a goal."""
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
