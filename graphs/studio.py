"""The graphs as LangGraph's own tools open them (`langgraph.json`)."""

from typing import Any

from langgraph.graph.state import CompiledStateGraph

from graphs.loop.step import build_step
from graphs.mind import MindGraph, build_mind
from graphs.talk import build_talk


def mind() -> MindGraph:
    """Return the mind graph."""
    return build_mind()


def talk() -> CompiledStateGraph[Any, Any, Any, Any]:
    """Return the talk graph."""
    return build_talk()


def step() -> CompiledStateGraph[Any, Any, Any, Any]:
    """Return the loop that every cognitive step runs."""
    return build_step()
