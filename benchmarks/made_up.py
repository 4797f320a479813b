"""Writes a made-up history of many people as a run folder for viewing: no model, no minds.

    python -m benchmarks.made_up DIR NAME [--agents N] [--hours N] [--seed N]

People with made-up names walk about the shipped town from seven in the morning, use things, talk,
and remember. The rows are real ones, written as the owner of a run writes them. Equal options give
equal histories.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.made_up_life import Life
from smolville.history.drafting import new_run
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.spec import ModelSpecs, RunSpec
from smolville.world.town.town import Town, shipped_town, town_hash

BEGINNING = 7
"""The hour at which the people get up."""
MOST = 1024
"""Maximum number of people, for whom there are names."""

FIRST = (
    "Ada", "Bo", "Cleo", "Dara", "Elin", "Femi", "Gus", "Hana", "Ivo", "Jun", "Kaya", "Leo", "Mina",
    "Noor", "Oskar", "Pia", "Quinn", "Rosa", "Sami", "Tove", "Uma", "Viggo", "Wren", "Xenia",
    "Yara", "Zeno", "Anouk", "Bela", "Ciro", "Dilan", "Edda", "Farid",
)  # fmt: skip
LAST = (
    "Alder", "Birch", "Cole", "Drake", "Egan", "Frost", "Gale", "Heath", "Ingram", "Jarvis",
    "Keller", "Lund", "Moss", "North", "Orchard", "Pike", "Quill", "Reed", "Stone", "Thorne",
    "Underhill", "Vale", "Ward", "Yates", "Zeller", "Ash", "Brook", "Croft", "Dale", "Fern",
    "Glenn", "Hawk",
)  # fmt: skip


def names(count: int) -> tuple[str, ...]:
    """Return `count` different names."""
    if not 1 <= count <= MOST:
        raise SystemExit(f"There are names for 1 to {MOST} people, not for {count}.")
    size = len(FIRST)
    return tuple(f"{FIRST[n % size]} {LAST[(7 * n + n // size) % size]}" for n in range(count))


def make_up(runs: Path, name: str, agents: int, hours: int = 4, seed: int = 0) -> RunFolder:
    """Write a history of `agents` people over `hours` hours, and return its folder."""
    town = Town.load(shipped_town())
    spec = RunSpec(
        name=name,
        town="",
        town_name=town.name,
        town_hash=town_hash(town.folder),
        cast=names(agents),
        seed=seed,
        models=ModelSpecs(fast="standin", strong="standin", embedder="words"),
    )
    folder = new_run(runs, spec, overwrite=True)
    life = Life(town, spec)
    end = (BEGINNING + hours) * 3600
    with folder.lock(), History(folder) as history:
        history.set_goal(end, -1)
        for batch in life.batches(BEGINNING * 3600, end):
            history.commit(batch)
    return folder


def main(words: Sequence[str] | None = None) -> None:
    """Write a history, and print its size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("dir", type=Path, help="the folder of runs")
    parser.add_argument("name", help="name of the run; a run of this name is replaced")
    parser.add_argument("--agents", type=int, default=100)
    parser.add_argument("--hours", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(words)
    started = time.perf_counter()
    folder = make_up(asked.dir, asked.name, asked.agents, asked.hours, asked.seed)
    seconds = time.perf_counter() - started
    size = folder.history_path.stat().st_size / 1e6
    print(f"{folder.path}: {asked.agents} people, {size:.1f} MB, written in {seconds:.1f} s")


if __name__ == "__main__":
    main(sys.argv[1:])
