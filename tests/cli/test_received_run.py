"""A run's folder that came from somebody else collects no keys."""

import json
import os
import pty
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Command, Said
from tests.fixtures.collector import Collector, serve_collector
from tests.fixtures.warm import warm

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
        assert_refused(lived(*words), collector, "This run's embedder is", collector.url)


def test_a_class_whose_name_says_where_it_sends_its_keys_is_not_opened(
    lived: Command, collector: Collector
) -> None:
    names(lived, collector.url, model="langchain:litellm/huggingface/{url}")
    said = lived(*INTERVIEW)
    assert_refused(
        said, collector, "keys from the environment: name the model yourself with --model"
    )


def test_a_fork_names_no_more_than_the_run_did(lived: Command, collector: Collector) -> None:
    names(lived, collector.url, model="openai:{url}/v1#x")
    assert lived("fork", "amber", "copy").code == 0
    assert_refused(lived("run", "copy", "--resume", "--for", "30m", "--quiet"), collector)


def test_a_run_s_moments_are_asked_of_the_user_s_own_model(
    lived: Command, collector: Collector
) -> None:
    names(lived, collector.url, model="openai:{url}/v1#x", embedder="openai:{url}/v1#x")
    moment = lived("moments", "amber", "--json").json[0]["id"]
    assert lived("prompt", "try", moment, "--model", "standin").code == 0
    assert collector.requests == 0


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
        (".env", "SMOLVILLE_KEY_HOSTS=llm.example.org, {url}/v1"),
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


@pytest.mark.parametrize("entry", ["example.org", "127.0.0.1:1"])
def test_another_server_in_the_settings_allows_nothing(
    lived: Command, collector: Collector, entry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLVILLE_KEY_HOSTS", entry)
    names(lived, collector.url, model="openai:{url}/v1#x")
    assert_refused(lived(*INTERVIEW), collector)


@pytest.mark.parametrize("entry", ["a b", "ftp://host"])
def test_what_is_no_server_is_refused_as_a_setting(
    lived: Command, entry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMOLVILLE_KEY_HOSTS", entry)
    said = lived(*INTERVIEW)
    assert said.code == 2
    assert "SMOLVILLE_KEY_HOSTS cannot be" in said.err
    assert "write a list of servers" in said.err


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


def test_an_embedder_that_was_moved_to_stays_allowed(lived: Command, collector: Collector) -> None:
    spec = f"openai:{collector.url}/v1#x"
    assert lived("reembed", "amber", "--embedder", spec).code == 0
    assert lived(*RECALL).code == 0
    assert collector.got(f"Bearer {KEY}")


def test_a_server_that_cannot_be_remembered_is_said_and_the_run_is_lived(
    smolville: Command, collector: Collector, config: Path
) -> None:
    config.parent.parent.write_text("a file where a folder belongs", encoding="utf-8")
    model = ("--model", f"openai:{collector.url}/v1#x", "--cast", "1", "--set", "repairs=0")
    said = smolville("run", "amber", "--town", str(smolville.town), *model, "--for", "1h")
    assert said.code == 0, said.err
    assert f"{collector.url} cannot be remembered" in said.err


def test_at_a_terminal_it_asks_and_no_is_the_answer_to_nothing(
    lived: Command, collector: Collector, config: Path
) -> None:
    names(lived, collector.url, model="openai:{url}/v1#x")
    code, shown = at_terminal(lived, "")
    assert code == 2, shown
    assert f"Send OPENAI_API_KEY to {collector.url}? [y/N]" in " ".join(shown.split())
    assert collector.requests == 0
    assert not config.exists()


def test_at_a_terminal_yes_sends_the_key_and_is_remembered(
    lived: Command, collector: Collector, config: Path
) -> None:
    names(lived, collector.url, model="openai:{url}/v1#x", embedder="openai:{url}/v1#x")
    code, shown = at_terminal(lived, "y")
    assert code == 0, shown
    assert shown.count("[y/N]") == 1
    assert collector.got(f"Bearer {KEY}")
    assert config.read_text(encoding="utf-8") == f"{collector.url}\n"
    said = lived(*INTERVIEW)
    assert said.code == 0, said.err


def test_what_a_run_names_cannot_disguise_the_question(
    lived: Command, collector: Collector
) -> None:
    names(lived, collector.url, model="openai:{url}/v1#x\x1b[2K\rAll is well.")
    code, shown = at_terminal(lived, "n")
    assert code == 2, shown
    assert "\\x1b[2K\\rAll is well." in "".join(shown.split("\r\n"))
    assert "\x1b[2K\rAll is well." not in shown


def at_terminal(command: Command, typed: str) -> tuple[int, str]:
    """Hold an interview at a terminal, answer the question, return code and what is shown."""
    operator, terminal = pty.openpty()
    line = ["-m", "smolville.cli.main", *INTERVIEW, "--runs", command.runs]
    env = {**os.environ, "PYTHONPATH": str(HOUSE / "src")}
    with warm(line, Path.cwd(), env, terminal={0: terminal, 2: terminal}) as process:
        os.close(terminal)
        shown, is_answered = "", False
        while part := _read(operator):
            shown += part
            if "[y/N]" in shown and not is_answered:
                is_answered = True
                os.write(operator, f"{typed}\n".encode())
        code = process.wait()
    os.close(operator)
    return code, shown


def _read(operator: int) -> str:
    """Return what a terminal shows next; nothing once the program is gone."""
    try:
        return os.read(operator, 4096).decode("utf-8", "replace")
    except OSError:
        return ""
