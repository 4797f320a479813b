"""A run's folder that came from somebody else collects no keys."""

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Command, Said
from tests.fixtures.collector import Collector, serve_collector

HOUSE = Path(__file__).resolve().parents[2]
KEY = "sk-secret-0123456789abcdef"
VARIABLES = ("OPENAI_API_KEY", "LLAMA_API_KEY")
INTERVIEW = ("interview", "amber", "ada", "How are you?")
RESUME = ("run", "amber", "--resume", "--for", "30m", "--quiet")
RECALL = ("recall", "amber", "ada", "bread")


@pytest.fixture
def collector() -> Iterator[Collector]:
    """A server that would like to have keys."""
    with serve_collector() as standing:
        yield standing


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user with keys, for whom nothing is remembered yet; where it would be."""
    for name in VARIABLES:
        monkeypatch.setenv(name, KEY)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "smolville" / "key_hosts"


def names(
    received: Command, url: str, *, model: str = "standin", embedder: str = "wordllama"
) -> None:
    """Let the run's folder name a model and an embedder, as its sender could."""
    path = received.runs / "amber" / "run.json"
    asked = json.loads(path.read_text(encoding="utf-8"))
    spec = model.format(url=url)
    asked["models"] = {"fast": spec, "strong": spec, "embedder": embedder.format(url=url)}
    path.write_text(json.dumps(asked), encoding="utf-8")


def assert_refused(said: Said, collector: Collector, *parts: str) -> None:
    """Nothing was asked and nothing was sent; one sentence says so."""
    assert (said.code, said.out) == (2, "")
    assert collector.requests == 0
    assert len(said.err.strip().splitlines()) == 1
    for part in ("which your own settings do not name", *parts):
        assert part in said.err
    assert KEY not in said.err


@pytest.mark.parametrize(
    ("words", "model", "variable"),
    [
        (INTERVIEW, "openai:{url}/v1#x", "OPENAI_API_KEY"),
        (RESUME, "llamacpp:{url}", "LLAMA_API_KEY"),
    ],
)
def test_a_model_that_only_the_run_names_gets_no_key(
    lived: Command, collector: Collector, words: tuple[str, ...], model: str, variable: str
) -> None:
    names(lived, collector.url, model=model)
    spec = model.format(url=collector.url)
    allow = f"SMOLVILLE_KEY_HOSTS={collector.url}"
    told = (f"'{spec}'", f"would be sent {variable}: ", allow, "--model ")
    assert_refused(lived(*words), collector, *told)


@pytest.mark.parametrize("embedder", ["openai:{url}/v1#x", "llamacpp:{url}"])
def test_an_embedder_that_only_the_run_names_gets_no_key(
    lived: Command, collector: Collector, embedder: str
) -> None:
    names(lived, collector.url, embedder=embedder)
    for words in (INTERVIEW, RESUME, RECALL):
        assert_refused(lived(*words), collector, "This run names", collector.url)


def test_a_class_whose_name_says_where_it_sends_its_keys_is_not_opened(
    lived: Command, collector: Collector
) -> None:
    names(lived, collector.url, model="langchain:litellm/huggingface/{url}")
    said = lived(*INTERVIEW)
    assert_refused(said, collector, "keys from the environment: name a model yourself with --model")


def test_a_fork_names_no_more_than_the_run_did(lived: Command, collector: Collector) -> None:
    names(lived, collector.url, model="openai:{url}/v1#x")
    assert lived("fork", "amber", "copy").code == 0
    assert_refused(lived("run", "copy", "--resume", "--for", "30m", "--quiet"), collector)


def test_headers_of_openai_s_client_are_kept_back_too(
    lived: Command, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name)
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"X-Gate: {KEY}")
    names(lived, collector.url, model="openai:{url}/v1#x")
    assert_refused(lived(*INTERVIEW), collector, "sent OPENAI_CUSTOM_HEADERS")


def test_without_a_key_nothing_is_asked_and_none_arrives(
    lived: Command, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name)
    names(lived, collector.url, model="openai:{url}/v1#x", embedder="openai:{url}/v1#x")
    assert lived(*INTERVIEW).code == 0
    assert lived(*RECALL).code == 0
    assert collector.requests > 0
    assert {each.get("authorization", "Bearer none") for each in collector.headers} == {
        "Bearer none"
    }


def test_a_model_named_on_the_command_line_gets_its_key(
    lived: Command, collector: Collector
) -> None:
    names(lived, collector.url, model="openai:{url}/v1#x")
    said = lived(*INTERVIEW, "--model", f"openai:{collector.url}/v1#x")
    assert said.code == 0, said.err
    assert collector.got(f"Bearer {KEY}")


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (".env", "SMOLVILLE_KEY_HOSTS=https://llm.example.org, {url}/v1"),
        (".env", "OPENAI_BASE_URL={url}/v1"),
        ("smolville.toml", 'model = "openai:{url}/v1#another"'),
        ("smolville.toml", 'embedder = "llamacpp:{url}"'),
    ],
)
def test_a_server_that_the_user_s_settings_name_gets_its_key(
    lived: Command, collector: Collector, file: str, text: str
) -> None:
    Path(file).write_text(text.format(url=collector.url) + "\n", encoding="utf-8")
    names(lived, collector.url, model="openai:{url}/v1#x")
    said = lived(*INTERVIEW)
    assert said.code == 0, said.err
    assert collector.got(f"Bearer {KEY}")


@pytest.mark.parametrize("entry", ["https://example.org", "http://127.0.0.1:1"])
def test_another_server_in_the_settings_allows_nothing(
    lived: Command, collector: Collector, entry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLVILLE_KEY_HOSTS", entry)
    names(lived, collector.url, model="openai:{url}/v1#x")
    assert_refused(lived(*INTERVIEW), collector)


def test_a_run_begun_here_goes_on_with_its_server_and_a_copy_with_another_does_not(
    smolville: Command, collector: Collector, config: Path
) -> None:
    where = ("--town", str(smolville.town), "--cast", "1", "--quiet", "--set", "repairs=0")
    spec = f"openai:{collector.url}/v1#x"
    model = ("--model", spec, "--embedder", spec)
    begun = smolville("run", "amber", *where, *model, "--for", "6h")
    assert begun.code == 0, begun.err
    assert config.read_text(encoding="utf-8") == f"{collector.url}\n"
    assert stat.S_IMODE(config.stat().st_mode) == 0o600
    before = collector.requests
    said = smolville("run", "amber", "--resume", "--for", "2h", "--quiet")
    assert said.code == 0, said.err
    assert collector.requests > before
    with serve_collector() as other:
        names(smolville, other.url, model="openai:{url}/v1#x")
        assert_refused(smolville("run", "amber", "--resume", "--for", "2h"), other)
