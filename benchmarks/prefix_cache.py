"""Measures how much of a day's prompts a real llama.cpp server takes from its prefix cache.

    python benchmarks/prefix_cache.py [--cast N] [--hours N] [--slots N] [--examples N] [--gguf F]

A day is run with the stand-in. Then its prompts are sent to llama.cpp's server, in their order and
as concurrently as the town would send them. The server runs in this process, with a tiny random
model unless another one is given. It writes one token for each prompt and reports how many of the
prompt's tokens it had already.

There are three ways of choosing the slot: ours (the slot that last served the same step and agent),
the server's own choice, and one slot after the other, whatever they hold.
"""

import argparse
import asyncio
import itertools
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks.table import machine, print_figures, print_table
from smolville.graphs.loop.ledger import Call
from smolville.graphs.loop.rules import Rules
from smolville.history.reader import RunReader
from smolville.models.chat import Chat
from smolville.models.keys import UserSpec
from smolville.models.open import open_chat
from smolville.models.request import ModelSettings
from smolville.models.slots import RateLimiter
from smolville.world.run_request import RunRequest, create_run
from smolville.world.simulation import open_simulation
from tests.fixtures.tiny_gguf import write_tiny_gguf

HOUR = 3600
CONTEXT = 8192
"""Tokens of one slot.

The tiny model's vocabulary needs three times as many tokens as a real one's.
"""
ROLES: dict[str, Callable[[str], BaseMessage]] = {
    "system": lambda text: SystemMessage(text),
    "user": lambda text: HumanMessage(text),
    "assistant": lambda text: AIMessage(text),
}
WAYS = ("ours", "the server's", "in turn")
AIM = 0.6


@dataclass
class Share:
    """Number of prompt tokens, and how many of them the server had already."""

    prompt: int = 0
    cached: int = 0
    untold: int = 0
    """Number of calls for which the server reported no count."""

    @property
    def share(self) -> float:
        """The share of the tokens that was served from the cache."""
        return self.cached / self.prompt if self.prompt else 0.0


@dataclass
class Shares:
    """The results of one way of choosing slots."""

    steps: dict[str, Share] = field(default_factory=lambda: defaultdict(Share))

    @property
    def share(self) -> float:
        """The share of all prompt tokens that was served from the cache."""
        prompt = sum(each.prompt for each in self.steps.values())
        return sum(each.cached for each in self.steps.values()) / prompt if prompt else 0.0


def calls_of_a_day(cast: int, hours: int, examples: int) -> list[list[Call]]:
    """Run a day with the stand-in and return its calls, tick by tick."""
    chat, _ = open_chat("standin", seed=0)
    with TemporaryDirectory() as runs:
        asked = RunRequest(cast=cast, rules=Rules(examples=examples))
        folder = create_run(Path(runs), "day", asked, (chat, chat))
        with open_simulation(folder, (chat, chat)) as simulation:
            asyncio.run(simulation.run(hours * HOUR))
        with RunReader(folder) as reader:
            found = [
                attempt.call
                for row in reader.thoughts()
                for view in getattr(reader.thought(row.agent, row.tick), "steps", ())
                for attempt in view.attempts
            ]
            found += [
                attempt.call
                for talk in reader.talks()
                for view in getattr(reader.talk(talk.id), "steps", ())
                for attempt in view.attempts
            ]
    by_tick: dict[int, list[Call]] = defaultdict(list)
    for call in found:
        by_tick[call.key.tick].append(call)
    return [by_tick[tick] for tick in sorted(by_tick)]


async def replay(chat: Chat, day: list[list[Call]], way: str) -> Shares:
    """Send a day's prompts to a server, and return how much of them it had already."""
    shares = Shares()
    gate = RateLimiter(chat.slots)
    turns = itertools.cycle(range(chat.slots))
    for tick in day:
        owners: dict[str, list[Call]] = defaultdict(list)
        for call in tick:
            owners[call.key.owner].append(call)
        await asyncio.gather(
            *(_in_order(chat, gate, calls, way, turns, shares) for calls in owners.values())
        )
    await chat.aclose()
    return shares


async def _in_order(
    chat: Chat, gate: RateLimiter, calls: list[Call], way: str, turns: Iterator[int], shares: Shares
) -> None:
    """Send the calls of one owner, one after another."""
    for call in calls:
        messages = [ROLES[each["role"]](each["content"]) for each in json.loads(call.messages)]
        async with gate.slot(call.key.step, call.agent, call.max_tokens) as ours:
            slot = {"ours": ours.slot.number, "in turn": next(turns)}.get(way)
            reply = await chat.ask(messages, max_tokens=1, slot=slot)
        part = shares.steps[call.key.step]
        if reply.cached_tokens is None or reply.prompt_tokens is None:
            part.untold += 1
            continue
        part.prompt += reply.prompt_tokens
        part.cached += reply.cached_tokens


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cast", type=int, default=3)
    parser.add_argument("--hours", type=int, default=24)
    parser.add_argument("--slots", type=int, default=4)
    parser.add_argument("--examples", type=int, default=0)
    parser.add_argument("--gguf", type=Path)
    asked = parser.parse_args(arguments)
    day = calls_of_a_day(asked.cast, asked.hours, asked.examples)
    found: dict[str, Shares] = {}
    with TemporaryDirectory() as folder:
        path = asked.gguf or Path(folder) / "tiny.gguf"
        if asked.gguf is None:
            write_tiny_gguf(path)
        for way in WAYS:
            spec = f"gguf:{path}?num_ctx={CONTEXT},slots={asked.slots},threads=1"
            chat, _ = open_chat(UserSpec(spec), settings=ModelSettings(constrain="none"))
            found[way] = asyncio.run(replay(chat, day, way))
    calls = sum(map(len, day))
    print_table(
        f"Share of prompt tokens served from the cache: {calls} calls of {asked.cast} agents, "
        f"{asked.slots} slots ({machine()})",
        ("step", *WAYS, "aim"),
        [
            *(
                (step, *(found[way].steps[step].share for way in WAYS), None)
                for step in sorted(found["ours"].steps)
            ),
            ("all", *(found[way].share for way in WAYS), AIM),
        ],
    )
    print_figures(
        {
            "calls": calls,
            "slots": asked.slots,
            "untold": sum(part.untold for part in found["ours"].steps.values()),
            "shares": {way: round(each.share, 4) for way, each in found.items()},
        }
    )


if __name__ == "__main__":
    main()
