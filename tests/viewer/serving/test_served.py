"""The app as it is served: addresses, refusals and its end."""

from playwright.sync_api import Page

from tests.fixtures.viewing import Served


def test_it_shows_a_page(served: Served, page: Page) -> None:
    page.goto(served.at("/run/town"))
    assert "Smolville" in page.title()
