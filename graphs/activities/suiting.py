"""How well a place, and an object in it, suit a task: by their names, by kind, by home and work."""

import re
from dataclasses import dataclass
from functools import cached_property

from agents.places import sector_of
from graphs.activities.kinds import VAGUE, Kind, fit_of, kind_of, thing_of
from graphs.sense.words import stands_in, words_of
from models.standin.words import all_stems, stems

BY_KIND = 0.5
"""What it counts that an object is for this kind of activity, though the task does not say it."""
_AT_HOME = re.compile(r"\bat home\b", re.IGNORECASE)
_SOMEBODY = re.compile(r"(?<!^)\b[A-Z][\w'’-]+")
_ANY_PLACE = stems("town house cottage shop")
"""Words of place names that tell no place apart."""
_OWN_FIRST = frozenset(("sleep", "wash"))
"""Kinds that are done at home, whatever block they are a part of."""


@dataclass(frozen=True)
class Task:
    """What is to be done, as a part of what, and by whom."""

    activity: str
    part_of: str
    home: str
    """Address of the bedroom."""
    work: str
    """Address of the place of work; anything without a place's form where there is none."""
    learned: str = ""
    """The history of who does it: it tells what kind of work `working` is."""

    @cached_property
    def said(self) -> frozenset[str]:
        """The stems of the task's own words."""
        return stems(self.activity)

    @cached_property
    def about(self) -> frozenset[str]:
        """The stems of the words of what it is a part of."""
        return stems(self.part_of)

    @cached_property
    def own_kind(self) -> Kind | None:
        """The kind that the task's own words tell."""
        return kind_of(self.activity, self._background)

    @cached_property
    def kind(self) -> Kind | None:
        """The kind that decides where it is done: that of the block, but one washes at home."""
        own = self.own_kind
        if own is not None and own.name in _OWN_FIRST:
            return own
        return kind_of(self.part_of, self._background) or own

    @property
    def _background(self) -> str:
        """The words that tell what the person's work is."""
        return f"{self.learned.split('. ')[0]} {self.work}"

    def names(self, sector: str) -> bool:
        """Return True when the task, or else what it is a part of, names a sector in full."""
        plain = plain_name(sector)
        return any(stands_in(plain, words_of(text)) for text in (self.activity, self.part_of))

    @property
    def is_at_home(self) -> bool:
        """True when the task, or what it is a part of, is said to be at home."""
        return any(is_at_home(text) for text in (self.activity, self.part_of))


def is_at_home(text: str) -> bool:
    """Return True when a text says `at home` and names nobody whose home may be meant."""
    return _AT_HOME.search(text) is not None and _SOMEBODY.search(text) is None


def room_score(task: Task, arena: str) -> float:
    """Return how well an arena suits a task by its names alone."""
    sector, _, room = arena.partition(": ")
    score = 0.0
    for named, weight in ((stems(sector), 5.0), (stems(room), 3.0)):
        if named:
            score += weight * len(named & task.said) / len(named)
            score += 0.8 * weight * len(named & task.about) / len(named)
    rooms, own = stems(arena), task.own_kind
    block = task.kind
    score += 1.5 * bool(block and block.rooms & rooms) + 0.5 * bool(own and own.rooms & rooms)
    score += 4.0 * (task.is_at_home and sector == sector_of(task.home))
    return score + home_or_work(block, arena, task) + _named(task, arena)


def object_score(task: Task, arena: str, name: str) -> float:
    """Return how well an object of an arena suits a task; 0 where nothing speaks for it.

    A word that only names the room does not name the object: a breakfast in the kitchen is not
    eaten at the kitchen sink.
    """
    fit, tokens = fit_of(name, task.activity), stems(name) - VAGUE
    head = all_stems(name)[-1:]
    only_room = (tokens & task.said & stems(arena.rpartition(": ")[2])) - frozenset(head)
    if only_room:
        fit -= 4.0 * len(only_room) / len(tokens)
    thing, kind = thing_of(name), task.own_kind or task.kind
    if fit > 0 or thing is None or kind is None:
        return max(0.0, fit)
    return BY_KIND * bool(thing.words & kind.words)


def home_or_work(kind: Kind | None, place: str, task: Task, *, whole: bool = True) -> float:
    """Return what it counts that a sector or arena is the person's home or work.

    Where `whole` is set, the very room counts too, not only the house.
    """
    where = kind.where if kind is not None else "any"
    sector = sector_of(place)
    is_home = sector == sector_of(task.home)
    if where == "out":
        return 0.8 if not is_home else -0.5
    score = 0.0
    if is_home:
        score += {"home": 3.5, "any": 1.5}.get(where, 0.0)
        score += 0.6 * (whole and where == "home" and place == task.home)
    if sector == sector_of(task.work):
        score += 3.5 if where == "work" else 0.3
        score += 0.8 * (whole and where == "work" and place == task.work)
    return score


def _named(task: Task, arena: str) -> float:
    """Return what it counts that a block names a place: its own work by a word, others in full."""
    sector = sector_of(arena)
    if sector == sector_of(task.work) and task.about & (stems(sector) - _ANY_PLACE):
        return 4.0 + 2.0 * (arena == task.work)
    return 4.0 if stems(sector) <= task.about else 0.0


def plain_name(sector: str) -> list[str]:
    """Return the words of a sector's name, without its article."""
    words = words_of(sector)
    return words[1:] if words[:1] == ["the"] else words
