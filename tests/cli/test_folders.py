"""Forking, discarding, checking towns, and everything that is asked for in vain."""

import os
import pty
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.fixtures.small_town import edit_map, edit_text, place
from tests.fixtures.warm import warm

HOUSE = Path(__file__).resolve().parents[2]


def test_a_fork_shares_the_past_and_has_its_own_future(lived: Command) -> None:
    said = lived("fork", "amber", "birch", "--at", "1 11:00")
    assert said.code == 0
    assert "birch shares the past of amber up to Monday 6 May, 11:00." in said.out
    whole = lived.digest("amber")
    assert lived("run", "birch", "--resume", "--until", "1 13:00", "-q").code == 0
    assert lived.digest("birch") == whole
    assert lived("fork", "amber", "cedar").code == 0
    assert lived.digest("cedar") == whole
    assert lived("tell", "cedar", "ada", "Go for a swim.").code == 0
    listed = lived("runs").out
    assert "birch: fork of amber at day 1, 11:00\n" in listed
    assert "cedar: fork of amber at day 1, 13:00\n" in listed


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("fork", "amber", "amber"), "The name 'amber' is taken"),
        (("fork", "amber", "birch", "--at", "3 12:00"), "outside of it"),
        (("fork", "amber", "birch", "--at", "noon"), "is not a town time"),
        (("fork", "amber", "birch", "--at", "1 00:00"), "nothing has happened before it"),
        (("runs", "birch", "--delete", "--yes"), "There is no run 'birch'"),
        (("show", "birch"), "there: amber"),
        (("compare", "../amber", "--digest"), "cannot name a run"),
    ],
)
def test_a_run_or_moment_that_is_not_there_is_said(
    lived: Command, words: tuple[str, ...], told: str
) -> None:
    said = lived(*words)
    assert said.code == 2
    assert told in said.err
    assert len(said.err.strip().splitlines()) == 1
    assert (lived.runs / "amber" / "run.json").exists()


def test_nobody_is_asked_where_nobody_can_answer(lived: Command) -> None:
    said = lived("runs", "amber", "--delete")
    assert said.code == 2
    assert "add --yes to do it" in said.err
    assert lived("runs", "amber", "--delete", "--yes").out == "amber is gone.\n"
    assert not (lived.runs / "amber").exists()


def test_on_a_terminal_discard_asks_first(lived: Command) -> None:
    ours, theirs = pty.openpty()
    line = ["-m", "smolville.cli.main", "runs", "amber", "--delete", "--runs", lived.runs]
    with warm(line, HOUSE, terminal=dict.fromkeys(range(3), theirs)) as process:
        os.write(ours, b"n\n")
        assert process.wait() == 1
        asked = os.read(ours, 4096).decode()
    os.close(ours)
    os.close(theirs)
    assert "Throw away the run amber" in asked
    assert (lived.runs / "amber").exists()


def test_a_town_in_order_is_described_and_drawn(smolville: Command, tmp_path: Path) -> None:
    svg = tmp_path / "map.svg"
    said = smolville("town", str(smolville.town), "--svg", str(svg))
    assert said.code == 0
    assert said.out.startswith("Smalltown is in order: 3 people, 6 sectors, ")
    assert svg.read_text().startswith("<svg ")


def test_a_town_names_hours_that_are_only_usual_and_a_persona_is_shown(lived: Command) -> None:
    told = "Cora Vance: usual hours are taken: breakfast 09:30, lunch 12:30, dinner 18:30."
    assert told in lived("town", str(lived.town)).out
    assert lived("show", "amber", "ada", "persona").out.startswith("Ada Brook, 34\n")
    assert lived("show", "amber", "ada", "persona", "--json").json["name"] == "Ada Brook"


def test_every_fault_of_a_town_is_printed(smolville: Command) -> None:
    edit_text(smolville.town / "personas" / "ada.toml", "age = 34", 'age = "old"')
    edit_text(smolville.town / "history.csv", "Ben Hollis", "Bert Hollis")
    said = smolville("town", str(smolville.town))
    assert said.code == 2
    assert "ada.toml, line 2" in said.err
    assert len(said.err.strip().splitlines()) >= 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--cast", "4"), "has no cast of 4"),
        (("--agents", "Dora"), "Nobody in Smalltown is called 'Dora'"),
        (("--agents", "Ada", "--cast", "1"), "--cast and --agents exclude each other"),
        (("--for", "1d", "--until", "2 12:00"), "--for and --until exclude each other"),
        (("--for", "9999999d"), "beyond the last day"),
        (("--model", "parrot"), "cannot be read"),
        (("--model", "standin:mistake=1"), "the stand-in has no setting 'mistake'"),
        (("--embedder", "bert"), "The embedder 'bert' is unknown"),
        (("--quiet", "--verbose"), "exclude each other"),
        (("--set", "tick=0"), "--set tick cannot be"),
        (("--seed", "[/]"), "--seed"),
    ],
)
def test_a_run_that_cannot_begin_leaves_nothing_behind(
    smolville: Command, words: tuple[str, ...], told: str
) -> None:
    model = () if "--model" in words else ("--model", "standin")
    said = smolville("run", "amber", "--town", str(smolville.town), *model, *words)
    assert said.code == 2
    assert told in said.err
    assert len(said.err.strip().splitlines()) == 1
    assert not (smolville.runs / "amber").exists()


def test_a_name_that_is_taken_is_said(lived: Command) -> None:
    said = lived.live("amber")
    assert said.code == 2
    assert "--resume amber" in said.err
    assert "--overwrite" in said.err
    forked = lived("fork", "amber", "amber")
    assert forked.code == 2
    assert "--" not in forked.err.replace(str(lived.runs), "")


@pytest.mark.parametrize("name", ["", "../amber", "[/]"])
def test_a_name_that_cannot_be_is_said(smolville: Command, name: str) -> None:
    said = smolville.live(name, "--for", "10m")
    assert said.code == 2
    assert "cannot name a run" in said.err
    assert len(said.err.strip().splitlines()) == 1
    assert smolville("run", name, "--resume").code == 2


def test_a_home_nobody_can_reach_is_said(smolville: Command) -> None:
    def move(data: dict[str, object]) -> None:
        place(data, "objects", "pond edge")["x"] = 5_000

    edit_map(smolville.town, move)
    said = smolville.live("amber")
    assert said.code == 2
    assert "pond edge" in said.err


def test_a_run_whose_town_was_changed_is_not_gone_on_with(
    smolville: Command,
) -> None:
    assert smolville.live("amber", "--for", "10m", "-q").code == 0
    edit_text(smolville.town / "personas" / "ada.toml", "age = 34", "age = 35")
    said = smolville("run", "amber", "--resume", "--for", "1h")
    assert said.code == 2
    assert "was changed after the run 'amber' began" in said.err
    assert "## Day 1" in smolville("timeline", "amber").out
    assert smolville("show", "amber").code == 2


def test_a_damaged_run_is_said_and_hides_no_other(lived: Command) -> None:
    assert lived("fork", "amber", "birch").code == 0
    (lived.runs / "birch" / "run.json").write_text("{")
    (lived.runs / "amber" / "town.sqlite").write_bytes(b"no database" * 1000)
    rows = {row["name"]: row for row in lived("runs", "--json").json}
    assert rows["birch"]["state"] == rows["amber"]["state"] == "damaged"
    assert "run.json" in rows["birch"]["problem"]
    for words in (("show", "amber"), ("run", "amber", "--resume"), ("timeline", "birch")):
        said = lived(*words)
        assert said.code == 2
        assert "damaged" in said.err


def test_lost_memories_are_made_again_and_said(lived: Command) -> None:
    memories = lived.runs / "amber" / "memories"
    for path in sorted(memories.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    memories.rmdir()
    said = lived("run", "amber", "--resume", "--for", "10m")
    assert said.code == 0
    assert "memories" in said.err.split("until")[1]


def test_no_text_is_markup_on_the_screen(smolville: Command) -> None:
    odd = "soup [bold]evening[/] and [/nothing]"
    edit_text(smolville.town / "personas" / "ada.toml", "a soup evening at the café.", f"{odd}.")
    assert smolville.live("amber", "--for", "8h", "-q").code == 0
    card = smolville("show", "amber", "ada").out
    assert "[bold]evening[/]" in " ".join(card.split())
    assert odd in smolville("show", "amber", "ada", "--json").json["currently"]
    for what in ("plan", "memories", "thoughts", "place", "social", "talks"):
        assert smolville("show", "amber", "ada", what).code == 0
    found = smolville("recall", "amber", "ada", "[/] soup [red]")
    assert "'[/] soup [red]'" in found.out
