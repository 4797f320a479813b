"""Find by rule the only place that a task can mean, or the places from which a model chooses.

`taking a shower` is done in the shower of the person's own bathroom. If two objects fit, if the
object is in use, or if a word may mean something else, the result is uncertain and the model is
asked.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from agents.mind import Mind
from agents.persona import Persona
from agents.places import join_address, sector_of
from agents.plan import Block
from agents.times import minute_of
from graphs.activities.kinds import VAGUE
from graphs.activities.spots import (
    BY_KIND,
    Task,
    is_meant_otherwise,
    object_score,
)
from graphs.candidates import (
    STATES_OF_USE,
    CurrentPlace,
    is_back_room,
    offer_spots,
    open_arenas,
    task_of,
)
from graphs.context import Thinker
from graphs.norms import with_rules
from graphs.prompt_inputs import SpotCard
from models.standin.words import all_stems, stem, stems

_WORDS = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_BEFORE = frozenset(
    (
        *("a", "an", "the", "my", "his", "her", "their", "own", "at", "on", "in", "of", "to"),
        *("into", "from", "with", "up", "behind", "quick", "hot", "warm", "cold", "long", "short"),
    )
)
"""Words before a noun that do not change the object it means; `flower` before `bed` does change
it."""

_NAME = re.compile(r"(?<!^)\b[A-Z]")
"""Beginning of a name inside a text: the name of a place, or of a person who is visited."""


class CertainSpot(NamedTuple):
    """The spot where a task is done for certain."""

    arena: str
    name: str
    """The object; empty for the arena alone."""

    @property
    def address(self) -> str:
        """The spot's address, down to its object."""
        return join_address(self.arena, self.name)


def named_spot(mind: Mind, persona: Persona, here: CurrentPlace, task: Task) -> CertainSpot | None:
    """Return the spot of a task that names exactly one object or place; None when uncertain.

    The search covers the place that the task mentions. If it mentions none, the search covers home
    or work if the task is done there, or else all known places of the town.
    """
    arenas = _list_allowed_arenas(mind, persona, task)
    inside = [arena for arena in arenas if _is_room_told(arena, task.activity)]
    around = [arena for arena in arenas if _is_room_told(arena, task.part_of)]
    pool = inside or around or arenas
    things = [
        CertainSpot(arena, name)
        for arena in pool
        for name in mind.places[arena].objects
        if not is_meant_otherwise(task, name)
    ]
    found = [each for each in things if _is_told(each.name, task.activity)] or [
        each for each in things if _is_told_by_its_head(each.name, task.activity)
    ]
    if len(found) == 1:
        return found[0] if is_usable(mind, here, found[0]) else None
    if found or len(pool) != 1 or not (inside or task.names(sector_of(pool[0]))):
        return None
    objects = mind.places[pool[0]].objects
    fitting = [name for name in objects if object_score(task, pool[0], name) > BY_KIND]
    if len(fitting) > 1:
        return None
    only = CertainSpot(pool[0], fitting[0] if fitting else "")
    return only if is_usable(mind, here, only) else None


def _list_allowed_arenas(mind: Mind, persona: Persona, task: Task) -> list[str]:
    """Return the arenas that are searched for the object or place of a task."""
    arenas = open_arenas(mind, persona, task)
    named = {sector_of(arena) for arena in arenas if task.names(sector_of(arena))}
    if named:
        return [arena for arena in arenas if sector_of(arena) in named] if len(named) == 1 else []
    arenas = [
        arena for arena in arenas if not is_back_room(mind.places[arena], arena, persona, task)
    ]
    home, work = sector_of(persona.home), sector_of(persona.work or "")
    where = task.kind.where if task.kind is not None else "any"
    if task.is_at_home or where == "home":
        return [arena for arena in arenas if sector_of(arena) == home]
    if where == "work":
        return [arena for arena in arenas if sector_of(arena) == work]
    if where == "out":
        return []
    return arenas


def _is_room_told(arena: str, text: str) -> bool:
    """Return True when a text mentions a room by its name: `the kitchen`, `the café kitchen`."""
    sector, _, room = arena.partition(": ")
    return _stands_alone(_split_words(room)[1], text, stems(sector))


def _is_told(name: str, activity: str) -> bool:
    """Return True when an activity mentions an object by its whole name."""
    return _stands_alone(_split_words(name)[1], activity, frozenset())


def _is_told_by_its_head(name: str, activity: str) -> bool:
    """Return True when an activity mentions an object by the last word of its name: `the sink`."""
    words = all_stems(name)
    return len(words) > 1 and _stands_alone(words[-1:], activity, stems(name))


def _stands_alone(words: Sequence[str], activity: str, own: frozenset[str]) -> bool:
    """Return True when an activity contains these stems without another noun before them.

    `own` are stems that may precede them, since they belong to the name.
    """
    plain, said = _split_words(activity)
    if not words or words[0] not in said or set(words) <= VAGUE:
        return False
    wanted, size = tuple(words), len(words)
    for at in range(len(said) - size + 1):
        if said[at] != wanted[0] or said[at : at + size] != wanted:
            continue
        if at == 0 or plain[at - 1] in _BEFORE or said[at - 1] in own:
            return True
        if plain[at - 1].endswith("ing") and at == 1:
            return True
    return False


@lru_cache(maxsize=4096)
def _split_words(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a text's words in lower case, and their stems."""
    plain = tuple(word.lower() for word in _WORDS.findall(text))
    return plain, tuple(stem(word) for word in plain)


def is_usable(mind: Mind, here: CurrentPlace, named: CertainSpot) -> bool:
    """Return True unless an object is known to be unusable: in use, refused, or on fire."""
    if not named.name:
        return True
    address = join_address(named.arena, named.name)
    state = dict(mind.places[named.arena].states).get(named.name, "")
    is_usual = not state or state.startswith(STATES_OF_USE)
    return is_usual and address not in here.taken and address not in mind.refused


def here_of(me: Thinker) -> CurrentPlace:
    """Return the agent's place, and the objects that it sees in use."""
    around = me.surroundings
    here = [sight for sight in around.sights() if not sight.is_elsewhere]
    seen = [join_address(sight.arena, thing) for sight in here for thing in sight.objects]
    taken = frozenset(address for address in seen if around.is_taken(address))
    return CurrentPlace(arena=around.body().place, taken=taken)


def placed_as(me: Thinker, block: Block) -> Task:
    """Return the task by which the spots for a block are selected.

    If the block is a part of an activity, the task is the whole activity, because one place serves
    all parts: a shopping list could be written anywhere, but the shopping needs a shop. If the part
    itself names a place or a person, the task is that part alone.
    """
    whole = block.part_of or block.activity
    about = block.activity if _NAME.search(block.activity) is not None else whole
    return task_of(me.persona, about, whole)


def spots_for(me: Thinker, mind: Mind, block: Block) -> tuple[SpotCard, ...]:
    """Return the spots offered for a block, each with the rule that the block would break there.

    All places that the mind knows are searched.
    """
    assert mind.plan is not None
    recent = [each.spot.place for each in mind.plan.blocks if each.spot][-6:]
    offered = offer_spots(mind, me.persona, here_of(me), placed_as(me, block), recent)
    return with_rules(me, block, offered, minute_of(me.surroundings.at))
