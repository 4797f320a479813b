"""Find the place that a deed's own words say for certain, and whether they name a place at all.

The rule is cautious and knows no grammar: `having lunch at Bell Hall` is at Bell Hall, but whoever
is `asking when the choir sings at Bell Hall` may be anywhere. Whatever is uncertain is asked.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from smolville.agents.action import GOING
from smolville.agents.mind import Mind
from smolville.agents.persona import Persona
from smolville.agents.places import join_address, sector_of
from smolville.graphs.activities.spots import Task, plain_name
from smolville.graphs.candidates import CurrentPlace, is_back_room, rank_rooms
from smolville.graphs.context import Thinker
from smolville.graphs.sense.words import words_of

_OPENING = frozenset(("opening", "closing", "entering"))
_STAYING = frozenset(
    (  # noqa: SIM905
        "having eating drinking sitting standing waiting resting working shopping buying "
        "cleaning wiping sweeping taking"
    ).split()
)
_PREPOSITIONS = frozenset(("at", "in", "inside", "into", "to"))
_INSIDE = frozenset(("in", "inside", "into"))
_ARTICLES = frozenset(("the", "my", "her", "his", "our", "their"))
_LINKS = frozenset(
    (  # noqa: SIM905
        "about after and as at because before by during for from how if in inside into near of "
        "or past than that to towards until what when where whether which while who "
        "whom whose why with without"
    ).split()
)
"""Words that may begin another thought: a name behind them need not be the deed's own place."""
_DOING = re.compile(r"(?!(?:any|every|no|some)?thing$|morning$|evening$)\w+ing")
_HOME = "home"
_CAPITAL = re.compile(r"(?<!^)\b[A-Z]")


class _Match(NamedTuple):
    """A place named in a text: its words from `start` to `end`, and the rooms that they name."""

    start: int
    end: int
    arenas: tuple[str, ...]


def told_room(mind: Mind, persona: Persona, here: CurrentPlace, activity: str) -> str:
    """Return the address of the room where a deed is done by its own words; empty if uncertain.

    It is certain if the deed begins with a simple verb of going, staying or opening, if the only
    place that it names follows as this verb's own place, and if it names nobody. The room of a
    building is the likeliest one.
    """
    words = words_of(activity)
    if not words or words[0] not in GOING | _STAYING | _OPENING:
        return ""
    named = list(_named_places(mind, persona, words))
    if len(named) != 1 or not _is_its_place(words, named[0]):
        return ""
    (match,) = named
    beside = [*words[: match.start], *words[match.end :]]
    names = " ".join(words[match.start : match.end])
    rest = re.sub(rf"(?:\bthe )?{re.escape(names)}", " ", activity, flags=re.IGNORECASE)
    others = {
        word
        for arena in mind.places
        if arena not in match.arenas and sector_of(arena) != sector_of(match.arenas[0])
        for word in _heads(arena)
    }
    if others & set(beside) or _CAPITAL.search(rest) or _HOME in beside:
        return ""
    task = Task(activity, activity, persona.home, persona.work or "", persona.learned)
    ranked = rank_rooms(mind, persona, here, task)
    likeliest = (arena for _, arena in ranked if arena in match.arenas)
    return next((arena for arena in likeliest if not _is_closed(mind, persona, arena, task)), "")


def names_another_place(mind: Mind, here: str, activity: str) -> bool:
    """Return True if a deed may lead away from `here`: it goes, or it speaks of another place."""
    words = words_of(activity)
    said = set(words)
    if said & GOING or _HOME in said:
        return True
    objects = mind.places[here].objects if here in mind.places else ()
    own = {word for text in (here, *objects) for word in words_of(text)}
    heads = {word for arena in mind.places for word in _heads(arena)}
    for at, word in enumerate(words):
        is_in = at > 1 and words[at - 2] in _INSIDE
        is_meant = at > 0 and words[at - 1] in _ARTICLES and (is_in or word in heads)
        if is_meant and word not in own:
            return True
    others = {sector_of(arena) for arena in mind.places} - {sector_of(here)}
    return any(_positions(words, plain_name(sector)) for sector in others)


def here_of(me: Thinker) -> CurrentPlace:
    """Return the agent's place, and the objects that it sees in use."""
    around = me.surroundings
    here = [sight for sight in around.sights() if not sight.is_elsewhere]
    seen = [join_address(sight.arena, thing) for sight in here for thing in sight.objects]
    taken = frozenset(address for address in seen if around.is_taken(address))
    return CurrentPlace(arena=around.body().place, taken=taken)


def _named_places(mind: Mind, persona: Persona, words: list[str]) -> Iterator[_Match]:
    """Yield the places that a deed names: buildings by their full name, rooms, and home.

    A room counts if no other known room has its name, or its only word anywhere in its name.
    """
    sectors: dict[str, list[str]] = {}
    for arena in mind.places:
        sectors.setdefault(sector_of(arena), []).append(arena)
    for sector, inside in sectors.items():
        name = plain_name(sector)
        for at in _positions(words, name):
            yield _Match(at, at + len(name), tuple(inside))
    yield from _named_rooms(mind, words)
    home = tuple(sectors.get(sector_of(persona.home), ()))
    if words.count(_HOME) == 1 and home:
        at = words.index(_HOME)
        is_meant = words[at - 1] == "at" or (words[0] in GOING and words[at - 1] not in _LINKS)
        if is_meant and words[at - 1] not in _ARTICLES:
            yield _Match(at, at + 1, home)


def _named_rooms(mind: Mind, words: list[str]) -> Iterator[_Match]:
    """Yield the rooms that a deed names, without that of a building named as well."""
    rooms: dict[str, list[str]] = {}
    for arena in mind.places:
        rooms.setdefault(arena.partition(": ")[2], []).append(arena)
    used = Counter(word for arena in mind.places for word in set(words_of(arena)))
    for room, having in rooms.items():
        name = words_of(room)
        is_common = len(having) > 1 or (len(name) == 1 and used[name[0]] > 1)
        if not is_common and not _positions(words, plain_name(sector_of(having[0]))):
            for at in _positions(words, name):
                yield _Match(at, at + len(name), tuple(having))


def _is_its_place(words: list[str], match: _Match) -> bool:
    """Return True if a named place follows the first verb of a deed as this verb's own place."""
    before = words[1 : match.start]
    while before and before[-1] in _ARTICLES:
        before.pop()
    if words[0] in _OPENING and not before:
        return True
    if words[match.start] == _HOME and before[-1:] != ["at"]:
        return words[0] in GOING and not _leads_on(before)
    return bool(before) and before[-1] in _PREPOSITIONS and not _leads_on(before[:-1])


def _leads_on(words: Collection[str]) -> bool:
    """Return True if another thought may begin among these words."""
    return any(word in _LINKS or _DOING.fullmatch(word) for word in words)


def _positions(words: list[str], name: list[str]) -> list[int]:
    """Return the positions at which a name stands in a text."""
    size = len(name)
    if not size or not set(name) <= set(words):
        return []
    return [at for at in range(len(words) - size + 1) if words[at : at + size] == name]


def _heads(arena: str) -> set[str]:
    """Return the last words of the names of a building and of its room: `hall`, `kitchen`."""
    sector, _, room = arena.partition(": ")
    return {name[-1] for name in (words_of(sector), words_of(room)) if name}


def _is_closed(mind: Mind, persona: Persona, arena: str, task: Task) -> bool:
    """Return True for a room behind the counter, in which this person has no business."""
    return is_back_room(mind.places[arena], arena, persona, task)
