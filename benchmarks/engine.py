"""Measures how long a town takes under each schedule, with a model that takes its time.

    python benchmarks/engine.py [--cast N] [--from "1 06:00"] [--until "1 22:00"]
                                [--slots 1,4,8,16,64] [--latency recorded|SECONDS] [--seed N]

The model is the stand-in, whose every reply waits: as long as a reply to the same step took in the
recorded day, or a fixed time. Waiting is simulated (`benchmarks/virtual_time.py`), so seconds are
those of the model alone, the same on any machine; what the engine itself computes is not in them,
and is printed as CPU seconds of this process. Everybody sleeps through the hours before `--from`.

The oracle is the longer of two: the critical path, in which a thought waits only for the thoughts
whose effects it read (its own last one, and those of the people it perceived), and all of the
model's time divided by its slots. No schedule can be faster.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import benchmarks.here  # noqa: F401 - the rooms are found by their names
from benchmarks.oracle import Watched, critical_seconds
from benchmarks.table import machine, print_figures, print_table
from benchmarks.virtual_time import run_virtually
from models.chat import Chat

if TYPE_CHECKING:
    from history.folder import RunFolder
    from models.reply import Reply

SCHEDULES = ("serial", "lockstep", "free", "ahead")
"""The last one is the free schedule in which those who wait think ahead."""
UNLIMITED = 4096
"""Slots for the run that measures the critical path."""


class Lived(NamedTuple):
    """One run: what it took, and what became of it."""

    seconds: float
    """Of the model, in which nothing else is counted."""
    cpu: float
    """Of this process."""
    model_seconds: float
    """Of all calls together."""
    digest: str
    critical: float
    """Seconds of the critical path; right only without a limit of slots."""
    used: int
    """Calls made ahead of time whose replies were used."""
    unused: int
    """Those that were thrown away."""


@dataclass
class SlowChat(Chat):
    """A chat whose replies take their time."""

    latencies: "dict[str, list[float]]" = field(default_factory=dict)
    """Seconds by step; `` for any other step."""
    spent: float = 0.0

    async def ask(self, messages: list[Any], **more: Any) -> "Reply":
        """Return the reply after a while; the same call always takes the same time."""
        import asyncio

        choices = self.latencies.get(more.get("step", "")) or self.latencies[""]
        seconds = choices[int(more.get("seed", 0)) % len(choices)]
        self.spent += seconds
        await asyncio.sleep(seconds)
        return await super().ask(messages, **more)


def recorded_latencies() -> dict[str, list[float]]:
    """Return the seconds that each call of the recorded day took, by step."""
    from history.folder import RunFolder
    from history.reader import RunReader

    found: dict[str, list[float]] = {"": []}
    with TemporaryDirectory() as empty, RunReader(RunFolder.open(Path(empty), "sample")) as reader:
        rows = reader.connection.execute(
            "SELECT step, milliseconds FROM committed_calls ORDER BY owner, tick, step, ordinal"
        )
        for step, milliseconds in rows:
            found.setdefault(step, []).append(milliseconds / 1000.0)
            found[""].append(milliseconds / 1000.0)
    return found


def slow(spec: str, seed: int, slots: int, latencies: dict[str, list[float]]) -> SlowChat:
    """Return a chat that takes its time."""
    from models.open import open_chat

    chat, _ = open_chat(spec, seed=seed)
    same = {item.name: getattr(chat, item.name) for item in fields(Chat)}
    return SlowChat(**{**same, "slots": slots, "is_instant": False}, latencies=latencies)


def morning(runs: Path, asked: argparse.Namespace) -> "RunFolder":
    """Return a run that has lived up to the hour at which measuring begins."""
    import asyncio

    from models.open import open_chat
    from world.run_request import RunRequest, create_run
    from world.simulation import open_simulation

    chat, _ = open_chat("standin", seed=asked.seed)
    request = RunRequest(cast=asked.cast, seed=asked.seed, schedule="free")
    folder = create_run(runs, "morning", request, (chat, chat))
    with open_simulation(folder, (chat, chat)) as simulation:
        asyncio.run(simulation.run(asked.begin))
    return folder


def live(source: "RunFolder", schedule: str, slots: int, asked: argparse.Namespace) -> Lived:
    """Go on from the morning with a schedule and so many slots."""
    from history.cut import fork
    from history.digest import digest
    from history.observers import untraced
    from history.reader import RunReader
    from world import free_schedule
    from world.run_resources import RunResources
    from world.simulation import open_simulation

    free_schedule.POLL_SECONDS = 3600.0
    runs, name = source.path.parent, f"{schedule}-{slots}"
    folder = fork(runs, source.name, name, asked.begin // source.spec.tick_seconds - 1)
    is_ahead = schedule == "ahead"
    update = {"schedule": "free" if is_ahead else schedule}
    folder = replace(folder, spec=folder.spec.model_copy(update=update))
    chat = slow("standin", asked.seed, slots, asked.latencies)
    started = time.process_time()
    means = RunResources(ahead=is_ahead)
    with open_simulation(folder, (chat, chat), means=means) as simulation:
        watched = Watched(simulation)
        until = simulation.clock.tick_at(asked.until)
        _, seconds = run_virtually(untraced(simulation.engine.run(until)))
    with RunReader(folder) as reader:
        same, ahead = digest(reader), reader.ahead()
    return Lived(
        used=ahead.used,
        unused=ahead.unused,
        seconds=seconds,
        cpu=time.process_time() - started,
        model_seconds=chat.spent,
        digest=same,
        critical=critical_seconds(watched.nodes),
    )


def measure(asked: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of every schedule, by slots."""
    with TemporaryDirectory() as runs:
        source = morning(Path(runs), asked)
        best = live(source, "free", UNLIMITED, asked)
        figures: dict[str, Any] = {
            "critical_path_s": best.critical,
            "unlimited_s": best.seconds,
            "model_s": best.model_seconds,
        }
        for slots in asked.slots:
            oracle = max(best.critical, best.model_seconds / slots)
            row: dict[str, Any] = {"oracle_s": oracle}
            for schedule in SCHEDULES:
                if schedule == "serial" and slots != asked.slots[0]:
                    row["serial_s"] = figures[str(asked.slots[0])]["serial_s"]
                    continue
                lived = live(source, schedule, slots, asked)
                if lived.digest != best.digest:
                    raise SystemExit(f"{schedule} with {slots} slots lived another day")
                row[f"{schedule}_s"] = lived.seconds
                row[f"{schedule}_cpu_s"] = lived.cpu
                row[f"{schedule}_in_flight"] = lived.model_seconds / lived.seconds
                row[f"{schedule}_used"], row[f"{schedule}_unused"] = lived.used, lived.unused
            figures[str(slots)] = row
        return figures


def print_all(figures: dict[str, Any], asked: argparse.Namespace) -> None:
    """Print the table, and the figures as JSON."""
    rows = []
    for slots in map(str, asked.slots):
        row = figures[slots]
        rows.append(
            (
                slots,
                row["serial_s"],
                row["lockstep_s"],
                row["free_s"],
                row["ahead_s"],
                row["oracle_s"],
                row["lockstep_s"] / row["free_s"],
                row["lockstep_s"] / row["ahead_s"],
                100.0 * row["oracle_s"] / row["ahead_s"],
                row["ahead_used"],
                row["ahead_unused"],
                row["lockstep_in_flight"],
                row["ahead_in_flight"],
                row["lockstep_cpu_s"],
                row["ahead_cpu_s"],
            )
        )
    print_table(
        f"{asked.cast} people, model seconds ({machine()})",
        (
            *("slots", "serial", "lockstep", "free", "ahead", "oracle", "free is faster"),
            *("ahead is faster", "% of oracle", "used", "thrown away"),
            *("in flight, lockstep", "ahead", "CPU s, lockstep", "ahead"),
        ),
        rows,
    )
    print_figures(figures)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what the command line asks for."""
    from agents.times import read_moment

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cast", type=int, default=25)
    parser.add_argument("--from", dest="begin", type=read_moment, default=read_moment("1 06:00"))
    parser.add_argument("--until", type=read_moment, default=read_moment("1 22:00"))
    parser.add_argument("--slots", default="1,4,8,16,64", help="of the model's server, several")
    parser.add_argument("--latency", default="recorded", help="recorded, or seconds a call")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(arguments)
    asked.slots = [int(each) for each in asked.slots.split(",")]
    is_recorded = asked.latency == "recorded"
    asked.latencies = recorded_latencies() if is_recorded else {"": [float(asked.latency)]}
    print_all(measure(asked), asked)


if __name__ == "__main__":
    main()
