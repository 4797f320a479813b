"""The real `langgraph dev`, offline and without a key, runs every graph through its own client."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.fixtures.loopback import free_port
from tests.fixtures.waiting import HANGING, until

if TYPE_CHECKING:
    from langgraph_sdk.client import LangGraphClient

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "langgraph.json"
GRAPHS = json.loads(CONFIG.read_text())["graphs"]
STEPS = [name for name in GRAPHS if name.startswith("step: ")]
LOG = "server.log"
OWN = ("LANG", "SMOLVILLE_")
"""How variables begin that would tell the server or the model something."""

pytestmark = pytest.mark.skipif(
    find_spec("langgraph_cli") is None or find_spec("langgraph_api") is None,
    reason="langgraph-cli[inmem] is not installed",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the server is started in, and watches."""
    made = tmp_path_factory.mktemp("studio")
    shutil.copy(CONFIG, made)
    return made


@pytest.fixture(scope="module")
def studio(folder: Path) -> Iterator[str]:
    """The address of a server, started as the documentation says, and stopped at last."""
    port, log = free_port(), folder / LOG
    command = Path(sysconfig.get_path("scripts")) / "langgraph"
    told = {name: value for name, value in os.environ.items() if not name.startswith(OWN)}
    told |= {
        "PYTHONPATH": str(ROOT / "src"),
        "SMOLVILLE_MODEL": "standin",
        # Neither does it ask the package index what is newer.
        "LANGGRAPH_NO_VERSION_CHECK": "true",
    }
    asked = [
        *(sys.executable, command, "dev", "--no-browser"),
        *("--host", "127.0.0.1", "--port", str(port)),
    ]
    with log.open("wb") as out:
        server = subprocess.Popen(asked, cwd=folder, env=told, stdout=out, stderr=out)
        try:
            url = f"http://127.0.0.1:{port}"
            _wait(server, url, log)
            yield url
        finally:
            server.terminate()
            try:
                server.wait(timeout=HANGING)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _wait(server: "subprocess.Popen[bytes]", url: str, log: Path) -> None:
    until(lambda: server.poll() is not None or _answers(url), "the server of langgraph dev")
    if server.poll() is not None:
        pytest.fail(f"langgraph dev did not start:\n{log.read_text(errors='replace')[-4000:]}")


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/ok", timeout=HANGING).is_success
    except httpx.TransportError:
        return False


@pytest.fixture(scope="module")
def done(studio: str) -> dict[str, dict[str, Any]]:
    """What every graph gave for its form as it stands, all of them asked at once."""

    async def run() -> dict[str, dict[str, Any]]:
        async with _client(studio) as client:
            found = await asyncio.gather(*(_submitted(client, name) for name in GRAPHS))
        return dict(zip(GRAPHS, found, strict=True))

    return asyncio.run(run())


def _client(url: str) -> "LangGraphClient":
    from langgraph_sdk import get_client

    return get_client(url=url, api_key=None)


async def _submitted(client: "LangGraphClient", name: str, **changed: Any) -> dict[str, Any]:
    (assistant,) = await client.assistants.search(graph_id=name)
    form = (await client.assistants.get_schemas(assistant["assistant_id"]))["input_schema"]
    assert form is not None
    drawn = await client.assistants.get_graph(assistant["assistant_id"], xray=True)
    assert any(str(node["id"]).endswith(":ask") for node in drawn["nodes"])
    filled = {field: told["default"] for field, told in form["properties"].items()}
    given: Any = await client.runs.wait(None, name, input=filled | changed, raise_error=False)
    return dict(given)


def test_a_step_is_answered_as_its_form_stands(done):
    for step in STEPS:
        told = done[step]
        assert told["answered_by"] == "standin: chosen by you."
        assert told["result"]["outcome"] == "clean" and told["result"]["answer"], step
        (attempt,) = told["steps"][0]["attempts"]
        assert attempt["messages"] and json.loads(attempt["reply"])


def test_a_thought_is_lived_as_its_form_stands(done):
    told = done["mind"]
    assert told["result"]["intent"]["start_talk"] == "Milo Varga"
    assert told["nodes"] == ["feel_needs", "perceive", "react"]


def test_a_talk_is_held_as_its_form_stands(done):
    told = done["talk"]["result"]
    assert {line["speaker"] for line in told["lines"]} == {"Rosa Marin", "Milo Varga"}


@pytest.mark.parametrize("kind", ["llamacpp", "gguf"])
def test_a_model_is_asked_without_stopping_the_loop(studio, llamacpp_url, tiny_gguf, kind):
    # Its answers are noise: what matters is that they come, as many as a step may take.
    specs = {
        "llamacpp": f"llamacpp:{llamacpp_url}",
        "gguf": f"gguf:{tiny_gguf}",
    }

    async def run() -> dict[str, Any]:
        async with _client(studio) as client:
            return await _submitted(client, "step: heed_inner_voice", model=specs[kind])

    told = asyncio.run(run())
    assert "__error__" not in told
    assert told["answered_by"].startswith(specs[kind])
    attempts, outcome = told["steps"][0]["attempts"], told["result"]["outcome"]
    assert all(attempt["reply"] and attempt["reply_tokens"] for attempt in attempts)
    assert attempts[-1]["accepted"] == (outcome != "fallback")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"model": "olama:mistral"}, "Did you mean ollama:mistral?"),
        ({"moment": "nowhere/6bfdcda4"}, "nowhere"),
    ],
)
def test_what_cannot_be_used_is_told_in_a_sentence(studio, changed, told):
    async def run() -> dict[str, Any]:
        async with _client(studio) as client:
            return await _submitted(client, "step: plan_day", **changed)

    error = asyncio.run(run())["__error__"]
    assert error["error"] == "FormError" and told in error["message"]


def test_a_thread_keeps_the_form_and_the_answer_and_streams_what_runs_within(studio):
    async def run() -> tuple[set[str], dict[str, Any]]:
        async with _client(studio) as client:
            thread = (await client.threads.create())["thread_id"]
            parts = client.runs.stream(
                thread,
                "mind",
                input={"inner_voice": ""},
                stream_mode="updates",
                stream_subgraphs=True,
            )
            within = {node async for part in parts for node in part.data}
            state = await client.threads.get_state(thread)
            return within, dict(state["values"])

    within, values = asyncio.run(run())
    assert {"perception", "perceive", "react", "ask", "parse", "mind"} <= within
    assert values["inner_voice"] == "" and values["result"]["intent"]["start_talk"] == "Milo Varga"


def test_an_edited_file_starts_the_server_anew_and_a_town_that_lives_says_nothing(studio, folder):
    (folder / "runs" / "first").mkdir(parents=True)
    (folder / "runs" / "first" / "town.sqlite").write_text("a commit")
    (folder / "edited.py").write_text("")

    def logged() -> str:
        return (folder / LOG).read_text(encoding="utf-8", errors="replace")

    until(lambda: "detected changes in 'edited.py'. Reloading" in logged(), "a reload")
    assert "changes detected" not in logged() and "change detected" not in logged()
