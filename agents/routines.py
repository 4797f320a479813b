"""An agent's routines: its earlier ways of doing things, and which of them fit an activity.

This is the lifestyle policy of Affordable Generative Agents (section 3.2). A routine is reused only
at about the same time of day, for an activity that names the same people, places and numbers, and
if it is the best match.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Literal, NamedTuple, TypeVar

import numpy as np

from smolville.agents.persona import Persona
from smolville.agents.stream import Vector
from smolville.agents.times import DAY

MOST = 200
"""Routines of each sort that an agent keeps; the oldest are forgotten first."""
ROUGHLY = 90
"""Minutes by which the times of day may differ."""
ALIKE = 0.88
"""Default similarity from which activities count as the same: with `wordllama`, 98 % of the reuses
of labelled pairs are right from there on."""
VARIETY = 0.1
"""Share of matches that are ignored, so that the model is asked and days stay varied."""
ALMOST = 0.999
"""Maximum similarity given to activities in different words."""
_EQUAL = 0.005
"""Matches count as equally good if their similarities differ by no more than this."""
_CLOSE = 30
"""Among equally good matches, those at most this many minutes farther away in time than the closest
may be chosen."""
_MARKED = re.compile(r"(?<!^)\b[A-Z][\w'’-]*|\b\d+(?::\d+)?\b")
"""Names and numbers in an activity; a capitalised first word does not count."""
_OWN_WORDS = (
    *("age", "innate", "learned", "lifestyle", "home", "work", "daily_requirement", "habits"),
)
"""Fields of a persona that shape what it does day by day."""

BROUGHT = -1
"""Tick that marks a routine as taken over from another run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownTasks:
    """The tasks into which an activity was split."""

    activity: str
    start: int
    """Minute of the day at which it began."""
    tasks: tuple[tuple[str, int], ...]
    """(activity, minutes) of each task, in order."""
    tick: int
    """Tick of the thought in which it was learnt."""

    @property
    def text(self) -> str:
        """The activity by which this routine is looked up."""
        return self.activity

    @property
    def minutes(self) -> int:
        """Length of the whole activity."""
        return sum(minutes for _, minutes in self.tasks)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSpot:
    """The place where a task was done."""

    activity: str
    part_of: str
    """The hourly activity that the task was part of; empty if there was none."""
    start: int
    """Minute of the day at which it began."""
    place: str
    """Address of the place, or of the object that was used."""
    tick: int
    """Tick of the thought in which it was learnt."""

    @property
    def text(self) -> str:
        """The activity by which this routine is looked up."""
        return place_text(self.activity, self.part_of)


Known = TypeVar("Known", KnownTasks, KnownSpot)


@dataclass(frozen=True, slots=True, kw_only=True)
class Routines:
    """The routines that an agent has learnt from its own days, oldest first."""

    tasks: tuple[KnownTasks, ...] = ()
    spots: tuple[KnownSpot, ...] = ()

    def with_tasks(self, new: KnownTasks) -> "Routines":
        """Return the routines with one more way to split an activity."""
        return replace(self, tasks=_appended(self.tasks, new))

    def with_spot(self, new: KnownSpot) -> "Routines":
        """Return the routines with one more place for a task."""
        return replace(self, spots=_appended(self.spots, new))


def _appended(known: tuple[Known, ...], new: Known) -> tuple[Known, ...]:
    """Return the routines with a new one last, replacing an equal one."""
    kept: list[Known] = [each for each in known if replace(each, tick=new.tick) != new]
    kept.append(new)
    return tuple(kept[-MOST:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Reuse:
    """One reuse of a routine, in place of asking a model."""

    agent: str
    tick: int
    kind: Literal["tasks", "spot"]
    activity: str
    """The activity for which the routine was reused."""
    matched: str
    """The activity for which the routine was learnt."""
    similarity: float
    """Cosine of both, 1 for the same words."""
    learnt: int
    """Tick at which the routine was learnt; `BROUGHT` if it comes from another run."""
    since: int
    """Town second from which the routine is followed."""
    until: int
    tasks: tuple[str, ...]
    """Activities of the plan that follow the routine."""


class Match(NamedTuple):
    """The routine that fits best, by its position in the list, and how similar it is."""

    position: int
    similarity: float


def persona_key(persona: Persona) -> str:
    """Return the key of a persona's routines: a hash of the fields that shape its days."""
    words = persona.model_dump_json(include=set(_OWN_WORDS))
    return blake2b(words.encode(), digest_size=8).hexdigest()


def names_in(activity: str) -> frozenset[str]:
    """Return the names and numbers in an activity; two activities match only if these are equal."""
    return frozenset(_MARKED.findall(activity))


def without_names(activity: str) -> str:
    """Return an activity without its names and numbers, which would dominate the similarity.

    They are compared separately; an activity that consists only of them is returned unchanged.
    """
    return " ".join(_MARKED.sub(" ", activity).split()) or activity


def place_text(activity: str, part_of: str) -> str:
    """Return the text by which a task's place is looked up: the task, and what it is part of."""
    return f"{activity} ({part_of})" if part_of and part_of != activity else activity


def same_words(activity: str) -> str:
    """Return an activity with case and spacing normalised."""
    return " ".join(activity.casefold().split())


def minutes_apart(one: int, other: int) -> int:
    """Return how far two times of day are apart, across midnight if that is shorter."""
    apart = abs(one - other) % DAY
    return min(apart, DAY - apart)


def may_match(text: str, start: int, known: KnownTasks | KnownSpot) -> bool:
    """Return True for a routine of about the same time of day with the same names and numbers."""
    near = minutes_apart(start, known.start) <= ROUGHLY
    return near and names_in(text) == names_in(known.text)


def similarities(vectors: Sequence[Vector]) -> list[float]:
    """Return the cosine of the first vector with each of the others, to three digits.

    Each is limited to `ALMOST`, which is below 1, since 1 means that the words are identical.
    """
    rows = np.asarray(vectors, np.float64)
    lengths = np.linalg.norm(rows, axis=1)
    lengths[lengths == 0] = 1.0
    rows /= lengths[:, None]
    return [min(round(float(cosine), 3), ALMOST) for cosine in rows[1:] @ rows[0]]


def best_match(
    start: int,
    known: Sequence[KnownTasks] | Sequence[KnownSpot],
    similarity: Sequence[float],
    least: float,
    pick: Callable[[Sequence[int]], int],
) -> Match | None:
    """Return the most similar routine, if its similarity is at least `least`; None otherwise.

    Among routines that are about equally similar, those nearest in time of day are preferred.
    If several are about equally near, `pick` chooses one of their positions.
    """
    found = [index for index, value in enumerate(similarity) if value >= least]
    if not found:
        return None
    most = max(similarity[index] for index in found)
    found = [index for index in found if similarity[index] >= most - _EQUAL]
    apart = {index: minutes_apart(start, known[index].start) for index in found}
    closest = min(apart.values())
    chosen = pick([index for index in found if apart[index] <= closest + _CLOSE])
    return Match(chosen, similarity[chosen])
