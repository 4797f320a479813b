"""The graphs that LangGraph Studio opens: each takes a form, and runs a graph of minds with it.

A graph of minds cannot be run there by itself, since it needs a context: a model, a thinker, its
surroundings. So each graph that is served has one node, which makes these from its form and runs
the graph within. What the platform stores is plain data.
"""

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, TypeVar, cast

import orjson
from langgraph.config import get_config
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.fields import FieldInfo
from pydantic_core import to_jsonable_python

from smolville.agents.action import Action, describe_action
from smolville.agents.errors import SmolvilleError, StoppedError
from smolville.agents.memory import Memory, memory_id
from smolville.agents.mind import KnownPlace, Mind
from smolville.agents.places import join_address
from smolville.agents.plan import DayPlan, cover_day
from smolville.agents.times import at_of, day_of, minute_of, read_moment
from smolville.graphs.alone import (
    DAY,
    asked_person,
    context_alone,
    make_empty_senses,
    persona_of,
    thinker_alone,
)
from smolville.graphs.catalogue import SAMPLES, check_templates
from smolville.graphs.context import MindContext, Thinker, context_of
from smolville.graphs.loop.graph import build_given_step
from smolville.graphs.loop.ledger import Call, FinishedStep, MemoryJournal
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import Rules, StepRule
from smolville.graphs.loop.state import StepState
from smolville.graphs.loop.step import AnyStep
from smolville.graphs.meeting import MOST_LINES, Meeting
from smolville.graphs.mind import build_mind
from smolville.graphs.scenes import MILO, ROSA, planned_at
from smolville.graphs.state import MindState, State, TalkState
from smolville.graphs.surroundings import Body, Percept, Senses, Sight, Stimulus
from smolville.graphs.talk import build_talk
from smolville.models.errors import ModelError
from smolville.models.keys import UserSpec
from smolville.models.open import open_chat
from smolville.models.pacing import Backoff
from smolville.parsers.prompt_inputs import (
    PersonaInput,
    PersonCard,
    PlannedCard,
    PromptInput,
    read_field_notes,
)
from smolville.prompts.errors import PromptError
from smolville.prompts.folder import (
    OVERLAYS,
    SUFFIX,
    Texts,
    read_overlaid_texts,
    shipped_overlays,
)
from smolville.prompts.prompt import TemplateBook, TemplateSet

PATIENCE_SECONDS = 20.0
"""Seconds after which an absent server is given up: fewer than in a run, since a person waits."""
MODEL_VARIABLE = "SMOLVILLE_MODEL"
TICK_SECONDS = 10

StudioGraph = CompiledStateGraph[Any, Any, Any, Any]


class RecordedStep(NamedTuple):
    """What a step was asked with at a recorded moment."""

    inputs: PromptInput
    call: Call
    templates: Texts


Recorded = Callable[[str, AnyStep], RecordedStep]
"""Function that returns what a step was asked with at a recorded moment."""


class FormError(SmolvilleError, ValueError):
    """The fault of a submitted form, in one sentence.

    LangGraph's server hides the messages of all errors except Python's own, so this is a ValueError
    too.
    """

    exit_code = 2


class Form(BaseModel):
    """The fields common to all graphs' forms; each has a working default."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    model: str = ""
    """The model that answers: `standin`, `ollama:qwen2.5:3b`, `llamacpp:http://127.0.0.1:8080` and
    the like. If it is empty, SMOLVILLE_MODEL is used, or else a model found on this machine, or
    else the stand-in."""
    prompts: str = ""
    """A folder of templates, or the name of a shipped one, whose files replace the shipped
    templates of the same names. It is read again each time. Empty for the shipped templates
    alone, or those of a recorded moment."""
    seed: int = Field(0, ge=0)
    """Seed of random choices. The same seed gives the same choices; another seed asks the model
    anew."""


class Told(BaseModel):
    """What every graph returns: who answered, what came of it, the nodes, the steps."""

    answered_by: str
    result: dict[str, Any]
    nodes: list[str]
    steps: list[dict[str, Any]]


F = TypeVar("F", bound=Form)


def studio_graph(
    name: str,
    form: type[F],
    inner: StudioGraph,
    begin: Callable[[F, ModelClient], tuple[MindContext, State]],
    *told: str,
) -> StudioGraph:
    """Return a graph of one node, which takes a form and runs the graph `inner`.

    `begin` makes context and start of a form; `told` are the fields of the end that are returned.
    """

    async def run(state: dict[str, Any]) -> dict[str, Any]:
        try:
            names = form.model_fields.keys() & state.keys()
            filled = form.model_validate({name: state[name] for name in names})
            journal = MemoryJournal()
            client, why = await asyncio.to_thread(_open_client, filled, journal)
            try:
                context, start = await asyncio.to_thread(begin, filled, client)
                # The platform's checkpoints are of this graph alone.
                around = get_config().get("configurable", {})
                kept = {key: each for key, each in around.items() if "checkpointer" not in key}
                done = await inner.ainvoke(start, {"configurable": kept}, context=context)
            finally:
                await client.fast.aclose()
        except ValidationError as error:
            raise FormError(_in_words(error)) from None
        except StoppedError as error:
            # A run's sentences about commits do not apply here.
            cause = error.__cause__
            raise FormError(str(cause if isinstance(cause, ModelError) else error)) from error
        except (SmolvilleError, ModelError, PromptError, ValueError) as error:
            raise FormError(str(error)) from error
        result = to_jsonable_python({key: done[key] for key in told}, fallback=dict)
        if "template" in form.model_fields:
            result["template"] = context.client.templates.latest.texts[f"{inner.name}{SUFFIX}"]
        return {
            "answered_by": why,
            "result": result,
            "nodes": done["path"],
            "steps": [_tell_step(each, journal) for each in done["finished"]],
        }

    fields = dict.fromkeys([*form.model_fields, *Told.model_fields], Any)
    state = cast(Any, TypedDict)(f"{name}_state", fields, total=False)
    graph = StateGraph(state, input_schema=form, output_schema=Told)
    graph.add_node(inner.name, cast(Any, run), input_schema=state)
    graph.add_edge(START, inner.name)
    graph.add_edge(inner.name, END)
    return graph.compile(name=name)


def _open_client(form: Form, journal: MemoryJournal) -> tuple[ModelClient, str]:
    """Return a client for the model and the templates that a form names, and why that model.

    It reads files and asks servers, which LangGraph's server refuses in its event loop.
    """
    name = form.prompts.strip()
    folder = OVERLAYS / name if name in shipped_overlays() else Path(name).expanduser()
    templates = TemplateSet(read_overlaid_texts(None if name in ("", "shipped") else folder))
    spec = form.model.strip() or os.environ.get(MODEL_VARIABLE, "").strip()
    chat, why = open_chat(UserSpec(spec) if spec else None, seed=form.seed)
    client = ModelClient(
        fast=chat,
        strong=chat,
        journal=journal,
        seed=form.seed,
        backoff=Backoff(patience_seconds=PATIENCE_SECONDS),
        templates=TemplateBook(templates),
    )
    return client, why


def _in_words(error: ValidationError) -> str:
    first, *more = error.errors(include_url=False)
    where = ".".join(str(part) for part in first["loc"])
    others = f"; and {len(more)} more" if more else ""
    return f"`{where}`: got {first['input']!r:.60}; {first['msg']}{others}."


def _tell_step(finished: FinishedStep, journal: MemoryJournal) -> dict[str, Any]:
    record, attempts = finished.record, []
    for row in finished.readings:
        call = journal.calls[row.key]
        told = {"messages": orjson.loads(call.messages), "reply": call.reply}
        told |= {"prompt_tokens": call.prompt_tokens, "reply_tokens": call.completion_tokens}
        attempts.append(
            {**told, "accepted": row.accepted, "mends": row.mends, "problems": row.problems}
        )
    ended = {"step": record.step, "agent": record.agent, "outcome": record.outcome}
    return {**ended, "answer": orjson.loads(record.answer), "attempts": attempts}


class MomentForm(Form):
    """One person at one moment."""

    me: PersonaInput = ROSA.me
    """The person."""
    time: str = Field("1 09:10", description="Day and clock; day 1 is Monday 6 May.")
    place: str = ROSA.place
    """Where the person is, as `sector: arena`."""
    doing: str = ROSA.doing
    """What the person is doing, without the name; empty if nothing has been done yet."""
    until: str = ROSA.until
    """Clock time at which that ends. If it is over, the person needs a new action."""
    planned: tuple[PlannedCard, ...] = planned_at(ROSA.strokes)
    """The day's plan, each entry with its start. If it is empty, the day is planned first."""
    people: tuple[PersonCard, ...] = ROSA.people
    """The people in sight, nearest first."""
    rooms: dict[str, tuple[str, ...]] = {place: objects for place, objects, _ in ROSA.places}
    """The places that the person knows, each with its objects."""
    memories: tuple[str, ...] = tuple(text for _, text in ROSA.memories)
    """The person's memories, the newest first; each is an hour older than the one before."""
    inner_voice: str = ""
    """What an inner voice whispers at this moment; empty for none."""


def _thinker(form: MomentForm) -> Thinker:
    """Return the person of a form, with a mind, in the surroundings that the form describes."""
    me, at, here = form.me, read_moment(form.time), form.rooms.get(form.place, ())
    why = [Stimulus(kind="sight" if form.doing else "new_day")]
    why += [Stimulus(kind="inner_voice", text=form.inner_voice)] if form.inner_voice else []
    end = max(at, at_of(day_of(at), _minute(form.until)))
    action = Action(kind="do", activity=form.doing, place=form.place, start=at, end=end)
    senses = Senses(
        tick=at // TICK_SECONDS,
        at=at,
        start_date=DAY,
        stimuli=tuple(why),
        body=Body(place=form.place, action=action if form.doing else None, arrived=True),
        percepts=tuple(_percept(each, form.place, n, at) for n, each in enumerate(form.people, 1)),
        sights=(Sight(arena=form.place, objects=here),) if here else (),
        used={join_address(form.place, thing): False for thing in here},
    )
    starts = sorted((_minute(each.time), each.activity) for each in form.planned)
    plan = None
    if starts:
        hours = cover_day(starts)
        plan = DayPlan(
            day=day_of(at), wake=starts[0][0], strokes=tuple(starts), hours=hours, blocks=hours
        )
    rooms = {me.home: ("bed",), **form.rooms}
    mind = Mind(
        name=me.name,
        currently=me.currently,
        requirement=me.currently,
        plan=plan,
        places={place: KnownPlace(objects=objects, seen=0) for place, objects in rooms.items()},
    )
    memories = [
        Memory(
            id=memory_id(me.name, 0, "past", 0, hours),
            agent=me.name,
            kind="event",
            text=text,
            created=at - 3600 * hours,
            tick=0,
            accessed=at - 3600 * hours,
            importance=5,
        )
        for hours, text in reversed([*enumerate(form.memories, 1)])
    ]
    known = {each.name: each.relationship for each in form.people if each.relationship}
    return thinker_alone(persona_of(me, me.currently, known), senses, memories, mind)


def _minute(clock: str) -> int:
    return minute_of(read_moment(f"1 {clock.split('-')[0].strip()}"))


def _percept(person: PersonCard, place: str, distance: int, at: int) -> Percept:
    return Percept(
        subject=person.name,
        predicate="is",
        object=person.doing,
        text=describe_action(person.name, person.doing),
        place=place,
        distance=distance,
        is_person=True,
        can_talk=person.can_talk,
        activity=person.doing,
        until=at + 600,
        origin=at,
    )


def thought_graph() -> StudioGraph:
    """Return the mind graph."""

    def begin(form: MomentForm, client: ModelClient) -> tuple[MindContext, State]:
        me = _thinker(form)
        assert me.mind is not None
        start = MindState(agent=me.name, mind=me.mind, fresh=me.surroundings.percepts)
        return context_of(me, client), start

    return studio_graph("mind", MomentForm, build_mind(), begin, "intent", "mind", "draft")


class TalkForm(MomentForm):
    """Two people who meet; the first one begins."""

    other: PersonaInput = MILO.me
    """The person who is spoken to."""
    reason: str = ROSA.why
    """Why the first person begins the talk."""
    most_lines: int = Field(6, ge=1, le=MOST_LINES)
    """Maximum number of lines, unless somebody ends the talk before."""


def talk_graph() -> StudioGraph:
    """Return the talk graph."""

    def begin(form: TalkForm, client: ModelClient) -> tuple[MindContext, State]:
        me, other = form.me.name, form.other.name
        if me == other:
            raise FormError(f"`other.name`: {other} cannot talk to themselves.")
        there = form.model_copy(update={"me": form.other, "memories": (), "people": ()})
        doing = {each.name: each.doing for each in form.people}
        meeting = Meeting(
            speakers=(me, other),
            doing={me: form.doing, other: doing.get(other, "standing about")},
            place=form.place,
            reasons={me: form.reason},
            most_lines=form.most_lines,
        )
        thinkers = {me: _thinker(form), other: _thinker(there)}
        tick = thinkers[me].surroundings.tick
        context = MindContext(owner=me, tick=tick, thinkers=thinkers, client=client)
        return context, TalkState(agent=me, meeting=meeting)

    return studio_graph("talk", TalkForm, build_talk(), begin, "lines", "ended_by")


def step_graph(step: AnyStep, recorded: Recorded) -> StudioGraph:
    """Return a step's graph, whose form has its inputs, filled in as its sample.

    `recorded` reads a moment of a run, whose inputs, templates and sampling are then used. The
    result has the inputs and the template as the form takes them.
    """
    notes, sample, file = read_field_notes(step.inputs), SAMPLES[step.name], f"{step.name}{SUFFIX}"
    told = "A recorded moment of this step, `RUN/ID`, whose inputs replace those below; or empty."
    own = f"Text that replaces `{file}` for this question only; empty for the template as it is."
    fields: dict[str, Any] = {
        "moment": (str, FieldInfo(default="", description=told)),
        "template": (str, FieldInfo(default="", description=own)),
    }
    for name, info in step.inputs.model_fields.items():
        field = FieldInfo(default=getattr(sample, name), description=notes.get(name))
        fields[name] = (info.annotation, field)
    form: type[Any] = create_model(f"{step.inputs.__name__}Form", __base__=Form, **fields)

    def begin(filled: Any, client: ModelClient) -> tuple[MindContext, State]:
        inputs = step.inputs(**{name: getattr(filled, name) for name in step.inputs.model_fields})
        templates = client.templates.latest
        if filled.moment:
            found = recorded(filled.moment, step)
            inputs, rules = found.inputs, _as_recorded(client.rules, found.call)
            client = replace(client, rules=rules)
            if not filled.prompts.strip():
                templates = TemplateSet(found.templates)
        if filled.template.strip():
            templates = check_templates({**templates.texts, file: filled.template})
        client = replace(client, templates=TemplateBook(templates))
        me = asked_person(inputs)
        context = context_alone(persona_of(me), make_empty_senses(), client)
        return context, StepState(agent=me.name, inputs=inputs)

    inner = build_given_step(step)
    result = ("answer", "outcome", "inputs")
    return studio_graph(f"step: {step.name}", form, inner, begin, *result)


def _as_recorded(rules: Rules, call: Call) -> Rules:
    """Return rules that ask as a recorded call asked."""
    rule = StepRule(temperature=call.temperature, max_tokens=call.max_tokens)
    examples = len(orjson.loads(call.examples))
    return replace(rules, examples=examples, steps={call.key.step: rule})
