"""Two runs side by side in a real browser: one clock, both maps, and how they part."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from smolville.agents.times import read_moment
from smolville.history.cut import fork
from smolville.history.folder import RunFolder
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.viewer.compare_page import read_comparison
from smolville.world.run_request import RunRequest
from tests.fixtures.browser import no_faults
from tests.fixtures.small_town import write_small_town
from tests.fixtures.viewing import Served, serving
from tests.whole.lives import HOUR, begin, live, lived


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, a fork of it in which somebody heard something at nine, and an unrelated run."""
    place = tmp_path_factory.mktemp("parting")
    town = write_small_town(place / "town")
    asked = RunRequest(town=town, cast=2)
    lived(place / "runs", "one", asked, 11 * HOUR)
    begin(place / "runs", "again", asked)
    folder = fork(place / "runs", "one", "other", NINE // 10 - 1)
    with Inbox(folder) as inbox:
        inbox.put(
            OperatorRequest(
                kind="whisper", target=folder.spec.cast[0], text="Go for a long swim now"
            )
        )
    live(folder, 10 * HOUR)
    return place / "runs"


NINE = 9 * HOUR
PAIR = "/compare?a=one&b=other"
DRAWN = "window.pair?.halves.every(({ map }) => map.frames > 0 && map.backdrop.whole)"
WHOLE = """pair.halves.map(({ map }) => {
    const [left, top] = map.camera.toScreen(0, 0);
    const [right, bottom] = map.camera.toScreen(map.town.width, map.town.height);
    const { wide, high } = map.camera;
    const free = high * 0.04;
    const isWithin = left >= 0 && top >= free && right <= wide && bottom <= high - free;
    return isWithin && wide > 200 && high > 100;
})"""
"""Whether each town is seen whole, with room above and below it for the names at its edges."""


@pytest.fixture(scope="module")
def app(runs: Path) -> Iterator[Served]:
    with serving(runs) as served:
        yield served


def opened(page: Page, app: Served, query: str = "") -> Page:
    """Open the comparison and wait for both pictures."""
    page.goto(app.at(PAIR + query))
    page.wait_for_function(DRAWN)
    return page


def test_two_runs_move_on_one_time_line_from_where_they_part(app: Served, page: Page) -> None:
    opened(page, app)
    expect(page.locator(".pair-parts")).to_contain_text("share their history up to Monday 6 May")
    parts = page.evaluate("pair.clock.at")
    assert parts >= NINE
    # Below the maps stands what parts them, and what each person did in only one of them, and why.
    list_ = page.get_by_role("region", name="What differs")
    expect(list_).to_contain_text("has an intervention then")
    expect(list_.locator(".pair-act").first).to_be_visible()
    # The first moment at which somebody does different things leads there, and to that person.
    list_.locator(".pair-at:visible").first.click()
    who = page.get_by_label("Follow in both towns").input_value()
    n = "people.findIndex(({ name }) => name === who)"
    done = f"(who) => pair.replays.map((each) => each.deed(each.{n}, pair.clock.at).activity)"
    mine, theirs = page.evaluate(done, who)
    assert mine != theirs
    last = list_.locator(".pair-at:visible").last
    last.click()
    assert page.evaluate("pair.clock.at") > parts
    expect(page.get_by_label("Follow in both towns")).not_to_have_value("")
    # The wheel over one map zooms both.
    page.get_by_label("Follow in both towns").select_option("")
    page.keyboard.press("0")
    page.locator(".pair-map canvas").first.hover()
    page.mouse.wheel(0, -400)
    page.wait_for_function(
        "pair.halves.every(({ map: { camera } }) => camera.now.scale > 1.2 * camera.whole)"
    )
    assert page.evaluate("new Set(pair.halves.map(({ map }) => map.camera.goal.scale)).size") == 1
    page.keyboard.press("0")
    page.wait_for_function(f"{WHOLE}.every(Boolean)")
    expect(page.locator(".bar-clock")).to_contain_text("Monday")
    page.keyboard.press("Home")
    assert page.evaluate("pair.clock.at") == 0
    page.locator(".pair-when").click()
    assert page.evaluate("pair.clock.at") == parts

    name = page.evaluate("pair.replays[0].people[0].name")
    page.get_by_label("Follow in both towns").select_option(name)
    assert page.evaluate("pair.halves.map(({ map }) => map.following)") == [0, 0]
    doing = "pair.halves.map(({ replay }) => replay.deed(0, pair.clock.at).activity)"
    for line, activity in zip(page.locator(".pair-line").all(), page.evaluate(doing), strict=True):
        expect(line).to_contain_text(activity)
    page.wait_for_url("**who=**")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("(at) => pair.clock.at > at + 60", arg=parts)
    shown = "pair.halves.map(({ map }) => map.last.at)"
    page.get_by_role("button", name="Pause").click()
    page.wait_for_function("pair.halves.every(({ map }) => map.last.at === pair.clock.at)")
    assert len(set(page.evaluate(shown))) == 1

    # The fork has lived an hour less: its town stays where it is, and says so.
    page.keyboard.press("End")
    expect(page.locator(".pair-half").nth(1)).to_contain_text("lived up to Monday 6 May, 10:00")
    ends = "pair.halves.map(({ map }) => map.last.at / 3600).join() === '11,10'"
    page.wait_for_function(ends)
    no_faults(page)


def test_a_runs_fork_or_its_parent_is_proposed(app: Served, page: Page) -> None:
    for run, proposed in (("one", "other"), ("other", "one"), ("again", "")):
        page.goto(app.at(f"/compare?a={run}"))
        expect(page.get_by_label("The other one")).to_have_value(proposed)
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="Choose two")).to_be_visible()


def test_a_fork_is_told_by_its_cause_and_by_what_each_did_in_only_one_of_the_runs(
    runs: Path,
) -> None:
    found: Any = read_comparison(runs, "one", "other")
    assert NINE <= found["parts"] < 10 * HOUR
    assert found["told"].startswith("one and other share their history up to Monday 6 May, 09:")
    assert "Go for a long swim now" in found["first"]["cause"]
    who = RunFolder.open(runs, "one").spec.cast[0]
    assert who in [each["name"] for each in found["people"]]
    acts = [act for person in found["people"] for act in person["acts"]]
    assert acts and all(act["at"] >= NINE and act["words"] for act in acts)
    for act in acts:
        asked = parse_qs(urlsplit(act["page"]).query)
        assert read_moment(asked["at"][0].replace("-", " ")) == act["at"] and asked["who"]
