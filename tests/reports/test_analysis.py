"""The log analyser on made-up trouble: each kind of it is found, once, where it happened."""

from collections.abc import Sequence
from dataclasses import replace
from json import dumps
from pathlib import Path

from smolville.graphs.loop.ledger import Call, CallReading, StepOutcome, StepRecord
from smolville.history.drafting import new_run
from smolville.history.history import History
from smolville.history.reader import RunReader
from smolville.history.records import CommitBatch, ThoughtRow
from smolville.reports.analysis import Reason, analyse
from tests.history.made_up import CAST, call, spec

ROSA, TOM, _ = CAST


def step(
    name: str = "react",
    *,
    tick: int = 0,
    agent: str = ROSA,
    attempts: int = 1,
    outcome: StepOutcome = "clean",
    answer: object = None,
    problems: tuple[str, ...] = (),
) -> StepRecord:
    """How one step ended."""
    return StepRecord(
        owner=agent,
        tick=tick,
        step=name,
        ordinal=0,
        agent=agent,
        outcome=outcome,
        attempts=attempts,
        answer=dumps(answer or {}),
        problems=problems,
    )


def asked(record: StepRecord, attempt: int = 0) -> Call:
    """A call of a step, each attempt with a reply of its own."""
    made = call(record.tick, record.agent, attempt)
    key = replace(made.key, step=record.step)
    return replace(made, key=key, retries=0, reply=f"reply {attempt}")


def wrong(one: Call, *found: tuple[str, str]) -> CallReading:
    """A reading that found (kind, sentence) problems."""
    kinds, sentences = zip(*found, strict=True)
    return CallReading(key=one.key, accepted=False, problems=sentences, kinds=kinds)


def reasons(
    folder: Path,
    steps: Sequence[StepRecord],
    calls: Sequence[Call],
    readings: Sequence[CallReading] = (),
    thoughts: Sequence[ThoughtRow] = (),
) -> dict[str, Reason]:
    """What the analyser finds in a history of these."""
    run = new_run(folder, spec())
    with History(run) as history:
        for one in calls:
            history.store(one)
        made = CommitBatch(tick=0, at=0, agents=CAST)
        made.steps, made.readings = list(steps), list(readings)
        made.thoughts = list(thoughts)
        history.commit(made)
    with RunReader(run) as reader:
        return {each.key: each for each in analyse(reader)}


def test_lost_calls_are_told_apart_from_prompts_that_were_cut(tmp_path: Path) -> None:
    record = step()
    lost = ["It needs 900 tokens.", "The server did not answer in time.", "Connection refused."]
    trouble = replace(asked(record), cuts=1, retries=3, lost=dumps(lost))
    found = reasons(tmp_path, [record], [trouble])
    assert {key: each.count for key, each in found.items()} == (
        {"timeout": 1, "lost": 2, "cut_prompt": 1}
    )
    assert found["timeout"].example.sentence == "The server did not answer in time."
    assert found["cut_prompt"].example.sentence == "It needs 900 tokens."
    assert found["lost"].example.sentence == "Connection refused."


def test_problems_are_counted_by_kind_once_per_reply(tmp_path: Path) -> None:
    record = step(attempts=2, outcome="repaired")
    first, second = asked(record), asked(record, 1)
    reading = wrong(
        first,
        ("missing", "`reason` is missing."),
        ("missing", "`choice` is missing."),
        ("range", "`minutes`: got 900."),
        ("nobody knows this kind", "odd"),
    )
    found = reasons(tmp_path, [record], [first, second], [reading])
    assert {key: each.count for key, each in found.items()} == {"missing": 1, "range": 1, "text": 1}
    assert found["missing"].example.sentence == "`reason` is missing."
    assert found["missing"].by_step == {"react": 1}
    assert found["missing"].by_agent == {ROSA: 1}


def test_a_cut_reply_is_told_once(tmp_path: Path) -> None:
    record = step(attempts=2, outcome="repaired")
    first = replace(asked(record), finish="length")
    reading = wrong(first, ("cut", "Your answer was cut off."))
    found = reasons(tmp_path, [record], [first, asked(record, 1)], [reading])
    assert {key: each.count for key, each in found.items()} == {"cut_answer": 1}
    assert found["cut_answer"].example.sentence == (
        "The reply was cut off after 60 tokens; 300 were allowed."
    )


def test_the_first_fallback_is_the_example_and_says_what_was_wrong_at_last(tmp_path: Path) -> None:
    late = step(tick=9, outcome="fallback")
    early = step(tick=2, agent=TOM, outcome="fallback", problems=("`x` is missing.",))
    found = reasons(tmp_path, [late, early], [asked(late), asked(early)])
    assert (found["fallback"].count, found["fallback"].example.agent) == (2, TOM)
    assert found["fallback"].example.sentence.endswith("the last was wrong so: `x` is missing.")


def test_an_odd_answer_is_told_by_its_kind(tmp_path: Path) -> None:
    told = "`wake`: got '11:00', but your habits say 06:00."
    late = replace(step(tick=4), odd=(told,), odd_kinds=("hours",))
    found = reasons(tmp_path, [late], [asked(late)])
    assert found["hours"].count == 1
    assert found["hours"].example.sentence == f"Accepted all the same. {told}"
