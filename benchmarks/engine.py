"""Measures how long a town takes under each schedule, with a model that takes time to reply.

    python benchmarks/engine.py [--cast N] [--from "1 06:00"] [--until "1 22:00"]
        [--slots 1,4,8,16,64] [--latency recorded|SECONDS] [--seed N]
        [--schedules serial,lockstep,free] [--waits] [--chart FILE.svg]

The model is the stand-in, whose replies are delayed: by the time of a reply to the same step on the
recorded day, or by a fixed time. The delay is simulated (`benchmarks/virtual_time.py`). So seconds
are those of the model alone, and the same on any machine. The engine's own computing is not
included, and is printed as CPU seconds of this process. Everybody sleeps in the hours before
`--from`. More than 25 people live in copies of the shipped town side by side. `--chart` draws how
far everybody has got over the model's time, with the first number of slots.

The oracle is the longer of two times. One is the critical path, in which a thought waits only for
the thoughts whose effects it read: its agent's last one, and those of the people it perceived. The
other is all of the model's time divided by its slots. No schedule can be faster. `--waits`
reports what people waited for under `free` (`benchmarks/waits.py`).
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks.growth import A_QUARTER
from benchmarks.oracle import Watched, critical_seconds
from benchmarks.progress_chart import Course, draw_chart
from benchmarks.table import machine, print_figures, print_table
from benchmarks.tiled_towns import write_tiled_town
from benchmarks.virtual_time import run_virtually
from benchmarks.waits import WaitWatch, waited
from smolville.models.chat import Chat

if TYPE_CHECKING:
    from smolville.history.folder import RunFolder
    from smolville.models.reply import Reply

SCHEDULES = ("serial", "lockstep", "free")
UNLIMITED = 4096
"""Number of slots in the run that measures the critical path."""


class Lived(NamedTuple):
    """One run: its times, and its result."""

    seconds: float
    """Seconds of the model; nothing else is counted."""
    cpu: float
    """CPU seconds of this process."""
    model_seconds: float
    """Seconds of all calls together."""
    digest: dict[str, str]
    critical: float
    """Seconds of the critical path; correct only if the slots are unlimited."""
    waits: "dict[str, dict[str, float]]"
    """Seconds that people waited, by reason, if `--waits` was given."""


@dataclass
class SlowChat(Chat):
    """A chat that takes time to reply."""

    latencies: "dict[str, list[float]]" = field(default_factory=dict)
    """Seconds by step; the empty name is for any other step."""
    spent: float = 0.0

    async def ask(self, messages: list[Any], **more: Any) -> "Reply":
        """Return the reply after a delay, which is always the same for the same call."""
        import asyncio

        choices = self.latencies.get(more.get("step", "")) or self.latencies[""]
        seconds = choices[int(more.get("seed", 0)) % len(choices)]
        self.spent += seconds
        await asyncio.sleep(seconds)
        return await super().ask(messages, **more)


def recorded_latencies() -> dict[str, list[float]]:
    """Return the seconds that each call of the recorded day took, by step."""
    from smolville.history.folder import RunFolder
    from smolville.history.reader import RunReader

    found: dict[str, list[float]] = {"": []}
    with (
        TemporaryDirectory() as empty,
        RunReader(RunFolder.open(Path(empty), "sample-small")) as reader,
    ):
        rows = reader.connection.execute(
            "SELECT step, milliseconds FROM committed_calls ORDER BY owner, tick, step, ordinal"
        )
        for step, milliseconds in rows:
            found.setdefault(step, []).append(milliseconds / 1000.0)
            found[""].append(milliseconds / 1000.0)
    return found


def slow(spec: str, seed: int, slots: int, latencies: dict[str, list[float]]) -> SlowChat:
    """Return a chat that takes time to reply."""
    from smolville.models.open import open_chat

    chat, _ = open_chat(spec, seed=seed)
    same = {item.name: getattr(chat, item.name) for item in fields(Chat)}
    return SlowChat(**{**same, "slots": slots, "is_instant": False}, latencies=latencies)


def morning(runs: Path, asked: argparse.Namespace) -> "RunFolder":
    """Return a run that has reached the hour at which measuring begins."""
    import asyncio

    from smolville.models.open import open_chat
    from smolville.world.run_request import RunRequest, create_run
    from smolville.world.simulation import open_simulation

    chat, _ = open_chat("standin", seed=asked.seed)
    town = None
    if asked.cast > A_QUARTER:
        town = runs / "town"
        write_tiled_town(town, asked.cast // A_QUARTER)
    request = RunRequest(town=town, cast=asked.cast, seed=asked.seed, schedule="free")
    folder = create_run(runs, "morning", request, (chat, chat))
    with open_simulation(folder, (chat, chat)) as simulation:
        asyncio.run(simulation.run(asked.begin))
    return folder


def live(
    source: "RunFolder",
    schedule: str,
    slots: int,
    asked: argparse.Namespace,
    course: Course | None = None,
) -> Lived:
    """Continue a fork of the morning with a schedule and `slots` slots; return its figures."""
    from smolville.history.cut import fork
    from smolville.history.digest import digest_parts
    from smolville.history.observers import untraced
    from smolville.history.reader import RunReader
    from smolville.world import free_schedule
    from smolville.world.simulation import open_simulation

    free_schedule.POLL_SECONDS = 3600.0
    runs, name = source.path.parent, f"{schedule}-{slots}"
    folder = fork(runs, source.name, name, asked.begin // source.spec.tick_seconds - 1)
    update = {"schedule": schedule}
    folder = replace(folder, spec=folder.spec.model_copy(update=update))
    chat = slow("standin", asked.seed, slots, asked.latencies)
    started = time.process_time()
    with open_simulation(folder, (chat, chat), course) as simulation:
        watched, waits = Watched(simulation), WaitWatch(simulation)
        until = simulation.clock.tick_at(asked.until)
        _, seconds = run_virtually(untraced(simulation.engine.run(until)))
        waits.close()
    with RunReader(folder) as reader:
        same = digest_parts(reader)
    return Lived(
        seconds=seconds,
        cpu=time.process_time() - started,
        model_seconds=chat.spent,
        digest=same,
        critical=critical_seconds(watched.nodes),
        waits=waited(waits.waits, waits.talks, watched.nodes),
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
            for schedule in asked.schedules:
                course = asked.courses.setdefault(schedule, Course())
                if schedule == "serial" and slots != asked.slots[0]:
                    first = figures[str(asked.slots[0])]
                    row |= {key: each for key, each in first.items() if key.startswith("serial")}
                    continue
                is_drawn = slots == asked.slots[0]
                lived = live(source, schedule, slots, asked, course if is_drawn else None)
                if not lived.digest.items() <= best.digest.items():
                    raise SystemExit(f"{schedule} with {slots} slots lived another day")
                row |= _figures(schedule, lived)
                if asked.waits and schedule not in ("serial", "lockstep"):
                    row[f"{schedule}_waits"] = lived.waits
            figures[str(slots)] = row
        return figures


def _figures(schedule: str, lived: Lived) -> dict[str, float]:
    """Return one run's figures, with names that begin with the schedule."""
    return {
        f"{schedule}_s": lived.seconds,
        f"{schedule}_cpu_s": lived.cpu,
        f"{schedule}_in_flight": lived.model_seconds / lived.seconds,
    }


def print_all(figures: dict[str, Any], asked: argparse.Namespace) -> None:
    """Print the table, and the figures as JSON."""
    rows = []
    for slots in map(str, asked.slots):
        row = figures[slots]
        fastest = row[f"{asked.schedules[-1]}_s"]
        together = row.get("lockstep_s")
        rows.append(
            (
                slots,
                *(row[f"{name}_s"] for name in asked.schedules),
                row["oracle_s"],
                together / fastest if together else None,
                100.0 * row["oracle_s"] / fastest,
                *(row[f"{name}_in_flight"] for name in asked.schedules),
                *(row[f"{name}_cpu_s"] for name in asked.schedules),
            )
        )
    names = asked.schedules
    print_table(
        f"{asked.cast} people, model seconds ({machine()})",
        (
            *("slots", *names, "oracle", f"lockstep/{names[-1]}", "% of oracle"),
            *(f"in flight, {name}" for name in names),
            *(f"CPU s, {name}" for name in names),
        ),
        rows,
    )
    print_figures(figures)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    from smolville.agents.times import read_moment

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cast", type=int, default=25)
    parser.add_argument("--from", dest="begin", type=read_moment, default=read_moment("1 06:00"))
    parser.add_argument("--until", type=read_moment, default=read_moment("1 22:00"))
    parser.add_argument("--slots", default="1,4,8,16,64", help="slot counts, such as 1,4")
    parser.add_argument("--latency", default="recorded", help="`recorded`, or seconds per call")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--schedules", default=",".join(SCHEDULES), help="comma-separated names")
    parser.add_argument("--waits", action="store_true", help="report what people waited for")
    parser.add_argument("--chart", type=Path, help="SVG file for a chart of progress")
    asked = parser.parse_args(arguments)
    asked.schedules, asked.courses = asked.schedules.split(","), {}
    asked.slots = [int(each) for each in asked.slots.split(",")]
    is_recorded = asked.latency == "recorded"
    asked.latencies = recorded_latencies() if is_recorded else {"": [float(asked.latency)]}
    print_all(measure(asked), asked)
    if asked.chart is not None:
        title = f"{asked.cast} people, {asked.slots[0]} slots: how far each has come"
        courses = {name: asked.courses[name] for name in asked.schedules if name != "serial"}
        asked.chart.write_text(draw_chart(title, courses, asked.begin, asked.until), "utf-8")


if __name__ == "__main__":
    main()
