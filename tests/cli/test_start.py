"""The command starts at once, and its rooms are its own."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from smolville.cli.app import app
from tests.cli.conftest import Command

HOUSE = Path(__file__).resolve().parents[2]
HEAVY = (
    *("langgraph", "langchain_core", "chromadb", "numpy", "smolville.world", "rich.markdown"),
    *("smolville.graphs.catalogue", "smolville.graphs.loop", "smolville.graphs.mind"),
    *("pydantic_settings", "dotenv", "httpx", "openai", "onnxruntime"),
)


UNSEEN = (
    *(
        "langgraph",
        "langchain_core",
        "langsmith",
        "chromadb",
        "smolville.lab",
        "smolville.graphs.context",
    ),
    *("aiohttp", "requests"),
)


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], cwd=HOUSE, capture_output=True, text=True)


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from typer.testing import CliRunner; from smolville.cli.app import app;"
        f"CliRunner().invoke(app, ['--help']); print([each for each in {HEAVY!r} if each in "
        "sys.modules]); CliRunner().invoke(app, ['run', '--help']); print([each for each in "
        f"{HEAVY[:6]!r} if each in sys.modules])"
    )
    assert python(code).stdout.split() == ["[]", "[]"]


def test_the_help_of_a_run_fits_a_screen() -> None:
    said = CliRunner().invoke(app, ["run", "--help"], terminal_width=100).stdout
    assert len(said.splitlines()) <= 45
    assert [line[:-1] for line in said.splitlines() if line.endswith(":") and line[0] != " "] == [
        *("Who lives there, and how long", "Models", "This machine", "This run")
    ]


@pytest.mark.parametrize(
    "command", [["show", "sample"], ["timeline", "sample"], ["trace", "sample"], ["runs"]]
)
def test_a_run_is_read_without_a_mind_or_a_client(command: list[str]) -> None:
    code = (
        "import sys; from typer.testing import CliRunner; from smolville.cli.app import app;"
        f"assert CliRunner().invoke(app, {command!r}).exit_code == 0;"
        "print([each for each in ('langgraph', 'langchain_core.runnables', 'langsmith', 'chromadb')"
        " if each in sys.modules])"
    )
    assert python(code).stdout.strip() == "[]"


def test_an_address_waits_for_no_page_and_the_page_of_a_town_for_no_mind_and_no_client() -> None:
    code = (
        "import sys; from contextlib import suppress; import smolville.cli.server as server;"
        "server._say_who_may_enter('127.0.0.1'); assert 'nicegui' not in sys.modules;"
        "server._config = lambda *_: sys.exit();"
        "listener = server.listening();"
        "\nwith suppress(SystemExit), listener:"
        "\n    server.serve_beside('runs', None, listener.detach(), 'a')"
        "\nimport smolville.viewer.town_page, smolville.viewer.playback.routes;"
        f"print([name for name in {UNSEEN!r} if name in sys.modules])"
    )
    done = python(code)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "--repairs", "1"), "no option --repairs: set repairs in smolville.toml, or write"),
        (("run", "--schedule", "x"), "--schedule cannot be 'x': write free, lockstep or serial."),
        (("run", "--set", "seed"), "--set cannot be 'seed': write NAME=VALUE, such as repairs=0."),
        (("run", "--set", "sede=1"), "no setting 'sede' (--set sede): did you mean seed"),
        (("run", "--sed", "1"), "No such option: --sed"),
    ],
)
def test_a_wrong_use_is_told_in_plain_words(
    smolville: Command, words: tuple[str, ...], said: str
) -> None:
    told = smolville(*words)
    assert told.code == 2
    assert said in told.err


def test_another_package_called_like_a_room_is_no_matter(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "__init__.py").write_text("")
    done = python(
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import agents; print(agents.__file__);"
        "from smolville.agents.times import Clock; print(Clock.__module__);"
        "sys.argv = ['smolville', '--version']; from smolville.cli.main import main; main()"
    )
    assert (done.returncode, done.stderr) == (0, "")
    theirs, ours, version = done.stdout.splitlines()
    assert theirs == str(tmp_path / "agents" / "__init__.py")
    assert ours == "smolville.agents.times"
    assert version.startswith("smolville 0.")
