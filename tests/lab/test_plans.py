"""How well a model plans days with and without anchors: measured on the same people, in pairs."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from smolville.agents.times import minute_at
from smolville.lab.doctor.findings import ExaminedModel, Findings
from smolville.lab.doctor.measured import PlansMeasured
from smolville.lab.doctor.plans import DAYS, PlansAsked, planning_days, variants_beside
from smolville.lab.doctor.profile import recommend_profile
from smolville.models.cache import ReplyCache
from smolville.models.errors import TransportError
from smolville.models.open import open_chat
from smolville.models.pacing import Backoff
from smolville.models.request import ModelSettings
from tests.fixtures.scripted import Scripted, chat_of
from tests.graphs.replies import good

MEALS = {"having breakfast": 450, "having lunch": 750, "having dinner": 1110}
ELSE = ["walking the dog", "mending the fence", "cleaning", "painting", "reading a novel"]


def plans_freely(step: str, inputs: Mapping[str, Any]) -> object:
    """Gives up where anything stands in the day; a day in which nothing stands it plans well."""
    if step != "plan_hours":
        return good(step, inputs)
    if inputs["stands"][1:]:
        return "I do not know."
    answer: dict[str, list[str]] = {}
    for gap, other in zip(inputs["gaps"], ELSE, strict=False):
        first, last = (minute_at(each) for each in gap["time"].split("-"))
        eaten = [meal for meal, at in MEALS.items() if first <= at < last]
        answer[gap["letter"]] = eaten[: gap["most"]] or [other]
    return answer


async def measure(asked: PlansAsked, model: Scripted) -> PlansMeasured:
    """Plan all days with a scripted model."""
    await asked.ask(chat_of(model))
    return asked.measured()


def profile(measured: PlansMeasured) -> dict[str, str | int]:
    """The profile that follows from a measurement."""
    model = ExaminedModel(spec="ollama:small", name="small", parameters="3B")
    found = Findings(asked="ollama:small", usable=True, model=model, measured=measured)
    return {each.name: each.value for each in recommend_profile(found)}


def test_the_days_are_of_different_people_and_some_are_invited() -> None:
    days = planning_days()
    assert len({day.person.name for day in days}) == DAYS
    assert {len(day.memories) for day in days} == {0, 1}


async def test_anchors_are_taken_off_for_a_model_that_plans_better_without() -> None:
    measured = await measure(PlansAsked(variants_beside(1)), Scripted(otherwise=plans_freely))
    anchors, examples = measured.comparisons
    assert (anchors.setting, anchors.verdict, anchors.chosen) == ("anchors", "better", "off")
    assert anchors.contrast.p < 0.05
    assert anchors.interval.low > 0
    assert "off is better" in anchors.told
    assert (examples.verdict, examples.chosen) == ("same", 1)
    assert "undecided, so 1 stays" in examples.told
    values = profile(measured)
    assert (values["anchors"], values["examples"]) == ("off", 1)


async def test_anchors_stay_for_a_model_that_forgets_its_meals() -> None:
    asked = PlansAsked(variants_beside(0))
    await asked.ask(open_chat("standin", env={})[0])
    anchors, _ = asked.measured().comparisons
    assert (anchors.verdict, anchors.chosen) == ("worse", "on")
    free = [each for (at, _), day in asked.results.items() if at == 1 for each in day]
    assert any("The day has no dinner." in each.odd for each in free)


async def test_too_few_days_decide_nothing() -> None:
    few = PlansAsked(variants_beside(1), days=planning_days()[:2])
    measured = await measure(few, Scripted(otherwise=plans_freely))
    anchors, _ = measured.comparisons
    assert (anchors.verdict, anchors.chosen) == ("untold", "on")
    assert profile(measured)["anchors"] == "on"


async def test_what_is_broken_off_keeps_the_default_and_goes_on_from_its_replies(
    tmp_path: Path,
) -> None:
    gone = TransportError("The server is gone.", retryable=False)
    model = Scripted(otherwise=plans_freely)

    def breaks_off(step: str, inputs: Mapping[str, Any]) -> object:
        return gone if len(model.asked) > 20 else plans_freely(step, inputs)

    model.otherwise = breaks_off
    asked, settings = PlansAsked(variants_beside(1)), ModelSettings()
    cache = ReplyCache(tmp_path, settings)
    try:
        with pytest.raises(TransportError):
            await asked.ask(chat_of(model), cache, backoff=Backoff(patience_seconds=0))
        known = asked.measured()
        assert 0 < known.asked < known.total
        assert {each.verdict for each in known.comparisons} == {"broken off"}
        assert profile(known)["anchors"] == "on"
        again = Scripted(otherwise=plans_freely)
        await (whole := PlansAsked(variants_beside(1))).ask(chat_of(again), cache)
    finally:
        cache.close()
    fresh = Scripted(otherwise=plans_freely)
    other = await measure(PlansAsked(variants_beside(1)), fresh)
    assert replace(whole.measured(), seconds=0) == replace(other, seconds=0)
    assert len(again.asked) == len(fresh.asked) - 20, "what was answered is not asked again"
