"""Notes, guests and texts: what is told beyond deeds and talks, and told unchanged."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from smolville.agents.action import Talk, TalkLine
from smolville.agents.entities import PLOT, WORLD
from smolville.agents.memory import Memory
from smolville.graphs.loop.ledger import StepOutcome, StepRecord
from smolville.history.drafting import new_run
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.records import CommitBatch, Intervention, Move, ThoughtRow
from tests.history.made_up import CAST, spec
from tests.viewer.playback.conftest import head, tracks

ROSA, TOM, _ = CAST


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return new_run(tmp_path / "runs", spec())


def commit(folder: RunFolder, tick: int, **rows: Any) -> None:
    """Commit rows."""
    with History(folder) as history:
        history.commit(CommitBatch(tick=tick, at=tick * 10, agents=CAST, **rows))


def memory(step: str, text: str, kind: str = "thought", agent: str = ROSA) -> Memory:
    return Memory(
        id=f"{agent}/5/{step}/0/0", agent=agent, kind=kind, text=text, created=50, tick=5,  # type: ignore[arg-type]
        accessed=50,
    )  # fmt: skip


def step(name: str, outcome: StepOutcome, ordinal: int = 0, owner: str = ROSA) -> StepRecord:
    return StepRecord(
        owner=owner, tick=5, step=name, ordinal=ordinal, agent=ROSA, outcome=outcome, attempts=1,
        answer="{}",
    )  # fmt: skip


def test_thoughts_failures_and_troubles_are_noted(run: RunFolder) -> None:
    failed = ThoughtRow(agent=TOM, tick=5, at=50, stimuli=(), path=(), failed="no answer came")
    commit(
        run,
        5,
        memories=[
            memory("reflect_insights", "I like rain."),
            memory("conclude_talk", "Tom is kind."),
            memory("wonder", "What now?"),
            memory("plan_day", "This is the plan."),
            memory("sleep", "A blue whale.", "dream"),
            memory("perceive", "It rains.", "event"),
        ],
        thoughts=[failed],
        steps=[
            step("react", "clean"),
            step("ground_block", "fallback"),
            step("plan_day", "fallback"),
            step("ground_block", "fallback", 1),
            step("say", "repaired"),
        ],
    )
    assert tracks(run)["notes"] == [
        [5, 0, "insight", "I like rain."],
        [5, 0, "keeps", "Tom is kind."],
        [5, 0, "thought", "What now?"],
        [5, 0, "dream", "A blue whale."],
        [5, 1, "failure", "no answer came"],
        [5, 0, "fallback", "ground_block, plan_day"],
        [5, 0, "repaired", "say"],
    ]


def test_entities_are_nobody_whom_one_could_meet_and_their_problems_are_told_by_name(
    run: RunFolder,
) -> None:
    failed = ThoughtRow(agent=PLOT, tick=5, at=50, stimuli=("turn",), path=(), failed="no answer")
    given_up = step("choose_happening", "fallback", owner=WORLD)
    commit(run, 5, thoughts=[failed], steps=[replace(given_up, agent=WORLD)])
    assert [each["name"] for each in head(run)["people"]] == list(CAST)
    assert tracks(run)["notes"] == [
        [5, -1, "failure", "no answer", PLOT],
        [5, -1, "fallback", "choose_happening", WORLD],
    ]


def test_what_comes_from_outside_is_noted(run: RunFolder) -> None:
    told = [
        (0, "history", ROSA, "You were born at sea"),
        (3, "history", ROSA, "You can swim"),
        (3, "whisper", ROSA, "Call Tom"),
        (3, "object_state", "Oak Cottage: kitchen: stove", "on fire"),
        (4, "announcement", "", "The bridge is closed"),
        (4, "visitor_enters", "Ivo Lind", '{"about":"a clown","place":"x","doing":"y"}'),
        (4, "visitor_says", "Ivo Lind", "{}"),
        (4, "visitor_calls", "Zoe Far", '{"about":"","agent":"Tom O\'Hara"}'),
        (5, "visitor_walks", "Ivo Lind", "Oak Cottage: kitchen"),
        (5, "visitor_acts", "Ivo Lind", "juggling"),
        (5, "visitor_talks", "Ivo Lind", TOM),
        (5, "visitor_says", "Ivo Lind", '{"talk":"t","n":1,"text":"","ends":false}'),
        (5, "visitor_says", "Ivo Lind", '{"talk":"t","n":3,"text":"Hello.","ends":false}'),
        (5, "visitor_says", "Ivo Lind", '{"talk":"t","n":5,"text":"Bye.","ends":true}'),
        (5, "visitor_leaves", "Ivo Lind", ""),
        (4, "miracle", "", "It snows upwards"),
        (9, "whisper", ROSA, "Too early to tell"),
    ]
    made = [
        Intervention(id=str(n), tick=tick, kind=kind, target=target, text=text)  # type: ignore[arg-type]
        for n, (tick, kind, target, text) in enumerate(told)
    ]
    move = Move(agent="Ivo Lind", tick=4, end_tick=5, path=((3, 3), (4, 4)))
    commit(run, 5, interventions=made, moves=[move])
    assert tracks(run)["notes"] == [
        [3, 0, "past", "You can swim"],
        [3, 0, "whisper", "Call Tom"],
        [3, -1, "object", "Oak Cottage, kitchen, stove is now: on fire"],
        [4, -1, "announcement", "The bridge is closed"],
        [4, 3, "visit", "a clown"],
        [4, 4, "call", ""],
        [4, -1, "miracle", "It snows upwards"],
        [5, 3, "leaves", "leaves the town"],
    ]
    assert tracks(run)["moves"] == [[3, 4, 5, 3, 3, "SE1"]]


def test_who_comes_later_is_a_guest_with_a_number_of_their_own(run: RunFolder) -> None:
    commit(run, 1)
    assert len(head(run)["people"]) == 3
    lines = (TalkLine(speaker="Zoe Far", text="Hello?", at=30),)
    call = Talk(
        id="talk/3/Zoe", participants=("Zoe Far", TOM), place="", start=30, end=60, lines=lines
    )
    came = [
        Intervention(id=kind, tick=tick, kind=kind, target=name, text='{"about":"x","agent":"y"}')  # type: ignore[arg-type]
        for tick, kind, name in ((3, "visitor_calls", "Zoe Far"), (6, "visitor_enters", "Abe Near"))
    ]
    commit(run, 3, talks=[call], interventions=came[:1])
    move = Move(agent="Abe Near", tick=6, end_tick=6, path=((2, 2),))
    commit(run, 6, moves=[move], interventions=came[1:])
    people = head(run)["people"]
    assert [each["name"] for each in people] == [*CAST, "Zoe Far", "Abe Near"]
    zoe, abe = people[3:]
    assert zoe["visitor"] and zoe["from"] == 3
    assert abe["visitor"] and (abe["from"], abe["to"]) == (6, None)
    assert tracks(run, 3)["people"] == people
    assert "people" not in tracks(run, 6)
    (talk,) = tracks(run)["talks"]
    assert (talk["who"], talk["lines"], talk["ended"]) == ([3, 1], [[3, 30, "Hello?", 0]], -1)
