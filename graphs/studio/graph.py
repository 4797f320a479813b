"""One graph for Studio: a form goes in, what came of it comes out, the real thing runs within."""

from collections.abc import Awaitable, Callable
from typing import Any, TypedDict, TypeVar, cast

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from graphs.studio.form import Form, read_form
from graphs.studio.opening import Opened, opened, plainly
from graphs.studio.told import WhoAnswered

StudioGraph = CompiledStateGraph[Any, Any, Any, Any]
F = TypeVar("F", bound=Form)


def studio_graph(
    name: str,
    form: type[F],
    told: type[WhoAnswered],
    live: Callable[[F, Opened], Awaitable[WhoAnswered]],
) -> StudioGraph:
    """Return a graph of one node that lives what a form tells of.

    Its state is plain data, whatever the platform's checkpointer: the graphs that run within (a
    thought, a talk, a step's loop) have states of their own, and are kept nowhere.
    """

    async def run(state: dict[str, Any]) -> dict[str, Any]:
        with plainly():
            filled = read_form(form, state)
            async with opened(filled) as means:
                done = await live(filled, means)
        return done.model_dump(mode="json")

    fields = dict.fromkeys([*form.model_fields, *told.model_fields], Any)
    state = cast(Any, TypedDict)(f"{name}_state", fields, total=False)
    graph = StateGraph(state, input_schema=form, output_schema=told)
    graph.add_node(name, cast(Any, run), input_schema=state)
    graph.add_edge(START, name)
    graph.add_edge(name, END)
    return graph.compile(name=name)
