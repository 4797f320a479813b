"""Every cognitive step there is, and the templates a run asks with."""

from typing import NamedTuple

from graphs import (
    answer_interview,
    choose_place,
    conclude_talk,
    decompose,
    ground_block,
    heed_inner_voice,
    plan_day,
    plan_hours,
    rate_importance,
    react,
    reflect_insights,
    reflect_questions,
    replan,
    revise_identity,
    say,
)
from graphs.loop.rules import TemplateSet
from graphs.loop.step import AnyStep
from prompts.contract import Facts

STEPS: tuple[AnyStep, ...] = tuple(
    module.STEP
    for module in (
        revise_identity,
        plan_day,
        plan_hours,
        decompose,
        ground_block,
        choose_place,
        rate_importance,
        react,
        say,
        conclude_talk,
        replan,
        reflect_questions,
        reflect_insights,
        heed_inner_voice,
        answer_interview,
    )
)
"""In the order of a day."""


class Template(NamedTuple):
    """A template as a run keeps it."""

    version: str
    files: dict[str, str]
    """File name to text: the template and its partials."""


def kept(templates: TemplateSet, *, with_examples: bool = False) -> dict[str, Template]:
    """Return every step's template by the step's name, the repair message's, and the examples'.

    What shows examples is part of a template that shows them, and of its version: `with_examples`
    gives those. A prompt without examples has the version it would have if there were none.
    Raises PromptContractError when one does not fit its step.
    """
    prompts = {step.name: templates.prompt(step) for step in STEPS}
    if with_examples:
        return {name: _kept(prompt.with_examples) for name, prompt in prompts.items()}
    found = {name: _kept(prompt.facts) for name, prompt in prompts.items()}
    found["repair"] = _kept(templates.repair.facts)
    found["examples"] = _kept(templates.examples)
    return found


def _kept(facts: Facts) -> Template:
    """Return a template and its partials as a run keeps them."""
    return Template(facts.version, dict(facts.texts))
