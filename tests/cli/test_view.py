"""`smolville view`, as it is typed: addresses, refusals, and its end."""

import http.client
import signal
import socket
import stat
import subprocess
import sys
import webbrowser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from smolville.cli.server import NO_BROWSER, ViewTarget, open_browser
from smolville.history.folder import list_runs
from tests.cli.conftest import Command
from tests.fixtures.viewing import serving, surroundings
from tests.fixtures.waiting import HANGING


def status(port: int, path: str, host: str = "") -> int:
    """How the app answers on loopback, asked by this name."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANGING)
    connection.request("GET", path, headers={"Host": host or f"127.0.0.1:{port}"})
    found = connection.getresponse().status
    connection.close()
    return found


@pytest.mark.parametrize(
    ("run", "at", "speed", "path"),
    [
        ("amber", None, None, "/run/amber"),
        ("amber", "1 14:30", "8", "/run/amber?at=1-14:30&speed=8"),
        ("ünter", None, "live", "/run/%C3%BCnter?speed=live"),
    ],
)
def test_the_address_carries_run_time_and_speed(
    run: str | None, at: str | None, speed: str | None, path: str
) -> None:
    assert ViewTarget.read(run, at=at, speed=speed).path("latest") == path


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("nobody",), "There is no run 'nobody' in "),
        (("../x",), "'../x' cannot name a run"),
        (("--at", "noon"), "--at: 'noon' is not a town time"),
        (("--speed", "3"), "--speed '3' is invalid: use 1, 2, 4, 8, 16, 32, 64 or live."),
        (("--token", "two words"), "--token: use letters, digits"),
        (("--host", "203.0.113.9"), "nothing can be served at 203.0.113.9"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    smolville: Command, words: tuple[str, ...], told: str
) -> None:
    said = smolville("view", *words, "--no-browser")
    assert said.code in (1, 2)
    assert said.out == ""
    assert told.lower() in said.err.lower()
    assert len(said.err.strip().splitlines()) == 1


def test_a_port_in_use_is_one_sentence(smolville: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = smolville("view", "--no-browser", "--port", str(port))
    assert said.code == 2
    assert f"port {port} of 127.0.0.1 is in use; choose another --port" in said.err.lower()
    assert len(said.err.strip().splitlines()) == 1


def test_it_prints_one_address_and_ends_clean_on_ctrl_c(tmp_path: Path) -> None:
    with serving(tmp_path / "runs") as app:
        assert app.told.strip() == f"http://127.0.0.1:{app.port}/start?token={app.token}"
        assert status(app.port, f"/stage/styles/theme.css?token={app.token}") == 200
        assert app.end(signal.SIGINT) == 0
        assert app.errors == ""


def test_ctrl_c_ends_it_clean_before_the_app_is_ready_too(tmp_path: Path) -> None:
    with serving(tmp_path / "runs") as app:
        assert app.end(signal.SIGINT) == 0, app.errors
        assert app.errors == ""


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_only_the_token_in_the_address_opens_the_page(tmp_path: Path, host: str) -> None:
    with serving(tmp_path / "runs", "--host", host) as app:
        assert len(app.token) >= 20
        path = app.address.removeprefix(app.root)
        assert status(app.port, "/stage/styles/theme.css") == 403
        assert status(app.port, "/start?token=guessed") == 403
        assert status(app.port, path) == 200
        assert status(app.port, path, host=f"evil.example:{app.port}") == 403


def test_a_token_of_ones_own_is_asked_for(tmp_path: Path) -> None:
    with serving(tmp_path / "runs", "--token", "mine-1") as app:
        assert app.token == "mine-1"
        assert status(app.port, "/start") == 403


def test_no_browser_is_a_plain_sentence(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def none(using: str | None = None) -> webbrowser.BaseBrowser:
        raise webbrowser.Error("could not locate runnable browser")

    monkeypatch.setattr(webbrowser, "get", none)
    open_browser("http://127.0.0.1:1/", tmp_path).join(10)
    assert capfd.readouterr().err.strip() == NO_BROWSER


def test_the_default_browser_gets_a_file_that_only_its_owner_reads_and_no_token(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[str] = []

    def opens(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr(webbrowser, "get", lambda using=None: webbrowser.Chrome("chrome"))
    monkeypatch.setattr(webbrowser, "open", opens)
    open_browser("http://127.0.0.1:1/start?at=1-08:00&token=secret", tmp_path).join(10)
    (address,) = opened
    path = Path(unquote(urlsplit(address).path))
    assert address.startswith("file://") and "secret" not in address
    assert path.parent == tmp_path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "url=http://127.0.0.1:1/start?at=1-08:00&amp;token=secret" in path.read_text()
    assert list_runs(tmp_path) == []


def test_the_file_for_the_browser_is_gone_when_the_process_has_ended(tmp_path: Path) -> None:
    source = (
        "import webbrowser; from pathlib import Path;"
        "from smolville.cli.server import open_browser;"
        "webbrowser.get = lambda using=None: webbrowser.Chrome('chrome');"
        "webbrowser.open = print; open_browser('http://127.0.0.1:1/', Path.cwd()).join()"
    )
    line = [sys.executable, "-c", source]
    done = subprocess.run(line, cwd=tmp_path, env=surroundings(), capture_output=True, text=True)
    assert (done.returncode, done.stdout.startswith("file://")) == (0, True), done.stderr
    assert list(tmp_path.iterdir()) == []
