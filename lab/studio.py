"""The graphs named in `langgraph.json`: mind, phases, talk, interview, steps, each with a form.

All are built when this file is imported: Pydantic reads source files to build a form, and
LangGraph's server refuses code that reads files while it answers a request.
"""

import json
import os
from pathlib import Path

from smolville.graphs.catalogue import STEPS
from smolville.graphs.loop.step import AnyStep
from smolville.graphs.phases import PHASES
from smolville.graphs.routing import Phase
from smolville.graphs.studio.form import FormError
from smolville.graphs.studio.graph import StudioGraph
from smolville.graphs.studio.minding import build_mind_form, build_phase_form
from smolville.graphs.studio.stepping import build_step_form
from smolville.graphs.studio.talking import build_interview_form, build_talk_form
from smolville.lab.moments.finding import find_moment
from smolville.lab.prompting.rendering import inputs_of
from smolville.parsers.prompt_inputs import PromptInput

RUNS_VARIABLE = "SMOLVILLE_RUNS"
ENVIRONMENT = {"LOG_LEVEL": "WARNING"}
"""Environment of the server. It watches the whole folder for edited code, and would otherwise log
each change in it: two lines a second while a town lives in `runs`."""


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
    """Return the text of `langgraph.json`, which names every graph with its description."""
    graphs = {
        name: {"path": f"{__name__}:{name}", "description": told}
        for name, told in descriptions().items()
    }
    told = {"dependencies": ["."], "env": ENVIRONMENT, "graphs": graphs}
    return json.dumps(told, indent=2) + "\n"


def _describe_phase_entry(phase: Phase) -> str:
    """Return when a phase is entered, in words."""
    when = phase.way.when
    return when if when == "always" else f"when {when}"


def _graphs() -> dict[str, StudioGraph]:
    """Return each graph by its name."""
    return {
        "mind": build_mind_form(),
        **{phase.way.to: build_phase_form(phase) for phase in PHASES},
        "talk": build_talk_form(),
        "interview": build_interview_form(),
        **{step.name: build_step_form(step, inputs_at) for step in STEPS},
    }


globals().update(_graphs())
