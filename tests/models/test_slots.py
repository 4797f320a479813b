"""Calls are shared by servers: the one that knows a prompt, the least busy, one that answers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from smolville.models.errors import TransportError
from smolville.models.server_load import LONGEST_PAUSE, ServerLoad
from smolville.models.slots import RateLimiter, SlotInUse

LOST = TransportError("it hung up.")


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Town:
    """Calls in their slots, by name."""

    def __init__(self, *slots: int, in_flight: int | None = None) -> None:
        self.clock = Clock()
        self.limiter = RateLimiter(*slots, in_flight=in_flight, clock=self.clock)
        self.used: dict[str, SlotInUse] = {}

    async def call(self, name: str, step: str = "say", agent: str = "Ada Brook") -> int:
        """Let a call in, and return its server."""
        used = SlotInUse(self.limiter, step, agent, 100, 0)
        await used.enter()
        self.used[name] = used
        return used.slot.server

    def end(self, *names: str) -> None:
        """Let calls end with an answer."""
        for name in names:
            used = self.used.pop(name)
            used.answered()
            used.leave()


@asynccontextmanager
async def waiting_call(town: Town, name: str) -> AsyncIterator["asyncio.Task[int]"]:
    """A call that does not get a slot at once."""
    task = asyncio.create_task(town.call(name))
    await asyncio.sleep(0)
    assert not task.done()
    yield task
    assert task.done()


async def test_every_server_takes_as_many_calls_as_it_has_slots() -> None:
    town = Town(2, 1, 3)
    servers = [await town.call(f"call {number}", f"step {number}") for number in range(6)]
    assert sorted(servers) == [0, 0, 1, 2, 2, 2]
    assert (town.limiter.room, town.limiter.in_flight) == (6, 6)
    async with waiting_call(town, "one more") as task:
        town.end("call 0")
        await asyncio.sleep(0)
    assert task.result() == servers[0]


async def test_calls_go_to_the_least_busy_server_by_its_share_of_busy_slots() -> None:
    town = Town(4, 2)
    servers = [await town.call(f"call {number}", f"step {number}") for number in range(6)]
    assert servers == [0, 1, 0, 0, 1, 0]


async def test_a_person_stays_with_the_server_that_knows_the_prompt() -> None:
    town = Town(4, 4)
    assert await town.call("hers", "say", "Ada Brook") == 0
    assert await town.call("his", "react", "Ben Hollis") == 1
    town.end("hers", "his")
    assert await town.call("his again", "react", "Ben Hollis") == 1
    town.end("his again")
    assert await town.call("hers again", "say", "Ada Brook") == 0
    town.end("hers again")
    assert await town.call("the same step", "say", "Cora Vance") == 0


@pytest.mark.parametrize(("busy", "server"), [(1, 0), (2, 1)])
async def test_a_server_that_is_clearly_busier_loses_its_preference(busy: int, server: int) -> None:
    town = Town(4, 4)
    names = [f"call {number}" for number in range(8)]
    for name in names:
        await town.call(name, name)
    at_first = [name for name in names if town.used[name].slot.server == 0]
    town.end(*(name for name in names if name not in at_first[:busy]))
    # A quarter of its slots more than at the other server does not count.
    assert await town.call("again", at_first[3]) == server


async def test_a_server_that_loses_a_call_is_left_out_and_the_call_goes_to_another() -> None:
    town = Town(1, 2)
    assert await town.call("lost") == 0
    assert await town.used["lost"].move_on(LOST)
    assert town.used["lost"].slot.server == 1
    assert await town.call("next", "react") == 1
    async with waiting_call(town, "waits") as task:
        town.end("next")
        await asyncio.sleep(0)
    assert task.result() == 1


async def test_one_call_tries_a_server_again_when_its_pause_is_over() -> None:
    town = Town(3, 3)
    await town.call("lost", "say")
    assert await town.used["lost"].move_on(LOST)
    for pause in (1.0, 2.0, 4.0):
        assert await town.call("too early", "plan_day") == 1
        town.end("too early")
        town.clock.seconds += pause
        assert await town.call("a trial", "plan_day", "Ben Hollis") == 0
        assert await town.call("beside it", "say", "Cora Vance") == 1, "one finds out"
        assert await town.used["a trial"].move_on(LOST)
        town.end("a trial", "beside it")
    town.clock.seconds += 8.0
    assert await town.call("a trial") == 0
    town.end("a trial")
    assert [await town.call(f"call {number}", f"step {number}") for number in range(4)].count(
        0
    ) == 2


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


async def test_a_server_is_left_out_for_as_long_as_it_asks_for() -> None:
    town = Town(1, 1)
    await town.call("lost")
    assert await town.used["lost"].move_on(TransportError("busy", retry_after=90.0))
    town.end("lost")
    town.clock.seconds = 89.0
    assert await town.call("one", "react") == 1
    town.clock.seconds = 90.0
    assert await town.call("other", "plan_day") == 0


async def test_when_all_are_left_out_a_lost_call_tries_each_in_turn() -> None:
    town = Town(1, 1, 1)
    await town.call("lost")
    assert await town.used["lost"].move_on(LOST)
    assert await town.used["lost"].move_on(LOST)
    tried = [town.used["lost"].slot.server]
    for _ in range(5):
        town.clock.seconds += 0.1
        assert not await town.used["lost"].move_on(LOST), "it is to be retried after a pause"
        tried.append(town.used["lost"].slot.server)
    assert tried == [2, 0, 1, 2, 0, 1]
    assert town.limiter.in_flight == 1
    town.end("lost")
    assert town.limiter.in_flight == 0


async def test_a_call_of_a_single_server_keeps_its_slot() -> None:
    town = Town(2)
    await town.call("lost")
    assert not await town.used["lost"].move_on(LOST)
    assert await town.call("next") == 0, "a single server is never left out"


async def test_calls_that_wait_go_on_when_a_server_comes_back() -> None:
    town = Town(1, 1)
    await town.call("first")
    await town.call("second", "react")
    assert town.used["second"].slot.server == 1
    moving = asyncio.create_task(town.used["first"].move_on(LOST))
    await asyncio.sleep(0)
    assert (town.limiter.waiting, town.limiter.in_flight) == (1, 1)
    town.clock.seconds = 1.0
    town.end("second")
    assert await moving
    assert town.limiter.waiting == 0


async def test_a_call_that_is_cancelled_on_its_way_to_another_server_has_no_slot() -> None:
    town = Town(1, 1)
    await town.call("other", "react")
    await town.call("blocks", "plan_day")
    names = {town.used[name].slot.server: name for name in ("other", "blocks")}
    moving = asyncio.create_task(town.used[names[0]].move_on(LOST))
    await asyncio.sleep(0)
    moving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await moving
    town.used.pop(names[0]).leave()
    town.end(names[1])
    assert (town.limiter.in_flight, town.limiter.waiting) == (0, 0)


async def test_one_call_at_a_time_is_one_over_all_servers() -> None:
    town = Town(2, 2, in_flight=1)
    await town.call("first")
    async with waiting_call(town, "second") as task:
        town.end("first")
        await asyncio.sleep(0)
    assert task.result() == 0, "the same step is known there"


async def test_a_server_that_joins_takes_calls_that_wait() -> None:
    limiter = RateLimiter(1)
    first = await limiter.enter("say", "Ada", 10, 0)
    waiting = asyncio.create_task(limiter.enter("say", "Bo", 10, 0))
    await asyncio.sleep(0)
    limiter.add_server(2, 2)
    second = await waiting
    assert (first.server, second.server, limiter.room) == (0, 1, 3)
    limiter.add_server(2, 2)
    assert limiter.room == 3


async def test_a_server_that_joins_makes_no_more_calls_under_the_serial_schedule() -> None:
    limiter = RateLimiter(4, in_flight=1)
    limiter.add_server(4, 2)
    assert limiter.room == 1
