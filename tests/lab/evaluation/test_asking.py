"""A moment asked again: with what it was asked with then, it is the very same call."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from smolville.agents.errors import RunError
from smolville.graphs.loop.ledger import Call
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import Rules, StepRule
from smolville.lab.evaluation.asking import ask_again, ready, recorded_result
from smolville.lab.evaluation.results import Result
from smolville.lab.moments.finding import moments_from
from smolville.lab.moments.moment import Moment
from smolville.models.chat import Chat
from smolville.parsers.problem import SENSE_KINDS
from tests.fixtures.clumsy import CLUMSY, SEED
from tests.lab.evaluation.asked import client, edited
from tests.whole.lives import standin


def asked(moments: Sequence[Moment], at: ModelClient, **how: Any) -> list[Result]:
    """How moments end when they are asked again one after another."""

    async def all_of_them() -> list[Result]:
        return [await ask_again(ready(moment), at, **how) for moment in moments]

    return asyncio.run(all_of_them())


def heard(moment: Moment, at: ModelClient, **how: Any) -> list[Call]:
    """The calls of a moment that is asked again."""
    calls: list[Call] = []
    asked([moment], replace(at, heard=lambda call, served: calls.append(call)), **how)
    return calls


def told(result: Result) -> dict[str, Any]:
    """A result without its time."""
    return {**vars(result), "milliseconds": 0.0, "answer": dict(result.answer)}


@pytest.mark.parametrize("run", ["clumsy", "shown"])
def test_every_moment_asked_again_makes_the_same_calls_and_ends_as_it_did(
    clumsy: Path, run: str
) -> None:
    moments = moments_from(run, clumsy)
    assert {"clean", "repaired"} <= {moment.outcome for moment in moments}
    calls: list[Call] = []
    at = client(texts=moments[0].templates)
    again = asked(moments, replace(at, heard=lambda call, served: calls.append(call)))
    assert [told(each) for each in again] == [told(recorded_result(moment)) for moment in moments]
    then = [attempt.call for moment in moments for attempt in moment.attempts]
    for name in ("key", "messages_hash", "template", "seed", "examples", "recalled", "reply"):
        assert [getattr(call, name) for call in calls] == [getattr(call, name) for call in then]


def test_other_turns_draw_other_seeds(moments: list[Moment]) -> None:
    seeds = [heard(moments[0], client(), turn=turn)[0].seed for turn in range(3)]
    assert seeds[0] == moments[0].attempts[0].call.seed
    assert len(set(seeds)) == 3


def test_another_number_of_examples_is_shown_where_it_is_said(clumsy: Path) -> None:
    shown = moments_from("shown", clumsy)
    moment = next(each for each in shown if ready(each).examples == 2)
    assert orjson.loads(heard(moment, client(), examples=0)[0].examples) == []
    assert len(orjson.loads(heard(moment, client(), examples=1)[0].examples)) == 1


def test_other_templates_make_another_call(moments: list[Moment]) -> None:
    moment = next(m for m in moments if m.step == "plan_day")
    texts = edited("plan_day.jinja", "{% block human %}", "{% block human %}\nPlan well.\n")
    (call, *_) = heard(moment, client(texts=texts))
    assert "Plan well." in call.messages
    assert call.template != moment.attempts[0].call.template


def test_what_the_settings_say_of_a_step_holds(moments: list[Moment]) -> None:
    moment = next(m for m in moments if m.step == "say")
    rules = Rules(steps={"say": StepRule(temperature=0.1)})
    call = heard(moment, client(rules=rules))[0]
    assert call.temperature == 0.1
    assert call.max_tokens == moment.attempts[0].call.max_tokens


def is_unreadable(moment: Moment) -> bool:
    """Whether nothing of the first reply can be used.

    What is only odd is accepted at last, and so are the right ones of a list's items.
    """
    reading = moment.attempts[0].reading
    if moment.step == "reflect_insights":
        return False
    return reading is not None and not set(reading.kinds) <= set(SENSE_KINDS)


def test_without_repairs_a_wrong_first_answer_is_a_fallback(moments: list[Moment]) -> None:
    wrong = [moment for moment in moments if moment.outcome == "repaired" and is_unreadable(moment)]
    for moment, result in zip(wrong, asked(wrong, client(rules=Rules(repairs=0))), strict=True):
        assert result.outcome == "fallback"
        assert result.attempts == 1
        assert result.reply == moment.attempts[0].call.reply
        assert len(result.problems) == len(result.kinds) > 0


def test_a_run_that_was_strict_is_asked_leniently(moments: list[Moment]) -> None:
    wrong = next(moment for moment in moments if moment.outcome == "repaired")
    (result,) = asked([wrong], client(rules=Rules(repairs=0, strict=True)))
    assert result.outcome == "fallback"


def test_a_prompt_that_does_not_fit_is_told(moments: list[Moment]) -> None:
    (result,) = asked(moments[:1], client(small(300)))
    assert result.outcome is None
    assert result.attempts == 0
    assert not result.is_valid
    assert "needs at least" in result.problems[0]


def test_memories_with_low_scores_go_first_where_there_is_less_room(
    moments: list[Moment],
) -> None:
    def scored(moment: Moment) -> int:
        """How many memories it shows, if all of them were recalled."""
        rows = orjson.loads(moment.attempts[0].call.recalled)
        return len(rows) * all(row["score"] > 0 for row in rows)

    moment = max(moments, key=scored)
    then = orjson.loads(moment.attempts[0].call.recalled)
    assert len(then) > 2
    for room in range(900, 4000, 40):
        calls = heard(moment, client(small(room)))
        if calls and calls[0].dropped:
            now = orjson.loads(calls[0].recalled)
            gone = [row for row in then if row not in now]
            if gone and now:
                assert max(row["score"] for row in gone) <= min(row["score"] for row in now)
                return
    pytest.fail("no room was found in which some of the memories fit")


def test_inputs_that_the_step_does_not_take_are_one_sentence(moments: list[Moment]) -> None:
    first = moments[0].attempts[0]
    inputs = {**moments[0].inputs, "wings": "two"}
    call = replace(first.call, inputs=orjson.dumps(inputs).decode())
    changed = replace(moments[0], attempts=(replace(first, call=call),))
    with pytest.raises(RunError, match="`wings`"):
        ready(changed)


def test_a_step_that_is_gone_is_one_sentence(moments: list[Moment]) -> None:
    gone = replace(moments[0], record=replace(moments[0].record, step="daydream"))
    with pytest.raises(RunError, match="'daydream', which is gone"):
        ready(gone)


def small(num_ctx: int) -> Chat:
    """The stand-in with a context of so many tokens."""
    return replace(standin(SEED, CLUMSY), num_ctx=num_ctx)
