"""Measures how much of a recorded run's prompts a server has cached, by its number of slots.

    python benchmarks/spare_slots.py RUNS NAME [--slots N] [--spare 0,1,2,4] [--gguf FILE]

Every prompt is sent again to llama.cpp's server, in a separate process with a tiny random model
unless another one is given. A prompt is sent as soon as all calls have been answered that had been
answered when it was sent in the run. Replies have as many tokens as in the run. The reported share
is of the longest beginning that a prompt has in common with any earlier one, as in
benchmarks/real.py.
"""

import argparse
import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks.prefix_cache import CONTEXT, ROLES
from benchmarks.real_figures import Beginnings, shared_beginnings
from benchmarks.table import machine, print_figures, print_table
from smolville.graphs.loop.ledger import Call
from smolville.models.chat import Chat
from smolville.models.keys import UserSpec
from smolville.models.open import open_chat
from smolville.models.request import ModelSettings
from smolville.reports.runs import opened_run
from tests.fixtures.tiny_gguf import write_tiny_gguf

TOGETHER = 0.02
"""Seconds within which calls count as sent at the same moment."""


def calls_of(runs: Path, name: str) -> list[Call]:
    """Return the calls of a run in the order in which they were sent."""
    with opened_run(runs, name) as run:
        views = [view for key in run.reader.use_keys(run.tick) if (view := run.reader.step(key))]
    calls = [each.call for view in views for each in view.attempts if each.call.source == "model"]
    return sorted(calls, key=lambda call: call.started)


async def sent_again(chat: Chat, calls: Sequence[Call]) -> list[Call]:
    """Return the calls with the token counts reported by this server."""
    ends = [call.started + call.milliseconds / 1000 for call in calls]
    answered = [asyncio.Event() for _ in calls]

    async def send(at: int, call: Call) -> Call:
        for end, event in zip(ends, answered, strict=True):
            if end <= call.started + TOGETHER:
                await event.wait()
        messages = [ROLES[each["role"]](each["content"]) for each in json.loads(call.messages)]
        reply = await chat.ask(messages, max_tokens=call.completion_tokens or 1)
        answered[at].set()
        return replace(call, prompt_tokens=reply.prompt_tokens, cached_tokens=reply.cached_tokens)

    try:
        return await asyncio.gather(*(send(at, call) for at, call in enumerate(calls)))
    finally:
        await chat.aclose()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("runs", type=Path)
    parser.add_argument("name")
    parser.add_argument("--slots", type=int, default=3, help="slots for calls in flight")
    parser.add_argument("--spare", default="0,1,2,4", help="numbers of additional slots")
    parser.add_argument("--gguf", type=Path)
    asked = parser.parse_args(arguments)
    calls, found = calls_of(asked.runs, asked.name), dict[int, Beginnings]()
    with TemporaryDirectory() as folder:
        path = asked.gguf or Path(folder) / "tiny.gguf"
        if asked.gguf is None:
            write_tiny_gguf(path)
        for spare in map(int, asked.spare.split(",")):
            spec = f"gguf:{path}?num_ctx={CONTEXT},slots={asked.slots},spare={spare},threads=1"
            chat, _ = open_chat(UserSpec(spec), settings=ModelSettings(constrain="none"))
            found[spare] = shared_beginnings(asyncio.run(sent_again(chat, calls)))
    print_table(
        f"{asked.name}: {len(calls)} prompts again, {asked.slots} in flight ({machine()})",
        ("spare slots", "% cached of what could be", "% cached of all"),
        [
            (spare, 100 * (each.share or 0), 100 * each.cached / each.prompt)
            for spare, each in found.items()
        ],
    )
    shares = {str(spare): round(each.share or 0, 4) for spare, each in found.items()}
    print_figures({"calls": len(calls), "slots": asked.slots, "cached_of_possible": shares})


if __name__ == "__main__":
    main()
