"""The one way of printing: nothing that is shown steers the terminal, and nothing goes past it."""

import ast
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.live import Live
from rich.style import Style
from rich.table import Table
from rich.text import Text as RichText

from smolville.agents.wording import visible, visible_line
from smolville.cli.console import PlainTextConsole
from smolville.cli.guard import CleanStream, clean, clean_streams
from smolville.cli.screen import console, say, write_json
from smolville.lab.styled import Text
from tests.fixtures.hostile import HOSTILE, TITLE
from tests.fixtures.rooms import ROOMS as PACKAGES

HOUSE = Path(__file__).resolve().parents[2]
ROOMS = tuple(sorted({*PACKAGES} - {"towns"}))
SOURCES = [path for room in ROOMS for path in sorted((HOUSE / room).rglob("*.py"))]
SHAPELESS = frozenset(["Cc", "Cf", "Cs", "Co", "Zl", "Zp"])
"""Kinds of characters that steer, or that nobody sees."""
KEPT = frozenset(
    "\n\t"
    "\u200c\u200d"  # They hold emoji together, and letters of some scripts apart.
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
) | {
    chr(code)
    for first, end in ((0x13430, 0x13440), (0x1BCA0, 0x1BCA4), (0x1D173, 0x1D17B))
    for code in range(first, end)
}
"""Of these kinds, yet shown: signs of numbers and verses, hieroglyphs, shorthand, music."""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (TITLE, r"\x1b]0;owned\x07"),
        ("\x9b31mred", r"\x9b31mred"),
        ("to\u202eyas\u2069", r"to\u202eyas\u2069"),
        ("over\rwritten\x7f", r"over\rwritten\x7f"),
        ("a\u200bb\ufeff\U000e0041\ud800", r"a\u200bb\ufeff\U000e0041\ud800"),
        ("lines\n\tstay", "lines\n\tstay"),
        ("Café\u00a0“Zum Bären” 👩\u200d🍳", "Café\u00a0“Zum Bären” 👩\u200d🍳"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627", "\u0645\u06cc\u200c\u062e\u0648\u0627"),
    ],
)
def test_what_steers_a_terminal_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == visible(shown) == shown


def test_every_character_that_has_no_shape_is_written_out() -> None:
    letters = [chr(code) for code in range(sys.maxunicode + 1)]
    written_out = {letter for letter in letters if visible(letter) != letter}
    shapeless = {letter for letter in letters if unicodedata.category(letter) in SHAPELESS}
    assert shapeless - written_out <= KEPT
    assert {unicodedata.category(letter) for letter in written_out - shapeless} <= {"Cn"}


def test_one_line_has_no_breaks_and_loses_nothing() -> None:
    assert visible_line(f" a\n b\r{TITLE} ") == r"a b\r\x1b]0;owned\x07"


def test_a_cell_is_as_wide_as_what_is_written_out() -> None:
    table = Table(box=None, padding=0)
    table.add_column("one", overflow="fold")
    table.add_column("two", overflow="fold")
    table.add_row(HOSTILE, Text(HOSTILE, "bold"))
    assert PlainTextConsole(width=999).measure(table).maximum == 2 * len(visible(HOSTILE))
    screen = PlainTextConsole(width=60)
    with screen.capture() as captured:
        screen.print(table)
    lines = captured.get().splitlines()
    assert {len(line) for line in lines} == {60}
    assert "".join(line[:30].strip() for line in lines[1:]) == visible(HOSTILE)


def test_texts_of_rich_itself_are_written_out_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    linked = RichText(f"here{TITLE}", Style(bold=True, link="http://x"))
    console().print(linked)
    assert capsys.readouterr().out == "\x1b[1mhere\\x1b]0;owned\x1b[0m\n"


def test_a_sentence_is_never_markup(capsys: pytest.CaptureFixture[str]) -> None:
    say("[red]x[/red] [link=http://x]y[/link] :smile:", "bold")
    assert capsys.readouterr().out == "[red]x[/red] [link=http://x]y[/link] :smile:\n"


def test_json_says_the_same_without_steering(capsys: pytest.CaptureFixture[str]) -> None:
    write_json(["\x7f\x9b\u202e\U000e0041", "ä"])
    assert capsys.readouterr().out.split() == [
        "[",
        r'"\u007f\u009b\u202e\udb40\udc41",',
        '"ä"',
        "]",
    ]


def test_what_is_printed_past_the_console_is_clean_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with clean_streams():
        sys.stderr.write(f"a{TITLE}\n")
        sys.stdout.writelines([TITLE, "\n"])
        assert clean(sys.stdout) is sys.stdout
        console().print("rich", style="red")
    said = capsys.readouterr()
    assert said.err == "a\\x1b]0;owned\\x07\n"
    assert said.out == "\\x1b]0;owned\\x07\nrich\n"
    assert not isinstance(sys.stdout, CleanStream)


def test_a_consoles_own_colours_reach_a_clean_stream(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with clean_streams():
        say(f"red{TITLE}", "red")
    assert capsys.readouterr().out == "\x1b[31mred\\x1b]0;owned\\x07\x1b[0m\n"


def test_what_libraries_print_above_a_bar_is_clean(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with clean_streams(), Live("bar", console=console(on_stderr=True)), clean_streams():
        sys.stderr.write("\x1b]8;;http://x\x1b\\a warning\x1b[35m\n")
    err = capsys.readouterr().err
    assert r"\x1b]8;;http://x\x1b\a warning\x1b[35m" in err
    assert "\x1b]8" not in err and "\x1b[35m" not in err


def test_a_bars_own_colours_reach_the_stream_behind_all_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with clean_streams():
        screen = console(on_stderr=True)
        bar = Live(Text(f"bar{TITLE}", style="red"), console=screen, auto_refresh=False)
        with bar, clean_streams():
            bar.refresh()
            screen.print("above", style="green")
    err = capsys.readouterr().err
    assert "\x1b[31mbar\\x1b]0;owned\\x07\x1b[0m" in err
    assert "\x1b[32mabove\x1b[0m" in err
    assert "\\x1b[" not in err


def test_a_traceback_steers_nothing() -> None:
    fault = (
        "from smolville.cli.guard import clean_for_good; clean_for_good();"
        f"raise ValueError({TITLE!r})"
    )
    line = [sys.executable, "-c", fault]
    done = subprocess.run(line, cwd=HOUSE, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.endswith("ValueError: \\x1b]0;owned\\x07\n")


class Finds(ast.NodeVisitor):
    """Collects the places of a module that print by a way of their own."""

    def __init__(self, path: str, source: str) -> None:
        """Read a module."""
        self.path = path
        self.found: list[str] = []
        self.visit(ast.parse(source))

    def visit_Call(self, node: ast.Call) -> None:
        last = getattr(node.func, "attr", getattr(node.func, "id", ""))
        called = ast.unparse(node.func) if last in LAST_WORDS else ""
        if called in BY_THE_WAY or last in ("from_markup", "from_ansi"):
            self._add(called or last)
        if last == "TextColumn" and "markup=False" not in ast.unparse(node):
            self._add("TextColumn reads markup")
        self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.module == "rich" or (node.module or "").startswith(PARTS_OF_RICH):
            self._add(f"from {node.module}")

    def visit_Import(self, node: ast.Import) -> None:
        for each in node.names:
            if each.name.split(".")[0] in ("rich", "click", "curses", "colorama"):
                self._add(f"import {each.name}")

    def _add(self, what: str) -> None:
        self.found.append(f"{self.path}: {what}")


BY_THE_WAY = frozenset(
    [
        *("print", "input", "Console", "logging.basicConfig", "logging.StreamHandler"),
        *(f"sys.{name}.{how}" for name in ("stdout", "stderr") for how in ("write", "writelines")),
        *(f"sys.__{name}__.write" for name in ("stdout", "stderr")),
        *("sys.stdout.buffer.write", "sys.stderr.buffer.write", "traceback.print_exc"),
        *(f"typer.{how}" for how in ("echo", "secho", "confirm", "prompt", "echo_via_pager")),
    ]
)
"""Calls that print without our screen."""
LAST_WORDS = frozenset(called.rpartition(".")[2] for called in BY_THE_WAY)
PARTS_OF_RICH = (
    "rich.text",
    "rich.markup",
    "rich.markdown",
    "rich.panel",
    "rich.rule",
    "rich.ansi",
)
"""Parts of rich that leave control characters in a text, or read markup in it."""
ALLOWED = {
    "cli/console.py: from rich.text",
    "cli/main.py: sys.stderr.write",
    "cli/screen.py: typer.confirm",
    "lab/styled.py: from rich.text",
}
"""The one way itself; and what is said before any of our rooms may be imported."""


def finds() -> Iterator[str]:
    """Yield what prints by a way of its own."""
    for path in SOURCES:
        yield from Finds(str(path.relative_to(HOUSE)), path.read_text(encoding="utf-8")).found


def test_there_is_one_way_of_printing() -> None:
    assert sorted(finds()) == sorted(ALLOWED)


@pytest.mark.parametrize(
    "line",
    [
        "print('x')",
        "import sys; sys.stdout.write('x')",
        "typer.echo('x')",
        "from rich.text import Text",
        "from rich import print",
        "import click",
        "Console().print('x')",
        "TextColumn('{task.description}')",
    ],
)
def test_another_way_of_printing_is_found(line: str) -> None:
    assert len(Finds("cli/new.py", line).found) == 1
