"""Measures what an evaluation adds to its model's own time, and how many calls are in flight.

    python benchmarks/evaluation.py [--moments N] [--reply-ms N] [--starts N]

The model takes a fixed time for each reply and then answers like the stand-in. Moments come from a
morning run with the stand-in, including its mistakes. The benchmark also measures how long
`smolville prompt render` takes from a cold start.
"""

import argparse
import asyncio
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from langchain_core.outputs import ChatResult
from pydantic import PrivateAttr

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks.table import machine, print_figures, print_table
from smolville.lab.evaluation.asking import ready
from smolville.lab.evaluation.evaluate import evaluate
from smolville.lab.evaluation.result_store import kept_in
from smolville.lab.evaluation.spec import EvaluationSpec, template_sets, variants_of
from smolville.lab.moments.moment import Moment
from smolville.lab.moments.sources import moments_from
from smolville.models.chat import Chat
from smolville.models.open import open_chat
from smolville.models.standin.model import StandIn
from smolville.world.run_request import RunRequest, create_run
from smolville.world.simulation import open_simulation

SPEC = "standin:mistakes=0.3"
RUN = "clumsy"
HOURS = 14
SLOTS = (1, 4, 16)


class Timed(StandIn):
    """A stand-in that takes a fixed time for each reply, and adds up the times of its calls."""

    seconds: float = 0.05
    _calls: int = PrivateAttr(0)
    _present: float = PrivateAttr(0.0)
    _cpu: float = PrivateAttr(0.0)

    async def _agenerate(self, *given: Any, **more: Any) -> ChatResult:
        arrived = time.perf_counter()
        await asyncio.sleep(self.seconds)
        began = time.perf_counter()
        result = await super()._agenerate(*given, **more)
        self._calls += 1
        self._cpu += time.perf_counter() - began
        self._present += time.perf_counter() - arrived
        return result

    @property
    def took(self) -> "Took":
        """The times of all calls so far."""
        own = self._calls * self.seconds + self._cpu
        return Took(calls=self._calls, own=own, present=self._present, cpu=self._cpu)


@dataclass(frozen=True, kw_only=True)
class Took:
    """The times of a model's calls, in seconds."""

    calls: int
    own: float
    """The fixed times of the replies, and the CPU time of answering."""
    present: float
    """The times from arrival to answer, added up over all calls."""
    cpu: float
    """The CPU time of answering."""


def live_a_morning(runs: Path) -> list[Moment]:
    """Run a morning of three people, and return its moments."""
    chat, _ = open_chat(SPEC, seed=0)
    folder = create_run(runs, RUN, RunRequest(), (chat, chat))
    with open_simulation(folder, (chat, chat)) as simulation:
        asyncio.run(simulation.run(HOURS * 3600))
    return moments_from(RUN, runs)


def figures(moments: Sequence[Moment], slots: int, reply_ms: float, runs: Path) -> dict[str, float]:
    """Return what an evaluation of the moments costs on a server with `slots` slots."""
    model, chat = _timed(slots, reply_ms)
    question = EvaluationSpec(
        variants=variants_of(template_sets([]), [chat]), moments=tuple(map(ready, moments))
    )
    _ = question.jobs
    cpu, wall = time.process_time(), time.perf_counter()
    with kept_in(runs / f"{slots}.jsonl", question) as kept:
        asyncio.run(evaluate(question, kept))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    took = model.took
    return {
        "calls": took.calls,
        "added_ms": 1000 * (wall - took.own / slots) / took.calls,
        "cpu_ms": 1000 * (cpu - took.cpu) / took.calls,
        "in_flight": took.present / wall,
    }


def _timed(slots: int, reply_ms: float) -> tuple[Timed, Chat]:
    """Return the model, and a chat with `slots` slots that uses it."""
    chat, _ = open_chat(SPEC, seed=0)
    assert isinstance(chat.model, StandIn)
    model = Timed(seed=chat.model.seed, rates=chat.model.rates, seconds=reply_ms / 1000)
    return model, replace(chat, model=model, slots=slots)


def render_seconds(runs: Path, moment: Moment, starts: int) -> dict[str, float]:
    """Return the median wall time of `smolville prompt render`, by what is rendered."""
    kinds = {
        "a moment as it was": ("--moment", moment.id),
        "a moment by other templates": ("--moment", moment.id, "--prompts", "shipped"),
        "a sample": ("--sample",),
    }
    return {
        kind: median(_wall(runs, moment.step, *how) for _ in range(starts))
        for kind, how in kinds.items()
    }


def _wall(runs: Path, step: str, *how: str) -> float:
    line = [
        sys.executable,
        "-m",
        "smolville.cli.main",
        "prompt",
        "render",
        step,
        *how,
        "--runs",
        str(runs),
    ]
    began = time.perf_counter()
    subprocess.run(line, check=True, capture_output=True, cwd=Path(__file__).parents[1])
    return time.perf_counter() - began


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--moments", type=int, default=150, help="maximum number of moments")
    parser.add_argument("--reply-ms", type=float, default=200, help="milliseconds per reply")
    parser.add_argument("--starts", type=int, default=5, help="number of cold starts")
    asked = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        runs = Path(folder)
        moments = live_a_morning(runs)[: asked.moments]
        found = {slots: figures(moments, slots, asked.reply_ms, runs) for slots in SLOTS}
        render = render_seconds(runs, moments[-1], asked.starts)
    print_table(
        f"An evaluation whose replies take {asked.reply_ms:g} ms ({machine()})",
        ("slots", "calls", "added a call, ms (aim: 3)", "own CPU a call, ms", "in flight"),
        [(str(slots), *each.values()) for slots, each in found.items()],
    )
    print_table(
        "smolville prompt render, from a cold start",
        ("of", "seconds", "aim"),
        [(kind, seconds, 1.5) for kind, seconds in render.items()],
    )
    print_figures(
        {"slots": {str(slots): each for slots, each in found.items()}, "render_s": render}
    )


if __name__ == "__main__":
    main()
