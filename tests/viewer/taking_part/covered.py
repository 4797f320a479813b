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
