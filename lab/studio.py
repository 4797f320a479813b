"""The graphs named in `langgraph.json`: mind, talk and steps, each with a form.

All are built when this file is imported: Pydantic reads source files to build a form, and
LangGraph's server refuses code that reads files while it answers a request.
"""

import os
from pathlib import Path

from smolville.graphs import studio
from smolville.graphs.catalogue import STEPS
from smolville.graphs.loop.step import AnyStep
from smolville.lab.moments.finding import find_moment
from smolville.lab.prompting.rendering import inputs_of

RUNS_VARIABLE = "SMOLVILLE_RUNS"


def recorded(moment: str, step: AnyStep) -> studio.RecordedStep:
    """Return what a step was asked with at a recorded moment.

    Raises RunError or FormError when there is no such moment.
    """
    found = find_moment(Path(os.environ.get(RUNS_VARIABLE) or "runs"), moment)
    if found.step != step.name:
        told = f"The moment {found.id} is of the step `{found.step}`, not `{step.name}`."
        raise studio.FormError(told)
    call = found.attempts[0].call
    return studio.RecordedStep(inputs_of(step, call), call, found.templates)


GRAPHS = {
    "mind": studio.thought_graph(),
    "talk": studio.talk_graph(),
    **{f"step: {step.name}": studio.step_graph(step, recorded) for step in STEPS},
}
"""Each graph by its name; in this file, a variable of its name with `_` for the colon has it."""
globals().update({name.replace(": ", "_"): graph for name, graph in GRAPHS.items()})
