"""Measures how long a town takes under each schedule, with a model that takes time to reply.

    python -m benchmarks.engine [--cast 3|25] [--from "1 06:00"] [--until "1 09:00"] [--slots 1,4,8]

The model is the stand-in, whose replies are delayed as long as the replies to the same step took on
a recorded day. The delay is simulated: when all tasks sleep, the event loop's clock jumps to the
next wake-up. So seconds are those of the model alone, and the same on any machine; the engine's own
computing is printed as CPU seconds. Everybody sleeps in the hours before `--from`.
"""

import argparse
import asyncio
import selectors
import time
from collections import defaultdict
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from langchain_core.messages import BaseMessage

from benchmarks.table import Cell, machine, print_figures, print_table
from smolville.agents.times import read_moment
from smolville.history.cut import fork
from smolville.history.digest import digest
from smolville.history.folder import SMALL_SAMPLE, RunFolder
from smolville.history.reader import RunReader
from smolville.models.chat import Chat
from smolville.models.open import open_chat
from smolville.models.reply import Reply
from smolville.world.run_request import RunRequest, create_run
from smolville.world.simulation import open_simulation

SCHEDULES = ("serial", "lockstep", "free")


class Lived(NamedTuple):
    """One run: its times, and its digest."""

    seconds: float
    """Seconds of the model; nothing else is counted."""
    cpu: float
    model_seconds: float
    """Seconds of all calls together."""
    digest: str


@dataclass
class SlowChat(Chat):
    """A chat that takes time to reply, always the same for the same call."""

    latencies: dict[str, list[float]] = field(default_factory=dict)
    """Seconds by step; the empty name is for any other step."""
    spent: float = 0.0

    async def ask(self, messages: list[BaseMessage], **more: Any) -> Reply:
        """Return the reply after a delay."""
        choices = self.latencies.get(more.get("step", "")) or self.latencies[""]
        seconds = choices[int(more.get("seed", 0)) % len(choices)]
        self.spent += seconds
        await asyncio.sleep(seconds)
        return await super().ask(messages, **more)


class _JumpingSelector(selectors.DefaultSelector):
    """Reports what is ready; instead of waiting, it sets the clock forward."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready; really wait only if nothing is scheduled."""
        if timeout is None:
            return super().select(None)
        ready = super().select(0)
        if not ready and timeout > 0:
            self.now += timeout
        return ready


class _VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop with a clock of its own."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Return virtual seconds since the loop was made."""
        return self._jumping.now


def run_virtually(work: Coroutine[Any, Any, object]) -> float:
    """Run `work` without waiting, and return the virtual seconds that it took."""
    loop = _VirtualLoop()
    try:
        loop.run_until_complete(work)
        return loop.time()
    finally:
        loop.close()


def recorded_latencies() -> dict[str, list[float]]:
    """Return the seconds that each call of the recorded day took, by step."""
    found: dict[str, list[float]] = defaultdict(list)
    with (
        TemporaryDirectory() as empty,
        RunReader(RunFolder.open(Path(empty), SMALL_SAMPLE)) as reader,
    ):
        rows = reader.connection.execute(
            "SELECT step, milliseconds FROM committed_calls ORDER BY owner, tick, step, ordinal"
        )
        for step, milliseconds in rows:
            found[step].append(milliseconds / 1000)
            found[""].append(milliseconds / 1000)
    return found


def morning(runs: Path, cast: int, seed: int, begin: int) -> RunFolder:
    """Return a run that has reached the town second at which measuring begins."""
    chat, _ = open_chat("standin", seed=seed)
    folder = create_run(runs, "morning", RunRequest(cast=cast, seed=seed), (chat, chat))
    with open_simulation(folder, (chat, chat)) as simulation:
        asyncio.run(simulation.run(begin))
    return folder


def live(source: RunFolder, schedule: str, slots: int, until: int) -> Lived:
    """Continue a fork of the morning with a schedule and so many slots."""
    with RunReader(source) as reader:
        done = reader.watermark() or 0
    folder = fork(source.path.parent, source.name, f"{schedule}-{slots}", done)
    folder = replace(folder, spec=folder.spec.model_copy(update={"schedule": schedule}))
    plain, _ = open_chat("standin", seed=source.spec.seed)
    same = {item.name: getattr(plain, item.name) for item in fields(Chat)}
    same |= {"slots": slots, "is_instant": False}
    chat = SlowChat(**same, latencies=recorded_latencies())
    started = time.process_time()
    with open_simulation(folder, (chat, chat)) as simulation:
        seconds = run_virtually(simulation.engine.run(simulation.clock.tick_at(until)))
    with RunReader(folder) as reader:
        found = digest(reader)
    return Lived(seconds, time.process_time() - started, chat.spent, found)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cast", type=int, default=25)
    parser.add_argument("--from", dest="begin", type=read_moment, default=read_moment("1 06:00"))
    parser.add_argument("--until", type=read_moment, default=read_moment("1 09:00"))
    parser.add_argument("--slots", default="1,4,8", help="slot counts, such as 1,4")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(arguments)
    figures: dict[str, dict[str, float]] = {}
    with TemporaryDirectory() as runs:
        source = morning(Path(runs), asked.cast, asked.seed, asked.begin)
        for slots in map(int, asked.slots.split(",")):
            lived = {name: live(source, name, slots, asked.until) for name in SCHEDULES}
            if len({each.digest for each in lived.values()}) > 1:
                raise SystemExit(f"with {slots} slots, the schedules lived different days")
            for name, each in lived.items():
                figures[f"{name}, {slots} slots"] = {
                    "model_s": each.seconds,
                    "times lockstep": lived["lockstep"].seconds / each.seconds,
                    "in_flight": each.model_seconds / each.seconds,
                    "cpu_s": each.cpu,
                }
    columns = ("", *next(iter(figures.values())))
    rows: list[Sequence[Cell]] = [(name, *row.values()) for name, row in figures.items()]
    print_table(f"{asked.cast} people, seconds of the model ({machine()})", columns, rows)
    print_figures(figures)


if __name__ == "__main__":
    main()
