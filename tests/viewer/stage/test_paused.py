"""Real hands on the map of a town that is held: what they do is on the screen at once.

Nothing here asks the page to draw; pictures before and after are compared, of the page as it is
served and of a run as one file.
"""

import base64
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page

from smolville.history.folder import RunFolder
from smolville.viewer.export import take
from tests.fixtures.browser import new_page
from tests.fixtures.viewing import Served
from tests.fixtures.waiting import until

MOMENT = "?at=1-03:00&play=0&who=Walter+Brandt"
"""Everybody sleeps, and the map shows one of them from near."""
WINDOW = {"viewport": {"width": 900, "height": 700}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
NOTCH = math.exp(240 * 0.0016)
"""How much closer a full turn of the wheel brings the town."""
NEARLY = 0.08
ALIKE = 12
"""Colours less apart than this, of 255, are the same; light is painted in soft steps."""
PICTURE = """() => {
  const { width, height } = document.querySelector("canvas.map");
  const c = document.querySelector("canvas.map").getContext("2d");
  const bytes = c.getImageData(0, 0, width, height).data;
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) {
    text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  }
  return [width, height, btoa(text)];
}"""
DREW = """(before) => new Promise((done) => {
  let looks = 0;
  const look = () => {
    const drew = window.stage?.map?.frames > before && !stage.loop.asked;
    if (drew || (looks += 1) > 900) done(drew);
    else requestAnimationFrame(look);
  };
  look();
})"""
"""Whether more than so many pictures were drawn, once the last of them is; false if none comes."""
Picture = NDArray[np.int16]


@pytest.fixture(scope="module", params=["served", "file"])
def address(
    request: pytest.FixtureRequest,
    served: Served,
    lived_runs: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> str:
    """The address of a town, from a server or in a file."""
    if request.param == "served":
        return served.at(f"/run/town{MOMENT}")
    path = tmp_path_factory.mktemp("held") / "town.html"
    return take(RunFolder.open(lived_runs, "town"), path).path.as_uri() + MOMENT


class Hand:
    """A page, and where its map lies."""

    def __init__(self, page: Page) -> None:
        self.page = page
        assert page.evaluate(DREW, 0)
        box = page.locator("canvas.map").bounding_box()
        assert box is not None
        self.box = box
        self.middle = (box["width"] // 2, box["height"] // 2)

    def on_page(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the map lies on the page."""
        return self.box["x"] + x, self.box["y"] + y

    def picture(self) -> Picture:
        """Return the map as it is on the screen: rows of pixels of three colours."""
        wide, high, bytes_ = self.page.evaluate(PICTURE)
        flat = np.frombuffer(base64.b64decode(bytes_), np.uint8)
        return flat.reshape(high, wide, 4)[:, :, :3].astype(np.int16)

    def does(
        self, act: Callable[[], Any], shows: Callable[[Picture, Picture], bool]
    ) -> tuple[Picture, Picture]:
        """Return the map before and after something is done by hand, once it shows.

        A hand's movements come in one picture or in several, as the machine likes.
        """
        before, frames = self.picture(), self.page.evaluate("() => stage.map.frames")
        act()
        assert self.page.evaluate(DREW, frames), "nothing was drawn"
        until(lambda: shows(before, self.picture()), "the map as it was meant")
        return before, self.picture()

    def touches(self) -> Callable[..., None]:
        """Return what puts fingers on the map, moves and lifts them."""
        session = self.page.context.new_cdp_session(self.page)

        def touch(kind: str, *points: tuple[float, float]) -> None:
            places = [self.on_page(*point) for point in points]
            fingers = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(places)]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

        return touch


@contextmanager
def held(browser: Browser, address: str, **options: Any) -> Iterator[Hand]:
    """Open a town that is paused."""
    with new_page(browser, **{**WINDOW, **options}) as page:
        page.goto(address)
        yield Hand(page)


def moved(before: Picture, after: Picture, right: int, down: int) -> float:
    """Return the share of pixels that look as those so far from them did."""
    high, wide, _ = before.shape
    now = after[max(0, down) : high + min(0, down), max(0, right) : wide + min(0, right)]
    was = before[max(0, -down) : high - max(0, down), max(0, -right) : wide - max(0, right)]
    return float(np.all(np.abs(now - was) < ALIKE, axis=2).mean())


def closer(before: Picture, after: Picture, at: tuple[float, float]) -> float:
    """Return by which factor the town looks larger around a point, to a twentieth."""
    x, y = at
    far = np.arange(-90, 91, 3)

    def off(factor: float) -> float:
        was = before[np.ix_((y + far / factor).astype(int), (x + far / factor).astype(int))]
        now = after[np.ix_((y + far).astype(int), (x + far).astype(int))]
        return float(np.abs(now - was).mean())

    return min((1.05**n for n in range(-12, 13)), key=off)


def by(right: int, down: int) -> Callable[[Picture, Picture], bool]:
    """Return what tells whether a map has moved so far."""
    return lambda before, after: moved(before, after, right, down) > 0.95


def nearer(factor: float, at: tuple[float, float]) -> Callable[[Picture, Picture], bool]:
    """Return what tells whether a map looks so much larger around a point."""
    meant = pytest.approx(factor, rel=NEARLY)
    return lambda before, after: closer(before, after, at) == meant


def test_the_wheel_zooms_around_the_pointer_and_a_drag_moves_the_map_with_the_hand(
    browser: Browser, address: str
) -> None:
    with held(browser, address) as hand:
        mouse = hand.page.mouse
        x, y = hand.middle[0] - 60, hand.middle[1] + 40
        mouse.move(*hand.on_page(x, y))
        hand.does(lambda: mouse.wheel(0, -240), nearer(NOTCH, (x, y)))
        hand.does(lambda: mouse.wheel(0, 240), nearer(1 / NOTCH, (x, y)))

        mouse.down()
        before, after = hand.does(
            lambda: mouse.move(*hand.on_page(x + 120, y + 50), steps=6), by(120, 50)
        )
        mouse.up()
        assert moved(before, after, 0, 0) < 0.9


def test_keys_and_buttons_move_and_zoom_the_map(browser: Browser, address: str) -> None:
    with held(browser, address) as hand:
        page, middle = hand.page, hand.middle
        hand.does(lambda: page.keyboard.press("ArrowRight"), by(-90, 0))
        hand.does(lambda: page.keyboard.press("ArrowUp"), by(0, 90))
        for name, factor in (("Closer (+)", 1.3), ("Farther (-)", 1 / 1.3)):
            hand.does(page.get_by_role("button", name=name).click, nearer(factor, middle))
        hand.does(
            page.get_by_role("button", name="The whole town (0)").click,
            lambda before, after: moved(before, after, 0, 0) < 0.9,
        )


def test_a_finger_moves_the_map_and_two_bring_it_closer(browser: Browser, address: str) -> None:
    with held(browser, address, **PHONE) as hand:
        touch = hand.touches()
        x, y = hand.middle
        touch("touchStart", (x, y))

        def drag() -> None:
            for step in (20, 40, 60):
                touch("touchMove", (x - step, y + step / 2))

        hand.does(drag, by(-60, 30))
        touch("touchEnd")

        touch("touchStart", (x - 60, y), (x + 60, y))

        def spread() -> None:
            for step in (5, 10, 15, 20, 25, 30):
                touch("touchMove", (x - 60 - step, y), (x + 60 + step, y))

        hand.does(spread, nearer(NOTCH, (x, y)))
        touch("touchEnd")
