"""Measures a morning whose thoughts run on Ray workers: throughput, bytes and CPU per thought.

    python benchmarks/workers.py [--workers 0,1,2] [--cast 25] [--until "1 09:00"] [--seed N]

With 0 workers, the engine runs alone. The model is the stand-in, which answers at once, so the
figures are the computing of the engine and its workers. Each run has a separate process; the start
of Ray is not part of the time. Ray is required: `pip install 'smolville[ray]'`.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks.table import machine, print_figures, print_table
from smolville.agents.times import read_moment

if TYPE_CHECKING:
    from smolville.world.simulation import Simulation

BEGIN = "1 05:00"
"""Until this time hardly anybody thinks; the run gets there before measuring begins."""


def live(count: int, asked: argparse.Namespace) -> dict[str, float | str]:
    """Run a morning in this process and `count` workers, and return its costs."""
    from smolville.history.digest import digest
    from smolville.history.reader import RunReader
    from smolville.models.open import open_chat
    from smolville.models.request import ModelSettings
    from smolville.world.run_request import RunRequest, create_run
    from smolville.world.run_resources import RunResources
    from smolville.world.simulation import open_simulation
    from smolville.world.workers.ray_cluster import plan_of

    with TemporaryDirectory() as folder:
        chat, _ = open_chat("standin", seed=asked.seed)
        run = create_run(
            Path(folder), "morning", RunRequest(cast=asked.cast, seed=asked.seed), (chat, chat)
        )
        plan = plan_of("ray", ModelSettings(), count) if count else None
        with open_simulation(run, (chat, chat), means=RunResources(workers=plan)) as simulation:
            asyncio.run(simulation.run(read_moment(BEGIN)))
            before = worked(simulation)
            asyncio.run(simulation.run(read_moment(asked.until)))
            after = worked(simulation)
        with RunReader(run) as reader:
            whole = digest(reader)
    taken = {name: after[name] - before[name] for name in after}
    thoughts = taken.pop("thoughts")
    wall = taken.pop("wall_s")
    found: dict[str, float | str] = {
        "workers": count,
        "thoughts": thoughts,
        "wall s": wall,
        "thoughts a second": thoughts / wall,
    }
    for name, each in taken.items():
        found[f"{name} a thought"] = each / thoughts
    return {**found, "digest": whole[:12]}


def worked(simulation: "Simulation") -> dict[str, float]:
    """Return what engine and workers have spent, and what they have exchanged."""
    runner: Any = simulation.engine.runner.thinkers._runner
    found = {"wall_s": time.perf_counter(), "engine ms": 1000 * time.process_time()}
    found["workers ms"] = 0.0
    traffic: dict[str, float] = {}
    if hasattr(runner, "traffic"):
        import ray

        spent = [
            actor.__ray_call__.remote(lambda worker: time.process_time())
            for actor in runner.workers._actors
        ]
        found["workers ms"] = 1000 * sum(ray.get(spent))
        traffic = {f"bytes of {name}": each for name, each in asdict(runner.traffic).items()}
        traffic.pop("bytes of thoughts")
    rows = simulation.history._connection.execute("SELECT COUNT(*) FROM thoughts").fetchone()
    return {**found, "thoughts": float(rows[0]), **traffic}


def live_apart(count: int, asked: argparse.Namespace) -> dict[str, float | str]:
    """Run a morning in a separate process."""
    words = ("--alone", str(count), "--cast", str(asked.cast), "--until", asked.until)
    command = [sys.executable, "-m", "benchmarks.workers", *words, "--seed", str(asked.seed)]
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]
    )
    found: dict[str, float | str] = json.loads(done.stdout.splitlines()[-1])
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--workers", default="0,1,2")
    parser.add_argument("--cast", type=int, default=25)
    parser.add_argument("--until", default="1 09:00")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--alone", type=int, default=None, help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.alone is not None:
        print(json.dumps(live(asked.alone, asked)))
        return
    found = [live_apart(int(each), asked) for each in asked.workers.split(",")]
    names = list(dict.fromkeys(name for each in found for name in each))
    print_table(
        f"{BEGIN} to {asked.until}, {asked.cast} people, stand-in ({machine()})",
        ("figure", *(f"{each['workers']}" for each in found)),
        [(name, *(each.get(name, "") for each in found)) for name in names],
    )
    print_figures({str(each["workers"]): each for each in found})


if __name__ == "__main__":
    main()
