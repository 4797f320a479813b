"""`smolville compare`: what it prints of two runs or one, and its exit codes."""

import sqlite3
from contextlib import closing

import pytest

from tests.cli.conftest import Command
from tests.fixtures.viewing import copied


@pytest.fixture(scope="module")
def parted(morning: Command, tmp_path_factory: pytest.TempPathFactory) -> Command:
    """A folder with `amber` and its fork at eleven, in which Ada hears a whisper."""
    command = Command(copied(morning.runs, tmp_path_factory.mktemp("parted")), morning.town)
    assert command("fork", "amber", "what-if", "--at", "1 11:00").code == 0
    assert command("tell", "what-if", "ada", "Ask Ben for flour").code == 0
    assert command("run", "what-if", "--resume", "--for", "2h", "--quiet", "--headless").code == 0
    return command


def test_equal_runs_are_told_with_their_digest(morning: Command) -> None:
    said = morning("compare", "amber", "amber")
    digest = morning.digest("amber")
    assert said.code == 0
    assert said.out == f"amber and amber are equal up to Monday 6 May, 13:00: {digest}.\n"
    plain = morning("compare", "amber", "amber", "--json").json
    assert (plain["equal"], plain["digest"], plain["first"]) == (True, digest, None)


def test_a_fork_and_its_parent_part_at_the_whisper(parted: Command) -> None:
    said = parted("compare", "amber", "what-if")
    assert said.code == 1
    lines = said.out.splitlines()
    assert lines[0] == "amber and what-if share their history up to Monday 6 May, 11:00."
    assert lines[2].startswith("They part on Monday 6 May, 11:00, Ada Brook, in ")
    assert "Cause: Only what-if has an intervention then." in said.out
    assert "“Ask Ben for flour”" in said.out
    assert "\nAda Brook\n" in said.out


def test_a_program_reads_when_they_part_and_what_each_does(parted: Command) -> None:
    plain = parted("compare", "amber", "what-if", "--json").json
    assert plain["runs"] == ["amber", "what-if"]
    assert (plain["equal"], plain["digest"], plain["shared"]) == (False, None, "1 11:00")
    assert plain["first"]["agent"] == "Ada Brook"
    assert plain["first"]["cause"].startswith("only what-if has an intervention then.")
    ada = next(each for each in plain["people"] if each["name"] == "Ada Brook")
    assert len(ada["doing"]) == 2 and ada["parts"] >= "1 11:00"


def test_a_run_that_was_never_one_with_another_is_compared(morning: Command) -> None:
    said = morning("compare", "amber", "sample")
    assert said.code == 1
    assert said.out.startswith("amber and sample have no history in common: they differ in town: ")
    assert "Only in amber: Ada Brook, Ben Hollis, Cora Vance" in said.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("compare", "amber", "umber"), "There is no run 'umber'"),
        (("compare", "umber"), "There is no run 'umber'"),
        (("compare", "amber", "umber", "--digest"), "--digest is of one run"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(
    words: tuple[str, ...], said: str, morning: Command
) -> None:
    found = morning(*words)
    assert found.code == 2
    assert said in found.err
    assert found.out == ""


def test_a_run_is_rebuilt_and_is_the_same(parted: Command) -> None:
    digest = parted.digest("what-if")
    said = parted("compare", "what-if")
    assert said.code == 0, said.out
    assert "what-if is rebuilt from its record up to Monday 6 May, 13:00, the same:" in said.out
    assert digest in said.out
    plain = parted("compare", "what-if", "--json").json
    assert (plain["same"], plain["digest"], plain["difference"]) == (True, digest, None)


def test_a_changed_history_is_found_out_and_told_where(lived: Command) -> None:
    with closing(sqlite3.connect(lived.runs / "amber" / "town.sqlite")) as connection:
        (row,) = connection.execute("SELECT MAX(rowid) FROM deeds WHERE agent = 'Cora Vance'")
        connection.execute("UPDATE deeds SET activity = 'flying' WHERE rowid = ?", row)
        connection.commit()
    said = lived("compare", "amber")
    assert said.code == 1
    assert said.out.startswith("amber is not what its record gives; the rebuilt run differs.")
    assert ", Cora Vance, in deeds." in said.out
    assert "recorded" in said.out
    assert "flying" in said.out
    plain = lived("compare", "amber", "--json").json
    assert plain["same"] is False
    assert plain["difference"]["tables"] == ["deeds"]
