"""The interview graph: one question to a person, answered from memory and then forgotten."""

from functools import cache

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from smolville.graphs.catalogue import INTERVIEW
from smolville.graphs.context import MindContext
from smolville.graphs.loop.graph import build_step, compile_graph
from smolville.graphs.loop.ledger import OnAsk
from smolville.graphs.state import InterviewSeen, InterviewState
from smolville.graphs.streaming import run_graph

InterviewGraph = CompiledStateGraph[InterviewState, MindContext, InterviewSeen, InterviewState]


@cache
def build_interview() -> InterviewGraph:
    """Return the interview graph."""
    graph = StateGraph(
        InterviewState,
        context_schema=MindContext,
        input_schema=InterviewSeen,
        output_schema=InterviewState,
    )
    graph.add_sequence([(step.name, build_step(step)) for step in INTERVIEW])
    graph.add_edge(START, INTERVIEW[0].name)
    graph.add_edge(INTERVIEW[-1].name, END)
    made: InterviewGraph = compile_graph(graph, "interview")
    return made


async def interview(
    context: MindContext, asked: InterviewSeen, on_ask: OnAsk | None = None
) -> InterviewState:
    """Ask one question, and return the interview with the answer as its last line.

    `on_ask` is called with each attempt as it begins.
    """
    config: RunnableConfig = {"run_name": f"{asked.agent} · interview"}
    done = await run_graph(build_interview(), asked, config, context=context, on_ask=on_ask)
    return done.value
