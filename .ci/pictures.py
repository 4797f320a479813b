"""Take the pictures of the browser app that the documents show, into docs/pictures.

PYTHONPATH=. uv run python .ci/pictures.py [NAME ...]

The runs are lived by the stand-in, so that the same pictures come out of it again. With
SMOLVILLE_PICTURES=DIR the runs are kept there, and those that are there are not lived again.
"""

import base64
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from palette import write_png
from playwright.sync_api import Browser, Page, expect

from tests.fixtures.browser import chromium, new_page
from tests.fixtures.viewing import Served, live, serving, smolville, surroundings

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
TALL = {"width": 1280, "height": 1240}
PHONE = {"width": 390, "height": 844}
NOWHERE = "127.0.0.1:9"
"""Where no model server answers."""
NEWS = "The river is rising: everybody please come to the Town Hall"
Shot = Callable[["Stand"], None]


@dataclass
class Stand:
    """Where the camera stands: a browser before the served runs."""

    browser: Browser
    served: Served
    begin: Served
    """The app over a folder without any run."""
    _films: dict[str, Any] = field(default_factory=dict)

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
            page.wait_for_function("performance.getEntriesByName('town drawn').length > 0")
            yield page

    def film(self, path: str) -> Any:
        """Return a part of a film: `town/tracks.json?since=-1`."""
        if path not in self._films:
            with urllib.request.urlopen(self.served.at(f"/film/{path}")) as answer:  # noqa: S310
                self._films[path] = json.load(answer)
        return self._films[path]

    def take(self, page: Page, name: str) -> None:
        """Write what the page shows once it has come to rest."""
        page.evaluate("document.fonts.ready")
        page.mouse.move(0, 0)
        page.wait_for_timeout(1200)
        shot = base64.b64encode(page.screenshot(animations="disabled")).decode()
        path = PICTURES / f"{name}.png"
        write_png(path, self._pixels(shot))
        sys.stdout.write(f"{path.name} {path.stat().st_size / 1000:.0f} kB\n")

    def _pixels(self, shot: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
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


def a_talk(stand: Stand, hour: int) -> tuple[str, str]:
    """Return when somebody says a third line in a talk on the square, and who speaks."""
    people = stand.film("town/head.json")["people"]
    talks = stand.film("town/tracks.json?since=-1")["talks"]
    there = [each for each in talks if "Square" in each["place"] and len(each["lines"]) > 5]
    talk = next(each for each in there if each["start"] >= hour * 3600)
    speaker, at, *_ = talk["lines"][2]
    return clock(at + 4), people[speaker]["name"].replace(" ", "+")


def a_thought(stand: Stand, step: str) -> tuple[str, int]:
    """Return who had a thought of the clumsy model in which a step was repaired, and its tick."""
    for n, person in enumerate(stand.film("clumsy/head.json")["people"]):
        for tick, _, _, path, _, outcome, *_ in stand.film(f"clumsy/person/{n}.json")["thoughts"]:
            if step in path and outcome == "repaired":
                return person["name"], tick
    raise LookupError(f"no {step} was repaired")


def town(stand: Stand) -> None:
    """The town by day."""
    with stand.town("at=1-12:10") as page:
        stand.take(page, "town")


def talk(stand: Stand) -> None:
    """A talk, seen from near."""
    at, who = a_talk(stand, 12)
    with stand.town(f"at={at}&who={who}&follow=1") as page:
        page.keyboard.press("+")
        stand.take(page, "talk")


def night(stand: Stand) -> None:
    """The town by night."""
    with stand.town("at=1-21:45") as page:
        stand.take(page, "night")


def person(stand: Stand) -> None:
    """A person's day, plan against deeds."""
    with stand.town("at=1-16:40&who=Nadia+Farouk") as page:
        page.get_by_role("tab", name="Day").click()
        stand.take(page, "person")


def memories(stand: Stand) -> None:
    """A person's memories, searched."""
    with stand.town("at=1-18:00&who=Walter+Brandt") as page:
        page.get_by_role("tab", name="Memories").click()
        page.get_by_placeholder("Search memories").fill("lantern")
        stand.take(page, "memories")


def why(stand: Stand) -> None:
    """A thought: its path and its steps."""
    who, tick = a_thought(stand, "react")
    with stand.page(f"/run/clumsy/why/{who}/{tick}", viewport=TALL) as page:
        page.locator(".why-steps .card").first.wait_for()
        stand.take(page, "why")


def lab(stand: Stand) -> None:
    """The lab with one line of a template changed."""
    who, tick = a_thought(stand, "react")
    with stand.page(f"/run/clumsy/why/{who}/{tick}", viewport=TALL) as page:
        page.get_by_role("link", name="lab").first.click()
        page.locator(".cm-line", has_text="Never choose").click()
        page.keyboard.press("End")
        page.keyboard.type(" Say why in one short sentence.")
        page.get_by_role("button", name="Try").click()
        expect(page.get_by_role("status").filter(has_text="the model took")).to_be_visible()
        stand.take(page, "lab")


def feed(stand: Stand) -> None:
    """What happened, beside the map."""
    with stand.town("at=1-18:00") as page:
        page.get_by_role("tab", name="Feed").click()
        stand.take(page, "feed")


def story(stand: Stand) -> None:
    """What happened, as a page."""
    with stand.page("/run/town/story?words=lantern+party") as page:
        stand.take(page, "story")


def news(stand: Stand) -> None:
    """The daily newspaper."""
    with stand.page("/run/town/news") as page:
        stand.take(page, "news")


def path(stand: Stand) -> None:
    """Who told whom."""
    with stand.page("/run/town/news/path?of=lantern+party") as page:
        stand.take(page, "path")


def relations(stand: Stand) -> None:
    """Who is close to whom."""
    with stand.page("/run/town/relations") as page:
        page.get_by_role("button", name="Nadia Farouk and Walter Brandt").click()
        page.evaluate("scrollTo(0, 0)")
        stand.take(page, "relations")


def charts(stand: Stand) -> None:
    """How a model that makes mistakes does."""
    with stand.page("/run/clumsy/charts") as page:
        stand.take(page, "charts")


def start(stand: Stand) -> None:
    """The guided start."""
    with stand.page("/start", viewport={"width": 1000, "height": 1180}) as page:
        expect(page.get_by_text("does not answer").first).to_be_visible()
        stand.take(page, "start")


def compare(stand: Stand) -> None:
    """Two runs that share a morning."""
    with stand.page("/compare?a=town&b=what-if&at=1-12:40") as page:
        page.locator(".pair-towns").wait_for()
        stand.take(page, "compare")


def taking_part(stand: Stand) -> None:
    """An interview beside the town."""
    with stand.town("at=1-17:20&who=Junko+Mori") as page:
        page.get_by_role("button", name="Take part").first.click()
        field = page.get_by_label("Your question")
        field.fill("What is on this evening?")
        field.press("Enter")
        expect(page.locator(".chat-line")).to_have_count(2, timeout=30_000)
        stand.take(page, "taking-part")


def turn(stand: Stand) -> None:
    """A visitor's turn in a talk, for which the town waits."""
    with stand.town("at=1-10:00", run="guest") as page:
        page.locator("[data-act=take-part]").click()
        page.get_by_role("tab", name="Talk").last.click()
        page.get_by_role("button", name="Ring them up").click()
        page.get_by_role("button", name="Let the run go on now").click()
        line = page.get_by_label("Your line")
        line.fill("Good morning, Nadia! I hear that there is to be a party?")
        page.locator(".side-card").get_by_role("button", name="Close").click()
        page.get_by_role("button", name="Say it", exact=True).click()
        expect(page.locator(".chat-line")).to_have_count(2)
        line.fill("That is for the Sunday paper. Who hangs up the lanterns?")
        expect(page.get_by_text("guest goes on.")).to_be_hidden()
        stand.take(page, "turn")


def dark(stand: Stand) -> None:
    """Bonds over time, in dark colours."""
    with stand.town("at=1-19:00&who=Walter+Brandt", color_scheme="dark") as page:
        page.get_by_role("tab", name="Bonds").click()
        stand.take(page, "dark")


def phone(stand: Stand) -> None:
    """A telephone's width."""
    with stand.town("at=1-12:10&who=Nadia+Farouk", viewport=PHONE, has_touch=True) as page:
        stand.take(page, "phone")


SHOTS: tuple[Shot, ...] = (
    *(town, talk, night, person, memories, why, lab, feed, story, news, path),
    *(relations, charts, start, compare, taking_part, turn, dark, phone),
)


def live_all(runs: Path) -> None:
    """Live every run that the pictures show and that is not there yet."""
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
        _do(runs, "announce", "what-if", NEWS)
        _do(runs, "run", "what-if", "--resume", "--quiet")


def _do(runs: Path, *words: str) -> None:
    """Run a command of our own over the runs."""
    subprocess.run(  # noqa: S603 - our own command, no shell
        [*smolville(*words), "--runs", str(runs)], env=surroundings(), check=True
    )


def main() -> int:
    """Take all pictures, or those that are named; return the exit code."""
    os.environ["OLLAMA_HOST"] = NOWHERE
    PICTURES.mkdir(parents=True, exist_ok=True)
    named = [name.replace("-", "_") for name in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        runs = Path(os.environ.get("SMOLVILLE_PICTURES") or Path(folder) / "runs")
        live_all(runs)
        with (
            serving(runs) as served,
            serving(Path(folder) / "none") as begin,
            chromium() as browser,
        ):
            for shot in SHOTS:
                if not named or shot.__name__ in named:
                    shot(Stand(browser, served, begin))
    return 0


if __name__ == "__main__":
    sys.exit(main())
