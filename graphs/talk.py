"""The talk graph: one run per talk, for all participants, one line at a time.

`say` asks the mind whose turn it is. `visitor_turn` pauses the graph until a person from outside
has spoken. `visitor_turn` is a node of this outermost graph, so that no mind is asked again for the
same line when the talk goes on.
"""

from functools import cache
from typing import Any, Literal

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt

from smolville.agents.errors import InternalError
from smolville.graphs import say
from smolville.graphs.checkpoints import ByReference
from smolville.graphs.context import MindContext
from smolville.graphs.loop.graph import add_router, build_step, compile_graph
from smolville.graphs.loop.ledger import OnAsk
from smolville.graphs.meeting import GuestTurn, Hear, Meeting, is_goodbye
from smolville.graphs.state import TalkSeen, TalkState
from smolville.graphs.streaming import run_graph

TalkGraph = CompiledStateGraph[TalkState, MindContext, TalkSeen, TalkState]


async def say_line(state: TalkSeen, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Ask the mind whose turn it is for a line; the trace names the speaker and the listeners."""
    to, n = state.meeting.others(state.agent), len(state.lines) + 1
    config: RunnableConfig = {
        "run_name": f"{state.agent} to {' & '.join(to)} · line {n}",
        "metadata": {"speaker": state.agent, "to": list(to), "line": n},
    }
    step = build_step(say.STEP)
    said: dict[str, Any] = await step.ainvoke(state, config, context=runtime.context)
    return said


async def visitor_turn(state: TalkSeen, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Pause until the person behind a visitor has spoken.

    If the person's last line was a goodbye, end the talk instead. When the talk goes on, the node
    runs again from its start, so nothing expensive precedes the pause.
    """
    path = ["visitor_turn"]
    own = [line.text for line in state.lines if line.speaker == state.agent]
    if own and is_goodbye(own[-1]):
        return {"ended_by": state.agent, "path": path}
    to = state.meeting.others(state.agent)
    said = interrupt({"n": len(state.lines), "guest": state.agent, "to": list(to)})
    if not said["text"]:
        return {"ended_by": state.agent, "path": path}
    began = next(iter(runtime.context.thinkers.values())).surroundings.at
    return {**say.add_line(state, began, said["text"], ends=said["ends"]), "path": path}


async def _next_turn(state: TalkSeen) -> str:
    """Return whose turn it is."""
    if state.ended_by:
        return "the talk has ended"
    return "a visitor's turn" if state.agent in state.meeting.guests else "a mind's turn"


_TURNS = {
    "the talk has ended": END,
    "a visitor's turn": "visitor_turn",
    "a mind's turn": say.STEP.name,
}


def _talk_graph(saver: InMemorySaver | Literal[False] = False) -> TalkGraph:
    """Return the talk graph; with a saver, it can pause at a visitor's turn."""
    graph = StateGraph(
        TalkState, context_schema=MindContext, input_schema=TalkSeen, output_schema=TalkState
    )
    graph.add_node(say.STEP.name, say_line)
    graph.add_node("visitor_turn", visitor_turn)
    for after in (START, say.STEP.name, "visitor_turn"):
        add_router(graph, after, _next_turn, _TURNS)
    made: TalkGraph = compile_graph(graph, "talk", saver, **{say.STEP.name: build_step(say.STEP)})
    return made


@cache
def build_talk() -> TalkGraph:
    """Return the talk graph for participants who all have minds, so that it never pauses."""
    return _talk_graph()


async def talk(
    context: MindContext,
    meeting: Meeting,
    hear: Hear | None = None,
    on_ask: OnAsk | None = None,
) -> TalkState:
    """Run one talk and return its state: its lines, who ended it, and its reports.

    `hear` waits for a visitor's line; it is required if a visitor takes part. `on_ask` is called
    with each attempt of a mind to answer.
    """
    start = TalkSeen(agent=meeting.next_speaker(()), meeting=meeting)
    config: RunnableConfig = {"run_name": " & ".join(meeting.speakers) + " · talk"}
    if meeting.guests:
        return await _talk_with_visitor(context, start, config, hear, on_ask)
    done = await run_graph(build_talk(), start, config, context=context, on_ask=on_ask)
    return done.value


async def _talk_with_visitor(
    context: MindContext,
    start: TalkSeen,
    config: RunnableConfig,
    hear: Hear | None,
    on_ask: OnAsk | None,
) -> TalkState:
    """Run a talk that pauses at each turn of a visitor, and goes on with what the person says.

    During the pause a checkpoint keeps what was said, so that no mind is asked for the same line
    twice.
    """
    if hear is None:
        raise InternalError("a talk with a visitor needs somebody who listens to the visitor")
    graph = _talk_graph(InMemorySaver(serde=ByReference()))
    config = {**config, "configurable": {"thread_id": "talk"}}
    going: TalkSeen | Command[Any] = start
    while True:
        done = await run_graph(
            graph, going, config, context=context, durability="exit", on_ask=on_ask
        )
        state = done.value
        if not done.interrupts:
            return state
        asked = done.interrupts[0].value
        spoken = await hear(
            GuestTurn(n=asked["n"], guest=asked["guest"], to=tuple(asked["to"]), lines=state.lines)
        )
        going = Command(resume={"text": spoken.text, "ends": spoken.ends})
