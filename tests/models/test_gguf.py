"""A model file: the real llama.cpp server, started and stopped by the chat."""

import json
import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import gguf
import httpx
import pytest
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from smolville.models.errors import ModelError, SpecError
from smolville.models.open import open_chat
from smolville.models.servers.gguf import GgufServer, check_gguf
from smolville.models.servers.gguf_child import GgufWish
from tests.fixtures.tiny_gguf import write_tiny_gguf
from tests.fixtures.waiting import HANGING, until

ASKED: list[BaseMessage] = [SystemMessage("You are in a town."), HumanMessage("Where to?")]
SCHEMA = {
    "type": "object",
    "properties": {"place": {"enum": ["park", "well"]}},
    "required": ["place"],
    "additionalProperties": False,
}
needs_wheel = pytest.mark.skipif(
    find_spec("xllamacpp") is None,
    reason="xllamacpp is not installed: no server inside this process",
)


@needs_wheel
async def test_a_file_is_asked_on_a_server_of_its_own(tiny_gguf: Path) -> None:
    chat, why = open_chat(f"gguf:{tiny_gguf}?num_ctx=2048,slots=3,threads=1")
    assert why == f"gguf:{tiny_gguf}?num_ctx=2048,slots=3,threads=1 (0.1M, all F32): chosen by you."
    assert (chat.slots, chat.num_ctx) == (3, 2048)
    reply = await chat.ask(ASKED, schema=SCHEMA, seed=1, temperature=1.0, max_tokens=200)
    assert json.loads(reply.text)["place"] in ("park", "well")
    assert reply.prompt_ms is not None
    assert (await chat.count_tokens(ASKED)) == (reply.prompt_tokens, True)
    await chat.aclose()


@needs_wheel
async def test_the_spec_that_is_kept_opens_from_any_folder(
    tiny_gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tiny_gguf.parent)
    chat, _ = open_chat(f"gguf:{tiny_gguf.name}?threads=1")
    assert chat.spec == f"gguf:{tiny_gguf.resolve()}?threads=1"
    await chat.aclose()


@needs_wheel
def test_a_server_is_stopped_whatever_it_does(tiny_gguf: Path) -> None:
    server = GgufServer(GgufWish(path=str(tiny_gguf), num_ctx=512, slots=1, threads=1))
    # As good as a batch that takes for ever.
    os.kill(server.process.pid, signal.SIGSTOP)
    server.stop()
    assert server.process.returncode == -signal.SIGKILL


@needs_wheel
def test_a_server_ends_with_whoever_began_it(tiny_gguf: Path) -> None:
    script = (
        "import sys; from smolville.models.open import open_chat; chat, _ = open_chat(sys.argv[1]);"
        "print(chat.model.openai_api_base, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, f"gguf:{tiny_gguf}?threads=1"],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as owner:
        assert owner.stdout is not None
        url = owner.stdout.readline().strip().removesuffix("/v1")
        assert httpx.get(f"{url}/health", trust_env=False).status_code == 200
        owner.kill()
    until(lambda: not answers(url), "the end of the server")


def answers(url: str) -> bool:
    """Return whether a server is there."""
    try:
        return httpx.get(f"{url}/health", trust_env=False, timeout=HANGING).is_success
    except httpx.TransportError:
        return False


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"none\.gguf' does not exist: give the path of a GGUF"):
        open_chat(f"gguf:{tmp_path}/none.gguf")
    with pytest.raises(SpecError, match="is a folder"):
        open_chat(f"gguf:{tmp_path}")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 a zip"])
def test_a_file_that_is_no_gguf_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(SpecError, match=r"model\.gguf' is no GGUF file"):
        open_chat(f"gguf:{path}")


@needs_wheel
@pytest.mark.parametrize("kept", [-5000, 300_000])
def test_half_a_file_is_never_loaded(tiny_gguf: Path, tmp_path: Path, kept: int) -> None:
    path = tmp_path / "half.gguf"
    path.write_bytes(tiny_gguf.read_bytes()[:kept])
    with pytest.raises(ModelError, match="may be cut short") as caught:
        open_chat(f"gguf:{path}")
    assert "\n" not in str(caught.value)


@needs_wheel
def test_a_model_without_a_chat_template_is_told(tmp_path: Path) -> None:
    path = tmp_path / "base.gguf"
    write_tiny_gguf(path, template="")
    with pytest.raises(SpecError, match="is no chat model: it has no chat template") as caught:
        open_chat(f"gguf:{path}")
    assert "--chat-template" in str(caught.value)


def test_a_model_for_embeddings_is_told(tmp_path: Path) -> None:
    path = tmp_path / "vectors.gguf"
    writer = gguf.GGUFWriter(path, "bert")
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    with pytest.raises(
        SpecError, match=r"vectors\.gguf' is a model for embeddings and cannot chat"
    ):
        check_gguf(path)


@needs_wheel
def test_another_architecture_is_told_in_llamacpps_words(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "walrus.gguf"
    write_tiny_gguf(path, architecture="walrus")
    with pytest.raises(ModelError, match="unknown model architecture: 'walrus'") as caught:
        open_chat(f"gguf:{path}")
    assert "A later version of xllamacpp may know it." in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""
