"""What a card leaves of the town: whether time and map can still be seen and clicked."""

from playwright.sync_api import Page, ViewportSize

SIZES: tuple[ViewportSize, ...] = (
    {"width": 390, "height": 844},
    {"width": 1024, "height": 768},
    {"width": 1280, "height": 800},
    {"width": 1920, "height": 1080},
)
COVERED = """async () => {
  await Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const those = ".bar button, .bar select, .bar .seek, .bar-clock, .seek-head, canvas.map";
  const shown = [...document.querySelectorAll(those)].filter((each) => each.checkVisibility());
  const hidden = shown.filter((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    // The playhead lets clicks through to the bar that it stands on.
    const own = each.className === "seek-head" ? each.parentElement : each;
    return !top || !own.contains(top);
  });
  return [shown.length, ...hidden.map((each) => each.title || each.className)];
}"""


def covered(page: Page) -> list[str]:
    """Return what of time and map does not lie open to a click at its middle, at any size."""
    found = []
    for size in SIZES:
        page.set_viewport_size(size)
        page.wait_for_function(f"innerWidth === {size['width']}")
        count, *names = page.evaluate(COVERED)
        assert count >= 9, f"only {count} controls at {size}"
        found += [f"{name} at {size['width']}" for name in names]
    return found


MESSAGE = "The town did not let it happen: there is nobody of this name in the Copper Kettle Cafe."
SAY = "(message) => void Quasar.Notify.create({ message, position: 'top', timeout: 0 })"
SAID = """() => {
  const told = document.querySelector(".q-notification");
  return told && !/-(enter|leave)-/.test(told.className);
}"""
UNDER_A_MESSAGE = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const told = document.querySelector(".q-notification").getBoundingClientRect();
  const pressed = [...document.querySelectorAll("button, select, a, [role=tab]")]
    .filter((each) => each.checkVisibility() && !each.closest(".q-notification"));
  const under = pressed.filter((each) => {
    const box = each.getBoundingClientRect();
    const isBeside = box.right <= told.left || told.right <= box.left;
    return !isBeside && box.top < told.bottom && told.top < box.bottom;
  });
  return [pressed.length, told.width, ...under.map((each) => each.title || each.textContent)];
}"""


def under_a_message(page: Page) -> list[str]:
    """Say something over the page, and return the buttons and links below it at any size."""
    found = []
    page.evaluate(SAY, MESSAGE)
    page.wait_for_function(SAID)
    for size in SIZES:
        page.set_viewport_size(size)
        page.wait_for_function(f"innerWidth === {size['width']}")
        count, wide, *names = page.evaluate(UNDER_A_MESSAGE)
        assert count >= 9, f"only {count} things to press at {size}"
        assert wide > 150, "the message is shown"
        found += [f"{name} at {size['width']}" for name in names]
    return found
