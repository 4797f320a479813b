"""A listener hears who asks what from the graph's stream, and nothing comes out otherwise."""

import asyncio
import json
from dataclasses import dataclass, field

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from smolville.agents.errors import StoppedError
from smolville.graphs.checkpoints import MindSaver
from smolville.graphs.interview import interview
from smolville.graphs.loop.ledger import AskEvent, OnAsk
from smolville.graphs.meeting import Guest, GuestLine, GuestTurn, Meeting
from smolville.graphs.mind import build_mind, think
from smolville.graphs.state import InterviewSeen
from smolville.graphs.streaming import run_graph
from smolville.graphs.talk import talk
from tests.fixtures.scripted import Around, Scripted
from tests.fixtures.waiting import HANGING
from tests.graphs.minds import ADA, context_for, mind_of
from tests.graphs.replies import bad, good

AT_DAWN = Around(tick=360, why=("new_day",))
ROSA = Guest(name="Rosa Lind", about="a reporter", doing="taking notes")


def _clumsy():
    """Answers of which every first one is wrong."""
    asked: list[str] = []

    def answers(step, inputs):
        asked.append(step)
        return (bad if asked.count(step) == 1 else good)(step, inputs)

    return Scripted(otherwise=answers)


async def _thought(on_ask: OnAsk | None, model=None, **client):
    """A first thought of a day, and the checkpoint it leaves, without its name and time."""
    saver = MindSaver()
    context = context_for(model or _clumsy(), AT_DAWN, **client)
    done = await think(build_mind(saver), context, ADA.name, mind_of(), on_ask)
    staged = saver.read_staged(ADA.name)
    assert staged is not None
    kept = json.loads(staged[1])
    del kept["checkpoint"]["id"], kept["checkpoint"]["ts"]
    return done, kept


async def test_a_thought_is_the_same_with_a_listener_and_tells_each_try():
    heard: list[AskEvent] = []
    plain, kept = await _thought(None)
    told, staged = await _thought(heard.append)
    assert (told, staged) == (plain, kept)
    steps = [each.record for each in plain.finished]
    assert {"plan_day", "plan_hours"} <= {record.step for record in steps}
    assert heard == [
        AskEvent(agent=ADA.name, step=record.step, ordinal=record.ordinal, attempt=attempt)
        for record in steps
        for attempt in range(record.attempts)
    ]
    assert {event.attempt for event in heard} == {0, 1}


class Patient(Scripted):
    """Answers a question only once the listener was told of it."""

    heard: list[AskEvent]

    async def _agenerate(self, messages, *_, **told):
        async with asyncio.timeout(HANGING):
            while len(self.heard) <= len(self.asked):
                await asyncio.sleep(0)
        return await super()._agenerate(messages, **told)


async def test_a_try_is_told_before_it_is_answered():
    heard: list[AskEvent] = []
    # What is validated is copied; the model must see the very list.
    model = Patient(otherwise=good, heard=[])
    model.heard = heard
    await _thought(heard.append, model)
    assert [event.step for event in heard] == model.steps() != []


@pytest.mark.parametrize("listens", [False, True])
async def test_what_goes_wrong_comes_through_a_stream_as_without_one(listens: bool):
    heard: list[AskEvent] = []
    with pytest.raises(StoppedError, match="got no clean answer for the step `plan_day`"):
        await _thought(
            heard.append if listens else None, Scripted(otherwise=bad), strict=True, repairs=2
        )
    assert [event.attempt for event in heard] == ([0, 1, 2] if listens else [])


@dataclass
class Visitor:
    """Says prepared lines, and notes who was heard of until then."""

    heard: list[AskEvent]
    lines: list[str] = field(default_factory=lambda: ["Hello.", "What is new?", ""])
    before: list[int] = field(default_factory=list)

    async def hear(self, turn: GuestTurn) -> GuestLine:
        self.before.append(len(self.heard))
        return GuestLine(text=self.lines.pop(0))


async def _talked(on_ask: OnAsk | None, visitor: Visitor):
    meeting = Meeting(
        speakers=(ROSA.name, ADA.name),
        doing={ADA.name: "wiping the counter", ROSA.name: ROSA.doing},
        place="the café",
        guests={ROSA.name: ROSA},
    )
    model = Scripted(otherwise=lambda step, inputs: {"text": "Well.", "ends": False})
    context = context_for(model, Around(tick=360), mind=mind_of())
    return await talk(context, meeting, visitor.hear, on_ask)


async def test_a_talk_that_waits_for_a_person_is_the_same_and_tells_whose_mind_is_asked():
    heard: list[AskEvent] = []
    visitor = Visitor(heard)
    plain, told = await _talked(None, Visitor([])), await _talked(heard.append, visitor)
    assert told == plain and len(told.lines) == 4 and told.ended_by == ROSA.name
    assert heard == [AskEvent(agent=ADA.name, step="say", ordinal=n, attempt=0) for n in range(2)]
    assert visitor.before == [0, 1, 2]


async def test_an_interview_tells_its_tries():
    heard: list[AskEvent] = []
    asked = InterviewSeen(agent=ADA.name, asker="a reporter", question="What is new?")
    plain, told = [
        await interview(context_for(_clumsy(), Around(tick=360), mind=mind_of()), asked, on_ask)
        for on_ask in (None, heard.append)
    ]
    assert told == plain
    assert [(event.step, event.attempt) for event in heard] == [
        ("answer_interview", 0),
        ("answer_interview", 1),
    ]


@dataclass
class Count:
    """How often a node ran."""

    n: int = 0


async def test_events_of_other_nodes_are_none_of_its_business():
    async def node(state: Count, runtime: Runtime[None]):
        runtime.stream_writer({"progress": 0.5})
        runtime.stream_writer("half way")
        return {"n": state.n + 1}

    graph = StateGraph(Count)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    graph.add_edge("node", END)
    heard: list[AskEvent] = []
    done = await run_graph(graph.compile(), Count(), {}, context=None, on_ask=heard.append)
    assert (done.value, done.interrupts, heard) == (Count(1), (), [])
