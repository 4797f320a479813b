"""`check_world`: both worlds keep every promise, and a broken one is named."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import pytest

from smolville.agents.action import Action
from smolville.agents.persona import Persona
from smolville.agents.times import Clock
from smolville.graphs.context import Percept
from smolville.history.records import ObjectState
from smolville.world.adapter import World
from smolville.world.conformance import check_world
from smolville.world.one_room import OneRoom
from smolville.world.tile_town import TileTown
from tests.world.stage import people, town

TICKS = (7, 600)


def tile_town(tick: int, cast: tuple[Persona, ...]) -> World:
    return TileTown(town(), cast, Clock(tick), seed=0)


def one_room(tick: int, cast: tuple[Persona, ...]) -> World:
    return OneRoom(cast, Clock(tick))


@pytest.mark.parametrize("tick", TICKS)
@pytest.mark.parametrize("build", [tile_town, one_room])
def test_both_worlds_keep_every_promise(
    build: Callable[[int, tuple[Persona, ...]], World], tick: int
) -> None:
    check_world(build(tick, people()), people())


class ForgetsToSettle(OneRoom):
    def settle(self, agent: str, tick: int, seen: Collection[str]) -> None:
        pass


class StridesTooFar(OneRoom):
    def next_tick(self, tick: int, agents: Sequence[str]) -> int:
        return tick + 500


class SeesItself(OneRoom):
    def percepts(self, agent: str, tick: int) -> tuple[Percept, ...]:
        action = Action(kind="do", activity="resting", place="here", start=0, end=1)
        return (replace(self.figures[agent], action=action).percept("here", 0, 0),)


class GrantsEverything(OneRoom):
    def why_not_talk(self, name: str, other: str, tick: int) -> str:
        return ""


class RestoresNothing(OneRoom):
    def restore(
        self,
        tick: int,
        bodies: Mapping[str, str],
        objects: Mapping[str, ObjectState],
        seen: Mapping[str, Collection[str]],
    ) -> None:
        pass


class PartsPeople(OneRoom):
    def clusters(
        self, tick: int, agents: Sequence[str], active: Collection[str]
    ) -> list[tuple[str, ...]]:
        return [(name,) for name in agents if name in active]


@pytest.mark.parametrize(
    ("world", "sentence"),
    [
        (ForgetsToSettle, "hear of the new day again after `settle`"),
        (StridesTooFar, "`next_tick` strides past tick"),
        (SeesItself, "perceives itself"),
        (GrantsEverything, "is not refused"),
        (RestoresNothing, "not the same after `restore`"),
        (PartsPeople, "who are in no group with"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_a_broken_promise_is_named(world: type[OneRoom], sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_world(world(people(), Clock(60)), people())
