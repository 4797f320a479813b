"""The talk graph: one run per talk, for all participants, one line at a time.

`say` asks the mind whose turn it is. `visitor_turn` pauses the graph until a person from outside
has spoken. `visitor_turn` is a node of this outermost graph, so that no mind is asked again for the
same line when the talk goes on.
"""

from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Checkpointer, Command, interrupt

from smolville.agents.errors import InternalError
from smolville.graphs import say
from smolville.graphs.context import MindContext
from smolville.graphs.loop.graph import Ways, build_step
from smolville.graphs.meeting import GuestTurn, Hear, Meeting, is_goodbye
from smolville.graphs.state import TalkState

TalkGraph = CompiledStateGraph[TalkState, MindContext, TalkState, TalkState]


async def visitor_turn(state: TalkState, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Pause until the person behind a visitor has spoken.

    If the person's last line was a goodbye, end the talk instead. When the talk goes on, the node
    runs again from its start, so nothing expensive precedes the pause.
    """
    path = [*state.path, "visitor_turn"]
    own = [line.text for line in state.lines if line.speaker == state.agent]
    if own and is_goodbye(own[-1]):
        return {"ended_by": state.agent, "path": path}
    to = state.meeting.others(state.agent)
    said = interrupt({"n": len(state.lines), "guest": state.agent, "to": list(to)})
    if not said["text"]:
        return {"ended_by": state.agent, "path": path}
    began = next(iter(runtime.context.thinkers.values())).surroundings.at
    return {**say.add_line(state, began, said["text"], ends=said["ends"]), "path": path}


async def _next_turn(state: TalkState) -> str:
    if state.ended_by:
        return "the talk has ended"
    return "a visitor's turn" if state.agent in state.meeting.guests else "a mind's turn"


_TURNS: Ways = {
    "the talk has ended": END,
    "a visitor's turn": "visitor_turn",
    "a mind's turn": say.STEP.name,
}


def build_talk(checkpointer: Checkpointer = None) -> TalkGraph:
    """Return the talk graph; with a checkpointer, it can pause at a visitor's turn."""
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
    return graph.compile(checkpointer, name="talk")


async def talk(context: MindContext, meeting: Meeting, hear: Hear | None = None) -> TalkState:
    """Run one talk and return its state: its lines, who ended it, and its reports.

    `hear` waits for a visitor's line; it is required if a visitor takes part.
    """
    start = TalkState(agent=meeting.next_speaker(()), meeting=meeting)
    config = context.traced_as(" & ".join(meeting.speakers) + " · talk")
    if meeting.guests:
        return await _talk_with_visitor(context, start, config, hear)
    done = await build_talk().ainvoke(start, config, context=context, version="v2")
    return done.value


async def _talk_with_visitor(
    context: MindContext, start: TalkState, config: RunnableConfig, hear: Hear | None
) -> TalkState:
    """Run a talk that pauses at each turn of a visitor, and goes on with what the person says.

    During the pause a checkpoint keeps what was said, so that no mind is asked for the same line
    twice.
    """
    if hear is None:
        raise InternalError("a talk with a visitor needs somebody who listens to the visitor")
    graph = build_talk(InMemorySaver(serde=ByReference()))
    config = {**config, "configurable": {"thread_id": "talk"}}
    going: TalkState | Command[Any] = start
    while True:
        done = await graph.ainvoke(going, config, context=context, durability="exit", version="v2")
        state: TalkState = done.value
        if not done.interrupts:
            return state
        asked = done.interrupts[0].value
        spoken = await hear(
            GuestTurn(n=asked["n"], guest=asked["guest"], to=tuple(asked["to"]), lines=state.lines)
        )
        going = Command(resume={"text": spoken.text, "ends": spoken.ends})


class ByReference(SerializerProtocol):
    """A serializer that keeps references, for checkpoints that never leave the process."""

    def __init__(self) -> None:
        self._values: list[Any] = []

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        """Return the number under which a value is stored."""
        self._values.append(obj)
        return "reference", str(len(self._values) - 1).encode()

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """Return the value stored under a number."""
        return self._values[int(data[1])]
