"""The town's story in a real browser: what happened, the newspaper, who told whom, relations."""

import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.fixtures.browser import new_page, no_faults
from tests.fixtures.viewing import Served, copied, serving

IMAGE = "<img src=x onerror=hack()>"
SCRIPT = "</script></title><script>hack()</script>"
TURNED = "spring \u202e tneve lantern party"
HUGE = "lantern party " * 1_000
NAME = f"{IMAGE} Mori"
"""What somebody is called instead of Junko Mori."""


def spoiled(runs: Path, name: str, to: str) -> None:
    """Copy a run of a folder, and spoil the copy."""
    shutil.copytree(runs / name, runs / to)
    spec = json.loads((runs / to / "run.json").read_text("utf-8"))
    spec |= {"name": to, "town_name": f"{SCRIPT}{IMAGE}ville"}
    spec["cast"] = [NAME if each == "Junko Mori" else each for each in spec["cast"]]
    (runs / to / "run.json").write_text(json.dumps(spec), "utf-8")
    connection = sqlite3.connect(runs / to / "town.sqlite")
    with connection:
        _rename(connection)
        connection.execute("UPDATE lines SET text = text || ? WHERE n = 0", (IMAGE + SCRIPT,))
        connection.execute("UPDATE lines SET text = text || ? WHERE n = 1", (TURNED + HUGE,))
        connection.execute("UPDATE deeds SET activity = activity || ?, emoji = ?", (IMAGE, SCRIPT))
        connection.execute("UPDATE memories SET text = text || ?", (IMAGE + TURNED,))
        connection.execute("UPDATE objects SET state = state || ?", (SCRIPT,))
        connection.execute("UPDATE steps SET outcome = 'fallback', problems = ?", (f'["{IMAGE}"]',))
    connection.close()


def _rename(connection: sqlite3.Connection) -> None:
    """Give somebody another name in every text of a history."""
    tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    for (table,) in tables:
        for column in connection.execute(f"PRAGMA table_info({table})").fetchall():
            if column[2] == "TEXT":
                connection.execute(
                    f'UPDATE {table} SET "{column[1]}" = replace("{column[1]}", ?, ?)',
                    ("Junko Mori", NAME),
                )


PHONE = {"width": 390, "height": 844}
PAGES = ("story", "news", "news/path?of=lantern+party", "relations", "knowledge")


@pytest.fixture(scope="module")
def served(lived_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app over a lived run, and over the same run with hostile texts."""
    runs = copied(lived_runs, tmp_path_factory.mktemp("story"))
    spoiled(runs, "town", "spoiled")
    with serving(runs) as app:
        yield app


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_the_story_is_filtered_by_its_address_and_leads_to_moments_and_reasons(
    served: Served, page: Page
) -> None:
    page.goto(served.at("/run/town/story"))
    expect(page.locator(".story-entry").first).to_contain_text("are asleep")
    expect(page.get_by_role("link", name="Story")).to_have_attribute("aria-current", "page")
    no_faults(page)
    page.get_by_label("Person").select_option("Walter Brandt")
    page.get_by_label("Kind").select_option("Talks")
    page.get_by_label("Words").fill("lantern party")
    # What is chosen and typed stays when the page is drawn again, as after a lost connection.
    page.wait_for_function("did_handshake")
    page.evaluate("mounted_app.$forceUpdate()")
    page.keyboard.press("Enter")
    talk = page.locator(".story-entry").first
    expect(talk).to_contain_text("Walter Brandt")
    expect(page.locator(".story-entry.is-doing")).to_have_count(0)
    assert "who=Walter+Brandt" in page.url and "words=lantern+party" in page.url
    clock = talk.get_by_role("link", name="see it in the town").get_attribute("href") or ""
    assert clock.startswith("/run/town?at=1-") and "who=" in clock
    why = talk.get_by_role("link", name="Why they talked so").get_attribute("href") or ""
    assert why.startswith("/run/town/talk/talk/")
    page.goto(served.at("/run/town/story?part=99"))
    expect(page.get_by_role("navigation", name="Slices of the story")).to_contain_text("2 of 2")
    page.goto(served.at("/run/town/story?words=submarine&day=x&part=-7&who=%3Cb%3E"))
    expect(page.get_by_text("Nothing matches the filter.")).to_be_visible()


def test_the_newspaper_is_set_and_its_news_leads_to_who_told_whom(
    served: Served, browser: Browser
) -> None:
    with new_page(browser, color_scheme="dark") as page:
        page.goto(served.at("/run/town/news"))
        expect(page.get_by_role("heading", level=1)).to_have_text("The Smolville Daily")
        expect(page.locator(".paper-date")).to_have_text("Monday 6 May")
        assert page.locator(".paper-article").count() > 4
        assert page.locator(".paper-quote blockquote").count() > 6
        expect(page.locator(".paper-boxes")).to_contain_text("The weather in the morning")
        assert page.evaluate("document.documentElement.dataset.theme") == "night"
        no_faults(page)
        page.emulate_media(media="print")
        expect(page.locator(".head")).to_be_hidden()
        page.emulate_media(media="screen")
        page.locator("#lead").get_by_role("link", name="Who told whom").click()
        page.wait_for_url("**/news/path?of=*")
        expect(page.locator(".path-item").first).to_be_visible()
        expect(page.locator(".story-subject")).to_contain_text("a memory of")
        page.goto(served.at("/run/town/news?day=9"))
        expect(page.get_by_text("There is no edition of day '9'")).to_be_visible()


def test_who_told_whom_is_a_tree_and_a_list_with_its_lines_at_any_width(
    served: Served, page: Page
) -> None:
    page.goto(served.at("/run/town/news/path"))
    expect(page.locator(".rumours li").first).to_be_visible()
    page.get_by_label("Words of the news").fill("lantern party")
    page.keyboard.press("Enter")
    items = page.locator(".path-item")
    expect(items).to_have_count(3)
    expect(items.first).to_contain_text("Nadia Farouk heard it from an inner voice")
    expect(items.nth(1)).to_contain_text("was told by")
    expect(items.nth(1).locator(".path-line blockquote")).to_contain_text("lantern party")
    tree = page.locator(".path-tree")
    expect(tree.locator("li").first).to_contain_text("Nadia Farouk")
    expect(tree.locator("li li")).to_have_count(2)
    no_faults(page)
    page.set_viewport_size({"width": 390, "height": 844})
    names = tree.locator("strong")
    right = "(each) => Math.max(...each.map((name) => name.getBoundingClientRect().right))"
    assert names.evaluate_all(right) <= 390
    assert fits(page)
    page.goto(served.at("/run/town/news/path?of=submarine"))
    expect(page.get_by_text("Nobody knows anything of the kind")).to_be_visible()


def test_relations_are_those_up_to_a_moment_and_show_a_pair_from_the_keyboard(
    served: Served, page: Page
) -> None:
    page.goto(served.at("/run/town/relations"))
    rows = page.locator(".figures tbody tr")
    expect(rows).to_have_count(3)
    expect(page.locator(".relations-graph svg")).to_contain_text("Walter Brandt")
    page.get_by_role("link", name="Nadia Farouk and Walter Brandt").press("Enter")
    panel = page.locator(".relations-panel")
    expect(panel.get_by_role("heading", level=2)).to_have_text("Nadia Farouk and Walter Brandt")
    expect(panel.get_by_role("link", name="read it").first).to_be_visible()
    no_faults(page)
    page.goto(served.at("/run/town/relations?at=1-00:00"))
    expect(rows).to_have_count(0)
    page.get_by_label("Up to").select_option("Monday 6 May, 10:00")
    page.get_by_role("button", name="Show").press("Enter")
    page.wait_for_url("**at=1-10*")
    expect(rows).not_to_have_count(0)


def test_hostile_texts_and_names_stay_text_on_every_page(served: Served, browser: Browser) -> None:
    with new_page(browser, viewport=PHONE, reduced_motion="reduce") as page:
        page.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
        for path in PAGES:
            page.goto(served.at(f"/run/spoiled/{path}"))
            expect(page.locator(".frame-main")).to_be_visible()
            expect(page.locator(".frame-main")).to_contain_text(IMAGE)
            assert page.locator("img").count() == 0
            assert fits(page), path
        page.goto(served.at(f"/run/spoiled/relations?who={NAME}"))
        expect(page.locator(".relations-panel h2")).to_have_text(NAME)
        graph = page.locator(".relations-graph")
        expect(graph.locator("svg")).to_contain_text("<img src=x")
        graph.hover()
        assert page.locator("img").count() == 0
        no_faults(page)


def test_a_run_that_is_not_there_is_a_calm_sentence(served: Served, browser: Browser) -> None:
    with new_page(browser, expected=["404"]) as page:
        for path in PAGES[:2]:
            answer = page.goto(served.at(f"/run/nowhere/{path}"))
            assert answer is not None and answer.status == 404
        expect(page.get_by_text("There is no run 'nowhere'")).to_be_visible()
