"""Two runs side by side in a real browser: one clock, both maps, and how they part."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from smolville.history.cut import fork
from smolville.history.drafting import remove_run
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.reports.runs import opened_run
from tests.fixtures.viewing import Served, serving
from tests.whole.lives import live

NOON = 12 * 3600
LATE = "what-is-lived-late-at-noon"
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


def faults(page: Page) -> list[str]:
    """What axe finds that is serious."""
    found = Axe().run(page).response["violations"]
    return [each["id"] for each in found if each["impact"] in ("serious", "critical")]


def test_two_runs_move_on_one_time_line_from_where_they_part(app: Served, page: Page) -> None:
    opened(page, app)
    expect(page.locator(".pair-parts")).to_contain_text("share their history up to Monday 6 May")
    parts = page.evaluate("pair.clock.at")
    assert parts >= NOON
    # Below the maps stands what parts them, and what each person did in only one of them, and why.
    list_ = page.get_by_role("region", name="What differs")
    expect(list_).to_contain_text("has an intervention then")
    expect(list_.locator(".pair-act").first).to_be_visible()
    # The first moment at which they do different things leads there, and to whom it is about.
    deeds = list_.locator(".pair-deeds")
    expect(deeds).to_contain_text("The first difference in deeds: ")
    deeds.get_by_role("button", name="Show it in both towns").click()
    who = page.get_by_label("Follow in both towns").input_value()
    assert who in deeds.inner_text()
    assert page.locator(".bar-clock").inner_text() in deeds.inner_text()
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
    expect(page.locator(".pair-half").nth(1)).to_contain_text("lived up to Monday 6 May, 14:00")
    ends = "pair.halves.map(({ map }) => map.last.at / 3600).join() === '15,14'"
    page.wait_for_function(ends)
    assert faults(page) == []


def test_a_forks_card_leads_to_the_first_difference_and_to_its_request(
    runs: Path, app: Served, page: Page
) -> None:
    with opened_run(runs, "other") as run:
        [heard] = [each for each in run.reader.interventions() if each.kind == "whisper"]
    page.goto(app.at(f"/run/other?at=1-12:00&asked={heard.id}"))
    card = page.get_by_role("dialog", name="Your request")
    told = card.locator(".told")
    expect(told).to_contain_text(f"The first difference in deeds: {heard.target}, ")
    card.get_by_role("button", name=re.compile(r"Show \w+ at \d\d:\d\d")).click()
    # The person, what they do now, and the moment are those of the sentence.
    expect(page.locator(".person-name")).to_have_text(heard.target)
    expect(page.get_by_role("tab", name="Now")).to_have_attribute("aria-selected", "true")
    assert page.locator(".bar-clock").inner_text() in told.inner_text()
    card.get_by_role("button", name="Show the whisper").click()
    page.wait_for_function(f"stage.clock.at === {heard.tick * 10}")
    expect(page.get_by_role("tab", name="Memories")).to_have_attribute("aria-selected", "true")


def test_what_differs_is_told_anew_as_a_fork_lives_on(runs: Path, app: Served, page: Page) -> None:
    folder = fork(runs, "one", LATE, NOON // 10 - 1)
    page.goto(app.at(f"/compare?a=one&b={LATE}"))
    page.wait_for_function(DRAWN)
    # The names of both runs are read whole where there is room.
    assert page.locator("h1").evaluate("(name) => name.scrollWidth <= name.clientWidth")
    told = page.locator(".pair-parts")
    expect(told).to_contain_text("are equal up to Monday 6 May, 12:00, where")
    expect(told).to_contain_text(f"{LATE} ends")
    with Inbox(folder) as inbox:
        inbox.put(OperatorRequest(kind="whisper", target=folder.spec.cast[0], text="Go for a swim"))
    # In a thread of its own, as this one is the browser's.
    with ThreadPoolExecutor(max_workers=1) as pool:
        pool.submit(live, folder, 13 * 3600).result()
    expect(told).to_contain_text(f"one and {LATE} share their history up to Monday 6 May, 12:")
    expect(page.locator(".pair-when")).to_be_visible()
    list_ = page.get_by_role("region", name="What differs")
    expect(list_).to_contain_text("Go for a swim")
    # The cause names steps in words.
    expect(list_).not_to_contain_text(re.compile(r"\((decompose|plan_hours|react)\)"))
    page.goto("about:blank")
    remove_run(folder)


def test_a_runs_fork_or_its_parent_is_proposed(app: Served, page: Page) -> None:
    for run, proposed in (("one", "other"), ("other", "one"), ("again", "")):
        page.goto(app.at(f"/compare?a={run}"))
        expect(page.get_by_label("The other one")).to_have_value(proposed)
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="Choose two")).to_be_visible()
