"""The bar of a living run: how far it is, and who waits for the model's answer."""

import asyncio
import os
import pty
import re
import select
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langchain_core.messages.ai import UsageMetadata

import smolville.cli.run.progress as run_progress
from smolville.cli.console import PlainTextConsole
from smolville.cli.run.progress import RunProgress
from smolville.graphs.loop.ledger import AskEvent
from smolville.history.folder import RunFolder
from smolville.history.progress_file import read_pulse
from smolville.lab.duration import Estimate
from tests.cli.conftest import Command
from tests.fixtures.loopback import serve
from tests.fixtures.standin_server import Body, StandInServer
from tests.fixtures.viewing import MAIN, surroundings
from tests.fixtures.waiting import HANGING, until
from tests.fixtures.warm import warm

CODES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
SECOND = re.compile(r"(Ada Brook|Ben \w+), \w+, second try, \d+ s · 1 more thinking")


def progress(**more: Any) -> RunProgress:
    return RunProgress(
        start_date=date(2024, 5, 6),
        tick_seconds=10,
        estimate=Estimate(agents=3, goal=86_400),
        is_verbose=False,
        **more,
    )


def drawn(shown: RunProgress, width: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the lines that a terminal of a width shows."""
    screen = PlainTextConsole(width=width)
    monkeypatch.setattr(run_progress, "console", lambda **_: screen)
    with screen.capture() as held:
        screen.print(shown, crop=False)
    return [line.rstrip() for line in held.get().splitlines()]


@pytest.mark.parametrize("width", [60, 120])
def test_the_bar_gives_way_to_the_clock_and_the_percentage(
    monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    first = drawn(progress(note="waiting for the server, 30 s"), width, monkeypatch)[0]
    assert first.startswith("Mon 6 May 00:00  ")
    assert "0%  waiting for the server, 30 s" in first
    assert len(first) <= width


def test_the_line_below_says_who_waits_and_is_there_always(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = progress()
    assert len(drawn(shown, 80, monkeypatch)) == 3
    assert drawn(shown, 80, monkeypatch)[2] == ""
    shown.asks(
        "Ada Brook", AskEvent(agent="Ada \x1b[2JBrook", step="plan_day", ordinal=0, attempt=1)
    )
    shown.asks("talk/1", AskEvent(agent="Ben Hollis", step="say", ordinal=0, attempt=0))
    told = r"Ada \x1b[2JBrook, plan_day, second try · 1 more thinking"
    assert drawn(shown, 80, monkeypatch)[2] == told
    lines = drawn(shown, 40, monkeypatch)
    assert lines[-1] == r"Ada \x1b[2JBrook, plan_day, second try"
    assert drawn(shown, 20, monkeypatch)[-1] == r"Ada \x1b[2JBrook, p…"
    shown.asks("Ada Brook", None)
    shown.asks("talk/1", None)
    assert drawn(shown, 80, monkeypatch)[2] == ""


def test_off_a_terminal_a_line_tells_who_waits_for_a_model(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = progress(is_real=True)
    with shown.show_bar(with_bar=True, every=0.01):
        assert shown.wants_asks
        shown.asks("Ada", AskEvent(agent="Ada Brook", step="plan_day", ordinal=0, attempt=1))
        seen: list[str] = []

        def is_said() -> bool:
            seen.append(capsys.readouterr().err)
            return "Ada Brook, plan_day, second try" in "".join(seen)

        until(is_said, "a line about Ada's second try")
    assert not shown.wants_asks
    line = next(line for line in "".join(seen).splitlines() if "Ada Brook" in line)
    assert line.startswith("Mon 6 May 00:00 · 0 calls of about 141 · Ada Brook, plan_day")


class Reluctant(StandInServer):
    """Answers nothing of use to the first two questions, and the next ones only when let go."""

    def __init__(self) -> None:
        super().__init__()
        self.may_answer = threading.Event()
        self.count = 0

    async def answer(self, body: Body, options: Body) -> AIMessage:
        self.count += 1
        while self.count > 2 and not self.may_answer.is_set():
            await asyncio.sleep(0.02)
        return AIMessage(
            "I would rather not.",
            response_metadata={"finish_reason": "stop"},
            usage_metadata=UsageMetadata(input_tokens=20, output_tokens=5, total_tokens=25),
        )


@contextmanager
def at_a_terminal(smolville: Command, *words: str) -> Iterator[int]:
    """A real run of two people at a terminal of its own; killed with the block."""
    where = ("--runs", str(smolville.runs), "--town", str(smolville.town))
    line = ["-c", MAIN, "run", "amber", *where, "--agents", "Ada,Ben", "--headless", *words]
    env = surroundings(TERM="xterm-256color", COLUMNS="100", LINES="24")
    leader, follower = pty.openpty()
    with warm(line, smolville.runs.parent, env, terminal=dict.fromkeys(range(3), follower)):
        os.close(follower)
        yield leader
    os.close(leader)


def read_until(leader: int, pattern: re.Pattern[str]) -> str:
    """Return what a terminal was sent, as soon as the pattern is in its text."""
    said, ends = b"", time.monotonic() + HANGING
    while not pattern.search(CODES.sub("", text := said.decode(errors="replace"))):
        ready, _, _ = select.select([leader], [], [], ends - time.monotonic())
        assert ready, f"{pattern.pattern!r} was never shown:\n{text[-600:]}"
        said += os.read(leader, 65_536)
    return text


def _is_second(pulse: dict[str, Any] | None) -> bool:
    """Return whether a pulse says that two think, and that the first one is asked again."""
    tries = [each["try"] for each in (pulse or {}).get("thinking", ())]
    return len(tries) == 2 and tries[0] == "second try"


def test_a_terminal_and_the_pulse_say_who_waits_at_which_try(smolville: Command) -> None:
    server = Reluctant()
    with serve(server.app()) as url:
        try:
            with at_a_terminal(smolville, "--model", f"llamacpp:{url}") as leader:
                said = read_until(leader, SECOND)
                folder = RunFolder.open(Path(smolville.runs), "amber")
                until(lambda: _is_second(read_pulse(folder)), "the same words in the pulse")
        finally:
            server.may_answer.set()
    # What moves the cursor was sent, not written out.
    assert "\x1b[2K" in said
    assert "\\x1b" not in said
