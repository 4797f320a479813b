"""The gate: calls in flight are bounded, small ones go first, each gets the slot that knows it."""

import asyncio
import random
from collections import deque

import pytest

from smolville.models.slots import RateLimiter


class Line:
    """Calls that stay at the server until they are told to leave, and who is let in when."""

    def __init__(self, gate: RateLimiter) -> None:
        self.gate = gate
        self.inside: dict[str, asyncio.Event] = {}
        self.let_in: list[str] = []
        self.slots: dict[str, int] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.most = 0

    async def come(
        self,
        name: str,
        size: int = 100,
        step: str = "say",
        agent: str = "Ada Brook",
        tick: int = 0,
    ) -> None:
        """Let a call come, and go as far as it gets."""
        self.tasks[name] = asyncio.create_task(self._call(name, size, step, agent, tick))
        await settled()

    async def _call(self, name: str, size: int, step: str, agent: str, tick: int) -> None:
        async with self.gate.slot(step, agent, size, tick) as used:
            slot = used.slot.number
            self.let_in.append(name)
            assert slot not in [self.slots[other] for other in self.inside]
            self.slots[name] = slot
            self.inside[name] = asyncio.Event()
            self.most = max(self.most, len(self.inside))
            try:
                await self.inside[name].wait()
            finally:
                del self.inside[name]

    async def go(self, name: str) -> None:
        """Let a call that is in end."""
        self.inside[name].set()
        await settled()

    async def call_off(self, name: str) -> None:
        """Cancel a call, wherever it is."""
        self.tasks[name].cancel()
        await settled()


async def settled() -> None:
    """Let everything run until it waits."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_calls_of_people_who_are_behind_go_first() -> None:
    line = Line(RateLimiter(1))
    for name, tick, size in (("first", 50, 9), ("ahead", 80, 1), ("behind", 20, 900)):
        await line.come(name, size, tick=tick)
    for name in ("first", "behind"):
        await line.go(name)
    assert line.let_in == ["first", "behind", "ahead"]
    await line.go("ahead")


async def test_small_calls_go_first_and_equal_ones_as_they_came() -> None:
    line = Line(RateLimiter(1))
    await line.come("first")
    sizes = {"plan": 900, "rating": 60, "line": 120, "rating too": 60, "plan too": 900}
    for name, size in sizes.items():
        await line.come(name, size)
    order = ["first", "rating", "rating too", "line", "plan", "plan too"]
    for name in order:
        await line.go(name)
    assert line.let_in == order
    assert line.most == 1


@pytest.mark.parametrize(("slots", "in_flight", "most"), [(3, None, 3), (4, 1, 1), (0, None, 1)])
async def test_so_many_calls_are_in_flight_and_no_more(
    slots: int, in_flight: int | None, most: int
) -> None:
    line = Line(RateLimiter(slots, in_flight=in_flight))
    for number in range(40):
        await line.come(f"call {number}")
    while line.inside:
        assert len(line.inside) == min(most, 40 - len(line.let_in) + len(line.inside))
        await line.go(next(iter(line.inside)))
    assert (line.most, len(line.let_in)) == (most, 40)


async def test_a_call_gets_the_slot_that_knows_its_prompt_best() -> None:
    line = Line(RateLimiter(3))
    await line.come("a", step="say", agent="Ada Brook")
    await line.come("b", step="say", agent="Ben Hollis")
    await line.come("c", step="react", agent="Cora Vance")
    for name in "abc":
        await line.go(name)
    await line.come("the same step and agent", step="say", agent="Ben Hollis")
    await line.come("the same step", step="say", agent="Cora Vance")
    await line.come("nothing the same", step="plan_day", agent="Cora Vance")
    assert list(line.slots.values()) == [0, 1, 2, 1, 0, 2]


async def test_a_call_that_nothing_knows_gets_the_slot_unused_for_longest() -> None:
    line = Line(RateLimiter(3))
    await line.come("a", step="say")
    await line.come("b", step="react")
    await line.go("b")
    await line.go("a")
    await line.come("fresh", step="plan_day")
    await line.come("left first", step="decompose")
    await line.come("left last", step="replan")
    names = ("a", "b", "fresh", "left first", "left last")
    assert [line.slots[name] for name in names] == [0, 1, 2, 1, 0]


async def test_one_at_a_time_still_uses_every_slot_for_what_it_knows() -> None:
    line = Line(RateLimiter(2, in_flight=1))
    for step in ("say", "react", "say", "react"):
        name = f"{step} {len(line.let_in)}"
        await line.come(name, step=step)
        await line.go(name)
    assert list(line.slots.values()) == [0, 1, 0, 1]


async def test_a_call_that_is_called_off_while_it_waits_lets_the_next_one_in() -> None:
    line = Line(RateLimiter(1))
    for name in ("in", "waits", "next"):
        await line.come(name)
    await line.call_off("waits")
    await line.go("in")
    assert line.let_in == ["in", "next"]


async def test_a_call_that_is_called_off_inside_leaves_its_slot() -> None:
    line = Line(RateLimiter(1))
    for name in ("in", "next"):
        await line.come(name)
    await line.call_off("in")
    assert line.let_in == ["in", "next"]


async def test_a_turn_that_comes_as_the_call_is_called_off_is_not_lost() -> None:
    line = Line(RateLimiter(1))
    for name in ("in", "turn", "next"):
        await line.come(name)
    line.inside["in"].set()
    while "in" in line.inside:
        await asyncio.sleep(0)
    line.tasks["turn"].cancel()
    await settled()
    assert line.let_in == ["in", "next"]


async def test_an_error_inside_leaves_the_slot() -> None:
    gate = RateLimiter(1)
    for _ in range(3):
        with pytest.raises(KeyError):
            async with gate.slot("say", "Ada Brook", 9):
                raise KeyError("lost")


@pytest.mark.parametrize("seed", range(20))
async def test_whatever_comes_goes_and_is_called_off_no_slot_is_lost(seed: int) -> None:
    dice, line = random.Random(seed), Line(RateLimiter(4, in_flight=3))
    steps, agents = ("say", "react", "plan_day"), ("Ada Brook", "Ben Hollis")
    known: deque[str] = deque()
    for number in range(200):
        what = dice.random()
        if what < 0.5:
            known.append(f"call {number}")
            await line.come(known[-1], dice.randrange(5), dice.choice(steps), dice.choice(agents))
        elif what < 0.75 and known:
            line.tasks[known.popleft()].cancel()
        elif line.inside:
            line.inside[dice.choice(sorted(line.inside))].set()
            if dice.random() < 0.5:
                await settled()
    while line.inside:
        await line.go(next(iter(line.inside)))
    assert all(task.done() for task in line.tasks.values())
    assert line.most <= 3
    for name in ("x", "y", "z"):
        await line.come(name)
    assert set(line.inside) == {"x", "y", "z"}
