"""The talk graph: one run per talk over all who take part, one change for each of them."""

import math
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt

from agents.action import Line
from agents.errors import InternalError
from agents.mind import Mind
from graphs.cards import Said
from graphs.gather import now, recalled, relation, who
from graphs.guests import Guest, Hear, Spoken, Turn, is_goodbye
from graphs.recall import recall
from graphs.say import STEP, SayInput
from graphs.thinking import Thought

MOST_LINES = 16
"""The original's cap: 8 rounds of 2."""
MEMORIES = 5
CHARACTERS_A_MINUTE = 240
"""How fast people talk (the original's constant)."""


@dataclass(frozen=True, kw_only=True)
class Speaker:
    """One who takes part: the thought's context, the mind, and what was being done."""

    thought: Thought
    mind: Mind
    doing: str

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.thought.name


@dataclass(frozen=True, kw_only=True)
class Meeting:
    """The context of one run of the talk graph."""

    speakers: tuple[Speaker | Guest, ...]
    """The one who began the talk comes first; one of them at least has a mind."""
    place: str
    reason: str
    """Why it was begun."""
    most_lines: int = MOST_LINES
    hear: Hear | None = None
    """Waits for a guest's line; needed where a guest takes part."""

    @property
    def at(self) -> int:
        """Town second at which the talk was begun."""
        return next(
            each.thought.surroundings.at for each in self.speakers if isinstance(each, Speaker)
        )

    @property
    def has_guest(self) -> bool:
        """True when somebody takes part whose lines a person says."""
        return any(isinstance(each, Guest) for each in self.speakers)


@dataclass(kw_only=True)
class Talking:
    """The talk graph's state."""

    lines: tuple[Line, ...] = field(default=())
    ended_by: str = ""


async def speak(state: Talking, runtime: Runtime[Meeting]) -> dict[str, Any]:
    """Let whoever is next say a line: a mind is asked, for a guest's line the graph pauses."""
    meeting = runtime.context
    speaker = meeting.speakers[len(state.lines) % len(meeting.speakers)]
    if isinstance(speaker, Guest):
        spoken = _guest_speaks(state, meeting, speaker)
        if not spoken.text:
            return {"ended_by": speaker.name}
        text, ends, fallback = spoken.text, spoken.ends, False
    else:
        text, ends, fallback = await _mind_speaks(state, meeting, speaker)
    at = meeting.at + math.ceil(60 * _minutes(state.lines))
    line = Line(speaker=speaker.name, text=text, at=at, fallback=fallback)
    lines = (*state.lines, line)
    ended_by = speaker.name if ends else ""
    if not ended_by and len(lines) >= meeting.most_lines:
        ended_by = "the cap"
    return {"lines": lines, "ended_by": ended_by}


async def _mind_speaks(
    state: Talking, meeting: Meeting, speaker: Speaker
) -> tuple[str, bool, bool]:
    """Ask a mind for its line: what it says, whether that ends the talk, whether it fell back."""
    thought, turn = speaker.thought, len(state.lines)
    others = tuple(each for each in meeting.speakers if each is not speaker)
    names = tuple(each.name for each in others)
    said = [line.text for line in state.lines[-2:]]
    found = await recall(thought, [*names, *said], MEMORIES)
    impression = speaker.mind.impressions.get(names[0])
    feeling = f" {impression.feeling}" if impression else ""
    doing = " ".join(f"{each.name} was {each.doing}." for each in (speaker, *others))
    about = others[0].about if isinstance(others[0], Guest) else ""
    inputs = SayInput(
        me=who(thought, speaker.mind),
        now=now(thought),
        place=meeting.place,
        others=names,
        doing=doing,
        relationship=relation(thought, speaker.mind, names[0], about) + feeling,
        reason=meeting.reason if speaker is meeting.speakers[0] else "",
        memories=recalled(thought, found),
        lines=tuple(Said(speaker=line.speaker, text=line.text) for line in state.lines),
        turns_left=meeting.most_lines - turn,
    )
    taken = await STEP.take(thought, inputs, found)
    return taken.answer.text, taken.answer.ends, taken.is_fallback


def _guest_speaks(state: Talking, meeting: Meeting, guest: Guest) -> Spoken:
    """Pause the graph until a guest's line is there; nothing when the guest has said goodbye.

    Going on runs the node again from its start, so nothing that costs anything stands before it.
    """
    own = [line.text for line in state.lines if line.speaker == guest.name]
    if own and is_goodbye(own[-1]):
        return Spoken(text="")
    to = [each.name for each in meeting.speakers if each is not guest]
    said = interrupt({"n": len(state.lines), "guest": guest.name, "to": to})
    return Spoken(text=said["text"], ends=said["ends"])


def _minutes(lines: tuple[Line, ...]) -> float:
    """Return how long it takes to say `lines`."""
    return sum(len(line.text) for line in lines) / CHARACTERS_A_MINUTE


def seconds(lines: tuple[Line, ...]) -> int:
    """Return how long a talk of these lines lasts: whole minutes, at least one."""
    return 60 * max(1, math.ceil(_minutes(lines)))


async def _next(state: Talking) -> str:
    """Return `ended` or `goes on`; async, since LangGraph gives sync ones a thread."""
    return "ended" if state.ended_by else "goes on"


def _graph() -> StateGraph[Talking, Meeting, Talking, Talking]:
    """Return the talk graph: `speak` until somebody ends it, or the cap does."""
    graph = StateGraph(Talking, context_schema=Meeting)
    graph.add_node("speak", speak)
    graph.add_edge(START, "speak")
    graph.add_conditional_edges("speak", _next, {"ended": END, "goes on": "speak"})
    return graph


@cache
def build_talk() -> CompiledStateGraph[Talking, Meeting, Talking, Talking]:
    """Return the talk graph for those who all have minds: nothing interrupts it."""
    return _graph().compile(checkpointer=False, name="talk")


async def talk(meeting: Meeting) -> Talking:
    """Run one talk and return its lines, and who ended it."""
    config: RunnableConfig = {
        "run_name": " & ".join(each.name for each in meeting.speakers) + " · talk",
        "recursion_limit": 4 * meeting.most_lines,
    }
    if meeting.has_guest:
        return await _talk_with_guest(meeting, config)
    done = await build_talk().ainvoke(Talking(), config, context=meeting, version="v2")
    ended: Talking = done.value
    return ended


async def _talk_with_guest(meeting: Meeting, config: RunnableConfig) -> Talking:
    """Run a talk that pauses at each turn of a guest, and goes on with what the person says.

    What is said lies in a checkpoint meanwhile: no mind is asked for the same line twice.
    """
    if meeting.hear is None:
        raise InternalError("a talk with a guest needs somebody who listens to the guest")
    serde = JsonPlusSerializer(allowed_msgpack_modules=[("agents.action", "Line")])
    graph = _graph().compile(checkpointer=InMemorySaver(serde=serde), name="talk")
    config = {**config, "configurable": {"thread_id": "talk"}}
    going: Talking | Command[Any] = Talking()
    while True:
        done = await graph.ainvoke(going, config, context=meeting, durability="exit", version="v2")
        # A checkpoint gives back lists for tuples.
        lines = tuple(done.value.lines)
        if not done.interrupts:
            return Talking(lines=lines, ended_by=done.value.ended_by)
        asked = done.interrupts[0].value
        turn = Turn(n=asked["n"], guest=asked["guest"], to=tuple(asked["to"]), lines=lines)
        spoken = await meeting.hear(turn)
        going = Command(resume={"text": spoken.text, "ends": spoken.ends})
