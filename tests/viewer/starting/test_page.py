"""The guided start in a real browser: a run is begun, watched, held, gone on with and compared."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from smolville.history.folder import RunFolder, list_runs
from tests.fixtures.browser import new_page, no_faults
from tests.fixtures.tiny_gguf import write_tiny_gguf
from tests.fixtures.viewing import Served, copied, serving
from tests.fixtures.waiting import until

PHONE = {"width": 390, "height": 844}
COVERING = """[...document.querySelectorAll('.runs td')].filter((cell) => {
  const words = document.createRange();
  words.selectNodeContents(cell);
  return words.getBoundingClientRect().right > cell.getBoundingClientRect().right;
}).map((cell) => cell.textContent)"""
"""Texts that lie over the next column of the table of runs."""


@pytest.fixture(scope="module")
def app(lived_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app over the lived run, one that was never begun and one whose history is none."""
    runs = tmp_path_factory.mktemp("start") / "runs"
    shutil.copytree(lived_runs, runs)
    for name in ("unbegun", "broken"):
        (runs / name).mkdir()
        shutil.copy(runs / "town" / "run.json", runs / name)
    (runs / "broken" / "town.sqlite").write_bytes(b"no history at all" * 400)
    with serving(runs) as served:
        yield served


def test_a_run_is_begun_held_gone_on_with_and_compared(app: Served, browser: Browser) -> None:
    with new_page(browser, viewport=PHONE) as page:
        page.goto(app.at("/start"))
        expect(page.get_by_role("link", name="town", exact=True)).to_be_visible()
        expect(page.get_by_role("status").filter(has_text="3 of 25 chosen")).to_be_visible()
        broken = page.get_by_role("row").filter(
            has=page.get_by_role("link", name="broken", exact=True)
        )
        expect(broken).to_contain_text("is damaged")
        expect(broken.get_by_role("link")).to_have_attribute("href", "/run/broken")
        no_faults(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("radio", name="1 person").press("Space")
        expect(page.get_by_role("status").filter(has_text="1 of 25 chosen")).to_be_visible()
        expect(page.locator(".person.is-chosen")).to_contain_text("owns the Copper Kettle Cafe")
        assert page.locator(".person.is-chosen town-face canvas").count() == 1
        page.get_by_role("button", name="Choose one by one").press("Enter")
        page.get_by_role("checkbox", name="Walter Brandt").press("Space")
        expect(page.get_by_role("status").filter(has_text="2 of 25 chosen")).to_be_visible()
        expect(page.get_by_role("radio", name="1 person")).not_to_be_checked()
        page.get_by_label("Name", exact=True).fill("town")
        page.get_by_role("button", name="Open the town").press("Enter")
        expect(page.get_by_role("status").filter(has_text="'town'")).to_be_visible()
        page.get_by_label("Name", exact=True).fill("begun")
        page.get_by_label("Seed").fill("42")
        page.get_by_role("radio", name="a week").press("Space")
        said = page.get_by_role("status").filter(has_text="Nadia Farouk and Walter Brandt, a week")
        expect(said).to_contain_text("Built-in stand-in; under a minute")
        page.get_by_role("button", name="Open the town").press("Enter")
        page.wait_for_url("**/run/begun*")
        page.locator("#stage canvas").first.wait_for()
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Pause run").press("Enter")
        expect(page.locator(".chip")).to_contain_text("paused")
        # The menu folded when something was chosen in it, and is what the next key opens.
        menu = page.get_by_role("button", name="Menu")
        expect(menu).to_have_attribute("aria-expanded", "false")
        expect(menu).to_be_focused()
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        expect(menu).to_have_attribute("aria-expanded", "false")
        expect(menu).to_be_focused()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Go on").press("Enter")
        expect(page.locator(".chip")).to_contain_text("living")
        spec = RunFolder.open(app.runs, "begun").spec
        assert (*spec.cast, spec.seed) == ("Nadia Farouk", "Walter Brandt", 42)
        page.goto(app.at("/start"))
        # Whoever has gone to a button stays there while the run lives on.
        named = page.get_by_role("link", name="begun", exact=True)
        row = page.get_by_role("row").filter(has=named)
        pause = row.get_by_role("button", name="Pause")
        pause.focus()
        lived = row.locator("[data-head=lived]").inner_text()
        expect(row.locator("[data-head=lived]")).not_to_have_text(lived)
        expect(pause).to_be_focused()
        pause.press("Enter")
        expect(row.get_by_role("button", name="Go on")).to_be_visible()
        page.goto(app.at("/compare?a=town&at=1-09:30"))
        page.get_by_label("The other one").click()
        page.get_by_role("option", name="begun", exact=True).click()
        page.get_by_role("button", name="Compare").press("Enter")
        page.wait_for_url("**/compare?a=town&b=begun&at=1-09*")
        expect(page.locator("#stage canvas").nth(1)).to_be_visible()


def test_a_run_that_was_never_begun_becomes_the_town_once_it_is(app: Served, page: Page) -> None:
    page.goto(app.at("/run/unbegun"))
    expect(page.locator(".calm-sentence")).to_contain_text("The run unbegun has not started")
    no_faults(page)
    shutil.copy(app.runs / "town" / "town.sqlite", app.runs / "unbegun")
    page.locator("#stage canvas").first.wait_for()


def test_a_file_on_this_machine_is_offered_and_becomes_the_towns_model(
    lived_runs: Path, tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = tmp_path / "cache" / "llama.cpp" / "tiny.gguf"
    file.parent.mkdir(parents=True)
    write_tiny_gguf(file)
    runs = copied(lived_runs, tmp_path)
    spec = runs / "town" / "run.json"
    spec.write_text(spec.read_text().replace('"standin"', '"standin:mistakes=0.4"'))
    with serving(runs) as served, new_page(browser) as page:
        page.goto(served.at("/start"))
        page.locator(".runs td").first.wait_for()
        assert page.evaluate(COVERING) == []
        card = page.get_by_role("radio", name="tiny")
        expect(page.locator(".choice", has=card)).to_contain_text("a file of this machine")
        expect(page.locator(".choice", has=card)).to_contain_text("calls")
        page.get_by_role("radio", name="a morning").press("Space")
        card.press("Space")
        expect(page.get_by_role("status").filter(has_text="Who thinks: tiny")).to_be_visible()
        page.get_by_role("button", name="Open the town").press("Enter")
        page.wait_for_url("**/run/*-*")
        (name,) = until(lambda: set(list_runs(served.runs)) - {"town"}, "the run's folder")
        assert RunFolder.open(served.runs, name).spec.models.fast == f"gguf:{file}"
