"""A run as one file: opened from disk, with the network refused, it plays."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from smolville.agents.errors import RunError
from smolville.history.folder import RunFolder
from smolville.viewer.export import ExportedPage, replay_of, take
from smolville.viewer.export import page as page_of
from tests.fixtures.browser import new_page, when_drawn_in_file

TRESPASS = """() => {
    const make = (tag) => document.createElement(tag);
    const add = (tag, given) => document.body.append(Object.assign(make(tag), given));
    window.refused = [];
    const heard = ({ effectiveDirective }) => refused.push(effectiveDirective);
    document.addEventListener("securitypolicyviolation", heard);
    add("script", { textContent: "window.bad = 1" });
    add("img", { src: "http://127.0.0.1:9/x.png" });
    fetch("http://127.0.0.1:9/").catch(() => {});
}"""


@pytest.fixture(scope="module")
def folder(lived_runs: Path) -> RunFolder:
    """A day of three agents."""
    return RunFolder.open(lived_runs, "town")


@pytest.fixture(scope="module")
def taken(folder: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> ExportedPage:
    """The day as a file."""
    return take(folder, tmp_path_factory.mktemp("exported") / "my town.html")


@pytest.fixture
def offline(browser: Browser) -> Iterator[Page]:
    """A page without a network."""
    with new_page(browser, offline=True, accept_downloads=False) as page:
        yield page


def test_a_file_plays_from_disk_with_the_network_refused(
    taken: ExportedPage, offline: Page
) -> None:
    asked: list[str] = []
    offline.on("request", lambda request: asked.append(request.url))
    address = taken.path.as_uri()
    offline.goto(f"{address}?at=1-10:00&speed=8&play=1&who=Nadia+Farouk")
    expect(offline.get_by_role("heading", name="Nadia Farouk")).to_be_visible()
    when_drawn_in_file(offline, "stage.clock.at > 36000 + 60")
    offline.get_by_role("tab", name="Memories").click()
    expect(offline.locator(".memory").first).to_be_visible()
    offline.get_by_role("tab", name="Talks").click()
    expect(offline.locator(".bubble").first).to_be_visible()
    offline.get_by_role("tab", name="Feed").click()
    expect(offline.get_by_role("article").first).to_be_visible()
    for name in ("Take part", "Why", "Fork here", "Pause run"):
        expect(offline.get_by_role("button", name=name)).to_have_count(0)
    assert [url.split("?")[0] for url in asked] == [address]


def test_a_file_may_run_its_own_script_and_nothing_else(
    taken: ExportedPage, browser: Browser
) -> None:
    with new_page(browser, expected=("Content Security Policy",)) as page:
        page.goto(taken.path.as_uri())
        when_drawn_in_file(page)
        page.evaluate(TRESPASS)
        when_drawn_in_file(page, "window.refused.length === 3")
        found = page.evaluate("[refused.sort(), window.bad === undefined]")
    assert found == [["connect-src", "img-src", "script-src-elem"], True]


def test_a_hostile_name_stays_a_text(folder: RunFolder) -> None:
    replay = replay_of(folder)
    html = page_of(replay, "</title><script>alert(1)</script>")
    assert "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>" in html
    assert html.count("</script>") == 2


def test_a_run_in_which_nothing_was_lived_is_refused(folder: RunFolder, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "run.json").write_bytes((folder.path / "run.json").read_bytes())
    with pytest.raises(RunError, match="The run 'empty' has not started: smolville run"):
        take(RunFolder.open(tmp_path, "empty"), tmp_path / "x.html")
    (empty / "town.sqlite").write_bytes(b"no history at all" * 400)
    with pytest.raises(RunError, match="history of run 'empty' is damaged"):
        take(RunFolder.open(tmp_path, "empty"), tmp_path / "x.html")
    assert not (tmp_path / "x.html").exists()
