"""The talk graph: one run per talk, for all participants, one line at a time.

`say` asks the mind whose turn it is; `visitor_turn` waits for a person from outside.
"""

from dataclasses import replace
from functools import cache
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from smolville.agents.errors import InternalError
from smolville.graphs import say
from smolville.graphs.context import MindContext
from smolville.graphs.loop.graph import Ways, build_step
from smolville.graphs.meeting import GuestTurn, Hear, Meeting, is_goodbye
from smolville.graphs.state import TalkState

TalkGraph = CompiledStateGraph[TalkState, MindContext, TalkState, TalkState]


async def visitor_turn(state: TalkState, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Wait until the person behind a visitor has spoken.

    If the person's last line was a goodbye, end the talk instead.
    """
    path, hear = [*state.path, "visitor_turn"], runtime.context.hear
    own = [line.text for line in state.lines if line.speaker == state.agent]
    if own and is_goodbye(own[-1]):
        return {"ended_by": state.agent, "path": path}
    if hear is None:
        raise InternalError("a talk with a visitor needs somebody who listens to the visitor")
    to = state.meeting.others(state.agent)
    said = await hear(GuestTurn(n=len(state.lines), guest=state.agent, to=to, lines=state.lines))
    if not said.text:
        return {"ended_by": state.agent, "path": path}
    began = next(iter(runtime.context.thinkers.values())).surroundings.at
    return {**say.add_line(state, began, said.text, ends=said.ends), "path": path}


async def _next_turn(state: TalkState) -> str:
    if state.ended_by:
        return "the talk has ended"
    return "a visitor's turn" if state.agent in state.meeting.guests else "a mind's turn"


_TURNS: Ways = {
    "the talk has ended": END,
    "a visitor's turn": "visitor_turn",
    "a mind's turn": say.STEP.name,
}


@cache
def build_talk() -> TalkGraph:
    """Return the talk graph."""
    step = build_step(say.STEP)

    async def say_line(state: TalkState, runtime: Runtime[MindContext]) -> dict[str, Any]:
        """Ask the mind whose turn it is for a line; a trace names the speaker and the listeners."""
        to, n = state.meeting.others(state.agent), len(state.lines) + 1
        config: RunnableConfig = {
            "run_name": f"{state.agent} to {' & '.join(to)} · line {n}",
            "metadata": {"speaker": state.agent, "to": list(to), "line": n},
        }
        said: dict[str, Any] = await step.ainvoke(state, config, context=runtime.context)
        return said

    graph = StateGraph(TalkState, context_schema=MindContext)
    graph.add_node(say.STEP.name, say_line)
    graph.add_node("visitor_turn", visitor_turn)
    for after in (START, say.STEP.name, "visitor_turn"):
        graph.add_conditional_edges(after, _next_turn, _TURNS)
    return graph.compile(name="talk")


async def talk(context: MindContext, meeting: Meeting, hear: Hear | None = None) -> TalkState:
    """Run one talk and return its state: its lines, who ended it, and its reports.

    `hear` waits for a visitor's line; it is required if a visitor takes part.
    """
    start = TalkState(agent=meeting.next_speaker(()), meeting=meeting)
    config = context.traced_as(" & ".join(meeting.speakers) + " · talk")
    around = replace(context, hear=hear)
    done = await build_talk().ainvoke(start, config, context=around, version="v2")
    return done.value
