"""The mind graph: one thought, from what is in sight to what the agent wants to do.

The nodes stand in `ORDER`; each runs when it is wanted, judged by the state as the nodes before it
left it. The mind alone is carried to the next thought, as a checkpoint of the agent's thread.
"""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Literal, NamedTuple, cast

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Durability

from agents.mind import Mind
from agents.times import day_of
from graphs import rate_importance as rating
from graphs import react as reacting
from graphs import reflect_questions as reflecting
from graphs.act import act, wants_place, wants_to_act
from graphs.checkpoints import MindSaver
from graphs.conclude_talk import conclude_talk
from graphs.decompose import decompose, to_split
from graphs.ground_block import ground_block
from graphs.heed_inner_voice import heed_inner_voice
from graphs.perceive import perceive
from graphs.plan_day import plan_day
from graphs.plan_hours import plan_hours
from graphs.reflect_insights import reflect_insights
from graphs.replan import replan, window
from graphs.revise_identity import revise_identity
from graphs.surroundings import Intent
from graphs.thinking import Thinking, Thought

Node = Callable[[Thinking, Runtime[Thought]], Coroutine[Any, Any, dict[str, Any]]]
MindGraph = CompiledStateGraph[Thinking, Thought, Any, Any]


class Stage(NamedTuple):
    """One node of the mind graph, and when it runs."""

    node: Node
    wanted: Callable[[Thinking, Thought], bool]
    when: str
    """The condition in words, for the diagram."""


def _stimulated(kind: str) -> Callable[[Thinking, Thought], bool]:
    """Return a condition: the thought has a stimulus of this kind."""
    return lambda state, thought: any(
        stimulus.kind == kind for stimulus in thought.surroundings.stimuli()
    )


def _new_day(state: Thinking, thought: Thought) -> bool:
    """True when the mind has no plan for today yet."""
    plan = state.mind.plan
    return plan is None or plan.day < day_of(thought.surroundings.at)


def _another_day(state: Thinking, thought: Thought) -> bool:
    """True on every new day but the first."""
    return state.mind.plan is not None and _new_day(state, thought)


def _only_strokes(state: Thinking, thought: Thought) -> bool:
    """True when the day has broad strokes and no hours yet."""
    return state.mind.plan is not None and not state.mind.plan.hours


def _wants_replan(state: Thinking, thought: Thought) -> bool:
    """True when the rest of the hour is disturbed and long enough for a new plan."""
    at = thought.surroundings.at
    return bool(state.disturbed) and state.intent is None and window(state.mind, at) is not None


ORDER: dict[str, Stage] = {
    "perceive": Stage(perceive, lambda state, thought: True, "always"),
    "conclude_talk": Stage(conclude_talk, _stimulated("talk_ended"), "a talk has ended"),
    "heed_inner_voice": Stage(heed_inner_voice, _stimulated("inner_voice"), "a voice whispers"),
    "rate_importance": Stage(
        rating.rate_importance,
        lambda state, thought: rating.is_due(state.mind, thought.notes),
        "16 memories wait, or a reflection may be due",
    ),
    "revise_identity": Stage(revise_identity, _another_day, "another day begins"),
    "plan_day": Stage(plan_day, _new_day, "a new day begins"),
    "plan_hours": Stage(plan_hours, _only_strokes, "the day has broad strokes only"),
    "react": Stage(
        reacting.react,
        lambda state, thought: bool(reacting.noteworthy(state, thought)),
        "somebody comes into sight",
    ),
    "replan": Stage(replan, _wants_replan, "the hour was disturbed"),
    "decompose": Stage(
        decompose,
        lambda state, thought: (
            wants_to_act(state, thought) and to_split(state.mind, thought.surroundings.at) != ()
        ),
        "an hour or more is about to start",
    ),
    "ground_block": Stage(
        ground_block,
        lambda state, thought: wants_to_act(state, thought) and wants_place(state, thought),
        "the next tasks have no place yet",
    ),
    "act": Stage(act, wants_to_act, "what is done is over, refused or no longer meant"),
    "reflect_questions": Stage(
        reflecting.reflect_questions, reflecting.is_due, "enough has happened"
    ),
    "reflect_insights": Stage(
        reflect_insights, lambda state, thought: bool(state.questions), "there are questions"
    ),
}
"""Every node, in order, with the condition under which it runs."""


def _router(names: list[str]) -> Callable[[Thinking, Runtime[Thought]], Awaitable[str]]:
    """Return what picks the first wanted node of `names`; LangGraph gives sync ones a thread."""

    async def next_node(state: Thinking, runtime: Runtime[Thought]) -> str:
        thought = runtime.context
        return next((name for name in names if ORDER[name].wanted(state, thought)), END)

    return next_node


def _noted(name: str, node: Node) -> Node:
    """Return a node that also notes in the ledger that it ran."""

    async def noted(state: Thinking, runtime: Runtime[Thought]) -> dict[str, Any]:
        runtime.context.ledger.nodes.append(name)
        return await node(state, runtime)

    return noted


def build_mind(saver: MindSaver | Literal[False] | None = None) -> MindGraph:
    """Return the mind graph; with a saver, each agent's mind lives on in its thread.

    False keeps nothing even where a graph around it has a checkpointer.
    """
    graph = StateGraph(Thinking, context_schema=Thought)
    names = list(ORDER)
    for name, stage in ORDER.items():
        graph.add_node(name, cast(Any, _noted(name, stage.node)))
    graph.add_edge(START, names[0])
    for place, name in enumerate(names[:-1]):
        later = names[place + 1 :]
        graph.add_conditional_edges(name, _router(later), [*later, END])
    graph.add_edge(names[-1], END)
    return graph.compile(checkpointer=saver, name="mind")


async def think(
    graph: MindGraph, thought: Thought, first: Mind | None = None
) -> tuple[Mind, Intent | None]:
    """Run one thought and return the mind it leaves, and what the agent wants.

    `first` is the mind of an agent that has never thought before.
    """
    start: dict[str, Any] = {
        "fresh": (),
        "disturbed": "",
        "changed": False,
        "questions": (),
        "intent": None,
    }
    if first is not None:
        start["mind"] = first
    config: RunnableConfig = {"run_name": f"{thought.name} · thought"}
    saved: Durability | None = None
    if graph.checkpointer:
        config["configurable"] = {"thread_id": thought.name}
        saved = "exit"
    done = await graph.ainvoke(start, config, context=thought, durability=saved, version="v2")
    state: Thinking = done.value
    return state.mind, state.intent
