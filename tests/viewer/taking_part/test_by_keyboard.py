"""Taking part without a mouse, and for those who hear a page instead of seeing it."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.fixtures.viewing import Served


def no_faults(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    bad = [each for each in found if each["impact"] in ("serious", "critical")]
    assert not bad, [(each["id"], each["nodes"][0]["html"][:200]) for each in bad]


def test_the_card_opens_and_closes_by_keyboard_and_gives_the_focus_back(
    served: Served, page: Page
) -> None:
    page.goto(served.at("/run/town?at=1-12:00&play=0&who=Walter+Brandt"))
    opener = page.locator(".person-acts").get_by_role("button", name="Take part")
    opener.press("Enter")
    expect(page.get_by_role("heading", name="Take part")).to_be_focused()
    no_faults(page)
    for _ in range(2):
        page.keyboard.press("Tab")
    expect(page.get_by_role("tab", name="Ask")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    whom = page.get_by_label("With whom?")
    whom.press("Enter")
    expect(page.locator(".q-menu")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".q-menu")).to_have_count(0)
    page.get_by_role("button", name="Ring them up").press("Escape")
    expect(page.locator(".side-card")).to_have_count(0)
    expect(opener).to_be_focused()
    page.get_by_role("button", name="Fork here").press("Enter")
    expect(page.get_by_role("dialog", name="Fork")).to_be_visible()
    expect(page.get_by_label("Its name")).to_be_focused()
    no_faults(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Fork here")).to_be_focused()
