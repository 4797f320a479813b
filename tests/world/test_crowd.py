"""The arrays of a crowd say what its bodies say one by one."""

from hypothesis import given
from hypothesis import strategies as st

from smolville.agents.action import Action
from smolville.agents.times import Clock
from smolville.history.records import Move, Tile
from smolville.world.body_state import BodyState
from smolville.world.crowd import Crowd
from smolville.world.perception import near

CLOCK = Clock(10)
NAMES = tuple(f"Resident {number}" for number in range(4))
LATER = tuple(f"Visitor {number}" for number in range(12))
SPOTS = ("Inn: bar: stove", "Inn: bar: table")
tiles = st.tuples(st.integers(0, 20), st.integers(0, 20))
ticks = st.integers(0, 40)


@st.composite
def bodies(draw: st.DrawFn, name: str) -> BodyState:
    """A body that stands or walks, does something or nothing, and may be resting."""
    walk = None
    if draw(st.booleans()):
        path = tuple(draw(st.lists(tiles, min_size=1, max_size=12)))
        begins = draw(ticks)
        ends = begins + CLOCK.ticks_to_walk(len(path) - 1)
        walk = Move(agent=name, tick=begins, end_tick=ends, path=path)
    action = None
    if draw(st.booleans()):
        kind = draw(st.sampled_from(("do", "talk")))
        place = draw(st.sampled_from(SPOTS))
        action = Action(kind=kind, activity="resting", place=place, start=0, end=400)
    return BodyState(
        agent=name,
        tile=draw(tiles) if walk is None else walk.path[0],
        walk=walk,
        action=action,
        is_settled=draw(st.booleans()),
        resting_until=draw(st.sampled_from((0, 100, 200))),
    )


@st.composite
def crowds(draw: st.DrawFn) -> Crowd:
    """People of whom some have changed since they were put in, and some came later."""
    crowd = Crowd([draw(bodies(name)) for name in NAMES], CLOCK)
    for name in draw(st.lists(st.sampled_from((*NAMES, *LATER)), max_size=16)):
        crowd[name] = draw(bodies(name))
    return crowd


@given(crowd=crowds(), tick=ticks)
def test_everybodys_tile_is_that_of_the_body(crowd: Crowd, tick: int) -> None:
    found = [(x, y) for x, y in crowd.tiles(tick).tolist()]
    assert found == [body.tile_at(tick, CLOCK) for body in crowd.values()]


@given(crowd=crowds(), body=bodies(NAMES[0]), tick=ticks)
def test_a_body_that_changes_within_a_tick_is_where_it_is_then(
    crowd: Crowd, body: BodyState, tick: int
) -> None:
    crowd.tiles(tick)
    crowd[body.agent] = body
    assert tuple(crowd.tiles(tick)[0].tolist()) == body.tile_at(tick, CLOCK)


@given(crowd=crowds(), tick=ticks, here=tiles, reach=st.integers(0, 12))
def test_those_near_are_found_with_their_distance(
    crowd: Crowd, tick: int, here: Tile, reach: int
) -> None:
    at = {name: body.tile_at(tick, CLOCK) for name, body in crowd.items()}
    expected = [(name, tile, near(here, tile)) for name, tile in at.items()]
    assert list(crowd.near(tick, here, reach)) == [one for one in expected if one[2] <= reach]


@given(crowd=crowds(), tick=ticks, spots=st.lists(tiles, max_size=3), reach=st.integers(0, 12))
def test_steps_are_those_of_walks_under_way_nearby(
    crowd: Crowd, tick: int, spots: list[Tile], reach: int
) -> None:
    expected = [
        body.tile_at(when, CLOCK)
        for body in crowd.values()
        if body.walk is not None and body.walk.tick < tick <= body.walk.end_tick
        if any(near(body.tile_at(tick, CLOCK), spot) <= reach for spot in spots)
        for when in (tick - 1, tick)
    ]
    assert crowd.steps(tick, spots, reach) == expected


@given(crowd=crowds(), tick=ticks, without=st.sampled_from(("", *NAMES)))
def test_users_have_arrived_and_do_not_talk(crowd: Crowd, tick: int, without: str) -> None:
    for spot in SPOTS:
        expected = [
            name
            for name, body in crowd.items()
            if name != without
            and body.action is not None
            and (body.action.place, body.action.kind) == (spot, "do")
            and body.is_settled
            and not body.is_walking(tick)
        ]
        assert crowd.users(spot, tick, without=without) == expected
    assert crowd.users("Inn: bar: piano", tick) == []


@given(crowd=crowds(), tick=ticks)
def test_rest_ends_at_its_tick(crowd: Crowd, tick: int) -> None:
    ended = [
        body.tile_at(tick, CLOCK)
        for body in crowd.values()
        if body.resting_until > 0 and CLOCK.tick_at(body.resting_until) == tick
    ]
    assert sorted(crowd.rested(tick)) == sorted(ended)
