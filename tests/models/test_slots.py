"""Calls are limited to the servers' slots, and go to the least busy server that answers."""

import asyncio
import random
from collections import deque

import pytest

from smolville.models.errors import TransportError
from smolville.models.slots import LONGEST_PAUSE, RateLimiter, ServerLoad, SlotInUse

LOST = TransportError("it hung up.")


class Town:
    """Calls in their slots, by name, and a clock that is moved by hand."""

    def __init__(self, *slots: int, in_flight: int | None = None) -> None:
        self.seconds = 0.0
        self.limiter = RateLimiter(*slots, in_flight=in_flight, clock=lambda: self.seconds)
        self.used: dict[str, SlotInUse] = {}
        self.order: list[str] = []
        self.tasks: dict[str, asyncio.Task[int]] = {}

    async def call(self, name: str, size: int = 100, tick: int = 0) -> int:
        """Let a call in, and return its server."""
        used = SlotInUse(self.limiter, size, tick)
        await used.enter()
        self.used[name] = used
        self.order.append(name)
        return used.server

    async def come(self, name: str, size: int = 100, tick: int = 0) -> None:
        """Begin a call that may have to wait."""
        self.tasks[name] = asyncio.create_task(self.call(name, size, tick))
        await settled()

    def end(self, *names: str) -> None:
        """Let calls end with an answer."""
        for name in names:
            used = self.used.pop(name)
            used.answered()
            used.leave()

    async def move_on(self, name: str) -> int | None:
        """Lose a call; return the server that takes it at once, None if it waits for a retry."""
        return self.used[name].server if await self.used[name].move_on(LOST) else None


async def settled() -> None:
    """Let everything run until it waits."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_every_server_takes_as_many_calls_as_it_has_slots() -> None:
    town = Town(2, 1, 3)
    servers = [await town.call(f"call {number}") for number in range(6)]
    assert sorted(servers) == [0, 0, 1, 2, 2, 2]
    assert (town.limiter.room, town.limiter.in_flight) == (6, 6)
    await town.come("one more")
    assert town.limiter.waiting == 1
    town.end("call 0")
    assert await town.tasks["one more"] == servers[0]


async def test_calls_go_to_the_least_busy_server_by_its_share_of_busy_slots() -> None:
    town = Town(4, 2)
    assert [await town.call(f"call {number}") for number in range(6)] == [0, 1, 0, 1, 0, 0]
    idle = Town(1, 1)
    servers = []
    for _ in range(4):
        servers.append(await idle.call("one"))
        idle.end("one")
    assert servers == [0, 1, 0, 1], "the one that has been idle for longest"


async def test_people_who_are_behind_and_small_calls_go_first() -> None:
    town = Town(1)
    calls = {"first": (9, 50), "ahead": (1, 80), "large": (900, 20), "small": (60, 20)}
    for name, (size, tick) in calls.items():
        await town.come(name, size, tick)
    for name in ("first", "small", "large", "ahead"):
        town.end(name)
        await settled()
    assert town.order == ["first", "small", "large", "ahead"]


@pytest.mark.parametrize(("slots", "in_flight", "most"), [(3, None, 3), (4, 1, 1), (0, None, 1)])
async def test_so_many_calls_are_in_flight_and_no_more(
    slots: int, in_flight: int | None, most: int
) -> None:
    town = Town(slots, in_flight=in_flight)
    for number in range(20):
        await town.come(f"call {number}")
    while town.used:
        assert len(town.used) == town.limiter.in_flight <= most
        town.end(next(iter(town.used)))
        await settled()
    assert len(town.order) == 20


async def test_a_turn_that_comes_as_the_call_is_called_off_is_not_lost() -> None:
    town = Town(1)
    for name in ("in", "waits", "turn", "next"):
        await town.come(name)
    town.tasks["waits"].cancel()
    await settled()
    town.end("in")
    town.tasks["turn"].cancel()
    await settled()
    assert town.order == ["in", "next"]


@pytest.mark.parametrize("seed", range(5))
async def test_whatever_comes_goes_is_lost_and_is_called_off_no_slot_is_lost(seed: int) -> None:
    dice, town = random.Random(seed), Town(2, 2, in_flight=3)
    known: deque[str] = deque()
    moving: list[asyncio.Task[None]] = []

    async def moved(name: str) -> None:
        used = town.used.pop(name)
        await used.move_on(LOST)
        town.used[name] = used

    for number in range(200):
        what = dice.random()
        town.seconds += dice.random()
        if what < 0.5:
            known.append(f"call {number}")
            await town.come(known[-1], dice.randrange(5))
        elif what < 0.7 and known:
            town.tasks[known.popleft()].cancel()
            await settled()
        elif what < 0.75 and town.used:
            moving.append(asyncio.create_task(moved(dice.choice(sorted(town.used)))))
            await settled()
        elif town.used:
            town.end(dice.choice(sorted(town.used)))
            await settled()
        assert town.limiter.in_flight <= 3
    town.seconds += 1000
    while town.used:
        town.end(next(iter(town.used)))
        await settled()
    assert all(task.done() for task in moving)
    assert (town.limiter.in_flight, town.limiter.waiting) == (0, 0)


async def test_a_server_that_loses_a_call_is_left_out_and_the_call_goes_to_another() -> None:
    town = Town(1, 2)
    assert await town.call("lost") == 0
    assert await town.move_on("lost") == 1
    assert await town.call("next") == 1
    await town.come("waits")
    town.end("next")
    assert await town.tasks["waits"] == 1


async def test_one_call_tries_a_server_again_when_its_pause_is_over() -> None:
    town = Town(3, 3)
    await town.call("lost")
    assert await town.move_on("lost") == 1
    for pause in (1.0, 2.0, 4.0):
        assert await town.call("too early") == 1
        town.end("too early")
        town.seconds += pause
        assert await town.call("a trial") == 0
        assert await town.call("beside it") == 1, "one finds out"
        assert await town.move_on("a trial") == 1
        town.end("a trial", "beside it")
    town.seconds += 8.0
    assert await town.call("a trial") == 0
    town.end("a trial")
    assert [await town.call(f"call {number}") for number in range(3)].count(0) == 2


def test_pauses_double_up_to_a_limit_and_losses_during_one_do_not_count() -> None:
    load, now, pauses = ServerLoad(4), 0.0, []
    for _ in range(12):
        load.leave_out(now, 0.0)
        until = load.out_until
        load.leave_out(now + 0.5, 0.0)
        assert load.out_until == until
        pauses.append(until - now)
        now = until
    assert pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, LONGEST_PAUSE, LONGEST_PAUSE, LONGEST_PAUSE]


async def test_when_all_are_left_out_a_lost_call_is_tried_again_where_it_is() -> None:
    town = Town(1, 1, 1)
    await town.call("lost")
    assert [await town.move_on("lost") for _ in range(4)] == [1, 2, None, None]
    town.seconds += 1.0
    assert await town.move_on("lost") == 0, "its pause is over"
    town.end("lost")
    assert town.limiter.in_flight == 0
    single = Town(2)
    await single.call("lost")
    assert await single.move_on("lost") is None
    assert await single.call("next") == 0, "a single server is never left out"


async def test_calls_that_wait_go_on_when_a_server_comes_back() -> None:
    town = Town(1, 1)
    await town.call("first")
    await town.call("second")
    moving = asyncio.create_task(town.used["first"].move_on(LOST))
    await settled()
    assert (town.limiter.waiting, town.limiter.in_flight) == (1, 1)
    town.seconds = 1.0
    town.end("second")
    assert await moving
    await town.come("third")
