"""The figures of a lived run: what its model worded, its agreements, and its places."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks.life import Agreement, judge, main, outcome_of, own_words, read_life
from smolville.agents.mind import Appointment
from smolville.agents.times import minute_of
from smolville.history.folder import HISTORY
from smolville.models.open import open_chat
from smolville.reports.runs import opened_run
from smolville.world.run_request import RunRequest, create_run
from smolville.world.simulation import open_simulation

HOURS = 11


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a stand-in run of three people until late in the morning."""
    runs = tmp_path_factory.mktemp("runs")
    chat, _ = open_chat("standin", seed=4)
    folder = create_run(runs, "life", RunRequest(cast=3, seed=4), (chat, chat))
    with open_simulation(folder, (chat, chat)) as simulation:
        asyncio.run(simulation.run(HOURS * 3600))
    return folder.path


def printed(capsys: pytest.CaptureFixture[str], *asked: object) -> list[str]:
    """The lines that the benchmark prints."""
    main([str(each) for each in asked])
    return capsys.readouterr().out.splitlines()


def figures(capsys: pytest.CaptureFixture[str], run: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed(capsys, run)[-1])
    return found


def test_a_stand_in_words_all_that_is_no_fallback(
    lived: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = figures(capsys, lived)
    assert found["agent_days"] == pytest.approx(3 * HOURS / 24, abs=0.001)
    assert found["own_words"] == 100 and found["words_by_code"] == 0
    assert found["texts"]["lines"] and found["texts"]["deeds"] and found["texts"]["insights"]
    assert found["words_apart"]["persona"] > 0
    assert 0 < found["free_minutes_worded"] <= 100
    assert found["places"]["unknown"] == 0 < found["places"]["asked"]
    assert 1 <= found["most_memories_shown"] <= 6


def test_a_planted_line_lowers_the_share_and_a_marked_one_is_apart(
    lived: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    history = lived / HISTORY
    with closing(sqlite3.connect(history)) as connection:
        talk, n, text = connection.execute("SELECT talk, n, text FROM lines LIMIT 1").fetchone()
        write = "UPDATE lines SET text = ?, fallback = ? WHERE talk = ? AND n = ?"
        planted = "Code has put these seven words here."

        def plant(text: str, is_marked: bool) -> dict[str, Any]:
            connection.execute(write, (text, is_marked, talk, n))
            connection.commit()
            return figures(capsys, lived)

        unmarked, marked = plant(planted, False), plant(planted, True)
        plant(text, False)
    assert unmarked["own_words_of"]["lines"] < 100 > unmarked["own_words"]
    assert unmarked["words_by_code"] == 7
    assert marked["own_words"] == 100 and marked["words_apart"]["fallback"] == 7


def test_who_was_in_one_room_has_kept_it_and_who_slept_at_home_has_not(lived: Path) -> None:
    with opened_run(lived.parent, lived.name) as run:
        life = read_life(run)
        talk = max(run.reader.talks(), key=lambda each: each.end - each.start)

        def judged(start: int) -> Agreement:
            terms = Appointment(day=1, start=start, partners=(), who=talk.participants)
            made = Agreement(terms, ["singing a duet"], [talk.participants[0]])
            judge(made, life)
            return made

        met, slept = judged(minute_of(talk.end)), judged(3 * 60)
    assert outcome_of(met) == "kept" and set(met.came.values()) == {True}
    assert outcome_of(slept) == "missed" and set(slept.planned.values()) == {False}
    assert all(told.startswith("sleeping") for told in slept.instead.values())


def test_the_recording_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(printed(capsys, "sample", "--runs", "no-such-folder")[-1])
    assert told["agreements"] == told["kept"] + told["partly"] + told["missed"] > 10
    assert told["own_words"] > 95 and told["words_by_code"] > 0


def test_a_sentence_is_own_if_a_reply_has_it_word_for_word() -> None:
    replies = " well see you at five | monday "
    assert own_words("See  you at five! On Monday then.", replies) == 4
    assert own_words("See you at six.", replies) == own_words("You at fi", replies) == 0
