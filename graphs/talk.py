"""The talk graph: one run per talk over all who take part, one change for each of them."""

import math
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from agents.action import Line
from agents.mind import Mind
from graphs.cards import Said
from graphs.gather import now, recalled, relation, who
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


@dataclass(frozen=True, kw_only=True)
class Meeting:
    """The context of one run of the talk graph."""

    speakers: tuple[Speaker, ...]
    """The one who began the talk comes first."""
    place: str
    reason: str
    """Why it was begun."""
    most_lines: int = MOST_LINES


@dataclass(kw_only=True)
class Talking:
    """The talk graph's state."""

    lines: tuple[Line, ...] = field(default=())
    ended_by: str = ""


async def speak(state: Talking, runtime: Runtime[Meeting]) -> dict[str, Any]:
    """Let whoever is next say a line."""
    meeting = runtime.context
    turn = len(state.lines)
    speaker = meeting.speakers[turn % len(meeting.speakers)]
    thought = speaker.thought
    others = tuple(each for each in meeting.speakers if each is not speaker)
    names = tuple(each.thought.name for each in others)
    said = [line.text for line in state.lines[-2:]]
    found = await recall(thought, [*names, *said], MEMORIES)
    impression = speaker.mind.impressions.get(names[0])
    feeling = f" {impression.feeling}" if impression else ""
    doing = " ".join(f"{each.thought.name} was {each.doing}." for each in (speaker, *others))
    inputs = SayInput(
        me=who(thought, speaker.mind),
        now=now(thought),
        place=meeting.place,
        others=names,
        doing=doing,
        relationship=relation(thought, speaker.mind, names[0]) + feeling,
        reason=meeting.reason if speaker is meeting.speakers[0] else "",
        memories=recalled(thought, found),
        lines=tuple(Said(speaker=line.speaker, text=line.text) for line in state.lines),
        turns_left=meeting.most_lines - turn,
    )
    taken = await STEP.take(thought, inputs, found)
    at = thought.surroundings.at + math.ceil(60 * _minutes(state.lines))
    line = Line(speaker=thought.name, text=taken.answer.text, at=at, fallback=taken.is_fallback)
    lines = (*state.lines, line)
    ended_by = thought.name if taken.answer.ends else ""
    if not ended_by and len(lines) >= meeting.most_lines:
        ended_by = "the cap"
    return {"lines": lines, "ended_by": ended_by}


def _minutes(lines: tuple[Line, ...]) -> float:
    """Return how long it takes to say `lines`."""
    return sum(len(line.text) for line in lines) / CHARACTERS_A_MINUTE


def seconds(lines: tuple[Line, ...]) -> int:
    """Return how long a talk of these lines lasts: whole minutes, at least one."""
    return 60 * max(1, math.ceil(_minutes(lines)))


async def _next(state: Talking) -> str:
    """Return `ended` or `goes on`; async, since LangGraph gives sync ones a thread."""
    return "ended" if state.ended_by else "goes on"


@cache
def build_talk() -> CompiledStateGraph[Talking, Meeting, Talking, Talking]:
    """Return the talk graph: `speak` until somebody ends it, or the cap does."""
    graph = StateGraph(Talking, context_schema=Meeting)
    graph.add_node("speak", speak)
    graph.add_edge(START, "speak")
    graph.add_conditional_edges("speak", _next, {"ended": END, "goes on": "speak"})
    return graph.compile(checkpointer=False, name="talk")


async def talk(meeting: Meeting) -> Talking:
    """Run one talk and return its lines, and who ended it."""
    config: RunnableConfig = {
        "run_name": " & ".join(each.thought.name for each in meeting.speakers) + " · talk",
        "recursion_limit": 4 * meeting.most_lines,
    }
    done = await build_talk().ainvoke(Talking(), config, context=meeting, version="v2")
    ended: Talking = done.value
    return ended
