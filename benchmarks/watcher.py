"""Measures what a page that watches a run in progress costs: bytes, and CPU time of the run.

    python benchmarks/watcher.py [--repeats N] [--only bytes,cost]

- bytes: the data sent in a minute to a page that watches a run of 25 people at 1x.
- cost: CPU time of a day of 25 people with a watching page, as a ratio to the same day headless.
"""

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Page

import benchmarks.here  # noqa: F401 - for a script run by its path
from benchmarks.table import machine, print_figures, print_table
from benchmarks.viewed_runs import prepare
from benchmarks.viewer import DRAWN
from smolville.history.folder import RunFolder
from smolville.history.observers import RunObserver
from smolville.models.open import open_chat
from smolville.world.run_request import RunRequest, create_run
from smolville.world.simulation import open_simulation
from tests.fixtures.browser import chromium, new_page
from tests.fixtures.viewing import serving, smolville, surroundings

HOUR = 3600


class Paced(RunObserver):
    """Limits a run to ten town seconds per real second, from a moment on."""

    def __init__(self, tick_seconds: int, begins: int) -> None:
        self._tick_seconds = tick_seconds
        self._begins = begins
        self._since: float | None = None

    def on_tick(self, tick: int) -> None:
        """Wait until the tick's time has come."""
        at = tick * self._tick_seconds
        if at < self._begins:
            return
        if self._since is None:
            self._since = time.monotonic()
        time.sleep(max(0.0, (at - self._begins) / 10.0 - (time.monotonic() - self._since)))


def bytes_a_minute(place: Path) -> float:
    """Return the kilobytes sent in a minute to a page that watches a run of 25 people at 1x."""
    chat, _ = open_chat("standin", seed=0)
    folder = create_run(place / "runs", "living", RunRequest(cast=25), (chat, chat))
    # One hour at full speed, then a minute at the pace of 1x in a busy hour of the morning.
    _live(folder, 8 * HOUR + 600)
    code = (
        "import sys; sys.path.insert(0, '.'); from pathlib import Path; "
        "from benchmarks.watcher import pace; pace(Path(sys.argv[1]))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(folder.path)], cwd=Path(__file__).parent.parent
    )
    try:
        with (
            chromium() as browser,
            serving(place / "runs", "living") as served,
            new_page(browser) as page,
        ):
            page.goto(served.at("/run/living?speed=live"))
            page.wait_for_function(DRAWN)
            # The page's events are heard while Playwright waits, not while Python sleeps.
            # By then everything that a page loads once is there.
            page.wait_for_timeout(15_000)
            counted = _counted(page)
            page.wait_for_timeout(60_000)
            return counted() / 1000.0
    finally:
        process.terminate()
        process.wait()


def pace(path: Path) -> None:
    """Run some minutes of town time at 1x, in the run at `path`."""
    folder = RunFolder.open(path.parent, path.name)
    _live(folder, 8 * HOUR + 600 + 1800, Paced(folder.spec.tick_seconds, 8 * HOUR + 600))


def _live(folder: RunFolder, until: int, watch: RunObserver | None = None) -> None:
    chat, _ = open_chat("standin", seed=folder.spec.seed)
    with open_simulation(folder, (chat, chat), watch) as simulation:
        asyncio.run(simulation.run(until))


def _counted(page: Page) -> Callable[[], float]:
    """Return a function that returns how many bytes the page has been sent since now."""
    session = page.context.new_cdp_session(page)
    total = [0.0]

    def received(event: dict[str, Any]) -> None:
        total[0] += event.get("encodedDataLength") or event.get("dataLength") or 0

    def framed(event: dict[str, Any]) -> None:
        total[0] += len(event["response"]["payloadData"])

    session.on("Network.dataReceived", received)
    session.on("Network.webSocketFrameReceived", framed)
    session.send("Network.enable")
    return lambda: total[0]


def cost(repeats: int, place: Path) -> dict[str, float]:
    """Return the engine's CPU seconds of a day of 25, headless and watched, and their ratio."""
    alone, watched = [], []
    with chromium() as browser, serving(place / "runs", "small") as served:
        for n in range(repeats):
            alone.append(_day(place / "runs", f"alone-{n}"))
            with _watching(browser, served.at(f"/run/watched-{n}?speed=live"), place, n):
                watched.append(_day(place / "runs", f"watched-{n}"))
    pairs = [100.0 * (b / a - 1.0) for a, b in zip(alone, watched, strict=True)]
    return {
        "headless, CPU s": statistics.median(alone),
        "watched, CPU s": statistics.median(watched),
        "slower by, %": statistics.median(pairs),
    }


@contextmanager
def _watching(browser: Any, address: str, place: Path, n: int) -> Iterator[None]:
    """Let a page watch a run from its beginning."""
    chat, _ = open_chat("standin", seed=0)
    create_run(place / "runs", f"watched-{n}", RunRequest(cast=25), (chat, chat))
    with new_page(browser, expected=("",)) as page:
        page.goto(address)
        yield


def _day(runs: Path, name: str) -> float:
    """Run a day of 25 people in a separate process, and return its CPU seconds."""
    before = os.times()
    is_there = (runs / name).exists()
    words = ("--resume", "--for", "1d") if is_there else ("--cast", "25", "--for", "1d")
    line = smolville("run", name, "--runs", runs, "--quiet", "--headless", "--model", "standin")
    subprocess.run([*line, *words], env=surroundings(), check=True, capture_output=True)
    after = os.times()
    used = after.children_user + after.children_system
    return used - before.children_user - before.children_system


def main(words: Sequence[str] | None = None) -> None:
    """Run the benchmark with the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", default="bytes,cost")
    asked = parser.parse_args(words)
    wanted = asked.only.split(",")
    figures: dict[str, float] = {}
    with TemporaryDirectory() as folder:
        place = Path(folder)
        if "bytes" in wanted:
            figures["kB a minute at 1x"] = bytes_a_minute(place)
        if "cost" in wanted:
            prepare(place / "runs", ("small",))
            figures |= cost(asked.repeats, place)
    print_table("A page that watches", ("figure", "seen"), list(figures.items()))
    print_figures({"machine": machine(), **figures})


if __name__ == "__main__":
    main()
