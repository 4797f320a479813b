"""The graphs named in `langgraph.json`: mind, phases, talk, interview, steps, each with a form.

LangGraph's server calls these functions on every request; each graph is compiled once.
"""

import json
import os
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from graphs.catalogue import STEPS
from graphs.loop.step import AnyStep
from graphs.phases import PHASES
from graphs.prompt_inputs import PromptInput
from graphs.routing import Phase
from graphs.studio.form import FormError
from graphs.studio.graph import StudioGraph
from graphs.studio.minding import build_mind_form, build_phase_form
from graphs.studio.stepping import build_step_form
from graphs.studio.talking import build_interview_form, build_talk_form
from lab.moments.finding import find_moment
from lab.prompting.anew import inputs_of

RUNS_VARIABLE = "SMOLVILLE_RUNS"


def inputs_at(moment: str, step: AnyStep) -> PromptInput:
    """Return the inputs of a step at a recorded moment.

    Raises RunError or FormError when there are none.
    """
    found = find_moment(Path(os.environ.get(RUNS_VARIABLE) or "runs"), moment)
    if found.step != step.name:
        raise FormError(f"The moment {found.id} is of the step `{found.step}`, not `{step.name}`.")
    inputs: PromptInput = inputs_of(step, found.attempts[0].call)
    return inputs


def descriptions() -> dict[str, str]:
    """Return the description of every graph by its name."""
    return {
        "mind": "One thought of somebody, with everything around filled in by hand.",
        **{
            phase.way.to: f"The phase `{phase.way.to}` of a thought, entered "
            f"{_describe_phase_entry(phase)}."
            for phase in PHASES
        },
        "talk": "Two people talk.",
        "interview": "Somebody is asked, and answers from what comes back to them.",
        **{step.name: f"The step `{step.name}`: {step.about}." for step in STEPS},
    }


def configuration() -> str:
    """Return the text of `langgraph.json`: every graph with its factory and description."""
    graphs = {
        name: {"path": f"{__name__}:{name}", "description": told}
        for name, told in descriptions().items()
    }
    return json.dumps({"dependencies": ["."], "graphs": graphs}, indent=2) + "\n"


def _describe_phase_entry(phase: Phase) -> str:
    """Return when a phase is entered, in words."""
    when = phase.way.when
    return when if when == "always" else f"when {when}"


def _factories() -> dict[str, Callable[[], StudioGraph]]:
    """Return the factory of each graph by its name."""
    made: dict[str, Callable[[], StudioGraph]] = {
        "mind": build_mind_form,
        "talk": build_talk_form,
        "interview": build_interview_form,
    }
    made |= {phase.way.to: partial(build_phase_form, phase) for phase in PHASES}
    made |= {step.name: partial(build_step_form, step, inputs_at) for step in STEPS}
    return {name: cache(make) for name, make in made.items()}


globals().update(_factories())
