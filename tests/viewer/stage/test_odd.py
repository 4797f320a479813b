"""What is odd is marked where it stands, with the sentence that says why."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.fixtures.browser import new_page
from tests.viewer.stage.made_up_replay import at, deed, life, memory, replay, show, tick

ODD_LINE = '`text`: got "How can I help?". That is what a call centre says.'
ODD_DEED = "`activity`: having dinner at 09:00 is not done at that hour."
ODD_THOUGHT = "Item 1 of `insights` only says a memory again."


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page."""
    with new_page(browser) as fresh:
        yield fresh


def test_what_is_odd_says_so_where_it_stands_with_the_sentence_that_says_why(page: Page) -> None:
    talk = {
        "id": "talk/1/x", "tick": tick(1, 10), "who": [0, 1], "place": "House: room",
        "start": at(1, 10), "end": at(1, 10, 4), "ended": 1,
        "lines": [[0, at(1, 10), "How can I help?", 0, [ODD_LINE]], [1, at(1, 10, 2), "Bye.", 0]],
    }  # fmt: skip
    odd = [*deed(0, (1, 9), "having dinner", flags=8, end=at(1, 12)), [ODD_DEED]]
    thoughts = [memory("m1", (1, 8), "Ben is Ben", kind="thought", odd=[ODD_THOUGHT])]
    made_up = replay(
        [
            life(0, "Ada Brook", memories=[*thoughts, memory("m2", (1, 8), "The oven")]),
            life(1, "Ben Hollis"),
        ],
        deeds=[deed(0, (1, 8), "baking"), odd],
        talks=[talk],
    )
    show(page, made_up, at(1, 9, 30))
    expect(page.get_by_role("tabpanel").locator(".odd-mark")).to_have_text("◇ odd")
    expect(page.get_by_role("tabpanel").locator(".odd-why")).to_have_text(ODD_DEED)
    page.get_by_role("tab", name="Memories").click()
    expect(page.locator(".memory").filter(has_text="Ben is Ben")).to_contain_text(ODD_THOUGHT)
    expect(page.locator(".memory").filter(has_text="The oven").locator(".odd-mark")).to_have_count(
        0
    )
    page.evaluate("(at) => panel.at(at)", at(1, 10, 3))
    page.get_by_role("tab", name="Talks").click()
    lines = page.locator(".talk-line")
    expect(lines.first.locator(".odd-why")).to_have_text(ODD_LINE)
    expect(lines.nth(1).locator(".odd-mark")).to_have_count(0)
    marks = page.evaluate("replay.marks().map(({ at, kind }) => [at, kind])")
    assert [at(1, 9), "odd"] in marks
    assert [at(1, 10), "odd"] in marks
    page.evaluate("(at) => { feed(); shown.at(at); }", at(1, 10, 3))
    expect(page.locator(".feed-entry").filter(has_text="dinner")).to_contain_text(ODD_DEED)
    expect(page.locator(".feed-lines")).to_contain_text(ODD_LINE)
