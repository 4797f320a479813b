"""A model on a fixed set of moments: what is asked, what is counted, what is told."""

from dataclasses import replace
from typing import Any

import pytest

from smolville.graphs.catalogue import STEPS
from smolville.graphs.loop.rules import Rules
from smolville.graphs.loop.step import AnyStep
from smolville.lab.doctor.servers import identify
from smolville.lab.trial import ModelTrial, moments_of, try_model
from smolville.lab.trial_report import COLUMNS, markdown, report
from smolville.models.chat import Chat
from smolville.models.errors import TransportError
from smolville.models.open import open_chat
from smolville.models.request import ModelSettings
from tests.fixtures.faulty_server import serve_faults
from tests.fixtures.ollama_server import OllamaFake

EACH = pytest.mark.parametrize("step", STEPS, ids=[step.name for step in STEPS])
FEW = [step for step in STEPS if step.name in ("choose_place", "say")]


def standin(**settings: Any) -> Chat:
    """The stand-in, perhaps with mistakes."""
    told = ",".join(f"{name}={value}" for name, value in settings.items())
    return open_chat(f"standin:{told}" if told else "standin", env={})[0]


def check(trial: ModelTrial) -> None:
    """Every count adds up."""
    told = report(trial, identify(trial.chat, {}))
    assert [row.step for row in told.rows] == list(
        dict.fromkeys(each.moment.step for each in trial.tried)
    )
    for row in (*told.rows, told.total):
        assert sum(row.outcomes.values()) == row.moments
        failed = row.outcomes["fallback"] + row.outcomes["unasked"]
        assert row.odd <= row.moments - failed
        assert row.calls >= row.moments - row.outcomes["unasked"]
    assert sum(row.calls for row in told.rows) == told.total.calls
    assert sum(row.prompt_tokens for row in told.rows) == told.total.prompt_tokens
    failed = told.total.outcomes["fallback"] + told.total.outcomes["unasked"]
    assert len(told.failures) == failed
    for each in told.failures:
        assert each.problems


@EACH
def test_every_moment_can_be_answered(step: AnyStep) -> None:
    moments = list(moments_of(step))
    assert len(moments) >= 2
    assert len(set(map(str, moments))) == len(moments)
    for inputs in moments:
        context = {**step.context(inputs), "choices": dict(step.choices(inputs))}
        step.answer.call_schema(step.choices(inputs))
        read = step.parser.read(step.fallback(inputs).model_dump_json(), context)
        assert read.value == step.fallback(inputs)


async def test_the_stand_in_answers_every_moment_clean() -> None:
    trial = await try_model(standin())
    check(trial)
    assert len(trial.tried) >= 30
    assert {each.moment.step for each in trial.tried} == {step.name for step in STEPS}
    assert {each.outcome for each in trial.tried} == {"clean"}


async def test_mistakes_are_counted_and_told() -> None:
    trial = await try_model(standin(mistakes=0.9), rules=Rules(repairs=0))
    check(trial)
    told = report(trial, identify(trial.chat, {}))
    assert told.total.outcomes["fallback"] > 0
    assert told.total.outcomes["mended"] > 0
    assert told.total.calls == len(trial.tried)
    text = markdown(told)
    assert text.startswith("**stand-in** (built in); not constrained; repairs 0, examples 0; ")
    assert "| **total** |" in text
    for each in told.failures:
        assert f"- `{each.moment.step}` {each.moment.case} ({each.moment.person}): " in text


async def test_what_is_odd_is_counted_by_step_and_told() -> None:
    trial = await try_model(standin(), steps=FEW)
    first, *rest = trial.tried
    odd = replace(first, odd=("`place`: a sofa is not slept in.",), odd_kinds=("place",))
    spoilt = replace(trial, tried=(odd, *rest))
    check(spoilt)
    told = report(spoilt, identify(trial.chat, {}))
    assert (told.total.odd, told.total.odd_kinds) == (1, {"place": 1})
    text = markdown(told)
    assert text.splitlines()[2].startswith("| step | clean | mended | repaired |")
    assert "; objected to: 1; " in text
    assert "Odd answers (1 place), with what makes no sense in them:" in text
    assert f"- `{first.moment.step}` 1 ({first.moment.person}): `place`: a sofa" in text
    (plain,) = told.plain()["odd"]  # type: ignore[misc]
    assert (plain["kinds"], plain["sentences"]) == (["place"], list(odd.odd))


async def test_a_trial_repeats_itself() -> None:
    first, again = [await try_model(standin(mistakes=0.5)) for _ in range(2)]
    assert [each.outcome for each in first.tried] == [each.outcome for each in again.tried]


async def test_turns_ask_with_other_seeds() -> None:
    trial = await try_model(standin(mistakes=0.5), turns=3, steps=FEW)
    check(trial)
    assert len(trial.tried) == 3 * sum(len(list(moments_of(step))) for step in FEW)
    seeds = [call.seed for each in trial.tried for call in each.calls]
    assert len(set(seeds)) == len(seeds)


async def test_the_table_is_markdown_with_a_row_for_every_step() -> None:
    told = report(await try_model(standin()), identify(standin(), {}))
    lines = markdown(told).splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 2 + len(STEPS) + 1
    assert {line.count("|") for line in table} == {table[0].count("|")}
    assert set(told.plain()["total"]["outcomes"]) == set(COLUMNS)  # type: ignore[index]


async def test_a_real_server_is_tried_constrained_and_by_its_own_clock(llamacpp_url: str) -> None:
    chat, _ = open_chat(f"llamacpp:{llamacpp_url}", env={})
    try:
        trial = await try_model(chat, rules=Rules(repairs=1), steps=FEW)
        who = identify(chat, {})
    finally:
        await chat.aclose()
    check(trial)
    told = report(trial, who)
    assert (who.name, who.server, who.quantization) == ("tiny.gguf", "llama.cpp server", "all F32")
    assert told.constrained
    assert told.total.tokens_per_second
    assert told.total.cached_share is not None
    assert llamacpp_url not in markdown(told), "an address is nobody's business"


async def test_what_does_not_fit_the_context_is_counted_apart(ollama_server: OllamaFake) -> None:
    env = {"OLLAMA_HOST": ollama_server.url}
    chat, _ = open_chat("ollama:tiny", settings=ModelSettings(num_ctx=400), env=env)
    try:
        trial = await try_model(chat, rules=Rules(repairs=0), steps=FEW)
    finally:
        await chat.aclose()
    check(trial)
    told = report(trial, identify(chat, env))
    assert told.total.outcomes["unasked"] == told.total.moments
    assert "did not fit the model's context" in markdown(told)


async def test_a_server_that_turns_calls_down_ends_the_trial() -> None:
    with serve_faults() as url:
        chat, _ = open_chat(f"llamacpp:{url}/locked", env={})
        try:
            with pytest.raises(TransportError, match="401"):
                await try_model(chat, steps=FEW)
        finally:
            await chat.aclose()
