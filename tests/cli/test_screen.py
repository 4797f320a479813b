"""The one way of printing: nothing that is shown steers the terminal, and nothing goes past it."""

import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from rich.live import Live
from rich.table import Table

from smolville.agents.wording import visible, visible_line
from smolville.cli.console import PlainTextConsole
from smolville.cli.guard import CleanStream, clean, clean_streams
from smolville.cli.screen import console, say, write_json
from smolville.lab.styled import Text
from tests.fixtures.hostile import HOSTILE, TITLE

HOUSE = Path(__file__).resolve().parents[2]
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
