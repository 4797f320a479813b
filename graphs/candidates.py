"""Choose by rule which spots to offer for a task: at most six that the agent knows.

A spot is an arena, or an arena and one object in it. Every task has its own spots: the name of a
place in another task neither opens a private place nor changes any score.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agents.mind import KnownPlace, Mind
from agents.persona import Persona
from agents.places import join_address, sector_of
from graphs.activities.spots import Task, object_score, room_score
from graphs.prompt_inputs import SectorCard, SpotCard
from models.standin.words import stems

MOST = 6
"""Maximum number of spots offered: as many as a small model can still tell apart."""
MOST_IN_ARENA = 2
"""Maximum number of spots with an object that are offered in one arena."""
MOST_IN_SECTOR = 3
"""Maximum number of spots in one building that is neither home nor work nor named in the task."""
FAR = 9.0
"""Spots whose score is at least this far below the best one are not offered."""
HERE = "you are here"
YOUR_HOME = "your home"
YOUR_WORK = "your work"
IN_USE = "in use"
STATES_OF_USE = ("being used", "being slept", "in use")
"""Beginnings of object states that come from somebody's use and end with it."""
_BACK_ROOMS = stems("kitchen bathroom bedroom office storeroom stockroom bakehouse key council")
"""Rooms that only people who live or work there may use."""
_CLOSED = 6.0
"""Points subtracted from the score of a back room."""
_SHOPS = stems("shop store hardware grocery bakery pharmacy bookshop market supply")
"""Words in the names of buildings to which people go in order to buy something."""
_PRIVATE = stems("bedroom bathroom")
_SOMEBODYS = re.compile(r"\w+['’]s ")
"""Beginning of the name of a room that belongs to one person: `mayor's `."""
WASHROOMS = stems("bathroom restroom washroom toilet")
_CHORES = ("kitchen", "bathroom")
"""Rooms of the person's home that are offered for every task done at home."""


@dataclass(frozen=True, kw_only=True)
class CurrentPlace:
    """The agent's place, and the objects that it sees in use."""

    arena: str
    taken: frozenset[str] = frozenset()
    """Addresses of objects in sight that others use to full capacity."""


class RankedSpot(NamedTuple):
    """A spot with its score for a task."""

    score: float
    arena: str
    name: str
    """The object; empty for the arena alone."""


def task_of(persona: Persona, activity: str, part_of: str) -> Task:
    """Return a task in the form used for ranking spots."""
    return Task(activity, part_of, persona.home, persona.work or "", persona.learned)


def offer_spots(
    mind: Mind, persona: Persona, here: CurrentPlace, task: Task, recent: Sequence[str] = ()
) -> tuple[SpotCard, ...]:
    """Return the spots offered for a task, best first, numbered from 1.

    A rule ranks them. Places named by the task come first, then places at home, at work or in
    public that suit its kind, then places that are near or were used lately (`recent` holds their
    addresses).
    """
    lately = {join_address(*address.split(": ")[:2]) for address in recent}
    ranked: list[RankedSpot] = []
    for arena in open_arenas(mind, persona, task):
        base = room_score(task, arena) + _near(task, arena, here, lately)
        base -= _CLOSED * is_back_room(mind.places[arena], arena, persona, task)
        base -= 3.0 * _is_only_a_shop(arena, persona, task)
        base += 3.0 * _is_hosts(mind.places[arena], arena, persona)
        ranked += _of_arena(mind, arena, base, task, here)
    ranked = _limit_per_sector(sorted(ranked, key=_order), persona, task)
    return cards(mind, persona, _with_own_rooms(ranked, task), here)


def list_sector_spots(
    mind: Mind, sector: str, persona: Persona, here: CurrentPlace, task: Task
) -> tuple[SpotCard, ...]:
    """Return the spots of a sector that the agent knows and may enter, numbered from 1."""
    ranked: list[RankedSpot] = []
    for arena in open_arenas(mind, persona, task):
        if sector_of(arena) == sector:
            base = room_score(task, arena)
            base -= _CLOSED * is_back_room(mind.places[arena], arena, persona, task)
            ranked += _of_arena(mind, arena, base, task, here)
    return cards(mind, persona, sorted(ranked, key=_order)[:MOST], here)


def sectors(mind: Mind, persona: Persona, task: Task) -> tuple[SectorCard, ...]:
    """Return every sector the agent knows and may enter, with its rooms, numbered from 1."""
    rooms: dict[str, list[str]] = {}
    for arena in open_arenas(mind, persona, task):
        parts = arena.split(": ", 1)
        rooms.setdefault(parts[0], []).extend(parts[1:])
    return tuple(
        SectorCard(number=number, name=name, rooms=tuple(inside))
        for number, (name, inside) in enumerate(rooms.items(), 1)
    )


def open_arenas(mind: Mind, persona: Persona, task: Task) -> list[str]:
    """Return the arenas an agent may use for a task, in alphabetical order.

    They are public arenas, the agent's own, and those that belong to a person or a private house
    named in the task. Naming a shop does not open the bedroom above it.
    """
    public = {sector_of(arena) for arena, known in mind.places.items() if not known.owners}
    return [
        arena
        for arena, known in sorted(mind.places.items())
        if _is_open(known, arena, persona.name, task, public)
    ]


def is_back_room(known: KnownPlace, arena: str, persona: Persona, task: Task) -> bool:
    """Return True for another person's office, or a staff room where this person does not work.

    Homes that are open to the task, and rooms that the task names, are not back rooms.
    """
    sector, _, room = arena.partition(": ")
    if sector in (sector_of(persona.home), sector_of(persona.work or "")):
        return _SOMEBODYS.match(room) is not None and arena not in (persona.home, persona.work)
    behind = stems(room) & _BACK_ROOMS
    return bool(behind - task.said - task.about) and not known.owners


def _is_only_a_shop(arena: str, persona: Persona, task: Task) -> bool:
    """Return True for a shop in which the person neither works nor wants to buy anything."""
    sector = sector_of(arena)
    if not stems(sector) & _SHOPS or sector in (
        sector_of(persona.home),
        sector_of(persona.work or ""),
    ):
        return False
    buys = task.kind is not None and task.kind.name in ("shopping", "coffee", "eating_out")
    return not (buys or task.names(sector))


def cards(
    mind: Mind, persona: Persona, spots: Sequence[RankedSpot], here: CurrentPlace
) -> tuple[SpotCard, ...]:
    """Return spots in the form in which a prompt shows them, numbered from 1."""
    return tuple(
        SpotCard(
            number=number,
            place=spot.arena,
            object=spot.name,
            note=_note(mind, persona, spot, here),
        )
        for number, spot in enumerate(spots, 1)
    )


def _is_open(known: KnownPlace, arena: str, name: str, task: Task, public: set[str]) -> bool:
    """Return True when an agent of this name may use an arena for a task."""
    if not known.owners or name in known.owners:
        return True
    hosts = [owner.split()[0] for owner in known.owners]
    texts = (task.activity, task.part_of)
    if any(re.search(rf"\b{re.escape(host)}\b", text) for host in hosts for text in texts):
        return True
    return sector_of(arena) not in public and task.names(sector_of(arena))


def _is_hosts(known: KnownPlace, arena: str, persona: Persona) -> bool:
    """Return True for a room of another home that guests may use (no bedroom or bathroom)."""
    if not known.owners or sector_of(arena) == sector_of(persona.home):
        return False
    room = arena.rpartition(": ")[2]
    return not stems(room) & _PRIVATE and _SOMEBODYS.match(room) is None


def _near(task: Task, arena: str, here: CurrentPlace, lately: set[str]) -> float:
    """Return the score that a place gets if the agent is there now or was there lately.

    It is smaller for tasks done at home.
    """
    is_here, is_recent = arena == here.arena, arena in lately
    if task.kind is not None and task.kind.where == "home":
        return 0.2 * is_here
    return 0.7 * is_here + 0.5 * is_recent


def _of_arena(
    mind: Mind, arena: str, base: float, task: Task, here: CurrentPlace
) -> Iterator[RankedSpot]:
    """Yield the spots of an arena: the best objects for the task, and the arena alone if few suit.

    Objects that turned out to be taken are left out; objects seen in use are ranked last.
    """
    suited = []
    for name in mind.places[arena].objects:
        address = join_address(arena, name)
        fit = object_score(task, arena, name)
        if fit and address not in mind.refused:
            suited.append(RankedSpot(base + fit - 3.0 * (address in here.taken), arena, name))
    suited.sort(key=lambda spot: (-spot.score, spot.name))
    yield from suited[:MOST_IN_ARENA]
    is_washroom = bool(stems(arena.rpartition(": ")[2]) & WASHROOMS)
    at_home = task.kind is not None and task.kind.where == "home"
    is_wanted = not is_washroom or (at_home and sector_of(arena) == sector_of(task.home))
    if len(suited) < MOST_IN_ARENA and is_wanted:
        yield RankedSpot(base, arena, "")


def _order(spot: RankedSpot) -> tuple[float, str, str]:
    """Return the sort key of a spot: best score first, equal scores by name."""
    return -spot.score, spot.arena, spot.name


def _limit_per_sector(
    ranked: Sequence[RankedSpot], persona: Persona, task: Task
) -> list[RankedSpot]:
    """Return the spots, best first, with at most a few of each building (`MOST_IN_SECTOR`)."""
    own = (sector_of(persona.home), sector_of(persona.work or ""))
    times: dict[str, int] = {}
    kept = []
    for spot in ranked:
        sector = sector_of(spot.arena)
        times[sector] = times.get(sector, 0) + 1
        if sector in own or times[sector] <= MOST_IN_SECTOR or task.names(sector):
            kept.append(spot)
    return kept


def _with_own_rooms(ranked: Sequence[RankedSpot], task: Task) -> list[RankedSpot]:
    """Return the best spots; for tasks done at home, the own kitchen and bathroom are added."""
    best = [spot for spot in ranked[:MOST] if spot.score > ranked[0].score - FAR]
    if task.kind is None or task.kind.where != "home":
        return best
    home = sector_of(task.home)
    for room in _CHORES:
        own = [
            spot
            for spot in ranked
            if sector_of(spot.arena) == home and room in spot.arena.rpartition(": ")[2]
        ]
        if own and not any(spot in best for spot in own):
            kept = best if len(best) < MOST else best[: -1 - _CHORES.index(room)]
            best = [*kept, own[0], *best[len(kept) + 1 :]]
    return sorted(best, key=_order)


def _note(mind: Mind, persona: Persona, spot: RankedSpot, here: CurrentPlace) -> str:
    """Return the note on a spot: whether it is home, work or here, and the object's state.

    For an object in another room, a state of use (`being used for ...`) is left out: it was last
    seen some time ago and may be over.
    """
    parts = [HERE] if spot.arena == here.arena else []
    if sector_of(spot.arena) == sector_of(persona.home):
        parts.append(YOUR_HOME)
    elif sector_of(spot.arena) == sector_of(persona.work or ""):
        parts.append(YOUR_WORK)
    if spot.name and join_address(spot.arena, spot.name) in here.taken:
        parts.append(IN_USE)
    else:
        state = dict(mind.places[spot.arena].states).get(spot.name, "")
        is_over = state.startswith(STATES_OF_USE) and spot.arena != here.arena
        parts += [f"it is {state}"] if state and not is_over else []
    return ", ".join(parts)
