"""A graph for every step, with the step's sample filled into a form that can be edited."""

import asyncio
from collections.abc import Callable
from typing import Any

from pydantic import create_model
from pydantic.fields import FieldInfo

from smolville.agents.errors import InternalError
from smolville.graphs.alone import asked_person, context_alone, make_empty_senses, persona_of
from smolville.graphs.catalogue import SAMPLES
from smolville.graphs.loop.graph import ask_step, build_given_step
from smolville.graphs.loop.ledger import StepOutcome
from smolville.graphs.loop.step import AnyStep
from smolville.graphs.studio.form import AttemptTold, Form, WhoAnswered, describe_attempts
from smolville.graphs.studio.graph import GraphResources, StudioGraph, studio_graph
from smolville.parsers.prompt_inputs import PromptInput, read_field_notes

PLAIN: dict[str, str] = {
    "me": "Whose mind it is.",
    "date": "Day of the week and date, as `Monday 6 May`.",
    "now": "Date and clock, as `Monday 6 May, 09:10`.",
    "requirement": "What the day must hold.",
    "activity": "What is done, without the name.",
    "strokes": "The broad strokes of the day: when each begins, and what it is.",
    "place": "Where one stands, as `sector: arena`.",
    "doing": "What one does.",
    "tasks": "What is to be done, each with its time.",
    "others": "The others who take part.",
    "lines": "What was said so far.",
    "questions": "What the reflection asks.",
    "question": "What is asked.",
    "whisper": "What the inner voice says.",
}
"""Descriptions of fields whose names are clear to programmers only."""
MOMENT = "moment"
MOMENT_TOLD = (
    "A recorded moment of this step, `RUN/ID` as `smolville moments RUN` lists it. Its inputs then "
    "take the place of those below. Empty for those below."
)

Recorded = Callable[[str, AnyStep], PromptInput]
"""Function that returns a step's inputs at a recorded moment. Raises RunError if there is none."""


class StepDone(WhoAnswered):
    """The end of a step; each step has a subclass with the type of its answer."""

    answer: Any
    """The accepted answer, or the declared fallback."""
    outcome: StepOutcome
    """`clean`, `mended`, `repaired`, `escalated` or `fallback`."""
    attempts: tuple[AttemptTold, ...]
    """All attempts, with messages, reply and problems."""


def step_form(step: AnyStep) -> type[Form]:
    """Return a step's inputs as a form whose fields have the sample's values as defaults."""
    fields: dict[str, Any] = {
        name: (info.annotation, _field(step, name))
        for name, info in step.inputs.model_fields.items()
    }
    fields[MOMENT] = (str, FieldInfo(default="", description=MOMENT_TOLD))
    form: type[Form] = create_model(
        f"{step.inputs.__name__.removesuffix('Input')}Form",
        __base__=Form,
        __doc__=f"What `{step.name}` is asked with.",
        **fields,
    )
    return form


def _field(step: AnyStep, name: str) -> FieldInfo:
    """Return a field with the sample's value. Raises InternalError if it has no description."""
    told = read_field_notes(step.inputs).get(name) or PLAIN.get(name)
    if told is None:
        raise InternalError(
            f"the input `{name}` of the step `{step.name}` has no description: write a string "
            f"beneath it in graphs/{step.name}.py"
        )
    made: FieldInfo = FieldInfo(default=getattr(SAMPLES[step.name], name), description=told)
    return made


def step_done(step: AnyStep) -> type[StepDone]:
    """Return the output model of a step's graph, with the type of its answer."""
    done: type[StepDone] = create_model(
        f"{step.answer.__name__}Done",
        __base__=StepDone,
        __doc__=f"How `{step.name}` ended.",
        answer=(step.answer, FieldInfo(description="The accepted answer, or the fallback.")),
    )
    return done


def build_step_form(step: AnyStep, recorded: Recorded) -> StudioGraph:
    """Return a step's graph that takes a form; `recorded` reads the inputs of a recorded moment."""
    done = step_done(step)

    async def live(form: Form, opened: GraphResources) -> WhoAnswered:
        given = {key: getattr(form, key) for key in step.inputs.model_fields}
        moment = getattr(form, MOMENT).strip()
        inputs: PromptInput = step.inputs(**given)
        if moment:
            inputs = await asyncio.to_thread(recorded, moment, step)
        me = asked_person(inputs)
        context = context_alone(persona_of(me), make_empty_senses(), opened.client)
        ended = await ask_step(step, context, inputs, agent=me.name)
        return done(
            answer=ended.answer,
            outcome=ended.finished[0].record.outcome,
            attempts=describe_attempts(opened.journal, ended.finished),
            answered_by=opened.why,
        )

    return studio_graph(step.name, step_form(step), done, live, build_given_step(step))
