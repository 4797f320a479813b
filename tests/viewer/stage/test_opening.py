"""The first minute: where a page opens, what a first visitor is told, and who thinks meanwhile."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.fixtures.browser import when_drawn
from tests.viewer.stage.small_stage import Json, SmallServer, head, tracks

LIVING = {"state": "running", "goal": 8640}
TALK, FIRST_LINE, FIRST_WALK = 30_000, 30_010, 21_600
"""When Ada and Bo begin to talk, when the first of them speaks, and when somebody first walks."""
READING = 1
HEARD_WITHIN = 20
"""Seconds of watching after which a first visitor has heard somebody."""
PULSE = {
    "state": "living", "in_flight": 1, "waiting": 1, "slots": 1, "tokens_per_second": 0.0,
    "calls": 0, "outcomes": {}, "odd": 0, "odd_kinds": {}, "cached_share": None, "cuts": 0,
    "done": {}, "said": "", "seconds_left": None,
    "thinking": [
        {"who": "Ada Brook", "step": "plan_day", "try": "", "seconds": 44},
        {"who": "Bo Lind", "step": "plan_day", "try": "", "seconds": 40},
    ],
}  # fmt: skip


def opened(page: Page, server: SmallServer, query: str = "") -> None:
    """Open the stage."""
    page.goto(f"{server.root}/run/small{query}")
    when_drawn(page)


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


def test_while_a_slow_model_thinks_the_page_says_who_and_the_map_moves(
    page: Page, small: SmallServer
) -> None:
    nothing = {**tracks(moves=[], deeds=[], objects=[], talks=[], notes=[]), "until": 700}
    small.begin(head(standin=False, until=700, **LIVING), {**nothing, **LIVING})
    opened(page, small)
    small.tell("pulse", PULSE, 700)
    strip = page.locator(".strip")
    expect(strip).to_contain_text("Ada Brook plans the day · 44 s")
    expect(strip).to_contain_text("1 more, next Bo Lind")
    expect(strip).to_contain_text("01:00–02:00")
    expect(strip).to_contain_text("94 % lived")
    expect(strip).to_contain_text("time left not known yet")
    strip.locator("summary").first.click()
    expect(strip.get_by_role("listitem").nth(1)).to_have_text("Bo Lind plans the daywaits 40 s")
    small.tell("pulse", {**PULSE, "seconds_left": 7600.0}, 700)
    expect(strip).to_contain_text("about 2 h 10 min left")
    assert page.evaluate("[...stage.map.thinkers.who]") == [0, 1]
    expect(page.get_by_role("list", name="People in town")).to_contain_text("plans the day …")
    frames = page.evaluate("stage.map.frames")
    page.wait_for_function("(before) => stage.map.frames > before + 2", arg=frames)
    page.keyboard.press("Home")
    assert page.evaluate("stage.map.thinkers.who.size") == 0
    page.keyboard.press("l")
    small.tell("pulse", {**PULSE, "thinking": []}, 700)
    page.wait_for_function("stage.map.thinkers.who.size === 0 && stage.map.thinkers.timer === 0")


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
