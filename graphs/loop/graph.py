"""Build the graph of a step (all have one shape), and run one step by itself."""

from collections.abc import Hashable
from dataclasses import replace
from functools import cache
from typing import Any

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from smolville.graphs.context import MindContext
from smolville.graphs.draft import Draft
from smolville.graphs.loop.nodes import StepNodes
from smolville.graphs.loop.state import StepState
from smolville.graphs.loop.step import AnyStep, Changes, StepInputs, StepResult
from smolville.graphs.recall import RecallResult
from smolville.parsers.prompt_inputs import PromptInput

StepGraph = CompiledStateGraph[Any, MindContext, Any, Any]
Ways = dict[Hashable, str]
"""Nodes by the names of the ways that lead to them, as routers return these."""


@cache
def build_step(step: AnyStep) -> StepGraph:
    """Return a step as a compiled graph, to be used as a node of another graph.

    It takes and returns the surrounding state (`Step.seen`); the step's own state stays inside.
    """
    nodes = StepNodes(step)
    graph = StateGraph(
        StepState, context_schema=MindContext, input_schema=step.seen, output_schema=step.seen
    )
    graph.add_node("gather", nodes.gather, input_schema=step.seen)
    graph.add_node("ask", nodes.ask)
    graph.add_node("parse", nodes.parse)
    graph.add_node("repair", nodes.repair)
    graph.add_node("fall_back", nodes.fall_back)
    graph.add_node("apply", nodes.apply)
    graph.add_edge(START, "gather")
    graph.add_edge("gather", "ask")
    graph.add_edge("ask", "parse")
    ways: Ways = {"read": "apply", "unreadable": "repair", "given up": "fall_back"}
    graph.add_conditional_edges("parse", nodes.after_parse, ways)
    graph.add_edge("repair", "ask")
    graph.add_edge("fall_back", "apply")
    graph.add_edge("apply", END)
    return graph.compile(name=step.name)


async def ask_step(
    step: AnyStep,
    context: MindContext,
    inputs: PromptInput,
    recall: RecallResult | None = None,
    *,
    agent: str,
    draft: Draft | None = None,
) -> StepState:
    """Run one step by itself with given inputs, and return its final state.

    The graph is the usual one except for its first and last node: no inputs are gathered, and the
    answer changes nothing.
    """
    start = StepState(
        agent=agent,
        inputs=inputs,
        recalled=recall.found if recall else (),
        draft=draft or Draft(),
    )
    config = context.traced_as(f"{agent} · {step.name}")
    done = await build_given_step(step).ainvoke(start, config, context=context, version="v2")
    ended: StepState = done.value
    return ended


@cache
def build_given_step(step: AnyStep) -> StepGraph:
    """Return the graph of a step by itself, which takes given inputs and changes nothing."""
    return build_step(replace(step, gather=take_given, apply=keep_answer, seen=StepState))


async def take_given(state: StepState, context: MindContext) -> StepInputs[Any]:
    """Return the given inputs unchanged."""
    assert state.inputs is not None
    return StepInputs(inputs=state.inputs, recall=RecallResult(found=state.recalled))


def keep_answer(state: StepState, context: MindContext, result: StepResult[Any, Any]) -> Changes:
    """Return no changes: the answer is in the state."""
    return {}
