"""Kinds of activities, sorts of objects and emoji for actions, from data files read on first use.

All of them are recognised by English words. In any other language every activity and object is
unknown.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import product
from typing import Any

from smolville.models.standin.words import all_stems, stems

VAGUE = stems("room second third fourth")
"""Words in names of places and objects that say nothing about their use."""
_MAIN = frozenset(("sleep", "wash", "breakfast", "lunch", "dinner"))
"""Kinds whose words count more than those of other kinds: a lunch at work is a lunch."""
_CHOICE = re.compile(r"\{([^{}]*)\}")
_WORK = stems("work shift duty job counter customer serve open close run manage business help")

_SINGLE = stems("shower toilet bathroom sink stove piano bathtub espresso")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of activity."""

    name: str
    words: frozenset[str]
    """Stems that identify this kind; empty if callers find it by the place."""
    whose: frozenset[str]
    """Stems that describe the people who do this; empty for everybody."""
    where: str
    """Where it is done: `home`, `work`, `out` or `any`."""
    rooms: frozenset[str]
    """Stems of the room and sector names that suit it."""
    emoji: tuple[str, ...]
    phrases: tuple[str, ...]
    """Wordings for an entry of a plan."""
    tasks: tuple[str, ...]
    """Subtasks of a block of this kind, in order."""
    is_job: bool


@dataclass(frozen=True, slots=True)
class Thing:
    """The uses of one sort of object."""

    names: frozenset[str]
    words: frozenset[str]
    emoji: str
    state: str
    """The object's state while it is used for its purpose."""


@cache
def kinds() -> tuple[Kind, ...]:
    """Return every kind of activity; jobs come last."""
    return _kinds("activities.toml", is_job=False) + _kinds("jobs.toml", is_job=True)


def _kinds(file: str, *, is_job: bool) -> tuple[Kind, ...]:
    """Return the kinds of one data file."""
    return tuple(
        Kind(
            name=row["name"],
            words=stems(row["words"]),
            whose=stems(row.get("whose", "")),
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
    """Return the kind with this name. Raises KeyError if there is none."""
    return _by_name()[name]


@lru_cache(maxsize=8192)
def kind_of(activity: str, background: str = "") -> Kind | None:
    """Return the kind of an activity, or None if none of its words identifies one.

    `background` is the person's history: it decides what kind of work `working` is.
    """
    known = stems(background)
    fitting = [each for each in kinds() if _is_for(each, known)]
    return _find_likeliest_kind(activity, known, fitting) or _find_likeliest_kind(
        activity, known, kinds()
    )


def _is_for(sort: Kind, known: frozenset[str]) -> bool:
    """Return whether a person described by the words `known` does activities of this kind."""
    if sort.is_job:
        return bool(sort.words & known)
    return not (sort.whose and known) or bool(sort.whose & known)


def _find_likeliest_kind(
    activity: str, known: frozenset[str], among: Sequence[Kind]
) -> Kind | None:
    """Return the kind that most words of an activity point to, or None if no word does."""
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
    """Return the sort of object that a name points to, or None if no word does."""
    tokens = stems(name)
    best, best_score = None, 0
    for each in things():
        score = len(each.names & tokens)
        if score > best_score:
            best, best_score = each, score
    return best


@lru_cache(maxsize=8192)
def sign_in(activity: str) -> str:
    """Return the emoji that fits the words of an activity, or an empty text if none does.

    The longest matching phrase decides, then the earliest one: `reading the back of a new book` is
    reading.
    """
    said = all_stems(activity)
    best, best_score = "", (0, 0)
    for emoji, phrase in _signs():
        if phrase <= frozenset(said):
            score = (len(phrase), -min(map(said.index, phrase)))
            if score > best_score:
                best, best_score = emoji, score
    return best


@cache
def _signs() -> tuple[tuple[str, frozenset[str]], ...]:
    """Return every phrase of the table of signs as stems, with its emoji."""
    return tuple(
        (emoji, frozenset(all_stems(phrase)))
        for emoji, phrases in tables("signs.toml")["signs"].items()
        for phrase in phrases
    )


@lru_cache(maxsize=16384)
def fit_of(name: str, task: str) -> float:
    """Return how well an object serves a task; 0 if nothing suggests that it does."""
    said, tokens = stems(task), stems(name) - VAGUE
    score = 4.0 * len(tokens & said) / len(tokens) if tokens else 0.0
    thing = thing_of(name)
    if thing is not None:
        score += min(3.0, 1.6 * len(thing.words & said))
    return score


def kind_with_phrase(activity: str) -> Kind | None:
    """Return the kind of leisure that has `activity` as a phrase, in any wording, or else None."""
    return _by_phrase().get(activity)


@cache
def _by_phrase() -> dict[str, Kind]:
    """Return the kinds of leisure by each wording of each of their phrases."""
    return {
        wording: each
        for each in kinds()
        if not each.is_job
        for phrase in each.phrases
        for wording in _wordings(phrase)
    }


def _wordings(task: str) -> list[str]:
    """Return a phrase in all its wordings: `{a|b}` stands for one of its parts."""
    pieces = _CHOICE.split(task)
    options = [each.split("|") if at % 2 else [each] for at, each in enumerate(pieces)]
    return ["".join(parts) for parts in product(*options)]


@cache
def _by_name() -> dict[str, Kind]:
    """Return all kinds by name."""
    return {each.name: each for each in kinds()}


def _rows(file: str, table: str) -> list[dict[str, Any]]:
    """Return the rows of a list in a data file."""
    rows: list[dict[str, Any]] = tables(file)[table]
    return rows


def tables(file: str) -> dict[str, Any]:
    """Return the tables of a data file."""
    text = files("smolville.graphs.activities").joinpath(file).read_text(encoding="utf-8")
    return tomllib.loads(text)


def is_in_the_way(theirs: str, mine: str) -> bool:
    """Return True when both activities name the same object that serves one person at a time."""
    return bool(stems(theirs) & stems(mine) & _SINGLE)
