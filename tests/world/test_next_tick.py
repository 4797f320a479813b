"""Striding over ticks skips nothing: a town that is asked at every tick tells the same story."""

from collections.abc import Mapping, Sequence

import pytest

from smolville.agents.times import Clock
from smolville.history.records import Tile
from smolville.world.conformance import TickRunner
from smolville.world.tile_town import TileTown
from tests.world.stage import ADA, BEN, Stage, doing, people, town

HOUR = 3600


class Restless(TileTown):
    """A town that is asked at every tick, and in which everybody always looks around."""

    def next_tick(self, tick: int, agents: Sequence[str]) -> int:
        return tick + 1

    def _watching(self, tick: int, tiles: Mapping[str, Tile]) -> list[str]:
        return list(tiles)


def story(kind: type[TileTown], seconds: int, attention: int, until: int) -> tuple[list[str], int]:
    """What happens in a town that begins at tick 0, and at how many ticks it was asked."""
    cast = people(6, vision=4, attention=attention)
    world = kind(town(), cast, Clock(seconds), seed=1)
    trial = TickRunner(world)
    places = [*town().map.arenas, "Copper Kettle: counter room: coffee machine", "outdoors"]
    trial.live({name: trial.doing(places[0], 600) for name in trial.names})
    asked = 0

    def counted(tick: int, agents: Sequence[str]) -> int:
        nonlocal asked
        asked += 1
        return kind.next_tick(world, tick, agents)

    world.next_tick = counted  # type: ignore[method-assign]
    return trial.future(dict.fromkeys(trial.names, tuple(places[:4] + places[-4:])), until), asked


@pytest.mark.parametrize(("seconds", "hours"), [(7, 1), (600, 8)])
def test_striding_tells_the_same_story_as_asking_at_every_tick(seconds: int, hours: int) -> None:
    strode, few = story(TileTown, seconds, 2, hours * HOUR)
    plodded, many = story(Restless, seconds, 2, hours * HOUR)
    for one, other in zip(strode, plodded, strict=False):
        assert one == other
    assert len(strode) == len(plodded)
    assert len(strode) > 10
    assert few <= many


def test_a_quiet_night_is_one_stride() -> None:
    stage = Stage({ADA: (1, 1), BEN: (13, 1)})
    bed = "Fern Cottage: bedroom: bed"
    stage.do(0, ada=doing("sleeping", bed, end=6 * 3600))
    stage.know_everything(0)
    assert stage.next_tick(0, stage.names) == 1, "what has just begun may be seen"
    assert stage.next_tick(0, [BEN]) == 24 * 360, "but not from so far away"
    assert stage.next_tick(1, stage.names) == 6 * 360
    assert stage.next_tick(1, [BEN]) == 24 * 360, "nothing but the next day"


def test_while_somebody_walks_no_tick_is_left_out() -> None:
    stage = Stage({ADA: (1, 1), BEN: (13, 1)})
    (move,) = stage.do(0, ada=doing("going out", "Willow Park: lawn")).moves
    assert [stage.next_tick(tick, stage.names) for tick in range(move.end_tick)] == list(
        range(1, move.end_tick + 1)
    )
    assert stage.next_tick(move.end_tick, stage.names) == 24 * 360
