"""A graph for Studio: it takes a form, runs the real graph inside, and returns the result."""

from collections.abc import Awaitable, Callable
from typing import Any, TypedDict, TypeVar, cast

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from graphs.loop.compiling import Graph, compiled
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
    inner: Graph,
) -> StudioGraph:
    """Return a graph of a single node that takes a form and runs `inner` with its values.

    Its state is plain data, whatever the platform's checkpointer: the inner graph has a state of
    its own and is stored nowhere. It is drawn, and streamed while it runs.
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
    made: StudioGraph = compiled(graph, name, None, **{name: inner})
    return made
