"""Two runs compared: equal, or parted somewhere, with the cause and what each person did."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from smolville.history.cut import fork
from smolville.history.folder import RunFolder
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.reports.diff import RunDifference, compare_runs
from smolville.reports.runs import opened_run
from smolville.world.run_request import RunRequest
from tests.fixtures.small_town import write_small_town
from tests.whole.lives import HOUR, begin, live, lived, standin

EIGHT, NINE = 8 * HOUR, 9 * HOUR
ADA, BEN, CORA = "Ada Brook", "Ben Hollis", "Cora Vance"
FORKED = 8 * 360
"""First tick of a fork at eight that is its own."""


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> RunRequest:
    """The small town's three people."""
    return RunRequest(town=write_small_town(tmp_path_factory.mktemp("town") / "small"), cast=3)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, asked: RunRequest) -> Path:
    """A folder with the run `first`, lived until nine; others are added by tests."""
    runs = tmp_path_factory.mktemp("runs")
    lived(runs, "first", asked, NINE)
    return runs


def compared(runs: Path, one: str, other: str) -> RunDifference:
    """How two runs differ."""
    with opened_run(runs, one) as first, opened_run(runs, other) as second:
        return compare_runs(first, second)


def changed(runs: Path, name: str, statement: str, *values: object) -> None:
    """A copy of `first` in whose history one statement changed one row."""
    shutil.copytree(runs / "first", runs / name)
    with closing(sqlite3.connect(runs / name / "town.sqlite")) as connection:
        assert connection.execute(statement, values).rowcount == 1
        connection.commit()


def forked(runs: Path, name: str, prepare: Callable[[RunFolder], object], chat: str = "") -> None:
    """A fork of `first` at eight, prepared and lived until nine."""
    folder = fork(runs, "first", name, FORKED - 1)
    prepare(folder)
    live(folder, NINE, standin(0, chat) if chat else None)


def test_a_run_that_ends_earlier_shares_what_it_has(runs: Path) -> None:
    fork(runs, "first", "short", FORKED - 1)
    found = compared(runs, "first", "short")
    assert (found.first, found.shared, found.lived) == (None, EIGHT, (NINE, EIGHT))
    assert not found.is_equal
    assert not any(found.people.values())


def test_a_whisper_is_told_as_the_cause_and_who_heard_it_differs_first(runs: Path) -> None:
    def whisper(folder: RunFolder) -> None:
        with Inbox(folder) as inbox:
            inbox.put(OperatorRequest(kind="whisper", target=BEN, text="Ask Ada for flour"))

    forked(runs, "whispered", whisper)
    found = compared(runs, "first", "whispered")
    first = found.first
    assert first is not None
    assert (first.at, first.agent, found.shared) == (EIGHT, BEN, EIGHT)
    assert first.cause.startswith("only whispered has an intervention then.")
    assert "“Ask Ada for flour”" in first.cause
    ben = found.people[BEN]
    assert ben is None or ben.at >= EIGHT


def test_another_model_is_told_as_the_cause(runs: Path) -> None:
    forked(runs, "clumsy", lambda folder: None, "standin:mistakes=0.3")
    first = compared(runs, "first", "clumsy").first
    assert first is not None
    assert first.at >= EIGHT
    assert "is asked of different models, standin and standin:mistakes=0.3." in first.cause


def test_a_reply_is_told_as_the_cause(runs: Path) -> None:
    shutil.copytree(runs / "first", runs / "replied")
    with closing(sqlite3.connect(runs / "replied" / "town.sqlite")) as connection:
        key, packed = _repacked(connection)
        connection.execute("UPDATE calls SET texts = ? WHERE rowid = ?", (packed, key))
        connection.commit()
    first = compared(runs, "first", "replied").first
    assert first is not None
    assert first.tables == ("calls",)
    asked = f"the model answers the same question of `plan_hours` of {first.agent} differently: "
    assert first.cause.startswith(asked)
    assert "“something {else}”" in first.cause


def _repacked(connection: sqlite3.Connection) -> tuple[int, bytes]:
    """Return the first call of `plan_hours` with another reply: its row, and its packed texts."""
    from json import dumps, loads

    from smolville.history.calls import Packer, Unpacker

    row, packed = connection.execute(
        "SELECT rowid, texts FROM calls WHERE step = 'plan_hours' ORDER BY tick LIMIT 1"
    ).fetchone()
    texts = loads(Unpacker(connection).unpack(packed))
    texts[4] = "something {else}"
    return row, Packer(connection).pack("call plan_hours", dumps(texts).encode())


@pytest.mark.parametrize(
    ("change", "words"), [("activity = 'flying'", "flying"), ('"end" = "end" + 60', None)]
)
def test_a_deed_that_nothing_explains_is_told_where_it_is_another(
    change: str, words: str | None, runs: Path
) -> None:
    deed = "(SELECT rowid FROM deeds WHERE agent = ? ORDER BY tick DESC LIMIT 1)"
    name = f"tampered-{words}"
    changed(runs, name, f"UPDATE deeds SET {change} WHERE rowid = {deed}", CORA)
    found = compared(runs, "first", name)
    assert found.first is not None
    assert (found.first.agent, found.first.tables) == (CORA, ("deeds",))
    assert found.first.cause.startswith("nothing that is recorded explains it")
    # Whoever does the same at every moment makes no difference in deeds.
    cora = found.people[CORA]
    assert (cora is None) == (words is None)
    if cora and words:
        assert cora.at == found.first.at
        assert cora.sides[1].words.startswith(words)


@pytest.mark.parametrize(
    ("change", "name"),
    [({"tick_seconds": 60}, "tick length"), ({"cast": 2}, "cast")],
)
def test_runs_that_were_never_one_are_compared_all_the_same(
    change: dict[str, int], name: str, runs: Path, asked: RunRequest
) -> None:
    other = f"other-{name.split()[0]}"
    folder = begin(runs, other, replace(asked, **change))
    live(folder, HOUR)
    found = compared(runs, "first", other)
    assert list(found.fundamental) == [name]
    assert found.shared == 0
    assert found.first is not None
    assert found.first.cause.startswith(f"{name}: ")
    assert found.until == HOUR
    assert found.only == (((CORA,), ()) if name == "cast" else ((), ()))
    assert list(found.people) == [ADA, BEN, CORA][: 2 if name == "cast" else 3]


def test_a_setting_is_told_as_the_cause(runs: Path, asked: RunRequest) -> None:
    lived(runs, "bare", replace(asked, rules=replace(asked.rules, examples=2)), EIGHT)
    found = compared(runs, "first", "bare")
    assert found.spec == {"setting examples": ("0", "2")}
    assert found.first is not None
    assert found.first.cause.endswith("They were asked for with setting examples: 0 and 2.")
