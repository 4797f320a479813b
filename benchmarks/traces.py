"""Measures what traces in LangSmith cost a run: a day with the stand-in, traced in several ways.

    python benchmarks/traces.py [--cast N] [--hours N] [--repeats N] [--mistakes RATE] [--own]

The figures are CPU times of the whole process, including its sending threads, until the last trace
has arrived. The receiver is a separate process. Each repetition runs the same day once in each way,
one after another. The medians of the repetitions' ratios are printed. `--own` adds LangChain's own
tracer.
"""

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks.table import machine, print_figures, print_table
from smolville.history.reader import RunReader
from smolville.lab.tracing.langsmith.sender import TraceSender, quiet
from smolville.lab.tracing.langsmith.target import LangSmithTarget
from smolville.lab.tracing.langsmith.tree_sender import TreeSender
from smolville.lab.tracing.listing import Mode
from smolville.models.keys import UserSpec
from smolville.models.open import open_chat
from smolville.world.run_request import RunRequest, create_run
from smolville.world.simulation import open_simulation

MODES: tuple[Mode, ...] = ("thoughts", "hours", "failures")
OWN = "LangChain's own"
OFF = "off, LANGSMITH_TRACING=true"
AIMS = {OFF: 0.0, "thoughts": 60.0, "failures": 5.0}
PATIENCE = 300.0


@dataclass(frozen=True)
class Lived:
    """The costs of one day, and the amounts that were sent."""

    cpu_s: float
    thoughts: int
    """Number of thoughts and talks."""
    traces: int
    bytes: int


def live(way: str, asked: RunRequest, model: str, hours: int, receiver: "Receiver") -> Lived:
    """Run a day once, traced in one way."""
    before = receiver.told()
    with TemporaryDirectory() as runs, _environment(way, receiver):
        chat, _ = open_chat(UserSpec(model), seed=asked.seed)
        folder = create_run(Path(runs), "traced", asked, (chat, chat))
        started = time.process_time()
        line = TreeSender(receiver.target)
        traces = TraceSender(folder, line, way) if way in MODES else None  # type: ignore[arg-type]
        with quiet():
            with open_simulation(folder, (chat, chat), traces) as town:
                # A run keeps LangChain's own tracer out; its engine alone does not.
                until = town.clock.tick_at(hours * 3600)
                asyncio.run(town.engine.run(until) if way == OWN else town.run(hours * 3600))
            if traces is not None:
                sent = traces.finish(PATIENCE)
                assert not sent.missed, sent.why
            if way == OWN:
                _wait_for_langchain()
        cpu = time.process_time() - started
        with RunReader(folder) as reader:
            thoughts = len(reader.thoughts()) + len(reader.talks())
    after = receiver.told()
    return Lived(cpu, thoughts, after[0] - before[0], after[1] - before[1])


def measure(ways: Sequence[str], repeats: int, **how: Any) -> dict[str, list[Lived]]:
    """Return the costs of each way at each repetition; a first day, for imports, is not counted."""
    found: dict[str, list[Lived]] = {way: [] for way in ways}
    live("thoughts", **how)
    for turn in range(repeats):
        first = turn % len(ways)
        for way in (*ways[first:], *ways[:first]):
            found[way].append(live(way, **how))
    return found


def figures_of(found: dict[str, list[Lived]]) -> dict[str, dict[str, float]]:
    """Return the figures of each way, compared with the days that were not traced."""
    bare = found["off"]
    figures = {}
    for way, days in found.items():
        more = [day.cpu_s / other.cpu_s - 1 for day, other in zip(days, bare, strict=True)]
        added = [day.cpu_s - other.cpu_s for day, other in zip(days, bare, strict=True)]
        first = days[0]
        figures[way] = {
            "cpu_s": round(statistics.median(day.cpu_s for day in days), 3),
            "more_percent": round(100 * statistics.median(more), 1),
            "ms_per_thought": round(1000 * statistics.median(added) / first.thoughts, 3),
            "traces": first.traces,
            "kb_per_thought": round(first.bytes / 1000 / first.thoughts, 2),
        }
    return figures


@dataclass
class Receiver:
    """The receiver, which runs in a separate process."""

    url: str
    key: str

    @property
    def target(self) -> LangSmithTarget:
        """The address to which traces are sent."""
        return LangSmithTarget(key=self.key, url=self.url)

    def told(self) -> tuple[int, int]:
        """Return the numbers of traces and of bytes that have arrived."""
        with urllib.request.urlopen(f"{self.url}/told") as answer:
            told = json.loads(answer.read())
        return told["traces"], told["bytes"]


@contextlib.contextmanager
def received() -> Iterator[Receiver]:
    """Run a receiver during the block."""
    with subprocess.Popen(
        [sys.executable, "-m", "benchmarks.traces", "--serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[1],
    ) as process:
        assert process.stdout is not None
        try:
            yield Receiver(**json.loads(process.stdout.readline()))
        finally:
            process.terminate()


def serve() -> None:
    """Serve a receiver until standard input ends; print its address on standard output."""
    from tests.fixtures.langsmith_server import serve_langsmith

    with serve_langsmith() as smith:
        print(json.dumps({"url": smith.url, "key": smith.key}), flush=True)
        sys.stdin.read()


@contextlib.contextmanager
def _environment(way: str, receiver: Receiver) -> Iterator[None]:
    """Set the environment for LangChain's own tracer, in the ways that use it."""
    from langsmith.utils import get_env_var

    wanted = {
        "LANGSMITH_TRACING": "true",
        "LANGSMITH_ENDPOINT": receiver.url,
        "LANGSMITH_API_KEY": receiver.key,
    }
    if way in (OWN, OFF):
        os.environ.update(wanted)
    get_env_var.cache_clear()
    try:
        yield
    finally:
        for name in wanted:
            os.environ.pop(name, None)
        get_env_var.cache_clear()


def _wait_for_langchain() -> None:
    from langchain_core.tracers.langchain import get_client, wait_for_all_tracers

    wait_for_all_tracers()
    get_client().flush()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cast", type=int, default=3)
    parser.add_argument("--hours", type=int, default=24, help="town hours of the day")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--mistakes", type=float, default=0.0, help="rate of the stand-in's mistakes, from 0 to 1"
    )
    parser.add_argument("--own", action="store_true", help="also measure LangChain's own tracer")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.serve:
        serve()
        return
    ways = ("off", OFF, *MODES, *((OWN,) if asked.own else ()))
    model = f"standin:mistakes={asked.mistakes:g}" if asked.mistakes else "standin"
    how = {"asked": RunRequest(cast=asked.cast), "model": model, "hours": asked.hours}
    with received() as receiver:
        figures = figures_of(measure(ways, asked.repeats, receiver=receiver, **how))
    print_table(
        f"{asked.cast} agents, {asked.hours} h, {model}, medians of {asked.repeats} ({machine()})",
        ("traced", "CPU s", "more, %", "aim", "ms a thought", "traces", "kB a thought"),
        [
            (
                way,
                each["cpu_s"],
                each["more_percent"],
                AIMS.get(way),
                each["ms_per_thought"],
                int(each["traces"]),
                each["kb_per_thought"],
            )
            for way, each in figures.items()
        ],
    )
    print_figures(figures)


if __name__ == "__main__":
    main()
