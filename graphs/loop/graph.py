"""Build the graph of every step from its declaration; all have the same shape."""

from dataclasses import replace
from functools import cache
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from graphs.context import MindContext, RecallResult
from graphs.draft import Draft
from graphs.loop.compiling import add_router, compiled
from graphs.loop.nodes import StepNodes
from graphs.loop.state import STATES, GivenSeen, GivenState
from graphs.loop.step import AnyStep, Changes, StepInputs, StepResult
from graphs.prompt_inputs import PromptInput

StepGraph = CompiledStateGraph[Any, MindContext, Any, Any]


@cache
def build_step(step: AnyStep) -> StepGraph:
    """Return a step as a compiled graph, to be used as a node of another graph.

    Its input is the part of the state that the step may read (`Step.seen`), its output the
    surrounding state; messages, attempts and problems stay inside.
    """
    around, inside = STATES[step.seen]
    nodes = StepNodes(step)
    graph = StateGraph(
        inside, context_schema=MindContext, input_schema=step.seen, output_schema=around
    )
    for name in ("gather", "ask", "parse", "repair", "fall_back", "apply"):
        graph.add_node(name, getattr(nodes, name), input_schema=inside)
    graph.add_edge(START, "gather")
    graph.add_edge("gather", "ask")
    graph.add_edge("ask", "parse")
    ways = {"read": "apply", "unreadable": "repair", "given up": "fall_back"}
    add_router(graph, "parse", nodes.after_parse, ways)
    graph.add_edge("repair", "ask")
    graph.add_edge("fall_back", "apply")
    graph.add_edge("apply", END)
    made: StepGraph = compiled(graph, step.name)
    return made


async def ask_step(
    step: AnyStep,
    context: MindContext,
    inputs: PromptInput,
    recall: RecallResult | None = None,
    *,
    agent: str,
    draft: Draft | None = None,
) -> GivenState:
    """Run one step by itself with given inputs, and return its final state.

    It is the same graph except for its first and its last node: nothing is gathered, and the answer
    changes nothing.
    """
    start = GivenSeen(
        agent=agent,
        inputs=inputs,
        recalled=recall.found if recall else (),
        draft=draft or Draft(),
    )
    config: RunnableConfig = {"run_name": f"{agent} · {step.name}"}
    done = await build_given_step(step).ainvoke(start, config, context=context, version="v2")
    ended: GivenState = done.value
    return ended


@cache
def build_given_step(step: AnyStep) -> StepGraph:
    """Return the graph of a step that runs by itself."""
    return build_step(_given(step))


def _given(step: AnyStep) -> AnyStep:
    """Return a copy of a step that takes given inputs and changes nothing."""
    return replace(step, gather=_take_given, apply=_keep_answer, seen=GivenSeen)


async def _take_given(state: GivenSeen, context: MindContext) -> StepInputs[Any]:
    """Return the given inputs unchanged."""
    return StepInputs(inputs=state.inputs, recall=RecallResult(found=state.recalled))


def _keep_answer(state: GivenSeen, context: MindContext, result: StepResult[Any, Any]) -> Changes:
    """Return no changes: the answer is in the state."""
    return {}
