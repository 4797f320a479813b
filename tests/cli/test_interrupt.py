"""Ctrl-C, a server that goes away, and a killed process: everything committed stays."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from smolville.agents.times import moment, read_moment
from tests.cli.conftest import Command
from tests.fixtures.faulty_server import PROPS, template
from tests.fixtures.loopback import serve
from tests.fixtures.waiting import until
from tests.fixtures.warm import WarmProcess, warm

HOUSE = Path(__file__).resolve().parents[2]
MAIN = """
import signal
from smolville.cli.main import main
signal.signal(signal.SIGINT, signal.default_int_handler)
main()
"""
"""Heeds Ctrl-C, also where the tests were started by a shell that lets its jobs ignore it."""
SLOW = ("--model", "standin", "--agents", "Ada,Ben,Cora", "--for", "900d", "--verbose")


@contextmanager
def begun(command: Command, *words: str) -> Iterator[WarmProcess]:
    """Live a run in a process of its own, from where the town has come to its second hour or so."""
    line = ["-c", MAIN, "run", "amber", "--runs", command.runs, *words]
    with warm(line, HOUSE, {**os.environ, "PYTHONPATH": str(HOUSE / "src")}) as process:
        until(lambda: "\nMon 6 May 1" in process.stderr or process.returncode, "a second hour")
        assert process.returncode is None, process.stderr
        yield process


def test_ctrl_c_saves_everything_and_says_how_to_go_on(smolville: Command) -> None:
    with begun(smolville, "--town", str(smolville.town), *SLOW) as process:
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        out, err = process.stdout, process.stderr
    assert "Traceback" not in err
    last = err.strip().splitlines()[-1]
    assert last.startswith("Interrupted; everything up to the last commit is saved. Go on with: ")
    assert last.endswith(f"smolville run amber --resume --runs {smolville.runs}")
    assert out.startswith("amber: lived up to ")
    assert len(out.splitlines()) == 2
    (row,) = smolville("runs", "--json").json
    assert row["state"] == "paused"
    # However far it came before it heard.
    further = ("--until", moment(read_moment(row["reached"]) + 3 * 3600), "--quiet")
    assert smolville("run", "amber", "--resume", *further).code == 0
    resumed = smolville.digest("amber")
    other = Command(smolville.runs.parent / "other", smolville.town)
    assert other.live("amber", "--cast", "3", *further).code == 0
    assert other.digest("amber") == resumed


def test_beside_its_owner_a_run_is_read_and_wishes_wait_in_its_inbox(smolville: Command) -> None:
    with begun(smolville, "--town", str(smolville.town), *SLOW) as process:
        assert smolville("runs", "--json").json[0]["state"] == "running"
        assert "Ada Brook" in smolville("show", "amber").out
        assert smolville("timeline", "amber").out.startswith("# Smalltown: amber")
        assert "## Monday 6 May" in smolville("timeline", "amber").out
        whispered = smolville("tell", "amber", "ada", "Bake a cake")
        assert "from the next tick on (the run is going on)" in whispered.out
        asked = smolville("interview", "amber", "ben", "How are you?", "--json")
        assert asked.json[0]["agent"] == "Ben Hollis"
        taken = smolville("runs", "amber", "--delete", "--yes")
        assert taken.code == 2
        assert f"in use by process {process.pid}" in taken.err
        second = smolville("run", "amber", "--resume", "--for", "30d")
        assert (second.code, second.out) == (2, "")
        assert second.err.startswith(f"Run 'amber' is in use by process {process.pid}; ")
        assert len(second.err.strip().splitlines()) == 1
        until(lambda: "Bake a cake" in smolville("timeline", "amber").out, "the whisper")
    assert smolville("runs", "--json").json[0]["state"] == "paused"


def test_a_server_that_goes_away_stops_the_run_with_everything_saved(smolville: Command) -> None:
    asked = 0

    async def answer(_: Request) -> JSONResponse:
        nonlocal asked
        asked += 1
        if asked > 4:
            told = {"code": 401, "message": "the server went home"}
            return JSONResponse({"error": told}, 401)
        text = '{"thought": "I will think of it.", "importance": 5}'
        choice = {"index": 0, "finish_reason": "stop", "message": _assistant(text)}
        return JSONResponse({"id": "x", "object": "chat.completion", "choices": [choice]})

    async def props(_: Request) -> JSONResponse:
        return JSONResponse(PROPS)

    routes = [
        Route("/props", props),
        Route("/apply-template", template, methods=["POST"]),
        Route("/v1/chat/completions", answer, methods=["POST"]),
    ]
    with serve(Starlette(routes=routes)) as url:
        town = ("--town", str(smolville.town), "--cast", "1", "--model", f"llamacpp:{url}")
        said = smolville("run", "amber", *town, "--for", "1h")
    assert said.code == 1
    last = said.err.strip().splitlines()[-1]
    assert "Everything up to the last commit is saved." in last
    assert "smolville run amber --resume" in last
    assert smolville("runs", "--json").json[0]["state"] == "new"


def test_a_strict_run_that_stopped_goes_on_with_another_model_only(smolville: Command) -> None:
    where = ("--town", str(smolville.town), "--model", "standin:truncation=1.0", "--for", "8h")
    said = smolville("run", "amber", *where, "--set", "strict=true", "--set", "repairs=0")
    again = smolville("run", "amber", "--resume")
    assert said.code == again.code == 1
    assert "The same model would stop here again: go on with another --model" in said.err
    for stopped in (said, again):
        assert stopped.err.count("--resume") == 1
        assert "smolville run amber --resume --model SPEC" in stopped.err
        assert "--resume" not in stopped.out
    assert smolville("run", "amber", "--resume", "--model", "standin").code == 0


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SMOLVILLE_RUNS", "SMOLVILLE_TRACEBACK", "LLAMA_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def _assistant(text: str) -> dict[str, str]:
    return {"role": "assistant", "content": text}
