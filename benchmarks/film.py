"""Measures what a page is given of a run: the news of a tick, everything, and an exported file.

    python benchmarks/film.py [--people N] [--days N] [--repeats N]

- delta: milliseconds to read the news of the last tick, of a run of many made-up people over days.
- everything: milliseconds to read the whole film of it, as a page that opens does.
- export: kilobytes and CPU seconds of a day of 25 people in one file.
"""

import argparse
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import benchmarks.here  # noqa: F401 - the rooms are found by their names
from benchmarks.made_up import BEGINNING, make_up
from benchmarks.table import machine, print_figures, print_table
from history.folder import RunFolder
from tests.fixtures.viewing import smolville, surroundings
from viewer.export import take
from viewer.playback.reel import FilmReader


def delta(folder: RunFolder, repeats: int) -> dict[str, float]:
    """Return wall and CPU milliseconds of the last tick's news, and of the whole film."""
    reel = FilmReader(folder)
    try:
        last = int(reel.tracks(-1)["until"])
        news = _measure(lambda: reel.tracks(last - 1), repeats)
        whole = _measure(lambda: reel.tracks(-1), 3)
    finally:
        reel.close()
    return {
        "news of a tick, ms": news[0],
        "news of a tick, CPU ms": news[1],
        "everything, ms": whole[0],
        "everything, CPU ms": whole[1],
    }


def _measure(act: Callable[[], object], repeats: int) -> tuple[float, float]:
    """Return the medians of wall and CPU milliseconds of something done several times."""
    wall, cpu = [], []
    for _ in range(repeats):
        began, used = time.perf_counter(), time.process_time()
        act()
        wall.append(1000 * (time.perf_counter() - began))
        cpu.append(1000 * (time.process_time() - used))
    return statistics.median(wall), statistics.median(cpu)


def exported(runs: Path) -> dict[str, float]:
    """Return the size of a day of 25 people in one file, and the CPU seconds it takes."""
    words = ("--runs", runs, "--quiet", "--headless", "--model", "standin", "--cast", "25")
    line = smolville("run", "day", *words)
    subprocess.run(line, env=surroundings(), cwd=runs, check=True, capture_output=True)
    used = time.process_time()
    path = runs / "day.html"
    take(RunFolder.open(runs, "day"), path)
    return {
        "a day of 25 as one file, kB": path.stat().st_size / 1000,
        "to export it, CPU s": time.process_time() - used,
    }


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--days", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=20)
    asked = parser.parse_args(words)
    with TemporaryDirectory() as place:
        runs = Path(place) / "runs"
        hours = asked.days * 24 - BEGINNING
        figures = delta(make_up(runs, "crowd", asked.people, hours), asked.repeats)
        title = f"The film of {asked.people} people over {asked.days} days"
        print_table(title, ("figure", "seen"), list(figures.items()))
        figures |= exported(runs)
    print_table("With a day of 25 in a file", ("figure", "seen"), list(figures.items()))
    print_figures({"machine": machine(), **figures})


if __name__ == "__main__":
    main()
