"""No command lets a text steer the terminal: what would is written out, wherever it came from."""

import re
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from typer.core import TyperGroup

from smolville.cli.app import command
from smolville.history.folder import RunFolder
from tests.cli.conftest import Command, Said
from tests.cli.hostile_calls import CALLS
from tests.fixtures.hostile import (
    COLOUR,
    HOSTILE,
    IN_NAMES,
    TITLE,
    WRITTEN_OUT,
    HostileModel,
    write_hostile_town,
)
from tests.fixtures.loopback import serve
from tests.fixtures.scripted import chat_of
from tests.fixtures.tiny_onnx import write_tiny_minilm
from tests.whole.lives import HOUR, live

UNTIL = 17 * HOUR
"""By then somebody has talked."""
OF_RICH = re.compile(r"\r?\x1b\[(?:[\d;]*m|[\d;]*[A-K]|\?25[lh])")
"""Colours, and the moves and the cursor of a bar."""
TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def commands(group: TyperGroup, *above: str) -> Iterator[str]:
    """Yield every command of the app: `show`, `prompt show`, ..."""
    for name, each in group.commands.items():
        if isinstance(each, TyperGroup):
            yield from commands(each, *above, name)
        else:
            yield " ".join([*above, name])


def all_commands() -> list[str]:
    """Return every command there is."""
    return list(commands(command()))


def refused(_: Request) -> JSONResponse:
    """Answer as a server does that turns everything down, in words of its own."""
    return JSONResponse({"error": {"message": f"no{HOSTILE}", "type": HOSTILE}}, 400)


@pytest.fixture(scope="module")
def owned(tmp_path_factory: pytest.TempPathFactory) -> Command:
    """A command on a hostile town, where `amber` was lived by a hostile model; only to be read."""
    folder = tmp_path_factory.mktemp("hostile")
    command = Command(folder / "runs", write_hostile_town(folder / "town"))
    assert (
        command.live("amber", "--cast", "3", "--seed", "7", "--for", "10m", "-q", "--headless").code
        == 0
    )
    live(RunFolder.open(command.runs, "amber"), UNTIL, chat_of(HostileModel()))
    return command


@pytest.fixture(scope="module")
def moment(owned: Command) -> str:
    """The id of a moment of that run."""
    said = owned("moments", "amber", "--json")
    found: str = said.json[0]["id"]
    return found


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Where a server is that turns everything down."""
    with serve(Starlette(routes=[Route("/{path:path}", refused, methods=["GET", "POST"])])) as url:
        yield url


@pytest.fixture
def filled(owned: Command, moment: str, url: str, tmp_path: Path) -> dict[str, str]:
    """What stands for the words in capitals, with the files that the calls name."""
    shutil.copytree(owned.runs, tmp_path / "runs")
    shutil.copytree(owned.town, tmp_path / "broken")
    (tmp_path / "broken" / "town.toml").write_text(f"name = {TITLE!r}\nsize = 3\n{TITLE} = 1\n")
    (tmp_path / "bad.csv").write_text(f"Name,Whisper\nDora{TITLE},Hello\n")
    escaped = TITLE.encode("unicode_escape").decode().replace("\\x", "\\u00")
    (tmp_path / "hostile.toml").write_text(f'model = "ollama:m{escaped}"\n')
    (tmp_path / "wrong.toml").write_text(f'"seeed{escaped}" = 1\n')
    (tmp_path / "mine").mkdir()
    shipped = Path(__file__).parents[2] / "prompts"
    for name in ("_who.jinja", "say.jinja"):
        text = (shipped / name).read_text(encoding="utf-8")
        told = text.replace("{% block human %}", "{% block human %}" + HOSTILE + "\n")
        (tmp_path / "mine" / name).write_text(told if told != text else f"{text}{HOSTILE}\n")
    return {
        "TOWN": str(owned.town),
        "BROKEN": str(tmp_path / "broken"),
        "MINILM": str(write_tiny_minilm(tmp_path / "minilm")),
        "MOMENT": moment,
        "URL": url,
    }


def steering(text: str) -> set[str]:
    """Return the characters of an output that a terminal would obey."""
    return {
        letter
        for letter in text
        if letter not in "\n\t"
        and (unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") or letter in TURNING)
    }


def called(runs: Path, filled: dict[str, str], words: tuple[str, ...]) -> Said:
    """Run a command whose words in capitals are filled in."""
    pattern = re.compile("|".join(filled))
    said = [pattern.sub(lambda found: filled[found[0]], word) for word in words]
    return Command(runs, runs)(*said)


def test_every_command_is_called_with_hostile_texts() -> None:
    assert sorted(CALLS) == sorted(all_commands())


@pytest.mark.parametrize("command", all_commands())
def test_no_text_steers_the_terminal(
    command: str, filled: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    printed = ""
    for words in CALLS[command]:
        said = called(tmp_path / "runs", filled, words)
        text = said.out + said.err
        assert text, words
        assert COLOUR not in text, words
        assert steering(OF_RICH.sub("", text)) == set(), words
        printed += text
    assert any(written in printed for written in WRITTEN_OUT), "the call prints nothing hostile"


def test_a_wrong_use_is_told_without_its_control_characters(tmp_path: Path) -> None:
    calls = [(f"--no\x1b\u202e{TITLE}",), (f"no\x9b\u202e{TITLE}",)]
    calls += [
        (*each.split(), *words)
        for each in all_commands()
        for words in ((f"--no{TITLE}",), (TITLE,) * 9)
    ]
    for words in calls:
        said = Command(tmp_path, tmp_path)(*words)
        assert said.code == 2
        assert said.err
        assert steering(said.out + said.err) == set()


def test_markup_in_a_text_is_never_read(owned: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    out = owned("show", "amber", "ada").out
    assert "[red][/red][link=http://x]here[/link]" in re.sub(r"\s+", "", OF_RICH.sub("", out))
    assert "\x1b]8;" not in out


def test_json_has_the_texts_as_they_are(owned: Command) -> None:
    said = owned("show", "amber", "--json")
    assert f"Ada Brook{IN_NAMES}" in [each["name"] for each in said.json["agents"]]
    assert r"\u009b35m\u202e[red]" in said.out
