"""Rows to train on: what was asked, how to answer it, and how not to."""

import json
from collections import Counter
from dataclasses import replace

import pytest

from smolville.graphs.catalogue import STEPS
from smolville.history.thoughts import RecordedAttempt
from smolville.lab.moments import datasets
from smolville.lab.moments.datasets import Row, dpo_rows, sft_rows
from smolville.lab.moments.moment import Moment
from smolville.parsers.reading.faults import CUT_OFF

ANSWERS = {step.name: step.answer for step in STEPS}


def of(moments: list[Moment], outcome: str) -> list[Moment]:
    """Those that ended so."""
    found = [moment for moment in moments if moment.outcome == outcome]
    assert found, f"none is {outcome}"
    return found


def with_first(moment: Moment, **changed: object) -> Moment:
    """The moment with another first call."""
    first = moment.attempts[0]
    call = replace(first.call, **changed)
    return replace(
        moment, attempts=(RecordedAttempt(call=call, reading=first.reading), *moment.attempts[1:])
    )


def unobjected(moments: list[Moment]) -> list[Moment]:
    """Those to whose answer no check objects: the others are no examples."""
    return [moment for moment in moments if not moment.record.odd]


def fallen(moment: Moment) -> Moment:
    """The moment as if its last reply had been refused too."""
    return replace(moment, record=replace(moment.record, outcome="fallback"))


def is_chat(messages: list[dict[str, str]]) -> bool:
    """True for a conversation that begins with rules and ends with somebody else's turn."""
    roles = [each["role"] for each in messages]
    turns = ["user", "assistant"] * (len(roles) // 2 - 1)
    return all(set(each) == {"role", "content"} for each in messages) and roles == [
        "system",
        *turns,
        "user",
    ]


def test_a_completion_is_the_accepted_answer_as_its_type_writes_it(moments: list[Moment]) -> None:
    left = Counter[str]()
    rows = list(sft_rows(moments, left))
    good = unobjected(moments)
    assert len(rows) == len(good)
    assert left.total() == len(moments) - len(good) == left[datasets.ODD]
    for row, moment in zip(rows, good, strict=True):
        assert is_chat(row["prompt"])
        [said] = row["completion"]
        assert said["role"] == "assistant"
        answer = ANSWERS[moment.step].model_validate_json(said["content"])
        assert answer.model_dump_json() == said["content"] == moment.record.answer
        assert (row["moment"], row["step"], row["outcome"]) == (
            moment.id,
            moment.step,
            moment.outcome,
        )


def test_a_fallback_teaches_nothing(moments: list[Moment]) -> None:
    left = Counter[str]()
    moment = fallen(moments[0])
    assert not list(sft_rows([moment], left))
    assert not list(dpo_rows([moment], left))
    assert left == {datasets.FALLBACK: 2}


def test_an_odd_answer_is_no_example_unless_it_is_wanted(moments: list[Moment]) -> None:
    repaired = of(moments, "repaired")[0]
    odd = replace(repaired, record=replace(repaired.record, odd=("Again.",), odd_kinds=("repeat",)))
    left = Counter[str]()
    assert not list(sft_rows([odd], left))
    assert not list(dpo_rows([odd], left))
    assert left == {datasets.ODD: 2}
    assert list(sft_rows([odd], left, with_odd=True)) == list(sft_rows([repaired], left))
    assert list(dpo_rows([odd], left, with_odd=True)) == list(dpo_rows([repaired], left))


def test_a_repaired_moment_is_a_pair_for_each_bad_reply(moments: list[Moment]) -> None:
    repaired, left = unobjected(of(moments, "repaired")), Counter[str]()
    rows = list(dpo_rows(moments, left))
    assert {row["moment"] for row in rows} == {moment.id for moment in repaired}
    by_id = {moment.id: moment for moment in moments}
    for row in rows:
        moment = by_id[row["moment"]]
        assert row["prompt"] == json.loads(moment.attempts[0].call.messages)
        assert [each["content"] for each in row["chosen"]] == [moment.record.answer]
        [bad] = row["rejected"]
        assert bad["role"] == "assistant"
        assert any(bad["content"] in each.call.reply for each in moment.attempts)
        assert row["problem"].endswith(".")
        assert bad["content"] != moment.record.answer
    assert left[datasets.CLEAN] == len(unobjected(of(moments, "clean")))
    assert left[datasets.MENDED] == len(unobjected(of(moments, "mended")))


def test_a_cut_reply_is_a_bad_one_and_says_so(moments: list[Moment]) -> None:
    moment, *others = unobjected(of(moments, "repaired"))
    half = with_first(moment, finish="length")
    first = half.attempts[0]
    assert first.reading is not None
    told = replace(first, reading=replace(first.reading, problems=(str(CUT_OFF),)))
    half = replace(half, attempts=(told, *half.attempts[1:]))
    rows = list(dpo_rows([half, *others], Counter()))
    cut = [row for row in rows if row["cut"]]
    assert cut
    assert all("was cut off" in row["problem"] for row in cut)
    assert not any("was cut off" in row["problem"] for row in rows if not row["cut"])


def test_mended_replies_are_bad_ones_where_they_are_wanted(moments: list[Moment]) -> None:
    left = Counter[str]()
    rows = [r for r in dpo_rows(moments, left, with_mended=True) if r["outcome"] == "mended"]
    assert len(rows) + left[datasets.SAME] >= len(unobjected(of(moments, "mended")))
    assert rows
    assert all(row["problem"].startswith("Mended: ") for row in rows)
    assert not any(parsed(row) == json.loads(row["chosen"][0]["content"]) for row in rows)


def parsed(row: Row) -> object:
    """The bad answer as JSON, None when it is none."""
    try:
        return json.loads(row["rejected"][0]["content"])
    except ValueError:
        return None


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"finish": "unreadable", "reply": "500: no peg-native format"}, datasets.SERVER),
        ({"reply": " \n"}, datasets.EMPTY),
        ({"reply": "<think>All of it is thought.</think>"}, datasets.EMPTY),
    ],
)
def test_what_is_no_reply_is_left_out(
    moments: list[Moment], changed: dict[str, str], reason: str
) -> None:
    left = Counter[str]()
    assert not list(dpo_rows([with_first(of(moments, "repaired")[0], **changed)], left))
    assert left == {reason: 1}


def test_the_same_bad_reply_is_told_once(moments: list[Moment]) -> None:
    moment, left = of(moments, "repaired")[0], Counter[str]()
    twice = replace(moment, attempts=(moment.attempts[0], *moment.attempts))
    assert len(list(dpo_rows([twice], left))) == 1
    assert left == {datasets.TWICE: 1}


def test_a_bad_reply_has_neither_its_thinking_nor_halves_of_letters(
    moments: list[Moment],
) -> None:
    moment = with_first(of(moments, "repaired")[0], reply="<think>Hm.</think>\n{'a': '\ud83d'}")
    [row] = dpo_rows([moment], Counter())
    assert row["rejected"][0]["content"] == "{'a': '�'}"


def test_a_bad_reply_has_none_of_the_turns_invented_after_it(moments: list[Moment]) -> None:
    reply = "{'a': 1}<|im_end|>\n<|im_start|>user\nAnd then?"
    [row] = dpo_rows([with_first(of(moments, "repaired")[0], reply=reply)], Counter())
    assert row["rejected"][0]["content"] == "{'a': 1}"
