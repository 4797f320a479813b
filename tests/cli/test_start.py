"""The command starts at once, and notices when a room is not its own."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.guard import with_runs_first
from cli.main import foreign_room
from tests.cli.conftest import Command

HOUSE = Path(__file__).resolve().parents[2]
HEAVY = (
    *("langgraph", "langchain_core", "chromadb", "numpy", "world", "rich.markdown"),
    *("graphs.catalogue", "graphs.loop", "graphs.phases"),
    *("pydantic_settings", "dotenv", "httpx", "openai", "onnxruntime"),
)


UNSEEN = (
    *("langgraph", "langchain_core", "langsmith", "chromadb", "lab", "graphs.context"),
    *("aiohttp", "requests"),
)


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], cwd=HOUSE, capture_output=True, text=True)


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from typer.testing import CliRunner; from cli.app import app;"
        "[CliRunner().invoke(app, words) for words in (['--help'], ['run', '--help'])];"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    assert python(code).stdout.strip() == "[]"


def test_a_fork_loads_no_mind_and_no_client() -> None:
    code = (
        "import sys, history.cut, cli.runs;"
        f"print([name for name in {UNSEEN!r} if name in sys.modules])"
    )
    assert python(code).stdout.strip() == "[]"


def test_an_address_waits_for_no_page_and_the_page_of_a_town_for_no_mind_and_no_client() -> None:
    code = (
        "import sys; from contextlib import suppress; import cli.server as server;"
        "server._say_who_may_enter('127.0.0.1', 'a'); assert 'nicegui' not in sys.modules;"
        "server._config = lambda *_: sys.exit();"
        "listener = server.listening();"
        "\nwith suppress(SystemExit), listener:"
        "\n    server.serve_beside('runs', None, listener.detach(), 'a')"
        "\nimport viewer.town_page, viewer.playback.routes;"
        f"print([name for name in {UNSEEN!r} if name in sys.modules])"
    )
    done = python(code)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


@pytest.mark.parametrize("words", [["--help"], ["run", "--help"], ["show", "--help"]])
def test_help_is_there(smolville: Command, words: list[str]) -> None:
    said = smolville(*words)
    assert said.code == 0
    assert "Usage: " in said.out


def test_every_command_of_the_readme_is_listed(smolville: Command) -> None:
    listed = smolville("--help").out
    for command in (
        *("run", "runs", "show", "recall", "timeline", "digest", "fork", "discard"),
        *("whisper", "set", "interview", "history", "town"),
        "settings",
    ):
        assert f"\n  {command} " in listed


def test_no_command_is_listed_with_half_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    listed = CliRunner().invoke(app, ["--help"], terminal_width=80).stdout
    commands = listed.split("Commands:")[1].split("Begin with")[0].split("\n")
    assert [line for line in commands if line.rstrip().endswith("...")] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "--repairs", "-1"), "'--repairs': it must be greater than or equal to 0. (smol"),
        (("run", "--schedule", "x"), "'x' is not one of 'free', 'lockstep', 'serial'. (smol"),
        (("health", "nobody"), "There is no run 'nobody' in"),
    ],
)
def test_a_wrong_use_is_told_in_plain_words(
    smolville: Command, words: tuple[str, ...], said: str
) -> None:
    told = smolville(*words)
    assert told.code == 2
    assert said in told.err


def test_the_version_is_said(smolville: Command) -> None:
    said = smolville("--version")
    assert said.code == 0
    assert said.out.startswith("smolville 0.")


def test_rooms_of_the_house_are_at_home() -> None:
    assert foreign_room() == ""


def test_another_package_called_like_a_room_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "__init__.py").write_text("")
    done = python(
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import agents;"
        f"sys.path.insert(0, {str(HOUSE)!r}); from cli.main import main; main()"
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Another package called 'agents' is imported from ")
    assert "Traceback" not in done.stderr


def test_a_module_in_a_folder_of_the_house_is_no_room() -> None:
    other = str(HOUSE / "tests" / "agents.py")
    done = python(
        "import importlib.util as util; from cli.main import foreign_room;"
        f"util.find_spec = lambda name: util.spec_from_file_location(name, {other!r});"
        "print(foreign_room())"
    )
    assert done.stdout.startswith("Another package called 'agents' is imported from ")


def test_the_folder_of_runs_may_be_named_anywhere_on_the_line() -> None:
    assert with_runs_first(["runs", "--runs", "x"]) == ["--runs", "x", "runs"]
    assert with_runs_first(["runs", "--runs=x", "--json"]) == ["--runs=x", "runs", "--json"]
    assert with_runs_first(["whisper", "--", "--runs", "x"]) == ["whisper", "--", "--runs", "x"]


def test_an_unknown_command_is_a_wrong_use(smolville: Command) -> None:
    said = smolville("walk")
    assert said.code == 2
    assert "walk" in said.err
    assert len(said.err.strip().splitlines()) == 1
