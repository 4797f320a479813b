"""A deed is asked with its own place on offer; a habit is done where it says."""

import pytest

from smolville.agents.mind import Mind
from smolville.agents.persona import Persona
from smolville.agents.plan import Block, block_at, cover_day, splice
from smolville.agents.times import Clock
from smolville.graphs.places import here_of, offer_places, task_of
from smolville.graphs.settled_places import spot_here, with_certain_places
from smolville.graphs.surroundings import Body
from smolville.world.tile_town import TileTown
from smolville.world.town.town import Town, shipped_town
from tests.fixtures.scripted import Around
from tests.graphs.minds import day_plan, thinker, tick_at
from tests.graphs.told_places import BOOKSHOP, CAFE, TOLD, Told

AT = 600


@pytest.fixture(scope="module")
def shipped() -> TileTown:
    """The shipped town with three people."""
    town = Town.load(shipped_town())
    return TileTown(town, [town.personas[name] for name in town.casts[3]], Clock(10), seed=0)


def _mind(shipped: TileTown, who: str, here: str, block: Block) -> tuple[Persona, Mind]:
    """Somebody's mind with one block ahead; it knows what it knew at first, and where it is."""
    persona = next(each for name, each in shipped.state.personas.items() if name.startswith(who))
    blocks = splice(cover_day([(360, "waking up")]), block.start, block.end, [block])
    places = shipped.known_at_start(persona)
    assert here in places, f"{who} cannot stand in {here}"
    plan = day_plan(blocks=blocks)
    return persona, Mind(name=persona.name, currently="", requirement="", places=places, plan=plan)


def placed(shipped: TileTown, told: Told, source: str = "") -> tuple[str, list[str]]:
    """The place of a deed if it is certain, else an empty text, and the rooms that are offered."""
    block = Block(start=AT, minutes=30, activity=told.activity, part_of=told.part_of, source=source)
    persona, mind = _mind(shipped, told.who, told.here, block)
    me = thinker(Around(tick=tick_at(AT), own=Body(place=told.here, action=None, arrived=True)),
                 persona=persona, mind=mind)  # fmt: skip
    spot = block_at(with_certain_places(me, mind).plan.blocks, AT).spot
    task = task_of(persona, told.activity, told.part_of or told.activity)
    offered = offer_places(mind, persona, here_of(me), [task])
    return spot.place if spot else "", [each.place for each in offered]


@pytest.mark.parametrize("told", TOLD, ids=[each.activity[:60] for each in TOLD])
def test_a_deed_is_asked_with_its_own_place_on_offer(shipped, told):
    place, offered = placed(shipped, told)
    assert not place and any(each.startswith(told.right) for each in offered), offered
    assert offered[0] == told.here and len(offered) <= 12


@pytest.mark.parametrize(
    ("who", "here", "activity", "right"),
    [
        ("Junko", CAFE, "having lunch at the shop", f"{BOOKSHOP}: shop floor"),
        ("Nadia", BOOKSHOP + ": shop floor", "having lunch in the cafe", "Copper Kettle Cafe"),
        ("Walter", CAFE, "having dinner at home", "Larkspur Cottage: kitchen"),
        ("Walter", CAFE, "singing with the choir at Bell Hall", "Bell Hall"),
        ("Nadia", CAFE, "washing and getting dressed", "Saffron Cottage"),
    ],
)
def test_a_habit_is_certain_where_it_says_or_where_such_things_are_done(
    shipped, who, here, activity, right
):
    place, _ = placed(shipped, Told(who, here, "", activity, (right,)), source="habit")
    assert place.startswith(right)


@pytest.mark.parametrize(
    ("who", "here", "activity", "is_here"),
    [
        ("Nadia", CAFE, "reading the notice aloud and asking the customers about the key", True),
        ("Walter", f"{BOOKSHOP}: shop floor",
         "looking at the photograph of the ferry landing with Junko", True),
        ("Junko", f"{BOOKSHOP}: shop floor",
         "studying the photograph with a magnifying glass at the counter", True),
        ("Walter", "Larkspur Cottage: bedroom",
         "writing an answer to Edda Lorne about the post of those days", True),
        ("Nadia", CAFE, "walking over to see what has happened", False),
        ("Nadia", CAFE, "fetching Father from home", False),
        ("Nadia", CAFE, "asking for wire at Okoro Hardware and Garden", False),
    ],
)  # fmt: skip
def test_what_one_does_about_something_here_is_done_here_unless_it_names_another_place(
    shipped, who, here, activity, is_here
):
    block = Block(start=AT, minutes=30, activity=activity, part_of=activity)
    persona, mind = _mind(shipped, who, here, block)
    me = thinker(Around(tick=tick_at(AT), own=Body(place=here, action=None, arrived=True)),
                 persona=persona, mind=mind)  # fmt: skip
    spot = spot_here(me, mind, block)
    assert (spot is not None and spot.place.startswith(here)) == is_here
