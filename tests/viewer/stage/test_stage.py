"""The town page by hand and by keyboard: time, people, finding, its address, what it says aloud."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.fixtures.browser import new_page, no_faults, when_drawn
from tests.fixtures.waiting import until
from tests.viewer.stage.small_stage import Json, SmallServer, at, head, tracks

LIVING = {"state": "running", "goal": 8640}
PULSE = {
    "state": "living", "in_flight": 3, "waiting": 2, "slots": 4, "tokens_per_second": 41.4,
    "calls": 200, "outcomes": {"clean": 180, "mended": 15, "repaired": 4, "fallback": 1},
    "odd": 6, "done": {"Ada Brook": 1060, "Bo Lind": 1000}, "said": "",
    "thinking": [
        {"who": "Bo Lind", "step": "plan_day", "try": "second try", "seconds": 125},
        {"who": "Ada Brook", "step": "say", "try": "", "seconds": 12},
        {"who": "Cy Wren", "step": "react", "try": "", "seconds": 3},
        {"who": "Ada Brook", "step": "knit", "try": "", "seconds": 0},
    ],
    "seconds_left": 7800.0,
}  # fmt: skip

TALK, FIRST_LINE, FIRST_WALK = 30_000, 30_010, 21_600
"""When Ada and Bo begin to talk, when the first of them speaks, and when somebody first walks."""
READING = 1
HEARD_WITHIN = 20
"""Seconds of watching after which a first visitor has heard somebody."""


def opened(page: Page, server: SmallServer, query: str = "") -> Page:
    """Open the stage."""
    page.goto(f"{server.root}/run/small{query}")
    when_drawn(page)
    return page


def second(page: Page) -> float:
    """Return the second that is shown."""
    return float(page.evaluate("stage.clock.at"))


def test_an_address_restores_its_moment_and_whom_one_looks_at(
    page: Page, small: SmallServer
) -> None:
    opened(page, small, "?at=1-06:00:30&speed=2&who=Ada+Brook&follow=1")
    assert second(page) == at(1, 6) + 30
    assert page.evaluate("[stage.clock.speed, stage.clock.playing, stage.followed]") == [
        2,
        False,
        0,
    ]
    expect(page.locator(".bar-clock")).to_have_text("Monday 6 May, 06:00")
    expect(page.get_by_role("tab", name="Ada")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("heading", name="Ada Brook")).to_be_visible()
    page.keyboard.press("t")
    page.wait_for_url(re.compile(r"at=1-08:20&speed=2&who=Ada\+Brook&follow=1$"))
    page.reload()
    when_drawn(page)
    assert second(page) == 30_000


def test_everything_is_done_by_keyboard(page: Page, small: SmallServer) -> None:
    opened(page, small, "?at=1-08:00")
    press = page.keyboard.press
    press(".")
    assert second(page) == at(1, 8) + 10
    press(",")
    press(",")
    assert second(page) == at(1, 8) - 10
    press(">")
    assert page.evaluate("stage.clock.speed") == 16
    press("[")
    # Without skipping, so that the day is not over before the next key is pressed.
    press("s")
    press("Space")
    assert page.evaluate("[stage.clock.speed, stage.clock.playing]") == [8, True]
    press("Space")
    assert page.evaluate("[stage.clock.playing, stage.clock.skipping]") == [False, False]
    press("Home")
    assert second(page) == 0
    press("t")
    assert second(page) == 21_600
    press("End")
    assert second(page) == 86_400
    press("n")
    press("n")
    press("f")
    assert page.evaluate("[stage.selected, stage.followed]") == [1, 1]
    press("p")
    assert page.evaluate("[stage.selected, stage.followed]") == [0, 0]
    before = page.evaluate("JSON.stringify(stage.map.camera.goal)")
    press("ArrowRight")
    press("+")
    assert page.evaluate("JSON.stringify(stage.map.camera.goal)") != before
    assert page.evaluate("stage.followed") is None
    press("Escape")
    assert page.evaluate("stage.selected") is None
    press("?")
    expect(page.get_by_role("dialog", name="Help")).to_contain_text("to the next mark")
    press("n")
    assert page.evaluate("stage.selected") is None, "a dialog keeps the keys"
    page.get_by_label("single letters and signs work as keys").uncheck()
    press("Escape")
    press("n")
    assert page.evaluate("stage.selected") is None, "single keys are off"


def test_the_seek_bar_is_a_slider_that_tells_time_in_words(page: Page, small: SmallServer) -> None:
    opened(page, small, "?at=1-08:00")
    slider = page.get_by_role("slider", name="Time")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("PageUp")
    expect(slider).to_have_attribute("aria-valuetext", "Monday 6 May, 09:05")
    expect(slider).to_have_attribute("aria-valuenow", str(at(1, 9, 5)))
    expect(slider).to_have_attribute("aria-valuemax", "86400")
    box = slider.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 10)
    assert abs(second(page) - at(1, 12)) < 90
    expect(page.locator(".seek-tip")).to_contain_text("Monday 6 May, 1")
    expect(page.locator(".seek canvas")).to_have_attribute("data-marks", "4")
    page.mouse.move(box["x"] + box["width"] * 30_000 / 86_400 + 3, box["y"] + 10)
    expect(page.locator(".seek-tip")).to_have_text(re.compile("^Monday 6 May, 08:20 – Ada: "))


def test_a_living_run_on_a_real_model_opens_live_and_grows(page: Page, small: SmallServer) -> None:
    small.begin(head(standin=False, until=1000, **LIVING), {**tracks(), "until": 1000, **LIVING})
    opened(page, small)
    assert page.evaluate("[stage.clock.live, stage.clock.at]") == [True, 10_010]
    expect(page.locator(".chip")).to_contain_text("living")
    page.wait_for_function("stage.bar.speed.value === 'live'")
    small.tell("tracks", {"since": 1000, "until": 1060, "moves": [], **LIVING}, 1060)
    page.wait_for_function("stage.clock.at === 10610")
    small.tell("pulse", PULSE, 1060)
    strip = page.locator(".strip")
    expect(strip).to_contain_text("model busy: 3 of 4")
    expect(strip).to_contain_text("41 tokens/s")
    expect(strip).to_contain_text("3 % objected to")
    expect(strip).to_contain_text("90 % clean")
    expect(strip).to_contain_text("<1 % fallback")
    thinking = page.locator(".strip-thinking")
    expect(thinking).to_have_text("Bo Lind plans the day, second try · 2 min")
    assert page.evaluate("stage.map.thinkers.who.size") > 1
    # It changes all the time, and is not read aloud each time.
    assert thinking.evaluate("node => node.closest('[role=status], [aria-live]')") is None
    small.tell("pulse", {**PULSE, "state": "paused", "thinking": []}, 1060)
    expect(thinking).to_be_hidden()
    expect(page.locator(".chip")).to_contain_text("paused")
    expect(page.locator("[data-act=resume]")).to_be_visible()
    expect(page.get_by_label("Speed")).to_have_value("live")
    rest = {**tracks(moves=[]), "since": 1060}
    small.tell("tracks", rest, 8639)
    small.tell("pulse", None, 8639)
    expect(page.locator(".chip")).to_contain_text("over")


def test_a_server_that_goes_away_is_said_calmly_and_comes_back(
    browser: Browser, small: SmallServer
) -> None:
    small.begin(head(until=1000, **LIVING), {**tracks(), "until": 1000, **LIVING})
    with new_page(browser, expected=("503",)) as page:
        opened(page, small, "?at=1-01:00")
        until(lambda: small.asked, "the line to the server")
        small.cut()
        expect(page.locator(".strip")).to_contain_text("The server is away; trying again.")
        small.away = False
        expect(page.locator(".strip")).not_to_contain_text("The server is away")
        small.tell("tracks", {"since": 1000, "until": 1005, **LIVING}, 1005)
        page.wait_for_function("stage.replay.watermark === 1005")
        assert small.asked == ["1000", "1000"]
        assert second(page) == at(1, 1)


def test_nothing_is_drawn_while_nothing_changes(page: Page, small: SmallServer) -> None:
    opened(page, small, "?at=1-08:00")
    page.wait_for_function("stage.loop.asked === 0")
    pictures = page.evaluate("""async () => {
        let asked = 0;
        const ask = window.requestAnimationFrame;
        window.requestAnimationFrame = (turn) => ((asked += 1), ask(turn));
        await new Promise((done) => ask(() => ask(() => ask(done))));
        return asked;
    }""")
    assert pictures == 0


@pytest.mark.parametrize(
    "look",
    [
        {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True},
        {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"},
    ],
    ids=["phone-by-night", "desktop-by-day"],
)
def test_the_page_has_no_serious_fault_and_nothing_runs_over(
    browser: Browser, small: SmallServer, look: dict[str, object]
) -> None:
    with new_page(browser, **look) as page:
        opened(page, small, "?at=1-08:21&who=Ada+Brook")
        expect(page.get_by_role("heading", name="Ada Brook")).to_be_visible()
        if page.locator(".head-menu").is_visible():
            page.locator(".head-menu").click()
        for name in ("People", "News", "Runs"):
            expect(page.get_by_role("link", name=name)).to_be_visible()
        no_faults(page)
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def test_a_history_begun_anew_is_shown_from_its_beginning(page: Page, small: SmallServer) -> None:
    small.begin(head(until=1000, **LIVING), {**tracks(), "until": 1000, **LIVING})
    opened(page, small, "?at=1-01:00")
    small.head = head(until=20, **LIVING)
    small.tracks = {"since": -1, "until": 20, "state": "running", "goal": 8640}
    small.tell("again", {})
    when_drawn(page, "stage.replay.watermark === 20")


def test_a_lived_run_opens_shortly_before_its_first_talk_at_a_speed_to_read_it(
    page: Page, small: SmallServer
) -> None:
    # What the page's clock says as it begins to play, before any of its time has passed: without
    # frames, which looking again every so often does not need.
    page.add_init_script("window.requestAnimationFrame = () => 1")
    page.goto(f"{small.root}/run/small")
    page.wait_for_function("window.stage?.clock?.playing", polling=50)
    at, speed, skips = page.evaluate("[stage.clock.at, stage.clock.speed, stage.clock.skipping]")
    assert (speed, skips) == (READING, True)
    assert at < TALK
    assert (FIRST_LINE - at) / 10 / speed < HEARD_WITHIN
    assert page.evaluate("stage.replay.talksAt(stage.clock.at).length") == 0


def test_a_town_that_has_just_begun_goes_to_its_first_talk_once_there_is_one(
    page: Page, small: SmallServer
) -> None:
    small.begin(head(until=2400, **LIVING), {**tracks(talks=[], notes=[]), "until": 2400, **LIVING})
    opened(page, small)
    assert page.evaluate("stage.clock.at") >= FIRST_WALK
    small.tell("tracks", {**tracks(), "since": 2400, "until": 3300, **LIVING}, 3300)
    page.wait_for_function(f"stage.clock.at > {TALK - 61} && stage.clock.speed === 1")
    assert page.evaluate("stage.clock.playing")


def in_town(left: int | None, **changed: Any) -> Json:
    """Return a head with Cy, a visitor, in town from 08:20 on."""
    replay = head(**changed)
    replay["people"][2]["to"] = left
    return replay


def test_a_visitor_whom_another_page_left_in_town_can_be_gone_on_with(
    page: Page, small: SmallServer
) -> None:
    stopped = {"state": "paused", "goal": 17_280}
    small.begin(in_town(None, **stopped), tracks(**stopped))
    opened(page, small)
    note = page.get_by_role("note").filter(has_text="Cy Wren, a visitor, is in town now.")
    note.get_by_role("button", name="Go on as Cy Wren").click()
    expect(note).to_have_count(0)
    # Nobody lives the run: it goes on, at the pace of the page.
    expect(page.locator(".strip-said")).to_contain_text("press Go on to continue")
    told = page.evaluate("told.map(([, { name, rate, visitor }]) => [name, rate, visitor])")
    assert ["pace", 80, "Cy Wren"] in told
    assert "resume" in [name for name, *_ in told]
    page.wait_for_url("**visitor=Cy+Wren**")
