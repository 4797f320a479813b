"""What the documents name is there: commands, their options, and files."""

import re
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperGroup

from smolville.cli.app import command
from smolville.cli.guard import EVERYWHERE

ROOT = Path(__file__).parent.parent
COVERAGE = ROOT / "docs" / "reference" / "coverage.md"
QUOTED = re.compile(r"`([^`\n]+)`")
OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")
FILE = re.compile(r"[\w.-]+/[\w./-]*")


def quoted(begins: str) -> list[str]:
    """Return what stands in backticks in the page and begins so, each once."""
    found = QUOTED.findall(COVERAGE.read_text(encoding="utf-8"))
    return sorted({each for each in found if each.startswith(begins)})


LET_GO = ("A5",)
"""Items about features that are no longer there: a calibrated threshold of routines."""


def command_of(words: list[str]) -> Any:
    """Return the command that words lead to; a test fails where there is none."""
    found: Any = command()
    for word in words:
        if not isinstance(found, TyperGroup):
            break
        assert word in found.commands, f"smolville has no command {word!r}"
        found = found.commands[word]
    return found


def options_of(command: Any) -> set[str]:
    """Return the options of a command, with those of all commands alike."""
    parameters = command.get_params(command.context_class(command))
    own = {name for each in parameters for name in (*each.opts, *each.secondary_opts)}
    return own | set(EVERYWHERE)


@pytest.mark.parametrize("line", quoted("smolville "))
def test_a_command_that_is_named_exists_with_its_options(line: str) -> None:
    words = line.split()[1:]
    command = command_of([word for word in words if word.islower() and not word.startswith("-")])
    assert set(OPTION.findall(line)) <= options_of(command)


@pytest.mark.parametrize("line", quoted("--"))
def test_an_option_that_is_named_alone_is_one_of_running_or_tracing(line: str) -> None:
    known = options_of(command_of(["run"])) | options_of(command_of(["trace"]))
    assert set(OPTION.findall(line)) <= known


def test_a_file_that_is_named_exists() -> None:
    named = {each for each in QUOTED.findall(COVERAGE.read_text("utf-8")) if FILE.match(each)}
    assert len(named) > 60
    missing = [each for each in sorted(named) if not (ROOT / each.split()[0]).exists()]
    assert missing == []


def test_every_row_of_the_three_checklists_is_there_once() -> None:
    rows = re.findall(r"^- \*\*([LSA]\d+) ", COVERAGE.read_text("utf-8"), re.MULTILINE)
    sizes = {"L": 17, "S": 17, "A": 21}
    every = [f"{part}{number + 1}" for part, size in sizes.items() for number in range(size)]
    assert rows == [row for row in every if row not in LET_GO]
