"""Kinds of activities and sorts of objects, read from their data files when first needed.

Both are told by English words. In any other language nothing is known of an activity or an object,
and whoever asks does without.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from models.standin.words import all_stems, stems

VAGUE = stems("room second third fourth")
"""Words in the names of places and things that say nothing about their use."""
_MAIN = frozenset(("sleep", "wash", "breakfast", "lunch", "dinner"))
"""Kinds whose words count more than others': a lunch at work is a lunch."""
_WORK = stems("work shift duty job counter customer serve open close run manage business help")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of activity."""

    name: str
    words: frozenset[str]
    """Stems that tell it."""
    where: str
    """`home`, `work`, `out` or `any`."""
    rooms: frozenset[str]
    """Stems of room and sector names that suit it."""
    emoji: tuple[str, ...]
    phrases: tuple[str, ...]
    """As an entry of a plan."""
    tasks: tuple[str, ...]
    """As parts of a block, in order."""
    is_job: bool


@dataclass(frozen=True, slots=True)
class Thing:
    """What one sort of object is for."""

    names: frozenset[str]
    words: frozenset[str]
    emoji: str
    state: str
    """While it is used for what it is for."""


@cache
def kinds() -> tuple[Kind, ...]:
    """Return every kind of activity, the jobs last."""
    return _kinds("activities.toml", is_job=False) + _kinds("jobs.toml", is_job=True)


def _kinds(file: str, *, is_job: bool) -> tuple[Kind, ...]:
    """Return the kinds of one data file."""
    return tuple(
        Kind(
            name=row["name"],
            words=stems(row["words"]),
            where=row["where"],
            rooms=stems(row["rooms"]) - VAGUE,
            emoji=tuple(row["emoji"].split()),
            phrases=tuple(row["phrases"]),
            tasks=tuple(row["tasks"]),
            is_job=is_job,
        )
        for row in _rows(file, "kinds")
    )


@cache
def things() -> tuple[Thing, ...]:
    """Return every sort of object."""
    return tuple(
        Thing(stems(row["names"]), stems(row["words"]), row["emoji"], row["state"])
        for row in _rows("objects.toml", "objects")
    )


def kind(name: str) -> Kind:
    """Return the kind of this name; KeyError where there is none."""
    return _by_name()[name]


@lru_cache(maxsize=8192)
def kind_of(activity: str, background: str = "") -> Kind | None:
    """Return the kind of an activity, None where no word tells it.

    `background` is the history of who does it: it tells what kind of work `working` is.
    """
    known = stems(background)
    fitting = [each for each in kinds() if not each.is_job or each.words & known]
    return _likeliest(activity, known, fitting) or _likeliest(activity, known, kinds())


def _likeliest(activity: str, known: frozenset[str], among: Sequence[Kind]) -> Kind | None:
    """Return the kind that most words of an activity tell, None where no word tells any."""
    said, first = stems(activity), all_stems(activity)[:2]
    is_work = bool(said & _WORK)
    best, best_score = None, 0.0
    for each in among:
        weight = 3.0 if each.name in _MAIN else 2.0
        score = weight * len(each.words & said) + any(word in each.words for word in first)
        if each.is_job and is_work:
            score += 0.7 * min(4, len(each.words & known))
        if score > best_score:
            best, best_score = each, score
    return best


@lru_cache(maxsize=2048)
def thing_of(name: str) -> Thing | None:
    """Return the sort of object that a name tells, None where no word does."""
    tokens = stems(name)
    best, best_score = None, 0
    for each in things():
        score = len(each.names & tokens)
        if score > best_score:
            best, best_score = each, score
    return best


@lru_cache(maxsize=16384)
def fit_of(name: str, task: str) -> float:
    """Return how well an object serves a task, 0 where nothing speaks for it."""
    said, tokens = stems(task), stems(name) - VAGUE
    score = 4.0 * len(tokens & said) / len(tokens) if tokens else 0.0
    thing = thing_of(name)
    if thing is not None:
        score += min(3.0, 1.6 * len(thing.words & said))
    return score


@cache
def _by_name() -> dict[str, Kind]:
    """Return the kinds by name."""
    return {each.name: each for each in kinds()}


def _rows(file: str, table: str) -> list[dict[str, Any]]:
    """Return the rows of one table of a data file."""
    text = files("graphs.activities").joinpath(file).read_text(encoding="utf-8")
    rows: list[dict[str, Any]] = tomllib.loads(text)[table]
    return rows
