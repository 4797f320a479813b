"""The free schedule gives the same history as the others, whoever crosses whose way."""

import os
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smolville.agents.persona import Persona
from smolville.history.records import Intervention
from smolville.world import wishes
from smolville.world.adapter import Locality, Ticks, Tiles
from smolville.world.free_schedule import Frontier
from smolville.world.town.town import Town, shipped_town
from smolville.world.wishes import made_plain
from tests.world.stage import ADA, BEN, CAFE, CORA, MACHINE, people, town
from tests.world.wanderers import wander

ROSA = "Rosa Lind"
HOUR = 3600
EXAMPLES = int(os.environ.get("SMOLVILLE_EXAMPLES", "6"))
"""Small towns that are lived under all schedules; docs/built/engine.md says how many were."""
SIGHT = 8


class OpenField(Locality):
    """A world without walls, where everybody sees equally far and walks a tile in a tick."""

    def ticks_around(self, row: int, tiles: Tiles) -> tuple[Ticks, Ticks]:
        """Return the tiles beyond sight."""
        apart = np.maximum(np.abs(tiles - tiles[row]).max(axis=1) - SIGHT, 0)
        return apart, apart


@pytest.fixture(autouse=True)
def _checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the rule whenever somebody moves on."""
    move = Frontier.move

    def checked(self: Frontier, names: Iterable[str], step: int) -> None:
        moved = list(names)
        last, who = self.horizon(moved)
        assert step - 1 <= last, f"{moved} come too near to {who}, who is behind"
        move(self, moved, step)

    monkeypatch.setattr(Frontier, "move", checked)


@cache
def shipped() -> Town:
    """The shipped town, read once."""
    return Town.load(shipped_town())


def short_sighted(cast: Sequence[Persona], vision: int) -> tuple[Persona, ...]:
    """The same people, who see less far: more of them live apart."""
    return tuple(each.model_copy(update={"vision": vision}) for each in cast)


@st.composite
def disturbances(draw: st.DrawFn, until: int) -> list[Intervention]:
    """Whispers, announcements, states of objects and a visit, at any ticks."""
    at = st.integers(0, until - 1)
    made = [
        ("whisper", draw(st.sampled_from((ADA, BEN, CORA))), "Rest a little"),
        ("announcement", "", "The fair opens at noon"),
        ("object_state", MACHINE, "on fire"),
    ]
    found = [
        Intervention(id=f"{n}", tick=draw(at), kind=kind, target=target, text=text)
        for n, (kind, target, text) in enumerate(draw(st.lists(st.sampled_from(made), max_size=5)))
    ]
    if draw(st.booleans()):
        found += visit(*sorted(draw(st.lists(at, min_size=2, max_size=2, unique=True))))
    return sorted(found, key=lambda each: (each.tick, each.id))


def visit(comes: int, leaves: int) -> list[Intervention]:
    """A visitor who comes at one tick and leaves at another."""
    enters = wishes.entrance(ROSA, "a reporter", CAFE, town=town(), cast=(ADA, BEN, CORA))
    both = [
        Intervention(id=f"v{tick}", tick=tick, kind=wish.kind, target=ROSA, text=wish.text)
        for tick, wish in ((comes, enters), (leaves, wishes.leave(ROSA)))
    ]
    return [made_plain(each) for each in both]


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_all_schedules_give_the_same_small_town(data: st.DataObject) -> None:
    seconds = data.draw(st.sampled_from((10, 15, 19, 30, 60, 300)))
    until = 3 * HOUR // seconds
    wanted = data.draw(disturbances(until))
    cast = short_sighted(people(data.draw(st.integers(1, 7))), data.draw(st.integers(1, 8)))
    seed = data.draw(st.integers(0, 10**6))
    free, lockstep, serial = (
        wander(town(), cast, schedule, seed=seed, tick_seconds=seconds, until=until, wishes=wanted)
        for schedule in ("free", "lockstep", "serial")
    )
    assert free == lockstep == serial


@pytest.mark.parametrize(("seed", "seconds"), [(2, 10), (1, 60)])
def test_a_crowd_that_wanders_all_over_the_shipped_town_is_the_same(
    seed: int, seconds: int
) -> None:
    cast = short_sighted(shipped().cast(25), 3 + seed)
    until = HOUR // seconds
    free, lockstep = (
        wander(shipped(), cast, schedule, seed=seed, tick_seconds=seconds, until=until)
        for schedule in ("free", "lockstep")
    )
    assert free == lockstep


def frontier(tiles: dict[str, tuple[int, int]], done: dict[str, int]) -> Frontier:
    """People who stand still, each at a tick."""
    return Frontier(tuple(tiles), OpenField(), lambda name, tick: tiles[name], done)


def test_people_in_sight_are_a_cluster_and_so_are_their_neighbours() -> None:
    tiles = {ADA: (0, 0), BEN: (8, 8), CORA: (16, 0), "Dan": (25, 0)}
    found = frontier(tiles, {})
    assert [found.cluster(name) for name in tiles] == [(ADA, BEN, CORA)] * 3 + [("Dan",)]
    apart = frontier(tiles, {BEN: 0})
    assert [apart.cluster(name) for name in tiles] == [(ADA,), (BEN,), (CORA,), ("Dan",)]


def test_one_may_go_as_far_as_nobody_behind_could_come_near() -> None:
    tiles = {ADA: (0, 0), BEN: (0, 12), CORA: (0, 60)}
    assert frontier(tiles, {}).horizon((ADA,)) == (3, BEN)
    assert frontier(tiles, {BEN: 59}).horizon((ADA,)) == (51, CORA)
    assert frontier(tiles, {}).horizon((ADA, BEN)) == (39, CORA)
    assert frontier({ADA: (0, 0)}, {}).horizon((ADA,))[1] == ""
