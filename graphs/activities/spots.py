"""Spots for tasks: how well places and objects suit a task, and how the task looks to others there.

All of it is derived from the task's own words and from the tables of kinds and objects, so no model
is called. In languages other than English a task gets the plain emoji and its text is used
unchanged.
"""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from smolville.agents.chance import pick
from smolville.agents.places import sector_of
from smolville.agents.plan import Spot
from smolville.graphs.activities.kinds import VAGUE, Kind, fit_of, kind_of, sign_in, thing_of
from smolville.graphs.sense.words import stands_in, words_of
from smolville.models.standin.words import all_stems, clip, stems

BY_KIND = 0.5
"""Score of an object that suits the task's kind although the task does not mention it."""
_AT_HOME = re.compile(r"\bat home\b", re.IGNORECASE)
_SOMEBODY = re.compile(r"(?<!^)\b[A-Z][\w'’-]+")
_ANY_PLACE = stems("town house cottage shop")
"""Words in place names that do not distinguish one place from another."""
_NOT_FOR = {name: stems("sleep") for name in ("garden", "roses", "park_keeper")}
"""For kinds of activity, uses of objects that are not meant: a gardener's beds are not slept in."""
_OWN_FIRST = frozenset(("sleep", "wash"))
"""Kinds that are done at home even as part of another activity."""

PLAIN = "🙂"
LONGEST_VERB = 30
LONGEST_THING = 60
LONGEST_STATE = 60
_DOING = re.compile(r"[a-z]{2,}ing")
_BEHIND = frozenset(
    (
        *("about", "across", "along", "around", "at", "back", "down", "for", "from", "in", "into"),
        *("off", "on", "out", "over", "past", "through", "to", "up", "with"),
    )
)
"""Particles that belong to the verb before them: `looking for`."""
_NO_THING = frozenset(("and", "or", "then", "while", "before", "after", "until", "as", "by"))
"""Words after a verb that start a new phrase and so are not the verb's object."""


@dataclass(frozen=True)
class Task:
    """A task with the activity it is part of, and the home and work of the person who does it."""

    activity: str
    part_of: str
    home: str
    """Address of the bedroom."""
    work: str
    """Address of the workplace; a text that is no valid address if there is none."""
    learned: str = ""
    """The person's history, which decides what kind of work `working` is."""

    @cached_property
    def said(self) -> frozenset[str]:
        """The stems of the words of the task itself."""
        return stems(self.activity)

    @cached_property
    def about(self) -> frozenset[str]:
        """The stems of the words of the activity that the task is part of."""
        return stems(self.part_of)

    @cached_property
    def own_kind(self) -> Kind | None:
        """The kind of activity that the task's own words point to."""
        return kind_of(self.activity, self._background)

    @cached_property
    def kind(self) -> Kind | None:
        """The kind of activity that decides where the task is done, usually that of its block.

        A task whose own kind is done at home (`_OWN_FIRST`) keeps that kind, unless it is a usual
        task of the block's kind: `watering the beds` is gardening, although beds are for sleep.
        """
        own, around = self.own_kind, kind_of(self.part_of, self._background)
        is_known = around is not None and any(self.said <= stems(task) for task in around.tasks)
        if own is not None and own.name in _OWN_FIRST and not is_known:
            return own
        return around or own

    @property
    def _background(self) -> str:
        """The words that describe the person's work."""
        return f"{self.learned.split('. ')[0]} {self.work}"

    def names(self, sector: str) -> bool:
        """Return True if the sector's full name is in the task or the activity it is part of."""
        return _is_named(sector, self.activity) or _is_named(sector, self.part_of)

    @property
    def is_at_home(self) -> bool:
        """Whether the task, or the activity it is part of, says `at home`."""
        return any(is_at_home(text) for text in (self.activity, self.part_of))


def is_at_home(text: str) -> bool:
    """Return True when a text says `at home` and names nobody else whose home might be meant."""
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
    return score + home_or_work(block, arena, task) + _score_named_sector(task, arena)


def object_score(task: Task, arena: str, name: str) -> float:
    """Return how well an object of an arena suits a task; 0 if nothing suggests it.

    A word that only names the room does not count for the object: breakfast in the kitchen is not
    eaten at the kitchen sink. Nor does a word with another meaning, such as the beds in `watering
    the beds`.
    """
    if is_meant_otherwise(task, name):
        return 0.0
    fit, tokens = fit_of(name, task.activity), stems(name) - VAGUE
    head = all_stems(name)[-1:]
    only_room = (tokens & task.said & stems(arena.rpartition(": ")[2])) - frozenset(head)
    if only_room:
        fit -= 4.0 * len(only_room) / len(tokens)
    thing, kind = thing_of(name), task.own_kind or task.kind
    if fit > 0 or thing is None or kind is None:
        return max(0.0, fit)
    return BY_KIND * bool(thing.words & kind.words)


def is_meant_otherwise(task: Task, name: str) -> bool:
    """Return whether a task of this kind uses the word for an object in another meaning."""
    thing, kind = thing_of(name), task.kind
    return bool(thing and kind and thing.words & _NOT_FOR.get(kind.name, frozenset()))


def home_or_work(kind: Kind | None, place: str, task: Task, *, whole: bool = True) -> float:
    """Return the score that a place gets because it is, or is not, the person's home or work.

    With `whole` the exact room counts too, not only the building.
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


def _score_named_sector(task: Task, arena: str) -> float:
    """Return the score of an arena whose sector the block names.

    One word of the name is enough for the person's own workplace; other sectors need the full name.
    """
    sector = sector_of(arena)
    if sector == sector_of(task.work) and task.about & (stems(sector) - _ANY_PLACE):
        return 4.0 + 2.0 * (arena == task.work)
    return 4.0 if stems(sector) <= task.about else 0.0


@lru_cache(maxsize=4096)
def _is_named(sector: str, text: str) -> bool:
    """Return whether a text contains the full name of a sector."""
    return stands_in(plain_name(sector), words_of(text))


def plain_name(sector: str) -> list[str]:
    """Return the words of a sector's name, without its article."""
    words = words_of(sector)
    return words[1:] if words[:1] == ["the"] else words


def verb_and_thing(activity: str) -> tuple[str, str]:
    """Return predicate and object of an event: `baking bread` gives (`is baking`, `bread`).

    An activity that does not begin with an -ing verb, or has no object after it, gives (`is`, the
    activity).
    """
    first, *rest = activity.split() or [""]
    if not _DOING.fullmatch(first) or not rest or rest[0] in _NO_THING:
        return "is", clip(activity, LONGEST_THING)
    verb = ["is", first]
    while len(rest) > 1 and rest[0] in _BEHIND:
        verb.append(rest.pop(0))
    told = " ".join(verb)
    if len(told) > LONGEST_VERB:
        return "is", clip(activity, LONGEST_THING)
    return told, clip(" ".join(rest), LONGEST_THING)


def spot_of(task: Task, arena: str, name: str) -> Spot:
    """Return the spot of a task in an arena, at the object `name`, or at none if that is ""."""
    predicate, thing = verb_and_thing(task.activity)
    return Spot(
        place=f"{arena}: {name}" if name else arena,
        emoji=sign_of(task, name),
        predicate=predicate,
        object=thing,
        object_state=state_of(task.activity) if name else "",
        object_emoji=_sign_of_thing(name),
    )


def sign_of(task: Task, name: str) -> str:
    """Return the emoji of a task, from its own words or else from its kind or object."""
    own = task.own_kind
    sign = sign_in(task.activity) or (pick(own.emoji, "sign", task.activity) if own else "")
    if not sign and name and fit_of(name, task.activity):
        sign = _sign_of_thing(name)
    if not sign and task.kind is not None:
        sign = pick(task.kind.emoji, "sign", task.activity)
    return sign or PLAIN


def state_of(activity: str) -> str:
    """Return the state of an object in use, as others see it: `being used for baking bread`."""
    if _DOING.fullmatch((activity.split() or [""])[0]):
        return clip(f"being used for {activity}", LONGEST_STATE)
    return "in use"


def _sign_of_thing(name: str) -> str:
    """Return the emoji of an object, or an empty text if none is known."""
    thing = thing_of(name) if name else None
    return thing.emoji if thing is not None else ""
