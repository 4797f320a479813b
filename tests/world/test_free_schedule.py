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
        last, who = self.horizon(moved, step - 1)
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


def frontier(
    tiles: dict[str, tuple[int, int]], done: dict[str, int], events: dict[str, int] | None = None
) -> Frontier:
    """People who stand still, each at a tick, with the tick at which each acts next."""
    later = events or {}
    return Frontier(
        tuple(tiles),
        OpenField(),
        lambda name, tick: tiles[name],
        lambda name, tick: max(tick, later.get(name, tick)),
        done,
    )


def test_people_in_sight_are_a_cluster_and_so_are_their_neighbours() -> None:
    tiles = {ADA: (0, 0), BEN: (8, 8), CORA: (16, 0), "Dan": (25, 0)}
    found = frontier(tiles, {})
    assert [found.cluster(name) for name in tiles] == [(ADA, BEN, CORA)] * 3 + [("Dan",)]
    apart = frontier(tiles, {BEN: 0})
    assert [apart.cluster(name) for name in tiles] == [(ADA,), (BEN,), (CORA,), ("Dan",)]


def test_who_sleeps_until_six_holds_nobody_up_who_is_far_from_everybody_else() -> None:
    tiles = {ADA: (0, 0), BEN: (0, 12), CORA: (0, 60)}
    asleep = {ADA: 2160, BEN: 2160}
    # Cora could come near him at tick 40, and four ticks later he might come near Ada.
    assert frontier(tiles, {}, asleep).horizon((ADA,), 2160) == (43, BEN)
    everybody = {**asleep, CORA: 2160}
    assert frontier(tiles, {}, everybody).horizon((ADA,), 2160) == (2163, BEN)


spots = st.tuples(st.integers(0, 120), st.integers(0, 120))
stands = st.tuples(spots, st.integers(0, 30), st.integers(0, 90))


@settings(deadline=None)
@given(stands=st.lists(stands, min_size=2, max_size=5), wanted=st.integers(0, 200))
def test_how_far_one_may_go_is_what_all_ways_to_come_near_say(
    stands: list[tuple[tuple[int, int], int, int]], wanted: int
) -> None:
    names = [f"Resident {number}" for number in range(len(stands))]
    tiles = {name: tile for name, (tile, _, _) in zip(names, stands, strict=True)}
    steps = {name: step for name, (_, step, _) in zip(names, stands, strict=True)}
    events = {name: step + rest for name, (_, step, rest) in zip(names, stands, strict=True)}
    found = frontier(tiles, {name: step - 1 for name, step in steps.items()}, events)
    where = np.array(list(tiles.values()))
    ticks = np.array([OpenField().ticks_around(row, where)[0] for row in range(len(names))])
    acts = np.array(list(events.values()))
    for _ in names:
        acts = np.minimum(acts, (acts + ticks).min(axis=1))
    acts = np.maximum(acts, list(steps.values()))
    for row, name in enumerate(names):
        last = min(int(ticks[row, at] + acts[at]) - 1 for at in range(len(names)) if at != row)
        told, _ = found.horizon((name,), wanted)
        assert told == last if last < wanted else wanted <= told <= last
