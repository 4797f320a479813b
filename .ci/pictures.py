"""Take the pictures of the browser app that the documents show, into docs/pictures.

PYTHONPATH=. uv run python .ci/pictures.py [NAME ...]

The runs are lived by the stand-in, so that the same pictures come out of it again. With
SMOLVILLE_PICTURES=DIR the runs are kept there, and those that are there are not lived again.
"""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from camera import PICTURES, Stand, clock, live_all
from playwright.sync_api import expect

from tests.fixtures.browser import chromium
from tests.fixtures.viewing import serving

TALL = {"width": 1280, "height": 1240}
TALLER = {"width": 1280, "height": 1640}
PHONE = {"width": 390, "height": 844}
PATIENCE = 30_000
"""Milliseconds for an answer."""
Shot = Callable[[Stand], None]


def a_talk(stand: Stand, hour: int) -> tuple[str, str]:
    """Return when somebody says a third line in a talk on the square, and who speaks."""
    people = stand.replay("town/head.json")["people"]
    talks = stand.replay("town/tracks.json?since=-1")["talks"]
    there = [each for each in talks if "Square" in each["place"] and len(each["lines"]) > 5]
    talk = next(each for each in there if each["start"] >= hour * 3600)
    speaker, at, *_ = talk["lines"][2]
    return clock(at + 4), people[speaker]["name"].replace(" ", "+")


def a_thought(stand: Stand, step: str) -> tuple[str, int]:
    """Return who had a thought of the clumsy model in which a step was repaired, and its tick."""
    for n, person in enumerate(stand.replay("clumsy/head.json")["people"]):
        for tick, _, _, path, _, outcome, *_ in stand.replay(f"clumsy/person/{n}.json")["thoughts"]:
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
    with stand.page(f"/run/clumsy/why/{who}/{tick}", viewport=TALLER) as page:
        page.get_by_role("link", name="lab").first.click()
        expect(page.get_by_text("The model gets the same")).to_be_visible(timeout=PATIENCE)
        page.locator(".cm-line", has_text="talk with one person").click()
        # The first one goes to the end of what is one line on the screen.
        page.keyboard.press("End")
        page.keyboard.press("End")
        page.keyboard.type(" Say why in one short sentence.")
        page.get_by_role("button", name="Try").click()
        expect(page.get_by_role("region", name="Try 1")).to_be_visible(timeout=PATIENCE)
        stand.take(page, "lab")


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
        page.get_by_role("link", name="Nadia Farouk and Walter Brandt").click()
        page.evaluate("scrollTo(0, 0)")
        stand.take(page, "relations")


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
        expect(page.locator(".chat-line")).to_have_count(2, timeout=PATIENCE)
        stand.take(page, "taking-part")


def turn(stand: Stand) -> None:
    """A visitor's turn in a talk, for which the town waits."""
    with stand.town("at=1-10:00", run="guest") as page:
        page.locator("[data-act=take-part]").click()
        page.get_by_role("tab", name="Talk").last.click()
        page.get_by_role("button", name="Ring them up").click()
        line = page.get_by_label("Your line")
        line.fill("Good morning, Nadia! I hear that there is to be a party?")
        page.locator(".side-card").get_by_role("button", name="Close").click()
        page.get_by_role("button", name="Say it", exact=True).click()
        expect(page.locator(".chat-line")).to_have_count(2, timeout=PATIENCE)
        line.fill("That is for the Sunday paper. Who hangs up the lanterns?")
        expect(page.get_by_text("guest goes on.")).to_be_hidden(timeout=PATIENCE)
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
    *(town, talk, night, person, memories, why, lab, story, news, path),
    *(relations, start, compare, taking_part, turn, dark, phone),
)


def main() -> int:
    """Take all pictures, or those that are named; return the exit code."""
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
