"""Ada Brook, her mind and her day: what the tests of the graphs think with."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
from langchain_core.language_models import BaseChatModel
from langgraph.runtime import Runtime

from smolville.agents.action import Action
from smolville.agents.memory import Memory
from smolville.agents.mind import KnownPlace, Mind
from smolville.agents.persona import Habits, Persona, Work
from smolville.agents.plan import Block, DayPlan, Spot, cover_day
from smolville.agents.stream import MemoryStream, Recollection, Vector
from smolville.agents.times import at_of
from smolville.graphs.catalogue import SAMPLES
from smolville.graphs.context import MindContext, Thinker, context_of
from smolville.graphs.draft import Draft
from smolville.graphs.loop.graph import StepGraph, ask_step, build_step
from smolville.graphs.loop.ledger import Call, Journal, MemoryJournal, OnAsk, StepRecord
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import Rules
from smolville.graphs.loop.state import StepState
from smolville.graphs.loop.step import AnyStep
from smolville.graphs.mind import PhaseGraph
from smolville.graphs.recall import RecallResult
from smolville.graphs.state import MindState, State
from smolville.graphs.surroundings import Body, Percept
from smolville.models.embedding.words import HashedWords
from smolville.parsers.prompt_inputs import PromptInput
from tests.fixtures.pauses import Pauses
from tests.fixtures.scripted import Around, Scripted, chat_of

WORDS = HashedWords()

ADA = Persona(
    name="Ada Brook",
    age=34,
    innate="warm, quick, curious",
    learned="Ada Brook runs the Copper Kettle, the café at the corner of the street.",
    currently="Ada Brook wants to invite everybody to a soup evening at the café.",
    lifestyle="Ada Brook goes to bed around 10pm and wakes up around 6am.",
    home="Fern Cottage: bedroom",
    work="Copper Kettle: counter room",
    daily_requirement="Open the café at 8am and close it at 5pm.",
    habits=Habits(
        wake="06:00",
        bed="22:00",
        work=(
            Work(start="08:00", end="08:30", activity="opening the café"),
            Work(start="08:30", end="17:00", activity="working at the café"),
        ),
    ),
    relationships={"Ben Hollis": "Ada Brook buys her flour from Ben Hollis."},
    reflection_threshold=150,
)
BEN = ADA.model_copy(update={"name": "Ben Hollis", "relationships": {}})

PLACES = {
    "Fern Cottage: bedroom": KnownPlace(objects=("bed", "desk")),
    "Fern Cottage: kitchen": KnownPlace(objects=("stove", "table")),
    "Copper Kettle: counter room": KnownPlace(objects=("counter", "coffee machine", "table")),
    "Willow Park: lawn": KnownPlace(objects=("bench",)),
}

HOURS = cover_day(
    [
        (360, "waking up, washing and getting dressed"),
        (420, "having breakfast"),
        (480, "serving guests in the café"),
        (720, "having lunch"),
        (780, "baking cakes for tomorrow"),
        (1020, "walking in the park"),
        (1110, "having dinner"),
        (1170, "reading a novel"),
        (1320, "sleeping"),
    ]
)


def day_plan(day: int = 1, blocks: Sequence[Block] = HOURS) -> DayPlan:
    """Ada's plan for a day."""
    strokes = ((360, "waking up"), (480, "working"), (1110, "having dinner"), (1320, "sleeping"))
    return DayPlan(day=day, wake=360, strokes=strokes, hours=HOURS, blocks=tuple(blocks))


def mind_of(plan: DayPlan | None = None, **more: Any) -> Mind:
    """Ada's mind."""
    mind = Mind(
        name=ADA.name,
        currently=ADA.currently,
        requirement=ADA.daily_requirement,
        plan=plan,
        places=dict(PLACES),
    )
    return replace(mind, **more)


def tick_at(minute: int, day: int = 1) -> int:
    """The tick of a minute of a day."""
    return at_of(day, minute) // 10


def doing(activity: str = "wiping the counter", **more: Any) -> Action:
    """An action that lasts the whole day unless told otherwise."""
    place = "Copper Kettle: counter room: counter"
    kept: dict[str, Any] = {"kind": "do", "place": place, "start": 0, "end": 86_400}
    return Action(activity=activity, **(kept | more))


def body(action: Action | None = None, **more: Any) -> Body:
    """Ada at the counter."""
    kept: dict[str, Any] = {"place": "Copper Kettle: counter room", "arrived": True}
    return Body(action=action, **(kept | more))


def person(name: str = "Ben Hollis", activity: str = "buying bread", **more: Any) -> Percept:
    """Somebody in sight who can talk."""
    kept: dict[str, Any] = {"distance": 2, "is_person": True, "can_talk": True}
    kept |= {"predicate": "is", "object": activity, "activity": activity}
    kept |= {"text": f"{name} is {activity}", "place": "Copper Kettle: counter room"}
    return Percept(subject=name, **(kept | more))


def thing(address: str = "Copper Kettle: counter room: stove", state: str = "on fire") -> Percept:
    """An object in an unusual state."""
    return Percept(
        subject=address,
        predicate="is",
        object=state,
        text=f"{address} is {state}",
        place="Copper Kettle: counter room",
        distance=1,
        is_person=False,
    )


def memory(n: int, text: str, at: int = 0, **more: Any) -> Memory:
    """A memory of Ada's."""
    kept: dict[str, Any] = {"kind": "event", "created": at, "accessed": at, "tick": at // 10}
    return Memory(id=f"Ada Brook/{at // 10}/past/0/{n}", agent=ADA.name, text=text, **(kept | more))


async def embed(texts: Sequence[str]) -> Sequence[Vector]:
    """Vectors of texts."""
    return list(np.asarray(WORDS.embed(texts)))


def stream_of(memories: Sequence[Memory] = (), name: str = ADA.name) -> MemoryStream:
    """A stream that holds these memories."""
    stream = MemoryStream(name, WORDS.dimension)
    for each in memories:
        stream.add(each, WORDS.embed([each.text])[0])
    return stream


def desk_of(model: BaseChatModel, **more: Any) -> ModelClient:
    """A desk with one model; `strong` gives it a second one, and rules may be given by name."""
    names = [item.name for item in fields(Rules) if item.name in more]
    rules = Rules(**{name: more.pop(name) for name in names})
    strong = more.pop("strong", None)
    fast = chat_of(model)
    journal: Journal = more.pop("journal", None) or MemoryJournal()
    backoff = more.pop("backoff", None) or Pauses().backoff(patience_seconds=1.5)
    return ModelClient(
        fast=fast,
        strong=fast if strong is None else chat_of(strong, "scripted:strong"),
        journal=journal,
        seed=more.pop("seed", 7),
        rules=rules,
        backoff=backoff,
        **more,
    )


def thinker(
    around: Around | None = None,
    *,
    memories: Sequence[Memory] = (),
    persona: Persona = ADA,
    mind: Mind | None = None,
) -> Thinker:
    """Somebody who senses and remembers just this."""
    return Thinker(
        persona=persona,
        surroundings=around or Around(),
        stream=stream_of(memories, persona.name),
        embed=embed,
        mind=mind,
    )


def context_for(
    model: BaseChatModel | None = None,
    around: Around | None = None,
    *,
    memories: Sequence[Memory] = (),
    persona: Persona = ADA,
    mind: Mind | None = None,
    asks: OnAsk | None = None,
    **client: Any,
) -> MindContext:
    """The context of one who thinks alone."""
    me = thinker(around, memories=memories, persona=persona, mind=mind)
    return context_of(me, desk_of(model or Scripted(), **client), asks=asks)


def calls_of(context: MindContext) -> list[Call]:
    """The calls that were made, in their order."""
    journal = context.client.journal
    assert isinstance(journal, MemoryJournal)
    return list(journal.calls.values())


def seen(mind: Mind | None = None, agent: str = ADA.name, **state: Any) -> MindState:
    """What a node of a thought reads."""
    return MindState(agent=agent, mind=mind or mind_of(), **state)


async def run(node: Any, context: MindContext, mind: Mind, **state: Any) -> dict[str, Any]:
    """Run one node of code by itself and return its update."""
    updated: dict[str, Any] = await node(
        seen(mind, context.owner, **state), Runtime(context=context)
    )
    return updated


async def live(
    graph: PhaseGraph | StepGraph, context: MindContext, mind: Mind, **state: Any
) -> MindState:
    """Run a phase or a step by itself and return the state it leaves."""
    start: Any = seen(mind, context.owner, **state)
    done = await graph.ainvoke(start, context=context, version="v2")
    ended: MindState = done.value
    return ended


async def take(step: AnyStep, context: MindContext, mind: Mind, **state: Any) -> MindState:
    """Run one step inside a thought by itself and return the state it leaves."""
    return await live(build_step(step), context, mind, **state)


async def ask(
    step: AnyStep,
    context: MindContext,
    inputs: PromptInput | None = None,
    found: Sequence[Recollection] = (),
    draft: Draft | None = None,
) -> StepState:
    """Ask a step with its sample, or with other inputs, and return how it ended."""
    inputs = inputs or SAMPLES[step.name]
    recall = RecallResult(found=tuple(found))
    return await ask_step(step, context, inputs, recall, agent=context.owner, draft=draft)


def records(state: State) -> list[StepRecord]:
    """The rows of the steps that were taken, in their order."""
    return [each.record for each in state.finished]


def spot(place: str = "Copper Kettle: counter room: counter", **more: Any) -> Spot:
    """A spot at the counter."""
    return Spot(**({"place": place, "emoji": "🍞", "predicate": "serves", "object": "it"} | more))


PLANNING = ("revise_identity", "plan_day", "plan_hours")


def planning_from(step: str) -> list[str]:
    """The steps that plan a new day, from one of them on, while it has gaps."""
    return list(PLANNING[PLANNING.index(step) :])
