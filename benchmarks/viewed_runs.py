"""The runs with which the browser app is measured; they are made once and kept."""

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.made_up import BEGINNING, make_up
from smolville.history.cut import fork
from smolville.history.folder import RunFolder
from tests.fixtures.viewing import smolville, surroundings

CROWDS = (25, 100, 500)
DAYS = 5
"""Number of days for which the largest crowd lives in `long`."""
DAY = 86_400

Make = Callable[[Path], object]
"""Function that makes a run in a folder of runs."""


def _life(name: str, *words: str) -> Make:
    """Return a function that makes a run with the stand-in, in a separate process."""

    def live(runs: Path) -> None:
        line = smolville("run", name, "--runs", runs, "--quiet", "--headless", "--model", "standin")
        subprocess.run(
            [*line, *words], env=surroundings(), cwd=runs, check=True, capture_output=True
        )

    return live


RUNS: Mapping[str, Make] = {
    "small": _life("small", "--cast", "3"),
    "days": _life("days", "--cast", "25", "--for", "2d"),
    "long": lambda runs: make_up(runs, "long", CROWDS[-1], DAYS * 24 - BEGINNING),
    **{
        f"crowd-{count}": lambda runs, count=count: make_up(runs, f"crowd-{count}", count)
        for count in CROWDS
    },
}
"""The function that makes each run, by the run's name."""


def prepare(runs: Path, names: Sequence[str]) -> None:
    """Make the runs that are missing; an incomplete run is made again."""
    runs.mkdir(parents=True, exist_ok=True)
    for name in names:
        if (runs / name).exists():
            continue
        print(f"making {name}", flush=True)
        with TemporaryDirectory(dir=runs.parent) as folder:
            RUNS[name](Path(folder))
            shutil.move(Path(folder) / name, runs / name)


def first_day(runs: Path, name: str, to: Path) -> RunFolder:
    """Return a copy of a run's first day, in another folder of runs."""
    shutil.copytree(runs / name, to / name)
    folder = RunFolder.open(to, name)
    return fork(to, name, "day", DAY // folder.spec.tick_seconds - 1)
