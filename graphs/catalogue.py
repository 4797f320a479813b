"""Every cognitive step there is, and the templates a run asks with."""

from functools import cache
from typing import Any, NamedTuple

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
from graphs.loop.step import Step
from prompts.contract import Facts, read_facts
from prompts.environment import open_environment
from prompts.repair import FILE as REPAIR
from prompts.repair import repair_version

STEPS: tuple[Step[Any, Any], ...] = tuple(
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
    """A step's template as a run keeps it."""

    version: str
    text: str
    """The file and its partials, each under its name."""


@cache
def templates() -> dict[str, Template]:
    """Return every step's template by the step's name, and the repair message's."""
    environment = open_environment(None)
    found = {step.name: _kept(step.prompt.facts) for step in STEPS}
    repair = read_facts(environment, REPAIR).texts
    found["repair"] = Template(repair_version(), "\n".join(repair.values()))
    return found


@cache
def templates_with_examples() -> dict[str, Template]:
    """Return every step's template as it is where examples are shown with it.

    What shows them is part of such a template, and of its version; a prompt without examples has
    the version it would have if there were none.
    """
    return {step.name: _kept(step.prompt.with_examples) for step in STEPS}


def _kept(facts: Facts) -> Template:
    """Return a template and its partials as a run keeps them, each under its name."""
    texts = facts.texts
    return Template(facts.version, "\n".join(f"{{# {name} #}}\n{texts[name]}" for name in texts))
