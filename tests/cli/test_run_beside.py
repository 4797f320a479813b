"""The page beside a run: there before the first thought, gone with the run's process."""

import http.client
import os
import pty
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

import pytest

from smolville.cli.run import execute as beside
from tests.cli.conftest import Command
from tests.fixtures.viewing import ADDRESS, MAIN, surroundings
from tests.fixtures.waiting import HANGING, until
from tests.fixtures.warm import WarmProcess, warm

LONG = ("--model", "standin", "--agents", "Ada,Ben,Cora", "--for", "900d", "--verbose")
SHORT = ("--model", "standin", "--agents", "Ada,Ben,Cora", "--for", "1h")


@contextmanager
def started(place: Command, *words: str, terminal: int | None = None) -> Iterator[WarmProcess]:
    """A real run; killed with the block where it still lives."""
    where = ("--runs", place.runs, "--town", place.town)
    line = ["-c", MAIN, "run", "amber", *where, *words]
    seen = {} if terminal is None else {0: terminal, 1: terminal}
    with warm(line, place.runs.parent, surroundings(), terminal=seen) as process:
        yield process


def lines_until(process: WarmProcess, pattern: str) -> list[str]:
    """Return the lines on standard error up to the first one with the pattern."""

    def look() -> list[str]:
        lines = process.stderr.splitlines(keepends=True)
        at = next((at for at, line in enumerate(lines) if re.search(pattern, line)), None)
        assert at is not None or process.returncode is None, f"{pattern!r} was never said:\n{lines}"
        return [] if at is None or not lines[at].endswith("\n") else lines[: at + 1]

    return until(look, f"a line with {pattern}")


def page_in(line: str) -> SplitResult:
    """Return the page's address in a line."""
    found = ADDRESS.search(line)
    assert found is not None
    return urlsplit(found.group())


def status(page: SplitResult, path: str, query: str) -> int:
    """How the page's server answers; 0 where nobody serves. It may still be on its way."""
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=HANGING)
    try:
        connection.request("GET", f"{path}?{query}")
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


def answers(page: SplitResult, path: str = "/replay/amber/head.json") -> bool:
    """True when the page is served to whoever has its address, and to nobody else."""
    return status(page, path, page.query) == 200 and status(page, path, "") == 403


def until_gone(page: SplitResult) -> None:
    """Wait until nobody serves there any more."""
    until(lambda: not status(page, "/stage/styles/theme.css", ""), "the end of the page")


def test_the_address_comes_before_the_first_thought_and_the_page_dies_with_the_run(
    smolville: Command,
) -> None:
    with started(smolville, *LONG) as process:
        said = lines_until(process, "^watch ")
        assert [line.split()[0] for line in said] == [
            "run",
            "town",
            "model",
            "memory",
            "until",
            "watch",
        ]
        page = page_in(said[-1])
        assert (page.path, page.query[:6]) == ("/run/amber", "token=")
        assert answers(page)
        assert page.query not in (smolville.runs / "amber" / "run.log").read_text()
        assert page.query[6:] not in _command_lines()
        lines_until(process, "^Mon 6 May ")
        process.kill()
        process.wait()
        until_gone(page)


def _command_lines() -> str:
    """Return the command lines of all processes, as any account on the machine can read them."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found.append(path.read_text(errors="replace"))
    return "\n".join(found)


def test_off_a_terminal_it_ends_with_the_run_and_names_the_command(smolville: Command) -> None:
    with started(smolville, *SHORT) as process:
        code, out, err = process.wait(), process.stdout, process.stderr
    assert code == 0, err
    assert f"watch it          smolville view amber --runs {smolville.runs}" in out
    until_gone(page_in(next(line for line in err.splitlines() if line.startswith("watch "))))


def test_at_a_terminal_it_stays_until_ctrl_c(smolville: Command) -> None:
    leader, follower = pty.openpty()
    try:
        with started(smolville, *SHORT, terminal=follower) as process:
            said = lines_until(process, "^The town is at ")
            assert said[-1].rstrip().endswith(" ; Ctrl-C ends it.")
            page = page_in(said[-1])
            assert answers(page)
            process.send_signal(signal.SIGINT)
            assert process.wait() == 0
            until_gone(page)
    finally:
        os.close(leader)
        os.close(follower)


@pytest.mark.parametrize("words", [("--quiet",), ("--headless",)])
def test_without_a_page_none_is_begun(
    smolville: Command, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("a page was begun")

    monkeypatch.delenv("SMOLVILLE_HEADLESS")
    monkeypatch.setattr(beside.subprocess, "Popen", never)
    said = smolville("run", "amber", "--town", str(smolville.town), *SHORT, *words)
    assert said.code == 0, said.err
    assert "watch it" in said.out
    assert "watch  http" not in said.err


def test_a_page_that_cannot_start_does_not_hurt_the_run(
    smolville: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("SMOLVILLE_HEADLESS")
    monkeypatch.setattr(beside, "own_command", lambda: (str(tmp_path / "nowhere"),))
    said = smolville("run", "amber", "--town", str(smolville.town), *SHORT)
    assert said.code == 0, said.err
    assert said.err.count("There is no page to watch the run") == 1
    assert "Traceback" not in said.err
