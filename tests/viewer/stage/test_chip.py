"""The chip on the map that names who is selected: never over the person whom it names."""

from typing import Any

from playwright.sync_api import Page, ViewportSize

from tests.fixtures.browser import when_drawn
from tests.viewer.stage.small_stage import SmallServer

PHONE: ViewportSize = {"width": 390, "height": 844}
LIES = """() => {
  const chip = document.querySelector(".scene-chip").getBoundingClientRect();
  const map = stage.map.canvas.getBoundingClientRect();
  const { x, y, w, h } = stage.map.drawn.boxes.find(({ n }) => n === 0);
  const [left, top] = [map.left + x, map.top + y];
  const isBeside = chip.right <= left || left + w <= chip.left;
  const isOver = !isBeside && chip.top < top + h && top < chip.bottom;
  return { isOver, middle: [left + w / 2, top + h / 2], map: [map.left, map.top],
    isHigh: chip.top - map.top < map.bottom - chip.bottom,
    chip: [chip.left + chip.width / 2, chip.top + chip.height / 2] };
}"""


def drag(page: Page, by: tuple[float, float]) -> dict[str, Any]:
    """Drag the map from its middle, and return how the chip and the person then lie."""
    box = page.locator("canvas.map").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0], y + by[1], steps=4)
    page.mouse.up()
    page.mouse.move(0, 0)
    page.wait_for_function("!stage.loop.asked")
    found: dict[str, Any] = page.evaluate(LIES)
    return found


def shown(page: Page, small: SmallServer) -> dict[str, Any]:
    """Open the town with somebody selected, and return how the chip and the person lie."""
    page.goto(f"{small.root}/run/small?at=1-06:00:30&play=0&who=Ada+Brook")
    when_drawn(page)
    for _ in range(4):
        page.keyboard.press("+")
    page.wait_for_function("!stage.loop.asked")
    found: dict[str, Any] = page.evaluate(LIES)
    return found


def test_the_chip_steps_aside_for_whom_it_names_and_comes_back(
    page: Page, small: SmallServer
) -> None:
    for size, is_high in ((None, True), (PHONE, False)):
        if size:
            page.set_viewport_size(size)
        before = shown(page, small)
        assert (before["isOver"], before["isHigh"]) == (False, is_high)
        way = [chip - middle for chip, middle in zip(before["chip"], before["middle"], strict=True)]
        under = drag(page, (way[0], way[1]))
        assert (under["isOver"], under["isHigh"]) == (False, not is_high)
        again = drag(page, (-way[0], -way[1]))
        assert (again["isOver"], again["isHigh"]) == (False, is_high)
