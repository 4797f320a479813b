"""Choose by rule which rooms to offer for tasks, and which object of a room a task uses.

One list of rooms serves all tasks of a call. A model chooses among them; only the ranks are a
rule's.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from smolville.agents.mind import KnownPlace, Mind
from smolville.agents.persona import Persona
from smolville.agents.places import join_address, sector_of
from smolville.agents.wording import join_words
from smolville.graphs.activities.kinds import VAGUE
from smolville.graphs.activities.spots import BY_KIND, Task, object_score, room_score
from smolville.graphs.context import Thinker
from smolville.models.standin.words import stems
from smolville.parsers.prompt_inputs import PlaceCard, SectorCard

MOST = 12
"""Maximum number of rooms offered in one call."""
MOST_IN_SECTOR = 3
"""Maximum number of rooms in one building that is neither home nor work."""
MOST_THINGS = 2
"""Maximum number of objects shown for a room."""
MOST_AT_HOME, MOST_AT_WORK, MOST_RECENT = 5, 3, 3
"""Maximum numbers of rooms offered because they are home, work, or places of late."""
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
_SOMEBODYS = re.compile(r"\w+['’]s ")
"""Beginning of the name of a room that belongs to one person: `mayor's `."""
WASHROOMS = stems("bathroom restroom washroom toilet")
_PRIVATE = stems("bedroom") | WASHROOMS


@dataclass(frozen=True, kw_only=True)
class CurrentPlace:
    """The agent's place, and the objects that it sees in use."""

    arena: str
    taken: frozenset[str] = frozenset()
    """Addresses of objects in sight that others use to full capacity."""


def here_of(me: Thinker) -> CurrentPlace:
    """Return the agent's place, and the objects that it sees in use."""
    around = me.surroundings
    here = [sight for sight in around.sights() if not sight.is_elsewhere]
    seen = [join_address(sight.arena, thing) for sight in here for thing in sight.objects]
    taken = frozenset(address for address in seen if around.is_taken(address))
    return CurrentPlace(arena=around.body().place, taken=taken)


def task_of(persona: Persona, activity: str, part_of: str) -> Task:
    """Return a task in the form used for ranking places."""
    return Task(activity, part_of, persona.home, persona.work or "", persona.learned)


def offer_places(
    mind: Mind,
    persona: Persona,
    here: CurrentPlace,
    tasks: Sequence[Task],
    recent: Sequence[str] = (),
) -> tuple[PlaceCard, ...]:
    """Return the rooms offered for tasks, numbered from 1: the present one, then the likeliest.

    The present room, buildings and homes of people that a task names, the own home, the workplace
    and places of late (`recent` holds their addresses) come before others when there are too many.
    """
    scores: dict[str, float] = {}
    for task in tasks:
        for score, arena in rank_rooms(mind, persona, here, task):
            scores[arena] = max(score, scores.get(arena, score))
    ranked = sorted(scores, key=lambda arena: (-scores[arena], arena))
    home, work = sector_of(persona.home), sector_of(persona.work or "")
    named = [each for each in ranked if any(task.names(sector_of(each)) for task in tasks)]
    hosts = [each for each in ranked if _is_hosts(mind.places[each], each, persona)]
    own = [each for each in ranked if sector_of(each) == home][:MOST_AT_HOME]
    busy = [each for each in ranked if sector_of(each) == work and _is_offered(mind, each, tasks)]
    busy.sort(key=lambda arena: arena != persona.work)
    lately = dict.fromkeys(join_address(*each.split(": ")[:2]) for each in reversed(recent))
    known = [each for each in lately if each in scores][:MOST_RECENT]
    present = [here.arena] if here.arena in mind.places else []
    others = [each for each in ranked if _is_offered(mind, each, tasks)]
    wanted = (
        *present,
        *_limited(named),
        *_limited(hosts),
        *own,
        *busy[:MOST_AT_WORK],
        *known,
        *_limited(others),
    )
    kept = list(dict.fromkeys(wanted))[:MOST]
    kept.sort(key=lambda arena: (arena != here.arena, -scores.get(arena, 0.0), arena))
    return place_cards(mind, persona, kept, here, tasks)


def offer_rooms(
    mind: Mind, persona: Persona, sector: str, here: CurrentPlace, tasks: Sequence[Task]
) -> tuple[PlaceCard, ...]:
    """Return the rooms of a sector that are open for some of the tasks, numbered from 1."""
    rooms: dict[str, float] = {}
    for task in tasks:
        for score, arena in rank_rooms(mind, persona, here, task):
            if sector_of(arena) == sector:
                rooms[arena] = max(score, rooms.get(arena, score))
    ranked = sorted(rooms, key=lambda arena: (-rooms[arena], arena))
    return place_cards(mind, persona, ranked[:MOST], here, tasks)


def rank_rooms(
    mind: Mind, persona: Persona, here: CurrentPlace, task: Task
) -> list[tuple[float, str]]:
    """Return every room that is open for a task with its score, the likeliest first."""
    ranked = []
    for arena in open_arenas(mind, persona, task):
        known = mind.places[arena]
        score = room_score(task, arena) + 0.7 * (arena == here.arena)
        score -= _CLOSED * is_back_room(known, arena, persona, task)
        score -= 3.0 * _is_only_a_shop(arena, persona, task)
        score += 3.0 * _is_hosts(known, arena, persona)
        score -= 0.3 * bool(stems(arena.rpartition(": ")[2]) & _PRIVATE)
        name = best_object(mind, arena, task, here, least=0.0)
        ranked.append((score + (object_score(task, arena, name) if name else 0.0), arena))
    return sorted(ranked, key=lambda each: (-each[0], each[1]))


def best_object(
    mind: Mind, arena: str, task: Task, here: CurrentPlace, least: float = BY_KIND
) -> str:
    """Return the usable object of a room that suits a task best; empty if none scores over `least`.

    By default the task's own words must point to the object, not only its kind.
    """
    suited = [
        (-score, name)
        for name in mind.places[arena].objects
        if (score := object_score(task, arena, name)) > least
        and is_usable(mind, here, join_address(arena, name))
    ]
    return min(suited)[1] if suited else ""


def is_usable(mind: Mind, here: CurrentPlace, address: str) -> bool:
    """Return True unless an object is known to be unusable: in use, refused, or on fire."""
    arena, _, name = address.rpartition(": ")
    known = mind.places.get(arena)
    state = dict(known.states).get(name, "") if known is not None else ""
    is_usual = not state or state.startswith(STATES_OF_USE)
    return is_usual and address not in here.taken and address not in mind.refused


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


def place_cards(
    mind: Mind,
    persona: Persona,
    arenas: Sequence[str],
    here: CurrentPlace,
    tasks: Sequence[Task],
) -> tuple[PlaceCard, ...]:
    """Return rooms as a prompt shows them, those of a building together, numbered from 1."""
    order = list(dict.fromkeys(map(sector_of, arenas)))
    together = sorted(arenas, key=lambda arena: order.index(sector_of(arena)))
    own = {sector_of(persona.work or ""): YOUR_WORK, sector_of(persona.home): YOUR_HOME}
    cards = []
    for number, arena in enumerate(together, 1):
        mine, owners = own.get(sector_of(arena), ""), mind.places[arena].owners
        notes = [HERE] if arena == here.arena else []
        notes += [f"home of {join_words(owners)}"] if owners and not mine else []
        card = PlaceCard(
            number=number,
            sector=sector_of(arena),
            room=arena.partition(": ")[2] or arena,
            things=tuple(_things(mind, arena, here, tasks)),
            mine=mine,
            note=", ".join(notes),
        )
        cards.append(card)
    return tuple(cards)


def _things(mind: Mind, arena: str, here: CurrentPlace, tasks: Sequence[Task]) -> list[str]:
    """Return the objects of a room that suit the tasks, with their unusual states.

    A state of use (`being used for ...`) is left out: what others use now is told as in use, and
    what was last seen some time ago may be over.
    """
    suited = sorted(
        (-max(object_score(task, arena, name) for task in tasks), name)
        for name in mind.places[arena].objects
        if join_address(arena, name) not in mind.refused
    )
    found: dict[frozenset[str], str] = {}
    for score, name in suited:
        if score >= -BY_KIND or len(found) == MOST_THINGS:
            break
        state = dict(mind.places[arena].states).get(name, "")
        if join_address(arena, name) in here.taken:
            told = f"{name} ({IN_USE})"
        elif state and not state.startswith(STATES_OF_USE):
            told = f"{name} (it is {state})"
        else:
            told = name
        found.setdefault(stems(name) - VAGUE, told)
    return list(found.values())


def _limited(arenas: Iterable[str]) -> list[str]:
    """Return rooms, with at most a few of each building (`MOST_IN_SECTOR`)."""
    times: dict[str, int] = {}
    kept = []
    for arena in arenas:
        sector = sector_of(arena)
        times[sector] = times.get(sector, 0) + 1
        if times[sector] <= MOST_IN_SECTOR:
            kept.append(arena)
    return kept


def _is_offered(mind: Mind, arena: str, tasks: Sequence[Task]) -> bool:
    """Return True unless a room is a washroom that none of the tasks needs."""
    if not stems(arena.rpartition(": ")[2]) & WASHROOMS:
        return True
    objects = mind.places[arena].objects
    return any(object_score(task, arena, name) > BY_KIND for task in tasks for name in objects)


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
