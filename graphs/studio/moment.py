"""A moment given in a form: the clock, the place, and the people and objects there."""

from collections.abc import Sequence
from dataclasses import replace

from pydantic import Field

from smolville.agents.action import Action, describe_action
from smolville.agents.memory import Memory, memory_id
from smolville.agents.mind import KnownPlace
from smolville.agents.places import join_address
from smolville.agents.plan import DayPlan, cover_day, is_sleep
from smolville.agents.times import at_of, day_of, minute_at, read_moment
from smolville.graphs.alone import DAY
from smolville.graphs.frame.day import MOST_GAPS, OPEN, meal_in
from smolville.graphs.studio.form import FormError, FormMemory
from smolville.graphs.surroundings import Body, Percept, Senses, Sight, Stimulus
from smolville.parsers.prompt_inputs import PlannedCard, PromptInput

TICK_SECONDS = 10


class PersonInSight(PromptInput):
    """Somebody in sight."""

    name: str
    """Full name."""
    doing: str
    """What they are doing, without the name: `drinking tea at the counter`."""
    relationship: str = ""
    """Their relationship with the person who thinks; empty for a stranger."""
    can_talk: bool = True
    """False if they sleep or are in a talk already."""


class KnownRoom(PromptInput):
    """A place that the person knows; if the person is there, it is in sight."""

    place: str
    """Address of the room, as `sector: arena`."""
    objects: tuple[str, ...] = ()
    """Objects that can be used there."""
    states: tuple[str, ...] = ()
    """Objects in unusual states, as `till: out of coins`."""
    taken: tuple[str, ...] = ()
    """Objects that others are using now."""


def read_time(text: str) -> int:
    """Return the town second of a text such as `1 09:10`. Raises FormError for other texts."""
    try:
        return read_moment(text)
    except ValueError as error:
        raise FormError(f"`time`: {error}.") from None


def senses_of(
    *,
    at: int,
    place: str,
    action: Action | None = None,
    people: Sequence[PersonInSight] = (),
    rooms: Sequence[KnownRoom] = (),
    inner_voice: str = "",
) -> Senses:
    """Return the surroundings at a place: the given people, and the room itself."""
    here = [room for room in rooms if room.place == place]
    why = [Stimulus(kind="new_day" if action is None else "sight")]
    if inner_voice:
        why.append(Stimulus(kind="inner_voice", text=inner_voice))
    return Senses(
        tick=at // TICK_SECONDS,
        at=at,
        start_date=DAY,
        why=tuple(why),
        own=Body(place=place, action=action, arrived=True),
        events=(*_people(people, place, at), *_perceive_objects(here, at)),
        places=tuple(
            Sight(arena=room.place, objects=room.objects, states=states(room)) for room in here
        ),
        used={join_address(room.place, x): x in room.taken for room in here for x in room.objects},
    )


def _people(people: Sequence[PersonInSight], place: str, at: int) -> list[Percept]:
    """Return the people in sight, with activities that last ten more minutes."""
    return [
        Percept(
            subject=each.name,
            predicate="is",
            object=each.doing,
            text=describe_action(each.name, each.doing),
            place=place,
            distance=distance,
            is_person=True,
            can_talk=each.can_talk,
            activity=each.doing,
            until=at + 600,
            origin=at,
        )
        for distance, each in enumerate(people, 1)
    ]


def _perceive_objects(here: Sequence[KnownRoom], at: int) -> list[Percept]:
    """Return the objects in sight in unusual states."""
    return [
        Percept(
            subject=join_address(room.place, thing),
            predicate="is",
            object=state,
            text=f"the {thing} is {state}",
            place=room.place,
            distance=2,
            is_person=False,
            origin=at,
        )
        for room in here
        for thing, state in states(room)
    ]


def states(room: KnownRoom) -> tuple[tuple[str, str], ...]:
    """Return a room's unusual states by object. Raises FormError for an object not in the room."""
    pairs = [tuple(part.strip() for part in each.split(":", 1)) for each in room.states]
    for pair in pairs:
        if len(pair) != 2 or pair[0] not in room.objects:
            raise FormError(
                f"`rooms.states`: got {': '.join(pair)!r}; write an object of the room and how it "
                f"is, as 'till: out of coins'; {room.place!r} has "
                f"{', '.join(room.objects) or 'no objects'}."
            )
    return tuple((thing, state) for thing, state in pairs)


def known_places(rooms: Sequence[KnownRoom], home: str) -> dict[str, KnownPlace]:
    """Return the places that a mind knows: those given in the form, and a home with a bed."""
    known = {home: KnownPlace(objects=("bed",), seen=0)}
    known |= {
        room.place: KnownPlace(objects=room.objects, states=states(room), seen=0) for room in rooms
    }
    return known


def memories_at(name: str, remembered: Sequence[FormMemory], at: int) -> list[Memory]:
    """Return remembered texts as memories, oldest first."""
    oldest_first = sorted(remembered, key=lambda each: -each.hours_ago)
    return [
        Memory(
            id=memory_id(name, 0, "past", 0, number),
            agent=name,
            kind="event",
            text=each.text,
            created=at - round(3600 * each.hours_ago),
            tick=0,
            accessed=at - round(3600 * each.hours_ago),
            importance=each.importance,
            subject=name,
        )
        for number, each in enumerate(oldest_first)
    ]


def day_plan(planned: Sequence[PlannedCard], at: int) -> DayPlan | None:
    """Return the day's plan; None if it is empty, so that the day will be planned."""
    if not planned:
        return None
    starts = sorted((_minute("planned.time", each.time), each.activity) for each in planned)
    hours = cover_day(starts)
    return DayPlan(
        day=day_of(at), wake=starts[0][0], strokes=tuple(starts), hours=hours, blocks=hours
    )


def with_gaps(plan: DayPlan) -> DayPlan:
    """Return the day with its longest entries turned into gaps for `plan_hours` to fill."""
    free = [
        each for each in plan.blocks if not is_sleep(each.activity) and not meal_in(each.activity)
    ]
    longest = sorted(free, key=lambda block: -block.minutes)[:MOST_GAPS]
    blocks = tuple(
        replace(block, source=OPEN) if block in longest else block for block in plan.blocks
    )
    return replace(plan, hours=(), blocks=blocks)


def present_action(doing: str, place: str, until: str, at: int) -> Action | None:
    """Return somebody's current action; None if `doing` is empty, as at the start of a day."""
    if not doing:
        return None
    end = at_of(day_of(at), _minute("until", until))
    return Action(kind="do", activity=doing, place=place, start=at, end=max(end, at))


def _minute(field: str, clock: str) -> int:
    """Return the minute of the day of `09:00`, or of the start of `09:00-10:30`."""
    start = clock.split("-")[0].strip()
    try:
        minute = minute_at(start)
    except ValueError:
        minute = -1
    if not 0 <= minute < 1440:
        raise FormError(f"`{field}`: got {clock!r}, which is no clock; write it as '09:00'.")
    return minute


TIME = Field("1 09:10", description="Day and clock, as `1 09:10`; day 1 is Monday 6 May.")
