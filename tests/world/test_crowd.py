"""A crowd says what its bodies say one by one."""

from dataclasses import replace

from smolville.agents.action import Action
from smolville.agents.times import Clock
from smolville.history.records import Move
from smolville.world.body_state import BodyState, Crowd

CLOCK = Clock(10)
STOVE = "Inn: bar: stove"


def test_tiles_users_and_what_stirs_follow_every_change() -> None:
    cook = Action(kind="do", activity="cooking", place=STOVE, start=0, end=400)
    crowd = Crowd([BodyState(agent=name, tile=(x, 0)) for x, name in enumerate("abc")], CLOCK)
    assert dict(crowd.tiles(3)) == {"a": (0, 0), "b": (1, 0), "c": (2, 0)}
    walk = Move(agent="a", tick=0, end_tick=3, path=((0, 0), (0, 1), (0, 2), (0, 3)))
    crowd["a"] = replace(crowd["a"], walk=walk, action=cook)
    assert [crowd.tiles(tick)["a"] for tick in range(5)] == [*walk.path, (0, 3)]
    assert list(crowd.near(3, (0, 3), 2)) == [("a", (0, 3), 0)]
    assert [crowd.stirring(tick) for tick in (0, 1, 3, 4)] == [
        [],
        [(0, 0), (0, 1)],
        [(0, 2), (0, 3)],
        [],
    ]
    assert (crowd.users(STOVE, 2), crowd.users(STOVE, 3)) == ([], ["a"])
    assert crowd.users(STOVE, 3, without="a") == []
    crowd["a"] = replace(crowd["a"], action=replace(cook, kind="talk"))
    assert crowd.users(STOVE, 3) == []
    crowd["b"] = replace(crowd["b"], resting_until=60)
    assert (crowd.stirring(5), crowd.stirring(6)) == ([], [(1, 0)])
