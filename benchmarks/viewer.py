"""Measures the browser app in a headless Chromium without a GPU, and the data that it receives.

    python -m benchmarks.viewer [--only first,frames,seek] [--folder DIR] [--prepare]

- first: seconds from starting `smolville view`, and from the output of its address, to the first
  picture of the town; also seconds of watching, as the page opens by itself, until the first line
  of a talk is shown.
- frames: milliseconds between pictures with 25, 100 and 500 made-up people at 8x and at 64x.
- seek: milliseconds from choosing a moment to its picture, anywhere in two days of 25 people.

Running two days of 25 people takes minutes. With `--folder` the runs are kept and used again, and
with `--prepare` they are only made. Chromium shares the machine with everything else and draws in
software.
"""

import argparse
import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.table import machine, print_figures, print_table
from tests.fixtures.browser import chromium, new_page
from tests.fixtures.crowd import make_up
from tests.fixtures.viewing import ADDRESS, serving, smolville, surroundings

CROWDS = (25, 100, 500)
"""Number of days for which the largest crowd lives in `long`."""

PARTS: Mapping[str, tuple[str, ...]] = {
    "first": ("small", "days"),
    "frames": tuple(f"crowd-{count}" for count in CROWDS),
    "seek": ("days",),
}
"""The runs that each part of the benchmark uses."""
HOUR = 3600
DRAWN = "performance.getEntriesByName('town drawn').length > 0"
HEARD = "window.stage.map.speech.up.size > 0"
DRAWN_AT = "performance.timeOrigin + performance.getEntriesByName('town drawn')[0].startTime"
FRAMES = """
([from, seconds, speed]) => new Promise((done) => {
  const { clock, loop } = window.stage;
  clock.seek(from);
  clock.skipping = false;
  clock.setSpeed(speed);
  clock.play();
  loop.wake();
  const times = [];
  const began = performance.now();
  let last = began;
  function next(now) {
    times.push(now - last);
    last = now;
    if (now - began < seconds * 1000) requestAnimationFrame(next);
    else { clock.pause(); done(times.slice(2)); }
  }
  requestAnimationFrame(next);
})
"""
SEEK = """
(at) => new Promise((done) => {
  const began = performance.now();
  window.stage.clock.seek(at);
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
})
"""


def _life(name: str, *words: str) -> Callable[[Path], object]:
    """Return a function that makes a run with the stand-in, in a separate process."""

    def live(runs: Path) -> None:
        line = smolville("run", name, "--runs", runs, "--quiet", "--headless", "--model", "standin")
        subprocess.run(
            [*line, *words], env=surroundings(), cwd=runs, check=True, capture_output=True
        )

    return live


RUNS: Mapping[str, Callable[[Path], object]] = {
    "small": _life("small", "--cast", "3"),
    "days": _life("days", "--cast", "25", "--for", "2d"),
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


def first(repeats: int, runs: Path, name: str) -> dict[str, float]:
    """Return the seconds to the first picture of a run, from the start and from the address.

    Also returns the seconds of watching from the first picture until the first line of a talk.
    """
    whole, page_only, heard = [], [], []
    with chromium() as browser:
        for _ in range(repeats):
            with new_page(browser) as page:
                began = time.time()
                with _started_cold(runs, name) as address:
                    up = time.time()
                    page.goto(address, wait_until="commit")
                    page.wait_for_function(DRAWN)
                    drawn = page.evaluate(DRAWN_AT) / 1000.0
                    whole.append(drawn - began)
                    page_only.append(drawn - up)
                    page.wait_for_function(HEARD)
                    heard.append(time.time() - drawn)
                    page.goto("about:blank")
    return {
        f"first picture of {name}, s": statistics.median(whole),
        f"of it after the address was printed, {name}, s": statistics.median(page_only),
        f"watched until somebody is heard, {name}, s": statistics.median(heard),
    }


@contextmanager
def _started_cold(runs: Path, name: str) -> Iterator[str]:
    line = smolville("view", name, "--no-browser", "--runs", runs)
    with subprocess.Popen(line, env=surroundings(), stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = ADDRESS.search(process.stdout.readline())
            assert found is not None, "it did not start"
            yield found.group()
        finally:
            process.terminate()


def frames(seconds: float, runs: Path) -> list[tuple[str, int, float, float, float]]:
    """Return a frame's median and 95th percentile, and frames per second, by crowd and speed."""
    rows = []
    with chromium() as browser, serving(runs, f"crowd-{CROWDS[0]}") as served:
        for crowd in CROWDS:
            with new_page(browser) as page:
                page.goto(served.at(f"/run/crowd-{crowd}?at=1-09:00&play=0"))
                page.wait_for_function(DRAWN)
                for speed in (8, 64):
                    times = page.evaluate(FRAMES, [9 * HOUR, seconds, speed])
                    times = sorted(times)
                    late = times[int(len(times) * 0.95)]
                    rate = 1000.0 * len(times) / sum(times)
                    rows.append(
                        (f"{crowd} people, {speed}x", crowd, times[len(times) // 2], late, rate)
                    )
    return rows


def seek(runs: Path) -> list[float]:
    """Return the milliseconds of seeks to moments throughout two days."""
    with chromium() as browser, serving(runs, "days") as served, new_page(browser) as page:
        page.goto(served.at("/run/days?play=0"))
        page.wait_for_function(DRAWN)
        moments = [(n * 7919 * 61) % (48 * HOUR) for n in range(60)]
        return [page.evaluate(SEEK, at) for at in moments]


def measure(part: str, runs: Path, asked: argparse.Namespace) -> dict[str, float]:
    """Return the figures of one part."""
    if part == "first":
        return first(asked.repeats, runs, "small") | first(asked.repeats, runs, "days")
    if part == "seek":
        times = sorted(seek(runs))
        return {"seek, ms": statistics.median(times), "slowest seek, ms": times[-1]}
    rows = frames(asked.seconds, runs)
    print_table("Frames", ("crowd", "people", "median ms", "95 % ms", "a second"), rows)
    return {f"frames a second, {row[0]}": row[4] for row in rows}


def main(words: Sequence[str] | None = None) -> None:
    """Make the missing runs, run the benchmark, and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--folder", type=Path, help="folder in which runs are kept and used again")
    parser.add_argument("--prepare", action="store_true", help="only make the runs")
    asked = parser.parse_args(words)
    wanted = asked.only.split(",")
    figures: dict[str, float] = {}
    with TemporaryDirectory() as temporary:
        runs = (asked.folder or Path(temporary)) / "runs"
        prepare(runs, sorted({name for part in wanted for name in PARTS[part]}))
        for part in () if asked.prepare else wanted:
            figures |= measure(part, runs, asked)
    if figures:
        print_table("The browser app", ("figure", "seen"), list(figures.items()))
        print_figures({"machine": machine(), **figures})


if __name__ == "__main__":
    main()
