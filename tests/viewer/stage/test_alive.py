"""What a click offers a visitor."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.fixtures.browser import new_page, when_drawn
from tests.viewer.stage.small_stage import SmallServer, head, tracks

REST = """() => new Promise((done) => {
  const look = () => (stage.loop.asked ? requestAnimationFrame(look) : done());
  requestAnimationFrame(look);
})"""
PACES = "told.filter(([, { name }]) => name === 'pace').map(([, { rate }]) => rate)"
"""At which paces the page has asked the town to live."""
TALKING = "?at=1-08:20:20&speed=1"
"""In the middle of a talk."""


def river() -> dict[str, Any]:
    """Return a head whose town lies at a wide water."""
    replay = head(state="running")
    ground = [
        ["#9ab87a", "grass", [[y, 0, 48] for y in range(12)]],
        ["#88bbee", "water", [[y, 0, 48] for y in range(12, 36)]],
    ]
    replay["map"] = {**replay["map"], "width": 48, "height": 36, "ground": ground}
    return replay


@pytest.fixture
def town(server: SmallServer, browser: Browser) -> Iterator[Page]:
    """A page with that town, in the middle of a talk."""
    server.begin(river(), tracks(state="running", moves=[[0, 2160, 2166, 2, 2, "R3D3"]]))
    with new_page(browser) as page:
        page.goto(f"{server.root}/run/small{TALKING}")
        when_drawn(page)
        page.evaluate(REST)
        yield page


def test_a_click_on_the_map_walks_a_visitor_in_sends_them_on_and_lets_them_speak(
    town: Page, server: SmallServer
) -> None:
    # Cy is in town at this moment, and has left by the end: what the end cannot do is not offered.
    town.evaluate("stage.clock.seek(35_000)")
    assert town.evaluate("stage.replay.present(2, stage.clock.at)") is True
    expect(town.get_by_role("button", name="Leave the town")).to_be_hidden()
    click_on(town, "stage.map.camera.toScreen(3.5, 5.5)")
    town.get_by_role("button", name="Walk in here").click()
    assert last_wish(town) == {"name": "take-part", "way": "visit", "place": "Mill: loft"}
    town.keyboard.press("/")
    town.keyboard.type("oven")
    town.keyboard.press("Enter")
    town.get_by_role("button", name="Change this").click()
    oven = {"name": "take-part", "way": "change", "object": "Bakery: kitchen: oven"}
    assert last_wish(town) == oven
    # Cy comes into the mill, where Ada is, and stays.
    cy = {**server.head["people"][2], "from": 3000, "to": None, "at": [5, 3]}
    people = [*server.head["people"][:2], cy]
    server.tell("tracks", {**tracks(state="running"), "until": 8640, "people": people}, 8640)
    click_on(town, "stage.map.camera.toScreen(13.5, 2.2)")
    town.get_by_role("button", name="Go there as Cy").click()
    wish = {"name": "visitor", "act": "walk", "place": "Bakery: kitchen", "visitor": "Cy Wren"}
    assert last_wish(town) == wish
    town.get_by_role("tab", name="People").click()
    town.get_by_role("button", name="Bo Lind").first.click()
    town.get_by_role("button", name="Go and speak to Bo").click()
    talk = {"name": "visitor", "act": "talk", "visitor": "Cy Wren"}
    assert last_wish(town) == talk | {"whom": "Bo Lind"}
    assert town.evaluate("stage.followed") == 2, "the map goes with the visitor"
    town.get_by_role("tab", name="People").click()
    town.get_by_role("button", name="Ada Brook").first.click()
    town.get_by_role("button", name="Speak to Ada", exact=True).click()
    assert last_wish(town) == talk | {"whom": "Ada Brook"}
    # Whoever is asleep is said to be so, and nobody is offered in the middle of a talk.
    offers = town.locator(".scene-offers")
    asleep = "stage.replay.doings[0].rows.at(-1).kind = '{}', stage.loop.wake()"
    town.evaluate(asleep.format("sleep"))
    expect(offers).to_have_text("Ada is asleep")
    town.evaluate(asleep.format("act"))
    expect(offers).to_have_text("Speak to Ada")
    # Who was clicked is looked at; the visitor is stayed with, and their quiet time not skipped.
    assert town.evaluate("[stage.selected, stage.followed, stage.clock.skipping]") == [0, 2, False]
    click_on(town, "stage.map.camera.toScreen(3.5, 5.5)")
    expect(town.locator(".scene-line")).to_contain_text("loft")
    expect(town.locator(".scene-offer")).to_have_count(0)
    # The town keeps the page's pace for its visitor: ten town seconds in a second, none on pause.
    expect(town.locator(".strip")).to_contain_text("In town as Cy Wren")
    town.wait_for_function(f"{PACES}.at(-1) === 10")
    town.get_by_role("button", name="Pause", exact=True).click()
    town.wait_for_function(f"{PACES}.at(-1) === 0")
    expect(town.locator(".strip")).to_contain_text("The town waits for Cy Wren")
    town.get_by_label("Speed").select_option("4×")
    town.get_by_role("button", name="Play", exact=True).click()
    town.wait_for_function(f"stage.clock.live && {PACES}.at(-1) === 40")


def test_when_a_visitor_has_left_nobody_is_followed_and_the_map_stays_where_and_when_they_went(
    town: Page, server: SmallServer
) -> None:
    cy = {**server.head["people"][2], "from": 3000, "to": None, "at": [5, 3]}
    people = [*server.head["people"][:2], cy]
    server.tell("tracks", {**tracks(state="running"), "until": 8640, "people": people}, 8640)
    town.get_by_role("tab", name="People").click()
    # The way out is there whoever is looked at; while a talk is read, only its card is spoken of.
    town.get_by_role("button", name="Ada Brook").first.click()
    town.evaluate("stage.company.join('Cy Wren'); stage.company.read(true)")
    expect(town.locator(".strip")).to_contain_text("until Cy Wren closes the card")
    expect(town.locator(".strip")).not_to_contain_text("press play")
    town.evaluate("stage.company.read(false)")
    town.get_by_role("button", name="Leave the town").click()
    assert last_wish(town) == {"name": "visitor", "act": "leave", "visitor": "Cy Wren"}
    town.wait_for_function("stage.company.isThere && stage.followed === 2")
    town.get_by_role("button", name="Pause", exact=True).click()
    town.get_by_role("button", name="Play", exact=True).click()
    town.wait_for_function("stage.clock.live && stage.map.camera.settled")
    goal = town.evaluate("stage.map.camera.goal")
    # An hour is lived at once; Cy went at its beginning.
    people[2] = {**cy, "to": 8650}
    server.tell("tracks", {**tracks(state="running"), "until": 9000, "people": people}, 9000)
    parted = town.get_by_role("note").filter(has_text="Cy Wren has left the town")
    expect(parted).to_be_visible()
    expect(town.get_by_role("button", name="Following")).to_have_count(0)
    assert town.evaluate("[stage.followed, stage.map.following]") == [None, None]
    assert town.evaluate("stage.map.camera.goal") == goal
    assert town.evaluate("[stage.clock.at, stage.clock.playing]") == [86_500, False]


def click_on(page: Page, spot: str) -> None:
    """Click on a spot of the map's canvas, once the map stands still."""
    page.wait_for_function("stage.map.camera.settled")
    page.locator("canvas.map").click(
        position=dict(zip("xy", page.evaluate(spot), strict=True))  # type: ignore[arg-type]
    )


def last_wish(page: Page) -> dict[str, Any]:
    """Return what the page asked of the server last, without its moment."""
    name, detail = page.evaluate("told.filter(([, { name }]) => name !== 'pace').at(-1)")
    assert name == "stage"
    moment = ("run", "at", "tick", "who")
    return {key: value for key, value in detail.items() if key not in moment}
