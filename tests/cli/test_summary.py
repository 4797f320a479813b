"""The end of a run on narrow screens, and thoughts that failed."""

import io

import pytest
from rich.console import Console, RenderableType

import smolville.cli.runs as cli_runs
from smolville.cli.runs import runs_page
from smolville.reports.runs import RunRow
from tests.cli.conftest import Command
from tests.fixtures.broken_node import broken_node


def drawn(shown: RenderableType, width: int) -> str:
    """Return what a screen of a width shows."""
    console = Console(file=io.StringIO(), width=width, markup=False)
    with console.capture() as held:
        console.print(shown, crop=False)
    return held.get()


@pytest.mark.parametrize("width", [80, 120])
def test_a_list_of_runs_keeps_names_and_moments_whole(
    monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr(cli_runs, "console", lambda: Console(width=width))
    model = "llamacpp:http://127.0.0.1:8080/v1"
    row = RunRow(
        name="lively-squirrel-2",
        town="Smolville",
        cast=25,
        reached="1 14:30",
        goal="12 00:00",
        model=f"{model} + {model}",
        clean=0.987,
        fallbacks=1234,
        state="finished",
    )
    text = drawn(runs_page([row, row]).render(), width)
    for whole in ("lively-squirrel-2", "1 14:30", "12 00:00", "99%", "1234", "finished"):
        assert text.count(whole) == 2
    assert "Smolville" not in text
    assert "http://" not in text
    assert all(len(line) <= width for line in text.splitlines())
    other = RunRow(name="elsewhere", town="Smalltown")
    assert "Smolville" in drawn(runs_page([row, other]).render(), 160)


def test_thoughts_that_failed_are_said_and_a_run_of_nothing_else_fails(
    smolville: Command,
) -> None:
    with broken_node("perceive"):
        said = smolville.live("amber", "--for", "10m", "-q")
    assert said.code == 1
    (line,) = said.err.strip().splitlines()[-1:]
    assert "thoughts failed, the last of " in line
    assert "ZeroDivisionError: a bug in a node; see run.log in " in line
    shown = " ".join(smolville("show", "amber").out.split())
    assert "thoughts failed, the last of " in shown
    assert "see run.log" in shown
    assert "a bug in a node" in (smolville.runs / "amber" / "run.log").read_text()
