"""A judge model: asked in both orders, repaired like any step, never asked twice."""

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from smolville.agents.errors import SmolvilleError
from smolville.lab.judging.contest import Contest, count_verdicts
from smolville.lab.judging.judge import STEP, JudgeCalls, ask_judge
from smolville.lab.judging.verdicts import NONE, Verdicts, verdicts_in
from smolville.models.errors import ModelError
from tests.fixtures.judging import LABELS
from tests.fixtures.scripted import Scripted, chat_of
from tests.whole.lives import standin


def sensible(step: str, inputs: Mapping[str, Any]) -> dict[str, str]:
    """A judge that knows a help desk when it hears one."""
    is_first = any("hesitate" in line for line in inputs["first"])
    return {"reason": "A neighbour does not talk like that.", "better": "B" if is_first else "A"}


def always_first(step: str, inputs: Mapping[str, Any]) -> dict[str, str]:
    """A judge that takes whatever stands first."""
    return {"reason": "The first one fits the morning well.", "better": "A"}


async def test_a_verdict_that_holds_in_both_orders_counts(contest: Contest) -> None:
    model, verdicts = Scripted(otherwise=sensible), Verdicts()
    await ask_judge(contest, verdicts, JudgeCalls(chat=chat_of(model)))
    told = count_verdicts(contest, verdicts, "scripted")
    assert (told.wins, told.ties, told.losses, told.wavering) == (0, 0, 6, 0)
    assert len(model.asked) == 12
    assert told.sentence.startswith("No, mine · standin is worse")


async def test_a_judge_that_takes_what_stands_first_decides_nothing(contest: Contest) -> None:
    verdicts = Verdicts()
    await ask_judge(contest, verdicts, JudgeCalls(chat=chat_of(Scripted(otherwise=always_first))))
    told = count_verdicts(contest, verdicts, "scripted")
    assert (told.wins, told.losses, told.wavering, told.ties) == (0, 0, 6, 6)


async def test_the_prompt_names_no_variant_and_shows_both_answers(contest: Contest) -> None:
    model = Scripted(otherwise=sensible)
    await ask_judge(contest, Verdicts(), JudgeCalls(chat=chat_of(model)))
    for asked in model.asked:
        text = "\n".join(str(message.text) for message in asked.messages)
        assert asked.roles == ["system", "human"]
        assert all(label not in text for label in LABELS)
        assert "hesitate to ask me" in text
    systems = {str(asked.messages[0].text) for asked in model.asked}
    assert len(systems) == 1


async def test_an_unreadable_verdict_is_repaired(contest: Contest) -> None:
    replies = {"judge": ["Both are nice.", {"reason": "It fits the day.", "better": "C"}]}
    model, verdicts = Scripted(replies=replies, otherwise=sensible), Verdicts()
    await ask_judge(contest, verdicts, JudgeCalls(chat=chat_of(model)))
    assert count_verdicts(contest, verdicts, "scripted").losses == 6
    assert len(model.asked) == 14
    told = [asked.last for asked in model.asked if len(asked.messages) > 2]
    assert any("'A', 'B', 'same'" in text for text in told)


async def test_no_verdict_is_no_tie(contest: Contest) -> None:
    verdicts = Verdicts()
    await ask_judge(
        contest, verdicts, JudgeCalls(chat=chat_of(Scripted(otherwise=lambda *_: "I cannot say.")))
    )
    told = count_verdicts(contest, verdicts, "scripted")
    assert (told.silent, told.ties, told.left) == (6, 0, 0)
    assert {each.prefers for each in verdicts.of("scripted").values()} == {NONE}


async def test_what_was_judged_is_not_asked_again(contest: Contest, tmp_path: Path) -> None:
    path, calls = tmp_path / "r.judged.jsonl", count()

    def leaving(step: str, inputs: Mapping[str, Any]) -> Any:
        return sensible(step, inputs) if next(calls) < 7 else ModelError("it is gone")

    with verdicts_in(path) as verdicts, pytest.raises((ModelError, SmolvilleError)):
        await ask_judge(contest, verdicts, JudgeCalls(chat=chat_of(Scripted(otherwise=leaving))))
    with path.open("a") as file:
        file.write('{"pair": "half')
    with verdicts_in(path) as verdicts:
        before = len(verdicts.of("scripted"))
        assert 1 <= before <= 3
        model = Scripted(otherwise=sensible)
        await ask_judge(contest, verdicts, JudgeCalls(chat=chat_of(model)))
        assert len(model.asked) == 2 * (6 - before)
        assert count_verdicts(contest, verdicts, "scripted").losses == 6
    with verdicts_in(path) as verdicts:
        assert len(verdicts.of("scripted")) == 6


@pytest.mark.parametrize("spec", ["standin", "standin:mistakes=0.5"])
async def test_the_stand_in_judges_by_its_rule_whatever_it_mistypes(
    contest: Contest, spec: str
) -> None:
    verdicts, chat = Verdicts(), standin(3, spec)
    await ask_judge(contest, verdicts, JudgeCalls(chat=chat))
    told = count_verdicts(contest, verdicts, chat.spec)
    assert told.wavering == 0
    assert told.left == 0
    assert told.silent <= 1


def test_the_prompt_is_short_and_fits_a_small_context() -> None:
    from smolville.graphs.scenes import ROSA
    from smolville.models.tokens import estimate_prompt

    messages = STEP.prompt.render(STEP.sample(ROSA))
    assert [message.type for message in messages] == ["system", "human"]
    assert estimate_prompt(messages) < 600
