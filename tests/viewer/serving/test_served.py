"""The app as it is served: what it shows, what it refuses, and that it writes nothing."""

import hashlib
import http.client
import json
import os
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from tests.fixtures.browser import new_page
from tests.fixtures.viewing import Served, serving
from tests.fixtures.waiting import HANGING

UNSHOWN = ("later", "damaged", "unbegun")
"""Runs that cannot be shown."""
SPOILT = ("broken", "cut")
"""Runs whose history is damaged."""
HOLED = "holed"
"""A run whose history is damaged behind its first pages."""
SOCKET = """() => new Promise((done) => {
  const address = `ws://${location.host}/_nicegui_ws/socket.io/?EIO=4&transport=websocket`;
  const socket = new WebSocket(address);
  socket.onopen = () => done("open");
  socket.onerror = () => done("refused");
})"""
"""Opens a websocket as the page would, and tells how it went."""
NO_SUCH = ("Failed to load resource",)
"""What the browser itself says of a page that is not there."""


@pytest.fixture(scope="module")
def served(lived_runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app over the lived run, three that cannot be shown and three whose history is damaged."""
    runs = tmp_path_factory.mktemp("some") / "runs"
    shutil.copytree(lived_runs, runs)
    for name in (*UNSHOWN, *SPOILT, HOLED):
        (runs / name).mkdir()
        shutil.copy(runs / "town" / "run.json", runs / name / "run.json")
    _spoil(runs / "later" / "run.json", format=99)
    (runs / "damaged" / "run.json").write_text("{", encoding="utf-8")
    (runs / "broken" / "town.sqlite").write_bytes(b"no history at all" * 400)
    shutil.copy(runs / "town" / "town.sqlite", runs / "cut" / "town.sqlite")
    os.truncate(
        runs / "cut" / "town.sqlite", (runs / "cut" / "town.sqlite").stat().st_size * 6 // 10
    )
    whole = (runs / "town" / "town.sqlite").read_bytes()
    half, rest = len(whole) // 2, len(whole) // 4
    holed = whole[:half] + b"\xa5" * rest + whole[half + rest :]
    (runs / HOLED / "town.sqlite").write_bytes(holed)
    for name in (*UNSHOWN, *SPOILT, HOLED):
        os.utime(runs / name / "run.json", (1, 1))
    with serving(runs) as app:
        yield app


def _spoil(path: Path, **changed: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **changed}), encoding="utf-8")


def answer(
    served: Served, path: str, *, method: str = "GET", host: str = "", **headers: str
) -> tuple[int, dict[str, str], str]:
    """Ask as no browser would, with the token: path and headers go out as they are."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=HANGING)
    cookie = f"smolville-{served.port}={served.token}"
    sent = {"Host": host or f"127.0.0.1:{served.port}", "Cookie": cookie}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, headers=sent)
    found = connection.getresponse()
    body = found.read().decode()
    connection.close()
    return found.status, {name.lower(): value for name, value in found.getheaders()}, body


def test_what_cannot_be_shown_is_a_sentence_with_a_way_on(served: Served, browser: Browser) -> None:
    said = {
        "nobody": "There is no run 'nobody' in ",
        "later": "Run 'later' was made by a later Smolville",
        "damaged": "run.json of run 'damaged' is damaged",
        "unbegun": "The run unbegun has not started: it was created, but never begun.",
        "<b>x": "'<b>x' cannot name a run",
    }
    with new_page(browser, expected=NO_SUCH) as page:
        for name, sentence in said.items():
            page.goto(served.at("/run/" + name.replace("<", "%3C").replace(">", "%3E")))
            shown = page.locator(".calm-sentence")
            assert sentence in shown.inner_text()
            assert "Traceback" not in page.content()
            assert page.locator(".frame-main a").get_attribute("href") == "/start"
        page.goto(served.at("/no/such/page"))
        assert "There is no page" in page.locator(".calm-sentence").inner_text()


def test_a_damaged_history_is_a_sentence(served: Served, browser: Browser) -> None:
    with new_page(browser, expected=(*NO_SUCH, "damaged")) as page:
        for name in SPOILT:
            page.goto(served.at(f"/run/{name}"))
            expect(page.get_by_role("alert")).to_contain_text(f"history of run '{name}' is damaged")


@pytest.mark.parametrize(
    "path",
    [
        "/run/%2e%2e",
        "/replay/.hidden/head.json",
        "/replay/%2e%2e/head.json",
        "/stage/..%2f..%2fpages.py",
        "/stage/%2e%2e/pages.py",
    ],
)
def test_no_path_leads_out_of_the_folder(served: Served, path: str) -> None:
    status, _, body = answer(served, path)
    assert status == 404
    assert "import" not in body or body.lstrip().startswith("<!doctype html>")
    assert "Traceback" not in body


def test_strangers_are_refused_over_the_wire(served: Served) -> None:
    own = f"http://127.0.0.1:{served.port}"
    assert answer(served, "/run/town")[0] == 200
    assert answer(served, "/run/town", host="evil.example")[0] == 403
    for method in ("GET", "POST", "PUT", "DELETE", "OPTIONS"):
        asked = answer(served, "/run/town", method=method, Origin="http://evil.example")
        assert asked[0] == 403
        assert "access-control-allow-origin" not in asked[1]
    socket = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    assert answer(served, socket, Origin="http://evil.example", **upgrade)[0] == 403
    assert answer(served, socket, host="evil.example", Origin=own, **upgrade)[0] == 403
    polling = "/_nicegui_ws/socket.io/?EIO=4&transport=polling"
    assert answer(served, polling, Origin="http://evil.example")[0] == 403
    assert answer(served, polling, Origin=own)[0] == 200


def test_the_token_moves_from_the_address_into_a_cookie(served: Served, browser: Browser) -> None:
    with new_page(browser, expected=("WebSocket",)) as page:
        page.goto(served.at("/run/town/story?day=1"))
        page.wait_for_url("**/run/town/story?day=1")
        page.goto(f"{served.root}/start")
        page.get_by_role("heading").first.wait_for()
        assert page.evaluate(SOCKET) == "open"
        (cookie,) = page.context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
        page.context.clear_cookies()
        assert page.evaluate(SOCKET) == "refused"


def test_whoever_watches_writes_nothing(served: Served, browser: Browser) -> None:
    history = served.runs / "town" / "town.sqlite"
    before = hashlib.sha256(history.read_bytes()).hexdigest()
    with new_page(browser) as page:
        page.goto(served.at("/run/town?at=1-14:30"))
        page.locator("#stage canvas").first.wait_for()
    assert hashlib.sha256(history.read_bytes()).hexdigest() == before
    assert not (served.runs / "town" / "pulse.json").exists()
    with (
        RunReader(RunFolder.open(served.runs, "town")) as reader,
        pytest.raises(sqlite3.OperationalError, match="readonly"),
    ):
        reader.connection.execute("DELETE FROM moves")


def test_it_ends_at_once_while_somebody_watches(lived_runs: Path, browser: Browser) -> None:
    gone = ("Failed to load resource", "WebSocket", "ERR_", "Failed to fetch")
    with serving(lived_runs) as app, new_page(browser, expected=gone) as page:
        page.goto(app.at("/run/town"))
        page.locator("#stage canvas").first.wait_for()
        assert app.end(signal.SIGTERM) == 0
        assert app.errors == ""
