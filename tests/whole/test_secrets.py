"""Keys reach the servers they are for, and nothing that is shown, logged or stored."""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from typer.testing import CliRunner

from smolville.cli.app import app
from smolville.cli.settings.key_hosts import keys_in, without_keys
from smolville.graphs.loop.ledger import Call
from smolville.history.calls import LISTING, Unpacker, read_call
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from tests.fixtures.loopback import serve
from tests.fixtures.waiting import HANGING

OWN = "distinctive-own-key-0001"
FILED = "distinctive-dotenv-key-0002"
OPENAI = "distinctive-openai-key-0003"
LLAMA = "distinctive-llama-key-0004"
KEYS = (OWN, FILED, OPENAI, LLAMA)


@dataclass
class Gossip:
    """A server in front of llama.cpp's: its errors repeat the key it was sent."""

    behind: str
    mute_after: int | None = None
    """After so many calls every answer is that the key is no good."""
    heard: list[str] = field(default_factory=list)
    """The keys of the calls, as they came."""
    calls: int = 0

    async def pass_on(self, request: Request) -> Response:
        """Answer as the real server does, but not to every chat."""
        key = request.headers.get("authorization", "")
        self.heard.append(key)
        if request.url.path.endswith("/chat/completions"):
            self.calls += 1
            if self.mute_after is not None and self.calls > self.mute_after:
                return _said(401, f"Invalid key in 'Authorization: {key}'")
            if self.calls % 3 == 2:
                return _said(500, f"{'.' * 170} broke over the header Authorization: {key}")
        async with httpx.AsyncClient(base_url=self.behind, timeout=HANGING) as client:
            answer = await client.request(
                request.method, request.url.path, content=await request.body()
            )
        kind = answer.headers.get("content-type")
        return Response(answer.content, answer.status_code, media_type=kind)


def _said(status: int, text: str) -> Response:
    told = {"code": status, "message": text, "type": "server_error"}
    return JSONResponse({"error": told}, status)


@contextlib.contextmanager
def gossip(behind: str, mute_after: int | None = None) -> Iterator[tuple[str, Gossip]]:
    """Serve one; gives its URL and itself."""
    server = Gossip(behind, mute_after)
    methods = ["GET", "POST"]
    with serve(Starlette(routes=[Route("/{path:path}", server.pass_on, methods=methods)])) as url:
        yield url, server


@pytest.fixture
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A working directory with a key in `.env`, and others in the environment."""
    monkeypatch.chdir(tmp_path)
    Path(".env").write_text(f"SMOLVILLE_API_KEY={FILED}\n", encoding="utf-8")
    monkeypatch.setenv("SMOLVILLE_API_KEY", OWN)
    monkeypatch.setenv("OPENAI_API_KEY", OPENAI)
    monkeypatch.setenv("LLAMA_API_KEY", LLAMA)
    return monkeypatch


@dataclass(frozen=True)
class Said:
    code: int
    text: str


def smolville(*words: str) -> Said:
    """What the command says, on both of its streams."""
    done = CliRunner().invoke(app, [*words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Said(done.exit_code, done.stdout + done.stderr)


def begin(model: str, town: Path, *more: str) -> Said:
    """A short run of one person, told in full."""
    who = ("--town", str(town), "--cast", "1", "--set", "tick=60", "--cache", "kept")
    return smolville("run", "amber", "--model", model, *who, "--set", "repairs=1", "-v", *more)


def check_files(least: int = 6) -> None:
    """No byte of what was written under the working directory is part of a key."""
    files = [path for path in Path().rglob("*") if path.is_file() and path != Path(".env")]
    assert len(files) >= least
    for path in files:
        held = path.read_bytes()
        for key in KEYS:
            for text in (key, key[:16]):
                assert text.encode() not in held, path
                assert text.encode("utf-16-le") not in held, path


def kept_calls() -> list[Call]:
    """Every call of the run, with the texts that lie packed in its history."""
    with RunReader(RunFolder.open(Path("runs"), "amber")) as reader:
        unpacker = Unpacker(reader.connection)
        rows = reader.connection.execute(f"SELECT {LISTING} FROM calls").fetchall()
        return [read_call(row, unpacker) for row in rows]


def check_text(*texts: str) -> None:
    for text in texts:
        assert [key for key in KEYS if key in text or key[:16] in text] == []


@pytest.mark.parametrize(("kind", "where"), [("llamacpp", "environment"), ("openai", "dotenv")])
def test_no_key_is_shown_logged_or_stored(
    kind: str, where: str, keys: pytest.MonkeyPatch, town: Path, llamacpp_url: str
) -> None:
    if where == "dotenv":
        keys.delenv("SMOLVILLE_API_KEY")
    sent = OWN if where == "environment" else FILED
    with gossip(llamacpp_url) as (url, server):
        spec = f"llamacpp:{url}" if kind == "llamacpp" else f"openai:{url}/v1"
        said = begin(spec, town, "--for", "1h")
        shown = smolville("settings"), smolville("settings", "--json")
        told = smolville("show", "amber"), smolville("timeline", "amber")
    assert said.code == 0, said.text
    assert f"Bearer {sent}" in server.heard
    calls = kept_calls()
    assert sum(call.retries for call in calls) > 0
    assert any("broke over the header" in call.lost for call in calls)
    check_text(said.text, *(each.text for each in (*shown, *told)), *map(repr, calls))
    assert json.loads(shown[1].text)["api_key"]["value"] == "set"
    check_files()


def test_a_key_that_is_no_good_is_not_repeated(
    keys: pytest.MonkeyPatch, town: Path, llamacpp_url: str
) -> None:
    with gossip(llamacpp_url, mute_after=2) as (url, server):
        said = begin(f"llamacpp:{url}", town, "--for", "9h")
        again = smolville("run", "amber", "--resume")
        asked = smolville("interview", "amber", "Ada", "How are you?")
    assert said.code == again.code == 1
    assert "Invalid key" in said.text
    assert f"Bearer {OWN}" in server.heard
    check_text(said.text, again.text, asked.text, *map(repr, kept_calls()))
    log = Path("runs/amber/run.log").read_text(encoding="utf-8")
    assert "Invalid key" in log
    check_files()


def test_a_log_hides_keys_whatever_is_written_into_it() -> None:
    env = {"OPENAI_API_KEY": OPENAI, "OTHER_TOKEN": "token-of-another", "HOME": "somewhere"}
    keys = keys_in(env)
    assert set(keys) == {OPENAI, "token-of-another"}
    told = without_keys(f"{OPENAI} and token-of-another and sk-abcdefgh at somewhere", keys)
    assert OPENAI not in told
    assert "token-of-another" not in told
    assert "sk-abcdefgh" not in told
    assert told.endswith("at somewhere")


def test_a_key_at_which_a_sentence_was_cut_is_hidden_too() -> None:
    sentence = f"The server broke over {OWN}"
    for end in range(len(sentence) - len(OWN) + 12, len(sentence) + 1):
        assert "distinctive" not in without_keys(f"{sentence[:end]}).", [OWN])
    assert without_keys("a distinctive house", [OWN]) == "a distinctive house"
