"""What the pictures are taken with: the runs they show, a browser before them, a clock."""

import base64
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from palette import Pixels, write_png
from playwright.sync_api import Browser, Page

from tests.fixtures.browser import new_page, when_drawn
from tests.fixtures.viewing import Served, live, smolville, surroundings

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
NOWHERE = "127.0.0.1:9"
"""Where no model server answers."""
NEWS = "The river is rising: everybody please come to the Town Hall"
REST = 1200
"""Milliseconds in which a page comes to rest."""


@dataclass
class Stand:
    """Where the camera stands: a browser before the served runs."""

    browser: Browser
    served: Served
    begin: Served
    """The app over a folder without any run."""
    _replays: dict[str, Any] = field(default_factory=dict)

    @contextmanager
    def page(self, path: str, **options: Any) -> Iterator[Page]:
        """Open a page of the runs; `options` are the browser's."""
        address = self.begin.at(path) if path == "/start" else self.served.at(path)
        with new_page(self.browser, **{"reduced_motion": "reduce", **options}) as page:
            page.goto(address)
            yield page

    @contextmanager
    def town(self, asked: str, run: str = "town", **options: Any) -> Iterator[Page]:
        """Open the town at a moment, `at=1-12:10`, and wait until it is drawn."""
        with self.page(f"/run/{run}?{asked}", **options) as page:
            when_drawn(page)
            yield page

    def replay(self, path: str) -> Any:
        """Return a part of a replay: `town/tracks.json?since=-1`."""
        if path not in self._replays:
            with urllib.request.urlopen(self.served.at(f"/replay/{path}")) as answer:  # noqa: S310
                self._replays[path] = json.load(answer)
        return self._replays[path]

    def take(self, page: Page, name: str) -> None:
        """Write what the page shows once it has come to rest."""
        page.evaluate("document.fonts.ready")
        page.mouse.move(0, 0)
        page.wait_for_timeout(REST)
        shot = base64.b64encode(page.screenshot(animations="disabled")).decode()
        path = PICTURES / f"{name}.png"
        write_png(path, self._pixels(shot))
        sys.stdout.write(f"{path.name} {path.stat().st_size / 1000:.0f} kB\n")

    def _pixels(self, shot: str) -> Pixels:
        """Return a screenshot's pixels: rows of red, green and blue."""
        with new_page(self.browser) as page:
            wide, high, data = page.evaluate(READ, shot)
        raw = np.frombuffer(base64.b64decode(data), np.uint8)
        return raw.reshape(high, wide, 4)[:, :, :3]


READ = """async (shot) => {
  const image = new Image();
  image.src = "data:image/png;base64," + shot;
  await image.decode();
  const {width, height} = image;
  const pen = new OffscreenCanvas(width, height).getContext("2d");
  pen.drawImage(image, 0, 0);
  const blob = new Blob([pen.getImageData(0, 0, width, height).data]);
  const url = await new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.readAsDataURL(blob);
  });
  return [width, height, url.slice(url.indexOf(",") + 1)];
}"""
"""Gives an image's width, height and pixels."""


def clock(second: float) -> str:
    """Return a town second as an address has it: `1-14:30:20`."""
    whole = int(second)
    day, rest = divmod(whole, 86_400)
    return f"{day + 1}-{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"


def live_all(runs: Path) -> None:
    """Live every run that the pictures show and that is not there yet."""
    os.environ["OLLAMA_HOST"] = NOWHERE
    runs.mkdir(parents=True, exist_ok=True)
    wanted = {
        "town": ("--cast", "25"),
        "clumsy": ("--model", "standin:mistakes=0.3", "--for", "14h"),
        "guest": ("--for", "10h"),
    }
    for name, words in wanted.items():
        if not (runs / name).exists():
            live(runs, name, *words)
    if not (runs / "what-if").exists():
        _do(runs, "fork", "town", "what-if", "--at", "1 12:00")
        _do(runs, "tell", "what-if", "everybody", NEWS)
        _do(runs, "run", "what-if", "--resume", "--quiet")


def _do(runs: Path, *words: str) -> None:
    """Run a command of our own over the runs."""
    subprocess.run(  # noqa: S603 - our own command, no shell
        [*smolville(*words), "--runs", str(runs)], env=surroundings(), check=True
    )
