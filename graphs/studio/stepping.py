"""Every step as a graph: its inputs filled in as its sample is, so that one word can be changed."""

from typing import Any

from pydantic import create_model
from pydantic.fields import FieldInfo

from graphs.alone import nowhere, persona_of, thought_alone
from graphs.cards import Card
from graphs.catalogue import STEPS
from graphs.loop.ledger import StepOutcome
from graphs.loop.step import Step
from graphs.samples import SAMPLES
from graphs.studio.form import Form
from graphs.studio.graph import StudioGraph, studio_graph
from graphs.studio.opening import Opened
from graphs.studio.told import AttemptTold, WhoAnswered, attempts_told

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
"""What fields mean whose names tell a programmer enough."""


class StepDone(WhoAnswered):
    """How a step ended; each step's own has its answer's type."""

    answer: Any
    """The accepted answer, or the declared fallback."""
    outcome: StepOutcome
    """`clean`, `mended`, `repaired`, `escalated` or `fallback`."""
    attempts: tuple[AttemptTold, ...]
    """Every question put, with messages, reply and problems."""


def step_named(name: str) -> Step[Any, Any]:
    """Return a step by its name (StopIteration where there is none)."""
    return next(step for step in STEPS if step.name == name)


def step_form(step: Step[Any, Any]) -> type[Form]:
    """Return a step's inputs as a form: every field has the sample's value to begin with."""
    sample = SAMPLES[step.name]
    fields: dict[str, Any] = {
        name: (info.annotation, _field(name, info, getattr(sample, name)))
        for name, info in step.inputs.model_fields.items()
    }
    form: type[Form] = create_model(
        f"{step.inputs.__name__.removesuffix('Input')}Form",
        __base__=Form,
        __doc__=f"What `{step.name}` is asked with.",
        **fields,
    )
    return form


def _field(name: str, info: FieldInfo, sample: Any) -> FieldInfo:
    """Return a field with a default and a description."""
    made: FieldInfo = FieldInfo(default=sample, description=info.description or PLAIN[name])
    return made


def step_done(step: Step[Any, Any]) -> type[StepDone]:
    """Return what a step's graph gives, with the type of its answer."""
    done: type[StepDone] = create_model(
        f"{step.answer.__name__}Done",
        __base__=StepDone,
        __doc__=f"How `{step.name}` ended.",
        answer=(step.answer, FieldInfo(description="The accepted answer, or the fallback.")),
    )
    return done


def build_step_graph(name: str) -> StudioGraph:
    """Return the graph that asks one step."""
    step = step_named(name)
    done = step_done(step)

    async def live(form: Form, opened: Opened) -> WhoAnswered:
        inputs: Card = step.inputs(**{key: getattr(form, key) for key in step.inputs.model_fields})
        me = inputs.me  # type: ignore[attr-defined]  # every step is asked as somebody
        thought = thought_alone(persona_of(me), nowhere(), opened.desk)
        taken = await step.take(thought, inputs)
        return done(
            answer=taken.answer,
            outcome=taken.outcome,
            attempts=attempts_told(opened, thought.ledger),
            answered_by=opened.why,
        )

    return studio_graph(name, step_form(step), done, live)
