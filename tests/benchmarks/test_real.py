"""The benchmark of a real day, with the stand-in in the model's place."""

import json
import sqlite3
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import real
from benchmarks.reading_sheet import (
    LABELS,
    Read,
    SheetError,
    crossed,
    id_of,
    labelled,
    read_labels,
    shares,
    sheet,
)
from benchmarks.real_figures import real_day, shared_beginnings, shared_length
from smolville.graphs.loop.ledger import Call, CallKey
from smolville.history.folder import HISTORY
from smolville.history.sample import SAMPLE, packed_sample
from smolville.reports.runs import opened_run


def call(tick: int, text: str, *, attempt: int = 0, cached: int | None = 0) -> Call:
    return Call(
        key=CallKey(owner="Ada", tick=tick, step="say", ordinal=0, attempt=attempt),
        agent="Ada",
        inputs="{}",
        recalled="[]",
        template="",
        messages=json.dumps([{"role": "user", "content": text}]),
        messages_hash="",
        model="m",
        tier="fast",
        temperature=0.0,
        max_tokens=1,
        seed=0,
        schema="",
        reply="",
        finish="stop",
        prompt_tokens=100,
        cached_tokens=cached,
        started=float(tick),
    )


def test_the_longest_beginning_is_that_of_any_earlier_prompt() -> None:
    same = "x" * 94
    found = shared_beginnings(
        [
            call(3, same, cached=80),
            call(1, same),
            call(2, "y" * 94),
            call(4, same, attempt=1, cached=100),
            call(5, same, cached=None),
            replace(call(6, same), source="cache"),
        ]
    )
    assert (found.prompt, found.cached, found.untold) == (300, 80, 1)
    # The second has only its role in common with the first, which is five of a hundred letters.
    assert found.possible == 100 + 5
    assert found.share == 80 / 105


def test_texts_share_what_they_begin_with() -> None:
    assert [shared_length("abc", other) for other in ("", "abd", "abc", "abcd", "x")] == [
        *(0, 2, 3, 3, 0)
    ]


def test_a_morning_is_lived_gone_on_with_and_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    words = ["standin", "--cast", "1", "--folder", str(tmp_path)]
    figures = []
    for length in ("7h", "8h", "8h"):
        real.main([*words, "--for", length])
        figures.append(json.loads(capfd.readouterr().out.splitlines()[-1]))
    first, farther, again = figures
    assert first["steps"] < farther["steps"] == again["steps"]
    assert farther["agent_days"] == pytest.approx(8 / 24, abs=0.001)
    assert (farther["without_fallback"], farther["faults"]) == (1.0, 0)
    assert farther["cached_of_possible"] is None
    taken = real.spent(tmp_path / "standin-1")
    assert taken["wall_s"] > 0 and taken["cpu_s"] > 0
    real.main([*words, "--sheet", str(tmp_path / "sheet.md"), "--steps", "4"])
    assert (tmp_path / "sheet.md").read_text().count("\nlabel:") == 4


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("qwen", "qwen-3"),
        ("smollm2?slots=1", "smollm2-3"),
        ("/some/where/Tiny 1B.Q4.gguf", "Tiny-1B.Q4.gguf-3"),
        ("standin:mistakes=0.3", "standin-mistakes-0.3-3"),
    ],
)
def test_a_run_is_named_after_its_model(model: str, name: str) -> None:
    assert real.name_of(model, 3) == name


def test_a_file_is_a_spec_and_a_spec_stays_one() -> None:
    assert real.spec_of("some/tiny.gguf") == "gguf:some/tiny.gguf"
    assert real.spec_of("gguf:some/tiny.gguf?slots=1") == "gguf:some/tiny.gguf?slots=1"
    assert real.spec_of("standin") == "standin"


def test_a_run_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="there is no run 'standin-3'"):
        real.main(["standin", "--folder", str(tmp_path), "--sheet", str(tmp_path / "s.md")])


def test_a_sheet_is_the_same_whatever_the_program_thinks_of_the_answers(tmp_path: Path) -> None:
    with zipfile.ZipFile(packed_sample(SAMPLE)) as archive:
        archive.extractall(tmp_path / "mine")
    sheets = []
    for change in ("outcome = outcome", "outcome = 'fallback', odd = '[\"x\"]', odd_kinds = '[1]'"):
        with closing(sqlite3.connect(tmp_path / "mine" / HISTORY)) as connection, connection:
            connection.execute(f"UPDATE steps SET {change}")
        with opened_run(tmp_path, "mine") as run:
            sheets.append(sheet(run, 20))
    assert sheets[0] == sheets[1]
    assert sheets[0].count("\n## ") == sheets[0].count("\nlabel:") == 20


def filled(text: str) -> str:
    """A sheet on which the labels go round."""
    parts = text.split("\nlabel:")
    return "".join(
        part + (f"\nlabel: {LABELS[n % 3].upper()}" if n < len(parts) - 1 else "")
        for n, part in enumerate(parts)
    )


def test_labels_are_read_back_and_held_against_the_marks() -> None:
    with opened_run(Path(SAMPLE), SAMPLE) as run:
        reads = labelled(run.reader, read_labels(filled(sheet(run, 9)), Path("s.md")))
    assert [sum(each.label == label for each in reads) for label in LABELS] == [3, 3, 3]
    marks = ["unmarked", "odd", "fallback"]
    made = [_marked(each, mark) for each, mark in zip(reads, marks * 3, strict=True)]
    found = {each.name: (each.part, each.of) for each in shares(made)}
    assert found["read as sensible"] == (3, 9)
    assert found["senseless and not marked"] == (0, 9)
    assert found["sensible ones marked odd"] == (0, 3)
    assert crossed(made) == [("unmarked", 3, 0, 0), ("odd", 0, 3, 0), ("fallback", 0, 0, 3)]
    unmarked = shares([_marked(each, "unmarked") for each in reads])
    share = next(each for each in unmarked if each.name == "senseless and not marked")
    assert (share.part, share.of) == (3, 9)
    assert share.interval.low < 3 / 9 < share.interval.high


def _marked(read: Read, mark: str) -> Read:
    """The step with another mark of the program's."""
    record = replace(
        read.record,
        outcome="fallback" if mark == "fallback" else "clean",
        odd_kinds=("hours",) if mark == "odd" else (),
    )
    return replace(read, record=record)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("## 1 · 0123456789ab\nlabel: fine", "s.md, line 2: 'fine' is no label"),
        ("label: odd", "s.md, line 1: this label stands under no entry"),
        ("## 1 · 0123456789ab\nlabel: odd\nlabel: odd", "line 3: this label stands under no"),
        ("## 1 · 0123456789ab\nlabel:\n", "s.md has no label"),
    ],
)
def test_a_sheet_that_cannot_be_read_is_one_sentence(text: str, told: str) -> None:
    with pytest.raises(SheetError, match=told):
        read_labels(text, Path("s.md"))


def test_a_sheet_of_another_run_is_told() -> None:
    with (
        opened_run(Path(SAMPLE), SAMPLE) as run,
        pytest.raises(SheetError, match="1 of the labelled steps are not in this run"),
    ):
        labelled(run.reader, {"0123456789ab": "odd"})


def test_the_figures_of_the_recording_add_up() -> None:
    with opened_run(Path(SAMPLE), SAMPLE) as run:
        day = real_day(run)
        ids = {id_of(key) for key in run.reader.use_keys()}
    assert day.agent_days == 6
    assert day.total.steps == sum(each.steps for each in day.steps.values()) == len(ids)
    assert sum(kept.of for name, kept in day.kept.items() if name != "meals") == 12
