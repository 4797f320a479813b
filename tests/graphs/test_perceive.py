"""What is in sight is learnt; what is new is remembered, once."""

from dataclasses import replace

from smolville.agents.mind import KnownPlace
from smolville.agents.places import arena_of
from smolville.agents.plan import splice
from smolville.graphs.act import wants_to_act
from smolville.graphs.draft import Draft
from smolville.graphs.perceive import perceive
from smolville.graphs.surroundings import Sight
from tests.fixtures.scripted import Around
from tests.graphs.minds import (
    ADA,
    HOURS,
    PLACES,
    body,
    context_for,
    day_plan,
    doing,
    memory,
    mind_of,
    person,
    run,
    seen,
    spot,
    thing,
)

BEN = person()
COUNTER = "Copper Kettle: counter room: counter"


async def _perceived(mind=None, memories=(), **around):
    context = context_for(around=Around(**around), memories=memories)
    return await run(perceive, context, mind or mind_of(day_plan()))


async def test_an_event_is_new_once():
    done = await _perceived(tick=60, seen=(BEN, thing()))
    assert done["fresh"] == (BEN, thing())
    assert [each.text for each in done["draft"].memories] == [BEN.text, thing().text]
    first = done["draft"].memories[0]
    assert (first.kind, first.subject, first.object) == ("event", "Ben Hollis", "buying bread")
    assert (first.importance, done["mind"].gathered) == (3, 3.0), "an everyday doing is no riddle"
    assert done["mind"].unrated == (done["draft"].memories[1].id,), "a stove on fire is"
    again = await _perceived(done["mind"], tick=61, seen=(BEN, thing()))
    assert again["fresh"] == () and again["draft"] == Draft()


async def test_what_was_seen_stays_known_for_the_personas_retention():
    known = 1000
    mind = mind_of(day_plan(), seen={BEN.key: known})
    until = (known + ADA.retention * 3600) // 10
    still = await _perceived(mind, tick=until, seen=(BEN,))
    assert still["fresh"] == () and still["mind"].seen == {BEN.key: known}
    anew = await _perceived(mind, tick=until + 1, seen=(BEN,))
    assert anew["fresh"] == (BEN,)


async def test_places_in_sight_are_learnt_and_none_is_unlearnt():
    shop = Sight(arena="Corner Shop: shop floor", objects=("till",), states=(("till", "open"),))
    kitchen = Sight(arena="Fern Cottage: kitchen", objects=("kettle", "table"))
    done = await _perceived(tick=6, places=(shop, kitchen))
    places = done["mind"].places
    assert places["Corner Shop: shop floor"] == KnownPlace(
        objects=("till",), states=(("till", "open"),), seen=60
    )
    assert places["Fern Cottage: kitchen"].objects == ("stove", "table", "kettle")
    assert set(places) == {*PLACES, "Corner Shop: shop floor"}


def _refused_mind(*refused):
    block = replace(HOURS[4], spot=spot())
    return mind_of(day_plan(blocks=splice(HOURS, block.start, block.end, [block])), refused=refused)


async def _refusal(mind, minute=490, place=COUNTER):
    own = body(None, refused="the counter is in use", refused_place=place)
    return await _perceived(mind, tick=6 * minute, why=("refused: in use",), own=own)


async def test_a_refused_object_is_replaced_by_another_of_its_room_in_the_plan_ahead():
    mind = _refused_mind()
    done = await _refusal(mind)
    assert done["mind"].refused == (COUNTER,)
    spots = [block.spot for block in done["mind"].plan.blocks if block.spot]
    assert spots and {arena_of(spot.place) for spot in spots} == {arena_of(COUNTER)}
    assert COUNTER not in {spot.place for spot in spots}
    past = await _refusal(mind, minute=1000)
    assert COUNTER in {block.spot.place for block in past["mind"].plan.blocks if block.spot}


async def test_a_letter_that_was_read_is_no_news_however_long_it_lies_there():
    letter = replace(thing(), subject="letter", text="A letter for Ada Brook says: come home.")
    first = await _perceived(tick=60, seen=(letter,))
    assert first["fresh"] == (letter,)
    past = memory(0, letter.text)
    again = await _perceived(tick=60, seen=(letter,), memories=[past])
    assert (again["fresh"], again["draft"]) == ((), Draft())
    assert letter.key in again["mind"].seen, "nobody looks up from it again and again"


async def test_news_of_a_place_is_heard_by_who_comes_later_and_only_once():
    weather = replace(thing(), subject="weather", text="It rains.", origin=500)
    news = replace(thing(), subject="news", text="News: no bus.", origin=100)
    done = await _perceived(tick=60, news=(weather,))
    assert [each.text for each in done["draft"].memories] == ["It rains."]
    later = await _perceived(done["mind"], tick=70, news=(weather, news))
    assert [each.text for each in later["draft"].memories] == ["News: no bus."]
    again = await _perceived(later["mind"], tick=71, news=(weather, news))
    assert again["draft"] == Draft()


async def test_what_somebody_said_who_did_not_want_to_talk_is_remembered_and_waits_for_a_rating():
    why = "Ben Hollis was busy and did not talk with Ada Brook"
    own = body(doing(), refused=why, refused_by="Ben Hollis")
    context = context_for(around=Around(tick=360, why=("refused",), own=own))
    done = await run(perceive, context, mind_of(day_plan()))
    (made,) = done["draft"].memories
    assert (made.text, made.subject, made.predicate) == (why, "Ben Hollis", "does not talk with")
    assert done["mind"].unrated == (made.id,) and done["mind"].refused == ()
    assert not wants_to_act(seen(mind_of(day_plan())), context.of("Ada Brook"))
