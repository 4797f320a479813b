"""Names, signs and bubbles of a crowd on the map, and the list of it, with real hands."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.fixtures.browser import new_page, when_drawn
from tests.viewer.stage.small_stage import SmallServer, head, tracks

Json = dict[str, Any]
NOON = "?at=1-12:00&play=0"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
FIRST = "Abel Bea Cato Dina Egon Fay Gil Hope Ivan Joy Kurt Lena Mats Nell Otto Pam Quin Rita"
LAST = "Sten Tess Ulf Vera Wim Xia Yann"
NAMES = [f"{name} Number" for name in f"{FIRST} {LAST}".split()]
WHOLE = "The bread is in the oven and the baker has gone to see the river rise. " * 3
LONG = "There was more to say of the river than anybody had expected that day. " * 14
OVER = """() => {
  const { captions } = stage.map.drawn;
  const touch = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
  const found = [];
  captions.forEach((one, i) => captions.slice(0, i).forEach((other) => {
    if (touch(one, other)) found.push([one.key, other.key]);
  }));
  return [captions.length, found];
}"""
SHOWN = """() => new Promise((done) => {
  const look = () => (stage.loop.asked ? requestAnimationFrame(look) : done());
  requestAnimationFrame(look);
})"""


def deed(n: int, activity: str, place: str, emoji: str = "🍞") -> list[Any]:
    """Return what somebody does all day."""
    return [n, 0, "act", activity, place, 0, 86_400, emoji, "", "", "", [], 0, ""]


def crowd(count: int, *lines: str, is_wide: bool = False) -> tuple[Json, Json]:
    """Return a replay of so many people; the first two of them talk at noon, if there are lines.

    A wide town is seen from afar.
    """
    town = head()
    one = town["people"][0]
    people = [
        {**one, "name": name, "short": name.split()[0], "initials": f"{name[0]}N",
         "colour": f"#{(n * 40503 + 9000) % 0xFFFFFF:06x}", "look": n,
         "at": [1 + 3 * n % 14, 2 + 2 * (3 * n // 14)]}
        for n, name in enumerate(NAMES[:count])
    ]  # fmt: skip
    deeds = [deed(n, "baking", "Mill: loft") for n in range(count)]
    for n in range(count - 3, count):
        deeds[n] = deed(n, "sleeping", "Bakery: kitchen", "😴")
    said = [[n % 2, 43_200 - 60, text, 0] for n, text in enumerate(lines)]
    talk = {
        "id": "talk/1", "tick": 4310, "who": [0, 1], "ended": 1, "place": "Mill: loft",
        "start": 43_100, "end": 44_000, "lines": said,
    }  # fmt: skip
    rows = {"moves": [], "deeds": deeds, "objects": [], "talks": [talk] if said else []}
    wide = {**town["map"], "width": 48, "height": 36} if is_wide else town["map"]
    return {**town, "people": people, "map": wide}, tracks(**rows, notes=[])


def opened(page: Page, server: SmallServer, replay: tuple[Json, Json], query: str = NOON) -> Page:
    """Open the stage with a replay, and wait until its map is on the screen."""
    server.begin(*replay)
    page.goto(f"{server.root}/run/small{query}")
    when_drawn(page)
    page.evaluate(SHOWN)
    return page


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A page on a phone."""
    with new_page(browser, **PHONE) as page:
        yield page


@pytest.mark.parametrize("count", [3, 25])
def test_no_name_sign_or_place_covers_another(page: Page, small: SmallServer, count: int) -> None:
    opened(page, small, crowd(count, WHOLE))
    for factor in (1, 0.5, 2, 2):
        page.evaluate("(factor) => stage.map.zoom(factor)", factor)
        page.evaluate(SHOWN)
        shown, found = page.evaluate(OVER)
        assert shown > 3
        assert found == []


def bubble(page: Page) -> Json:
    """Return the bubble on the map, and how much of both who talk it covers."""
    page.wait_for_function("stage.map.drawn.bubbles.length === 1")
    page.evaluate(SHOWN)
    found: Json = page.evaluate(
        """() => {
          const [{ x, y, w, h, isCut }] = stage.map.drawn.bubbles;
          const box = stage.map.canvas.getBoundingClientRect();
          const over = (one) => Math.max(0, Math.min(x + w, one.x + one.w) - Math.max(x, one.x))
            * Math.max(0, Math.min(y + h, one.y + one.h) - Math.max(y, one.y));
          const talk = stage.map.drawn.boxes.filter(({ n }) => n < 2);
          const hides = talk.reduce((sum, one) => sum + over(one), 0);
          const onMap = x >= 0 && y >= 0 && x + w <= box.width && y + h <= box.height;
          return { isCut, hides, onMap, people: talk.length,
            foot: [box.left + x + w / 2, box.top + y + h - 14] };
        }"""
    )
    return found


def test_a_line_without_room_has_a_way_to_read_on_which_opens_the_talk_there(
    page: Page, small: SmallServer
) -> None:
    opened(page, small, crowd(25, WHOLE, LONG))
    found = bubble(page)
    assert (found["isCut"], found["hides"]) == (True, 0)
    page.mouse.click(*found["foot"])
    expect(page.get_by_role("tab", name="Talks")).to_have_attribute("aria-selected", "true")
    sought = page.locator(".talk-sought")
    expect(sought).to_have_count(1)
    expect(sought).to_contain_text(LONG[:60])
    expect(sought).to_be_in_viewport()
    page.get_by_role("button", name="Show all").click()
    expect(sought).to_contain_text(LONG.strip())


def test_the_list_is_grouped_by_what_happens_and_filtered(page: Page, small: SmallServer) -> None:
    opened(page, small, crowd(25, WHOLE))
    heads = page.locator(".roster-head")
    expect(heads).to_have_text(["Talking 2", "Awake 20", "Asleep 3"])
    names = page.locator(".roster-name")
    expect(names.nth(0)).to_have_text("Abel Number")
    expect(names.nth(24)).to_have_text(NAMES[24])
    field = page.get_by_role("searchbox", name="Filter people")
    field.press_sequentially("SLEEP")
    expect(names).to_have_count(3)
    expect(page.locator(".roster-count")).to_have_text("3 of 25 people")
    # The keys for the next person go through what is listed.
    page.locator(".side-head-row").click(position={"x": 300, "y": 5})
    page.keyboard.press("n")
    assert page.evaluate("stage.replay.people[stage.selected].name") in NAMES[22:]
    page.get_by_role("tab", name="People").click()
    field.fill("nobody of this name")
    expect(page.locator(".roster-count")).to_have_text("Nobody fits.")
    field.fill("")
    expect(names).to_have_count(25)
