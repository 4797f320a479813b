"""Spots for tasks: how well places and objects suit a task, and how the task looks to others there.

All of it is derived from the task's own words and from the tables of kinds and objects, so no model
is called. In languages other than English a task gets the plain emoji and its text is used
unchanged.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from smolville.agents.chance import pick
from smolville.agents.english import all_stems, clip, stems
from smolville.agents.mind import KnownPlace, Mind
from smolville.agents.persona import Persona
from smolville.agents.places import join_address, sector_of
from smolville.agents.plan import Spot
from smolville.agents.wording import join_words
from smolville.graphs.activities.kinds import VAGUE, Kind, fit_of, kind_of, sign_in, thing_of
from smolville.graphs.context import Thinker
from smolville.graphs.sense import stands_in, words_of
from smolville.parsers.prompt_inputs import PlaceCard

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


def home_or_work(kind: Kind | None, place: str, task: Task) -> float:
    """Return the score that a place gets because it is, or is not, the person's home or work."""
    where = kind.where if kind is not None else "any"
    sector = sector_of(place)
    is_home = sector == sector_of(task.home)
    if where == "out":
        return 0.8 if not is_home else -0.5
    score = 0.0
    if is_home:
        score += {"home": 3.5, "any": 1.5}.get(where, 0.0)
        score += 0.6 * (where == "home" and place == task.home)
    if sector == sector_of(task.work):
        score += 3.5 if where == "work" else 0.3
        score += 0.8 * (where == "work" and place == task.work)
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
    thing = thing_of(name) if name else None
    return thing.emoji if thing is not None else ""


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
    here = [sight for sight in around.sights if not sight.is_elsewhere]
    seen = [join_address(sight.arena, thing) for sight in here for thing in sight.objects]
    taken = frozenset(address for address in seen if around.is_taken(address))
    return CurrentPlace(arena=around.body.place, taken=taken)


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
    scores = _best_scores(mind, persona, here, tasks)
    ranked = list(scores)
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


def offer_others(
    mind: Mind,
    persona: Persona,
    here: CurrentPlace,
    tasks: Sequence[Task],
    offered: Collection[str],
) -> tuple[PlaceCard, ...]:
    """Return the likeliest of the rooms that were not offered for these tasks before."""
    ranked = [each for each in _best_scores(mind, persona, here, tasks) if each not in offered]
    return place_cards(mind, persona, ranked[:MOST], here, tasks)


def _best_scores(
    mind: Mind, persona: Persona, here: CurrentPlace, tasks: Sequence[Task]
) -> dict[str, float]:
    """Return every room that is open for a task with its highest score, the likeliest first."""
    scores: dict[str, float] = {}
    for task in tasks:
        for score, arena in rank_rooms(mind, persona, here, task):
            scores[arena] = max(score, scores.get(arena, score))
    return dict(sorted(scores.items(), key=lambda each: (-each[1], each[0])))


def rank_rooms(
    mind: Mind, persona: Persona, here: CurrentPlace, task: Task
) -> list[tuple[float, str]]:
    """Return every room that is open for a task with its score, the likeliest first."""
    ranked = []
    for arena in open_arenas(mind, persona, task):
        known = mind.places[arena]
        score = room_score(task, arena) + 0.7 * (arena == here.arena)
        score -= _CLOSED * is_back_room(known, arena, persona, task)
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


def _is_open(known: KnownPlace, arena: str, name: str, task: Task, public: set[str]) -> bool:
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
