"""Measures what a person and a thought cost in towns of 25 to 1,000 people.

    python benchmarks/growth.py [--people 25,100,500,1000] [--until "1 08:00"] [--schedule free]
        [--seed N] [--profile FILE]

The towns are copies of the shipped town side by side (`benchmarks/tiled_towns.py`), so everybody
has similar surroundings in all of them. The model is the stand-in, which answers at once, so the
figures are the engine's own computing. Each town runs in a separate process.
"""

import argparse
import asyncio
import cProfile
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks.day import spent
from benchmarks.table import machine, print_figures, print_table
from smolville.agents.times import read_moment

A_QUARTER = 25
BEGIN = "1 06:00"
"""Until this time everybody sleeps; the run gets there before measuring begins."""


def live(people: int, until: int, schedule: str, seed: int, profile: str = "") -> dict[str, float]:
    """Run a morning in this process, and return its costs."""
    from benchmarks.tiled_towns import write_tiled_town
    from smolville.models.open import open_chat
    from smolville.world.run_request import RunRequest, create_run
    from smolville.world.simulation import open_simulation

    with TemporaryDirectory() as folder:
        town = Path(folder) / "town"
        write_tiled_town(town, people // A_QUARTER)
        chat, _ = open_chat("standin", seed=seed)
        asked = RunRequest(town=town, cast=people, seed=seed, schedule=schedule)  # type: ignore[arg-type]
        run = create_run(Path(folder), "morning", asked, (chat, chat))
        with open_simulation(run, (chat, chat)) as simulation:
            asyncio.run(simulation.run(read_moment(BEGIN)))
            before, wall = spent(), time.perf_counter()
            watched = cProfile.Profile() if profile else None
            if watched:
                watched.enable()
            asyncio.run(simulation.run(until))
            if watched:
                watched.disable()
                watched.dump_stats(profile)
            after = spent()
            ticks = (until - read_moment(BEGIN)) // simulation.clock.tick_seconds
            rows = run_counts(run.history_path)
    cpu = after["cpu_s"] - before["cpu_s"]
    return {
        "people": people,
        "cpu_s": round(cpu, 2),
        "wall_s": round(time.perf_counter() - wall, 2),
        "start_cpu_s": before["cpu_s"],
        "thoughts": rows["thoughts"],
        "commits": rows["commits"],
        "ms_per_thought": round(1000 * cpu / max(1, rows["thoughts"]), 3),
        "us_per_agent_tick": round(1e6 * cpu / (people * ticks), 3),
        "peak_mb": after["peak_mb"],
    }


def run_counts(path: Path) -> dict[str, int]:
    """Return the numbers of thoughts and commits in a history since measuring began."""
    import sqlite3
    from contextlib import closing

    begin = read_moment(BEGIN) // 10
    with closing(sqlite3.connect(path)) as connection:
        return {
            table: connection.execute(
                f"SELECT COUNT(*) FROM {table} WHERE tick >= ?",
                (begin,),
            ).fetchone()[0]
            for table in ("thoughts", "commits")
        }


def live_apart(people: int, asked: argparse.Namespace) -> dict[str, float]:
    """Run a morning in a separate process."""
    words = ("--alone", "--people", str(people), "--until", asked.until, "--seed", str(asked.seed))
    command = [sys.executable, "-m", "benchmarks.growth", *words, "--schedule", asked.schedule]
    command += ["--profile", asked.profile] if asked.profile else []
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--people", default="25,100,500,1000")
    parser.add_argument("--until", default="1 08:00")
    parser.add_argument("--schedule", default="free", choices=["free", "lockstep", "serial"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--profile", default="", help="file for a profile of the largest town")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    sizes = [int(each) for each in asked.people.split(",")]
    if asked.alone:
        until = read_moment(asked.until)
        print(json.dumps(live(sizes[0], until, asked.schedule, asked.seed, asked.profile)))
        return
    found = [live_apart(people, asked) for people in sizes]
    print_table(
        f"{BEGIN} to {asked.until}, {asked.schedule}, stand-in ({machine()})",
        ("figure", *(f"{people:,}" for people in sizes)),
        [(name, *(each[name] for each in found)) for name in found[0]],
    )
    print_figures({str(each["people"]): each for each in found})


if __name__ == "__main__":
    main()
