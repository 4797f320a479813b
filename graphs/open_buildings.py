"""The buildings between which a small model may choose a place for a task."""

import re
from collections.abc import Iterable, Iterator, Sequence

from agents.mind import Mind
from agents.places import join_address, sector_of
from agents.plan import Block
from agents.times import minute_of
from graphs.activities.spots import Task, suits_for_certain
from graphs.candidates import CurrentPlace, is_back_room, offer_spots, task_of
from graphs.context import Thinker
from graphs.norms import with_rules
from graphs.prompt_inputs import SpotCard
from models.standin.words import stems

EVENING = 19 * 60
"""Minute of the day from which on people stay at home, where what they do can be done there."""
_GROCERS = stems("grocery grocer market supermarket")
"""Words in the names of places where one buys groceries."""
_NAME = re.compile(r"(?<!^)\b[A-Z]")
"""The beginning of a name within a text: of a place, or of somebody who is visited."""


def here_of(me: Thinker) -> CurrentPlace:
    """Return the agent's place, and the objects that it sees in use."""
    around = me.surroundings
    here = [sight for sight in around.sights() if not sight.is_elsewhere]
    seen = [join_address(sight.arena, thing) for sight in here for thing in sight.objects]
    taken = frozenset(address for address in seen if around.is_taken(address))
    return CurrentPlace(arena=around.body().place, taken=taken)


def placed_as(me: Thinker, block: Block) -> Task:
    """Return the task for which spots are offered, given a block.

    For a part of an activity it is the whole activity, because one place serves all parts: a
    shopping list could be written anywhere, but the shopping could not be done there. A part that
    names a place or a person has spots of its own.
    """
    whole = block.part_of or block.activity
    about = block.activity if _NAME.search(block.activity) is not None else whole
    return task_of(me.persona, about, whole)


def spots_for(me: Thinker, mind: Mind, block: Block) -> tuple[SpotCard, ...]:
    """Return the spots offered for a block among all known places, with the rules they break."""
    assert mind.plan is not None
    recent = [each.spot.place for each in mind.plan.blocks if each.spot][-6:]
    offered = offer_spots(mind, me.persona, here_of(me), placed_as(me, block), recent)
    return with_rules(me, block, offered, minute_of(me.surroundings.at))


def open_buildings(
    me: Thinker, mind: Mind, block: Block, spots: Sequence[SpotCard]
) -> tuple[SpotCard, ...]:
    """Return the best spot of each building between which a small model may choose, from 1.

    Such a model takes the first spot, whatever the spots are. So if the likeliest spot is at home
    or at work, it is the only one offered; otherwise buildings with suitable rooms are offered.
    Objects that the task does not mention are left out: nobody runs at a pond.
    """
    task = placed_as(me, block)
    lawful = [spot for spot in spots if not spot.forbidden]
    home = [spot for spot in lawful if sector_of(spot.place) == sector_of(me.persona.home)]
    if home and block.start >= EVENING and not _NAME.search(block.part_of or block.activity):
        lawful = home
    own = (sector_of(me.persona.home), sector_of(me.persona.work or ""))
    is_out = task.kind is not None and task.kind.where == "out"
    elsewhere = [each for each in lawful if sector_of(each.place) != own[1]]
    if is_out and elsewhere:  # Nobody goes out to where they work.
        lawful = elsewhere
    if task.kind is not None and task.kind.name == "shopping":
        grocers = [each for each in lawful if stems(each.place) & _GROCERS]
        lawful = grocers or lawful
    found: dict[str, SpotCard] = {}
    for spot in [each for each in lawful if suits_for_certain(task, each.place)] or lawful:
        known = mind.places.get(spot.place)
        if known is not None and not is_back_room(known, spot.place, me.persona, task):
            found.setdefault(sector_of(spot.place), spot)
    if lawful and sector_of(lawful[0].place) in own and not is_out:
        found = {sector_of(lawful[0].place): lawful[0]}
    return tuple(
        each.model_copy(update={"number": number})
        for number, each in enumerate(without_far_fetched(me, task, found.values()), 1)
    )


def without_far_fetched(me: Thinker, task: Task, spots: Iterable[SpotCard]) -> Iterator[SpotCard]:
    """Yield the spots; outdoors and in public, an object that the task does not name is dropped.

    For small models only: they go running at a pond just because it is in the list.
    """
    is_out = task.kind is not None and task.kind.where == "out"
    for spot in spots:
        is_named = stems(spot.object) & task.said
        if me.is_narrow and is_out and spot.object and not is_named:
            yield spot.model_copy(update={"object": "", "note": spot.forbidden and spot.note})
        else:
            yield spot
