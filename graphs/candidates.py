"""Which places are worth offering for a task: at most 12 of those the agent knows, by rule."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.mind import KnownPlace, Mind
from agents.persona import Persona
from agents.places import arena_of, join_address, sector_of
from graphs.cards import PlaceCard, SectorCard

MOST = 12
"""So many places a small model can still tell apart."""
MOST_NOTES = 3
HERE = "you are here"

_WORD = re.compile(r"[a-z]{3,}")
_COMMON = frozenset({"the", "and", "for", "with", "from", "into", "her", "his", "their", "room"})


@dataclass(frozen=True, kw_only=True)
class Here:
    """Where the agent stands, and what it sees in use around it."""

    arena: str
    taken: frozenset[str] = frozenset()
    """Addresses of objects in sight that others use to their capacity."""


def offered(
    mind: Mind, persona: Persona, here: Here, tasks: Iterable[str], recent: Sequence[str]
) -> tuple[PlaceCard, ...]:
    """Return the places offered, best first, numbered from 1.

    Ranked by rule: named in a task, here, home, work, used lately, of the same sectors.
    """
    named = list(tasks)
    wanted = set().union(*(_words(task) for task in named))
    lately = {arena_of(address) for address in recent}

    def rank(arena: str) -> float:
        known = mind.places[arena]
        alike = len(wanted & _words(arena)) * 2.0
        alike += sum(1.5 for thing in known.objects if wanted & _words(thing))
        near = 2.0 * (arena == here.arena) + 1.5 * (arena in lately)
        own = _owned(arena, persona.home) + _owned(arena, persona.work)
        return alike + near + own

    open_to_me = [
        arena
        for arena, known in mind.places.items()
        if arena == here.arena or _is_open(known, arena, persona.name, named)
    ]
    return cards(mind, sorted(open_to_me, key=lambda arena: (-rank(arena), arena))[:MOST], here)


def within(mind: Mind, sector: str, name: str, task: str, here: Here) -> tuple[PlaceCard, ...]:
    """Return the places of a sector that the agent knows and may enter, numbered from 1."""
    arenas = sorted(
        arena
        for arena, known in mind.places.items()
        if sector_of(arena) == sector and _is_open(known, arena, name, [task])
    )
    return cards(mind, arenas[:MOST], here)


def sectors(mind: Mind, name: str, task: str) -> tuple[SectorCard, ...]:
    """Return every sector the agent knows and may enter, with its rooms, numbered from 1."""
    rooms: dict[str, list[str]] = {}
    for arena in sorted(mind.places):
        if not _is_open(mind.places[arena], arena, name, [task]):
            continue
        parts = arena.split(": ", 1)
        rooms.setdefault(parts[0], []).extend(parts[1:])
    return tuple(
        SectorCard(number=number, name=name, rooms=tuple(inside))
        for number, (name, inside) in enumerate(rooms.items(), 1)
    )


def cards(mind: Mind, arenas: Sequence[str], here: Here) -> tuple[PlaceCard, ...]:
    """Return places as a prompt shows them; what was found taken is left out."""
    return tuple(
        PlaceCard(
            number=number,
            address=arena,
            objects=_free(mind, arena, mind.places[arena]),
            note=_note(mind.places[arena], arena, here),
        )
        for number, arena in enumerate(arenas, 1)
    )


def _free(mind: Mind, arena: str, known: KnownPlace) -> tuple[str, ...]:
    """Return an arena's objects without those that turned out to be taken."""
    return tuple(thing for thing in known.objects if join_address(arena, thing) not in mind.refused)


def _is_open(known: KnownPlace, arena: str, name: str, tasks: Sequence[str]) -> bool:
    """True for public places, one's own, and those of people or houses that a task names."""
    if not known.owners or name in known.owners:
        return True
    hosts = [sector_of(arena), *(owner.split()[0] for owner in known.owners)]
    return any(re.search(rf"\b{re.escape(host)}\b", task) for host in hosts for task in tasks)


def _note(known: KnownPlace, arena: str, here: Here) -> str:
    """Return what is known of an arena now: that one is there, what is in use, what is unusual."""
    parts = [HERE] if arena == here.arena else []
    in_use = [thing for thing in known.objects if join_address(arena, thing) in here.taken]
    parts += [f"the {thing} is in use" for thing in in_use]
    parts += [f"the {thing} is {state}" for thing, state in known.states if thing not in in_use]
    return "; ".join(parts[:MOST_NOTES])


def _owned(arena: str, own: str) -> float:
    """Return how much an arena counts for being one's own, or in one's own sector."""
    if not own:
        return 0.0
    return 2.0 * (arena == arena_of(own)) + 1.0 * (sector_of(arena) == sector_of(own))


def _words(text: str) -> set[str]:
    """Return the plain words of a text that tell places apart, cut to their first five letters."""
    return {word[:5] for word in _WORD.findall(text.lower()) if word not in _COMMON}
