"""The figures of a lived run: what its model worded, its agreements, and its places."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks.life import Question, ask_all, main
from benchmarks.lived import Agreement, judge, outcome_of, own_words, read_life
from smolville.agents.mind import Appointment
from smolville.agents.times import minute_of, moment
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
    assert 0 < found["shared_beginnings"] < 100


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


def test_drawn_deeds_do_not_tell_how_their_places_were_found(
    lived: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = [json.loads(line) for line in printed(capsys, lived, "--deeds", 5, "--seed", 1)]
    assert len(drawn) == 5
    assert all(set(each) == {"n", "at", "words", "place"} for each in drawn)
    again = printed(capsys, lived, "--deeds", 5, "--seed", 1)
    assert [json.loads(line) for line in again] == drawn


def test_the_recording_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(printed(capsys, "sample", "--runs", "no-such-folder")[-1])
    assert told["agreements"] == told["kept"] + told["partly"] + told["missed"] > 10
    assert told["own_words"] > 95 and told["words_by_code"] > 0


_ASKED = {
    "agent": "Nadia Farouk",
    "asker": "Junko Mori",
    "at": "2 09:30",
    "question": "What did you dream of last night?",
}
"""A question to the recording whose answer stands in one memory, without its answer."""


def asked(tmp_path: Path, *items: object) -> list[object]:
    """The benchmark's options for questions to the recording."""
    file = tmp_path / "questions.json"
    file.write_text(json.dumps(items), encoding="utf-8")
    return ["sample", "--runs", tmp_path, "--questions", file]


def test_an_answer_is_found_in_memories_elsewhere_in_the_prompt_or_nowhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with opened_run(tmp_path, "sample") as run:
        (dream,) = (each for each in run.reader.memories("Nadia Farouk") if each.kind == "dream")
    slept = _ASKED | {"answer": ["no such text", dream.text[-25:].upper()]}
    where = slept | {"question": "Where do you live?", "answer": ["Saffron Cottage with her"]}
    # A rule of the template has these words; no memory has them before the dream.
    unknown = slept | {"question": "What else?", "answer": ["Ask how somebody is only once"]}
    early = slept | {"at": "1 20:00"}
    *_, line = printed(capsys, *asked(tmp_path, slept, where, unknown, early))
    found = json.loads(line)
    assert found["found"] == ["memories", "me", "missing", "missing"]
    assert found["in_memories"] == {"count": 1, "share": 25.0, "low": 4.6, "high": 69.9}
    assert found["in_prompt"]["count"] == 2
    assert 1 <= found["most_memories_shown"] <= 6


def test_a_question_shows_the_memories_that_the_same_line_of_the_run_showed(lived: Path) -> None:
    compared = 0
    with opened_run(lived.parent, lived.name) as run:
        for talk in run.reader.talks():
            recorded = run.reader.talk(talk.id)
            first, second, *_ = talk.lines
            said = (
                [each for each in recorded.steps if each.record.step == "say"] if recorded else []
            )
            view = next(each for each in said if each.record.agent == second.speaker)
            inputs = json.loads(view.attempts[0].call.inputs)
            if inputs["reason"] or len(talk.participants) > 2:
                continue  # A reason of one's own brings further memories to mind.
            question = Question(
                agent=second.speaker,
                asker=first.speaker,
                at=moment(view.record.tick * run.folder.spec.tick_seconds),
                question=first.text,
                answer=["no such text"],
            )
            (told,) = ask_all(run, [question])
            texts = [f"{each['when']} {each['text']}" for each in inputs["memories"]]
            assert list(told.shown) == [*texts, *filter(None, [inputs["news"]])]
            compared += 1
    assert compared


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"agent": "Nadja Farouk"}, "Question 2: Nobody in the run 'sample' is called 'Nadja"),
        ({"asker": "Nadia Farouk"}, "Question 2: give an asker who is another person, and an"),
        ({"answer": ["dream"]}, "Question 2: give an asker who is another person, and an answer"),
        (
            {"at": "half past nine"},
            "Question 2: 'half past nine' is not a town time; write the day",
        ),
        ({"at": "9 09:30"}, "Question 2: the run goes to 3 00:00; 9 09:30 is outside of it"),
        ({"at": "2 03:00"}, "Question 2: Nadia Farouk is not awake at 2 03:00"),
        ({"answer": []}, "questions.json: question 2 answer: List should have at least 1 item"),
        ({"when": "now"}, "questions.json: question 2 when: Extra inputs are not permitted"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_in_a_sentence(
    changed: dict[str, object], told: str, tmp_path: Path
) -> None:
    item = _ASKED | {"answer": ["no such text"]}
    options = asked(tmp_path, item, item | changed)
    with pytest.raises(SystemExit, match=re.escape(told)) as refused:
        main([str(each) for each in options])
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("See you at five!", 4),
        ("see  you at five", 4),
        ("See you at five. On Monday then.", 4),
        ("See you at six.", 0),
        ("You at fi", 0),
    ],
)
def test_a_sentence_is_own_if_a_reply_has_it_word_for_word(text: str, own: int) -> None:
    assert own_words(text, " well see you at five | monday ") == own


@pytest.mark.parametrize(
    ("came", "is_kept", "outcome"),
    [((True, True), True, "kept"), ((True, False), False, "partly"), ((), False, "missed")],
)
def test_an_agreement_is_kept_missed_or_kept_by_one_side(
    came: Sequence[bool], is_kept: bool, outcome: str
) -> None:
    terms = Appointment(day=1, start=600, partners=())
    by_name = dict(zip(("Ada", "Ben"), came, strict=False))
    made = Agreement(terms, [], [], came=by_name, is_kept=is_kept)
    assert outcome_of(made) == outcome
