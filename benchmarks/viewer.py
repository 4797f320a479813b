"""Measures the browser app in a headless Chromium without a GPU.

    python benchmarks/viewer.py [--repeats N] [--seconds N] [--only first,frames,seek,bytes,cost]

- first: seconds from starting `smolville view`, and from its address being printed, to the first
  picture of the town; seconds of watching, as the page opens by itself, until somebody is heard.
- frames: milliseconds between pictures with 25, 100 and 500 made-up people at 8x and at 64x.
- seek: milliseconds from asking for a moment to its picture, anywhere in two days of 25 people.
- bytes: what a page that watches a living run of 25 people at 1x is sent in a minute.
- cost: CPU time of a day of 25 people with a watching page, as a ratio to the same day headless.

Chromium shares the machine with everything else and draws in software.
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

import benchmarks.here  # noqa: F401 - the rooms are found by their names
from benchmarks.made_up import make_up
from benchmarks.table import machine, print_figures, print_table
from history.folder import RunFolder
from history.observers import RunObserver
from models.open import open_chat
from tests.fixtures.browser import chromium, new_page
from tests.fixtures.viewing import ADDRESS, live, serving, smolville, surroundings
from world.run_request import RunRequest, create_run
from world.simulation import open_simulation

CROWDS = (25, 100, 500)
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
  window.stage.seekTo(at);
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
})
"""


def first(repeats: int, runs: Path, name: str) -> dict[str, float]:
    """Return seconds to the first picture of a run: of the process, and of the page in it.

    And the seconds of watching from the first picture until the first line of a talk is heard.
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
    """Serve a run as a user does, by a process without a warm one behind it; yield its address."""
    line = smolville("view", name, "--no-browser", "--runs", runs)
    with subprocess.Popen(line, env=surroundings(), stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = ADDRESS.search(process.stdout.readline())
            assert found is not None, "it did not start"
            yield found.group()
        finally:
            process.terminate()


def frames(seconds: float, place: Path) -> list[tuple[str, int, float, float, float]]:
    """Return for each crowd and speed a frame's median and 95th percentile, and frames a second."""
    rows = []
    for crowd in CROWDS:
        make_up(place / "runs", f"crowd-{crowd}", crowd)
    with chromium() as browser, serving(place / "runs", f"crowd-{CROWDS[0]}") as served:
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
    """Return milliseconds of seeks all over two days."""
    with chromium() as browser, serving(runs, "days") as served, new_page(browser) as page:
        page.goto(served.at("/run/days?play=0"))
        page.wait_for_function(DRAWN)
        moments = [(n * 7919 * 61) % (48 * HOUR) for n in range(60)]
        return [page.evaluate(SEEK, at) for at in moments]


class Paced(RunObserver):
    """Holds a run back to ten town seconds a second, from a moment on."""

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
    """Return kilobytes that a page is sent in a minute of watching a living run of 25 at 1x."""
    chat, _ = open_chat("standin", seed=0)
    folder = create_run(place / "runs", "living", RunRequest(cast=25), (chat, chat))
    # One hour at full speed, then a minute at the pace of 1x in a busy hour of the morning.
    _live(folder, 8 * HOUR + 600)
    code = (
        "import sys; sys.path.insert(0, '.'); from pathlib import Path; "
        "from benchmarks.viewer import pace; pace(Path(sys.argv[1]))"
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
    """Let the run in a folder live some minutes of town time at 1x."""
    folder = RunFolder.open(path.parent, path.name)
    _live(folder, 8 * HOUR + 600 + 1800, Paced(folder.spec.tick_seconds, 8 * HOUR + 600))


def _live(folder: RunFolder, until: int, watch: RunObserver | None = None) -> None:
    chat, _ = open_chat("standin", seed=folder.spec.seed)
    with open_simulation(folder, (chat, chat), watch) as simulation:
        asyncio.run(simulation.run(until))


def _counted(page: Page) -> Callable[[], float]:
    """Return what tells how many bytes the page was sent since now."""
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
    with chromium() as browser, serving(place / "runs", "days") as served:
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
    """Live a day of 25 in a process of its own and return its CPU seconds."""
    before = os.times()
    is_there = (runs / name).exists()
    words = ("--resume", "--for", "1d") if is_there else ("--cast", "25", "--for", "1d")
    line = smolville("run", name, "--runs", runs, "--quiet", "--headless", "--model", "standin")
    subprocess.run([*line, *words], env=surroundings(), check=True, capture_output=True)
    after = os.times()
    used = after.children_user + after.children_system
    return used - before.children_user - before.children_system


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--only", default="first,frames,seek,bytes,cost")
    asked = parser.parse_args(words)
    wanted = asked.only.split(",")
    figures: dict[str, object] = {"machine": machine()}
    with TemporaryDirectory() as folder:
        place = Path(folder)
        if {"first", "seek", "cost"} & set(wanted):
            live(place / "runs", "days", "--cast", "25", "--for", "2d")
        if "first" in wanted:
            live(place / "runs", "small", "--cast", "3")
            for name in ("small", "days"):
                figures |= first(asked.repeats, place / "runs", name)
        if "seek" in wanted:
            times = sorted(seek(place / "runs"))
            figures |= {"seek, ms": statistics.median(times), "slowest seek, ms": times[-1]}
        if "bytes" in wanted:
            figures["kB a minute at 1x"] = bytes_a_minute(place)
        if "cost" in wanted:
            figures |= cost(asked.repeats, place)
        if "frames" in wanted:
            rows = frames(asked.seconds, place)
            print_table("Frames", ("crowd", "people", "median ms", "95 % ms", "a second"), rows)
            figures["frames"] = [
                dict(zip(("crowd", "people", "median", "p95", "fps"), row, strict=True))
                for row in rows
            ]
    plain = [(name, value) for name, value in figures.items() if isinstance(value, float)]
    print_table("The browser app", ("figure", "seen"), plain)
    print_figures(figures)


if __name__ == "__main__":
    main()
