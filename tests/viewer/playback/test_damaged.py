"""Of a damaged history what is whole is shown, and a sentence says what is not."""

import os
import re
import shutil
import sqlite3
import struct
from pathlib import Path
from typing import Any

import pytest

from smolville.history.folder import RunFolder
from smolville.history.schema import VERSION
from smolville.viewer.playback.reader import ReplayReader
from tests.fixtures.damage import KINDS, state_of
from tests.viewer.playback.conftest import TOWNS, answering, head, tracks

LINKS = ("loop", "pipe")
"""Kinds of damage because of which nothing of a run is opened."""
PAGE = 4096
"""Bytes of a page of a history."""


@pytest.fixture
def copy(town_run: RunFolder, tmp_path: Path) -> RunFolder:
    """A copy of a lived run that may be damaged."""
    shutil.copytree(town_run.path, tmp_path / "runs" / "town")
    shutil.copytree(town_run.path, tmp_path / "kept")
    return RunFolder.open(tmp_path / "runs", "town")


def edit(folder: RunFolder, *statements: str) -> None:
    """Change a history behind everybody's back."""
    with sqlite3.connect(folder.history_path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def spoil(folder: RunFolder, table: str) -> None:
    """Overwrite the first page of a table."""
    spoil_pages(folder, root_of(folder, table))


def root_of(folder: RunFolder, table: str) -> int:
    """Return the first page of a table, with everything that was written in the file."""
    with sqlite3.connect(folder.history_path) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (page,) = connection.execute(query, (table,)).fetchone()
        assert connection.execute("PRAGMA page_size").fetchone() == (PAGE,)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return int(page)


def pages_of(folder: RunFolder, table: str) -> list[int]:
    """Return the pages to which a table's first page leads, in their order."""
    start = (root_of(folder, table) - 1) * PAGE
    page = folder.history_path.read_bytes()[start : start + PAGE]
    (count,) = struct.unpack_from(">H", page, 3)
    cells = struct.unpack_from(f">{count}H", page, 12)
    return [struct.unpack_from(">I", page, at)[0] for at in (*cells, 8)]


def spoil_pages(folder: RunFolder, *pages: int) -> None:
    """Overwrite pages."""
    with folder.history_path.open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * PAGE)
            file.write(b"\x99" * PAGE)


@pytest.mark.parametrize("table", ["deeds", "moves", "talks", "lines", "bodies", "memories"])
def test_a_spoilt_table_leaves_the_others(copy: RunFolder, table: str) -> None:
    whole = tracks(copy)
    about = head(copy)
    spoil(copy, table)
    found = tracks(copy)
    assert any(table in fault and "damaged" in fault for fault in found["faults"])
    assert found["until"] == whole["until"]
    for part in ("moves", "deeds", "objects"):
        assert found[part] == ([] if part == table else whole[part])
    if table == "lines":
        assert [each["lines"] for each in found["talks"]] == [[]] * len(whole["talks"])
    people = head(copy)["people"]
    assert [each["name"] for each in people] == [each["name"] for each in about["people"]]
    with ReplayReader(copy, TOWNS) as reader:
        page = reader.person(0)
    assert bool(page["memories"]) == (table != "memories")
    assert page["plans"]


@pytest.mark.parametrize("table", ["deeds", "moves"])
def test_around_a_spoilt_page_rows_are_read_from_both_ends(copy: RunFolder, table: str) -> None:
    def rows(found: Any) -> list[Any]:
        return list(found[table])

    whole = tracks(copy)
    leaves = pages_of(copy, table)
    spoil_pages(copy, leaves[len(leaves) // 2])
    found = tracks(copy)
    said = next(each for each in found["faults"] if re.match(f"{table}: damaged, ", each))
    count, before, behind = (int(each) for each in re.findall(r"\d+", said))
    assert before > 0 < behind and before + behind == count == len(rows(found)) < len(rows(whole))
    kept = iter(rows(whole))
    assert all(row in kept for row in rows(found)), "in their order"


def test_of_a_history_that_was_cut_off_its_beginning_is_shown(copy: RunFolder) -> None:
    whole = tracks(copy)
    size = copy.history_path.stat().st_size
    os.truncate(copy.history_path, size * 6 // 10)
    found = tracks(copy)
    assert 0 < len(found["deeds"]) < len(whole["deeds"])
    # The cut may fall among the rows of a few minutes, in which people far apart are not in step.
    kept = iter(whole["deeds"])
    assert all(deed in kept for deed in found["deeds"]), "in their order"
    last = found["deeds"][-1][5] - 600
    before = [deed for deed in whole["deeds"] if deed[5] < last]
    assert found["deeds"][: len(before)] == before
    faults = head(copy)["faults"]
    assert sum("can be copied out" in fault for fault in faults) == 1
    os.truncate(copy.history_path, 3000)
    assert tracks(copy)["deeds"] == [] and len(tracks(copy)["faults"]) == 1


def test_without_its_commits_a_history_ends_where_its_rows_end(copy: RunFolder) -> None:
    until = tracks(copy)["until"]
    spoil(copy, "commits")
    found = tracks(copy)
    assert until - 600 < found["until"] <= until
    assert found["deeds"] and "commits: damaged" in found["faults"]


def test_rows_that_make_no_sense_are_left_out(copy: RunFolder) -> None:
    whole = tracks(copy)
    with ReplayReader(copy, TOWNS) as reader:
        page = reader.person(0)
    edit(
        copy,
        "UPDATE deeds SET partners = '[' WHERE rowid = 3",
        "UPDATE moves SET path = '1,2 no' WHERE rowid = 2",
        "UPDATE moves SET path = '1,2 9,9' WHERE rowid = 3",
        "UPDATE memories SET evidence = '' WHERE n = 1",
        "UPDATE minds SET blob = 'x' WHERE rowid = 1",
        "UPDATE interventions SET kind = 'visitor_enters', text = '{' WHERE n = 2",
        "DROP TABLE goals",
    )
    found = tracks(copy)
    assert len(found["deeds"]) == len(whole["deeds"]) - 1
    assert len(found["moves"]) == len(whole["moves"]) - 2
    assert any("moves: 2 rows make no sense" in fault for fault in found["faults"])
    assert any("no such table: goals" in fault for fault in head(copy)["faults"])
    with ReplayReader(copy, TOWNS) as reader:
        faults = [reader.person(n) for n in range(3)]
    assert sum(len(each["memories"]) for each in faults) > 2 * len(page["memories"]) // 1
    assert any("memories: 1 row makes no sense" in "".join(each["faults"]) for each in faults)


def test_what_cannot_be_opened_is_still_shown_with_its_town(copy: RunFolder) -> None:
    people = head(copy)["people"]
    edit(copy, f"PRAGMA user_version = {VERSION + 1}")
    found = head(copy)
    assert any("later Smolville" in fault for fault in found["faults"])
    assert [each["name"] for each in found["people"]] == [each["name"] for each in people]
    assert found["until"] == -1 and found["map"]
    copy.history_path.write_bytes(b"this is no database at all, but it is long enough" * 99)
    found = head(copy)
    assert any("damaged" in fault for fault in found["faults"])
    assert tracks(copy)["deeds"] == []


@pytest.mark.parametrize("file", ["run.json", "town.sqlite", "inbox.sqlite", "lock", "pulse.json"])
def test_addresses_answer_in_json_whatever_has_befallen_a_file(copy: RunFolder, file: str) -> None:
    whole = state_of(copy.path)
    for kind, damage in KINDS.items():
        if not (copy.path / file).exists():
            (copy.path / file).write_text("{}")
        damage(copy.path / file)
        before = state_of(copy.path)
        with answering(copy.path.parent) as asked:
            for what in ("head.json", "tracks.json", "person/0.json"):
                answer = asked.client.get(f"/replay/town/{what}")
                said = answer.json()
                if kind in LINKS or file == "run.json":
                    assert answer.status_code == 409, kind
                    assert "un 'town' is" in said["detail"] and file in said["detail"], kind
                    continue
                assert answer.status_code == 200, kind
                is_faulty = file == "town.sqlite" and kind != "empty"
                assert not is_faulty or any("damaged" in each for each in said["faults"]), kind
        assert state_of(copy.path) == before, kind
        KINDS["folder"](copy.path / file)
        (copy.path / file).rmdir()
        if file in whole:
            shutil.copy(copy.path.parents[1] / "kept" / file, copy.path / file)


def test_addresses_say_what_is_wrong(copy: RunFolder) -> None:
    runs = copy.path.parent
    with answering(runs) as asked:
        assert asked.json("/replay/town/head.json")["run"] == "town"
        for name in ("nobody", "..", "%2e%2e", "a%00b", "x" * 300, "%E2%80%AE", ".git"):
            for what in ("head.json", "tracks.json", "person/0.json", "live"):
                answer = asked.client.get(f"/replay/{name}/{what}")
                assert answer.status_code in (404, 405), (name, answer.text)
                assert str(runs) not in answer.text
        assert "There are: town." in asked.json("/replay/nobody/live", 404)["detail"]
        assert "this number" in asked.json("/replay/town/person/3.json", 404)["detail"]
        for question in ("since=x", "since=-2", "since=1e99", f"since={10**30}"):
            asked.json(f"/replay/town/tracks.json?{question}", 422)
        (copy.path / "run.json").write_text("{}")
        wrong = asked.json("/replay/town/head.json", 409)["detail"]
        assert "damaged" in wrong and str(runs) not in wrong
