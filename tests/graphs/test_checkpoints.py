"""Every state that a graph keeps is saved and loaded whole; a mind's saver only stages."""

from dataclasses import fields

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import TypeAdapter

from smolville.agents.action import TalkLine
from smolville.agents.errors import InternalError
from smolville.agents.goals import Goal, GoalChange
from smolville.agents.memory import Change, Memory
from smolville.agents.mind import Appointment, Idea, Impression, KnownPlace, Mind
from smolville.agents.needs import NeedLevels
from smolville.agents.plan import Block, DayPlan, Spot
from smolville.graphs.checkpoints import CHANNEL, ByReference, MindSaver, SavedMind, read_saved
from smolville.graphs.draft import Draft
from smolville.graphs.loop.ledger import CallKey, CallReading, FinishedStep, StepRecord
from smolville.graphs.meeting import Guest, Meeting
from smolville.graphs.state import TalkState

MIND = TypeAdapter(Mind)
SPOT = Spot(
    place="a: b: c",
    emoji="🍞",
    predicate="bakes",
    object="bread",
    object_state="hot",
    object_emoji="🔥",
    fallback="ground_block",
    nowhere=True,
    by_rule=True,
)
BLOCK = Block(
    start=0,
    minutes=1440,
    activity="x",
    part_of="y",
    spot=SPOT,
    fallback=True,
    source="habit",
    replanned=True,
)
PLAN = DayPlan(
    day=2,
    wake=360,
    strokes=((360, "up"),),
    hours=(BLOCK,),
    blocks=(BLOCK, BLOCK),
    wishes=(("evening", "reading"),),
)
PLACE = KnownPlace(objects=("bed", "desk"), states=(("bed", "made"),), owners=("a",), seen=70)
IMPRESSION = Impression(
    relationship="A friend.",
    feeling="fond",
    summary="Soup.",
    at=9,
    talks=2,
    closeness=0.6,
    course=((1, 0.5), (9, 0.6)),
    shared=((1, "Bread."),),
    told=("I am writing a song.",),
)
GOAL = Goal(text="Sell soup.", since=9)
GOAL_CHANGE = GoalChange(
    at=9, kind="changed", before="Soup.", after="Sell soup.", because=("a/1/b/0/0",), reason="Why."
)
APPOINTMENT = Appointment(
    day=2,
    start=1020,
    end=1070,
    partners=("Ben Hollis",),
    where="the Lawn",
    place="a: b",
    what="walking",
    who=("a", "Ben Hollis"),
    speaker="a",
    said="Yes.",
    at=9,
    heard=("a", "Ben Hollis"),
    by="Ben Hollis",
    met=("Ben Hollis",),
    missed=True,
    done=True,
)
NEEDS = NeedLevels(at=70, levels={"hunger": 12.5}, asked={"hunger": 60})
FULL = Mind(
    name="Žofie Nováková",
    currently="She \"quotes\" and 'quotes'\n in two lines.",
    requirement="Open at 8.",
    plan=PLAN,
    places={"a: b": PLACE},
    impressions={"Ben Hollis": IMPRESSION},
    seen={"Ben|is here|0": 5},
    considered={"Ben Hollis": 6},
    talked={"Ben Hollis": 7},
    unrated=("x/1/y/0/0",),
    gathered=12.5,
    reflected=4711,
    refused=("a: b: c",),
    dreamt=2,
    idea=Idea(day=2, activity="singing to the bread", part="morning"),
    goals=(GOAL,),
    goal_changes=(GOAL_CHANGE,),
    goal_asked=95,
    heard=90,
    needs=NEEDS,
    appointments=(APPOINTMENT,),
)
BARE = Mind(name="Ada Brook", currently="c", requirement="r")
KEY = CallKey(owner="talk/1", tick=3, step="say", ordinal=0, attempt=0)
TALK = TalkState(
    agent="Ada Brook",
    meeting=Meeting(
        speakers=("Rosa Lind", "Ada Brook"),
        doing={"Ada Brook": "baking"},
        place="a: b",
        reasons={"Ada Brook": "flour"},
        guests={"Rosa Lind": Guest(name="Rosa Lind", about="a reporter", doing="waiting")},
        most_lines=9,
    ),
    lines=(TalkLine(speaker="Rosa Lind", text="Hello.", at=30),),
    ended_by="the cap",
    draft=Draft(
        memories=(
            Memory(
                id="a/1/b/0/0", agent="a", kind="event", text="x", created=1, tick=1, accessed=1
            ),
        ),
        changes=(Change(id="a/1/b/0/0", kind="access", tick=3, at=30),),
        accessed=frozenset({"a/1/b/0/0"}),
        uses={"say": 1},
    ),
    finished=[
        FinishedStep(
            record=StepRecord(
                owner="talk/1",
                tick=3,
                step="say",
                ordinal=0,
                agent="Ada Brook",
                outcome="clean",
                attempts=1,
                answer="{}",
            ),
            readings=(CallReading(key=KEY, accepted=True),),
        )
    ],
    path=["visitor_turn", "say"],
)


EMPTY = (None, "", (), {}, [], 0, False, frozenset())
VALUES = [GOAL, GOAL_CHANGE, SPOT, BLOCK, PLAN, PLACE, IMPRESSION, NEEDS, APPOINTMENT]
VALUES += [FULL.idea, FULL]
STATES = [*VALUES, TALK, TALK.meeting, TALK.draft]


@pytest.mark.parametrize("value", STATES, ids=lambda value: type(value).__name__)
def test_these_values_fill_every_field_of_their_class(value):
    held = {each.name: (getattr(value, each.name), each.default) for each in fields(value)}
    plain = [name for name, (has, usual) in held.items() if has in EMPTY or has == usual]
    assert plain in ([], ["start"]), "only a block may start at 0"


@pytest.mark.parametrize("value", [*VALUES, BARE], ids=repr)
def test_a_state_class_is_loaded_as_it_was_saved(value):
    adapter = TypeAdapter(type(value))
    assert adapter.validate_json(adapter.dump_json(value)) == value


@pytest.mark.parametrize("mind", [FULL, BARE, None])
def test_a_checkpoint_is_read_as_it_was_written(mind):
    checkpoint = empty_checkpoint()
    checkpoint["channel_versions"] = {CHANNEL: 3}
    checkpoint["versions_seen"] = {"perceive": {CHANNEL: 2}}
    blob = SavedMind(checkpoint, mind, 5).blob(MIND)
    again = read_saved(blob)
    assert (again.mind, again.step) == (mind, 5) and type(again.mind) is type(mind)
    assert again.checkpoint["versions_seen"] == {"perceive": {CHANNEL: 2}}
    assert again.checkpoint["id"] == checkpoint["id"]
    assert again.blob(MIND) == blob


@pytest.mark.parametrize("blob", [b"", b"{", b"[]", b'{"mind": {"name": "Ada"}, "step": 1}'])
def test_what_is_no_checkpoint_is_refused(blob):
    with pytest.raises((ValueError, KeyError, TypeError)):
        read_saved(blob)


CONFIG = {"configurable": {"thread_id": "Ada Brook", "checkpoint_ns": ""}}


def _minds():
    saver = MindSaver()
    return saver, lambda: saver.commit(["Ada Brook"])


def _talks():
    return InMemorySaver(serde=ByReference()), lambda: None


@pytest.mark.parametrize(
    ("saved", "channels"),
    [
        (_minds, {CHANNEL: FULL}),
        (_minds, {CHANNEL: BARE}),
        (_talks, {each.name: getattr(TALK, each.name) for each in fields(TALK)}),
    ],
    ids=["a mind", "a bare mind", "a talk"],
)
def test_the_channels_of_a_graph_come_back_from_its_saver_as_they_were_kept(saved, channels):
    saver, commit = saved()
    versions = dict.fromkeys(channels, "1")
    checkpoint = empty_checkpoint() | {"channel_values": channels, "channel_versions": versions}
    saver.put(CONFIG, checkpoint, {"source": "loop", "step": 1, "parents": {}}, versions)
    commit()
    found = saver.get_tuple(CONFIG)
    assert found is not None and found.checkpoint["channel_values"] == channels
    assert found.checkpoint["id"] == checkpoint["id"]


def test_what_a_talk_keeps_until_a_visitor_speaks_is_kept_as_it_is():
    keeper = ByReference()
    kept = [keeper.dumps_typed(value) for value in (TALK.meeting, TALK.draft, None)]
    assert [keeper.loads_typed(each) for each in reversed(kept)] == [None, TALK.draft, TALK.meeting]
    assert keeper.loads_typed(kept[0]) is TALK.meeting, "no class has to be allowed"


def _put(saver, mind):
    checkpoint = empty_checkpoint()
    checkpoint["channel_values"] = {CHANNEL: mind}
    saver.put(CONFIG, checkpoint, {"step": 1}, {})
    return checkpoint["id"]


def test_what_is_put_is_staged_until_the_commit():
    saver = MindSaver()
    put = _put(saver, BARE)
    assert saver.get_tuple(CONFIG) is None and list(saver.list(CONFIG)) == []
    found, blob = saver.read_staged("Ada Brook")
    assert found == put and read_saved(blob).mind == BARE == saver.mind("Ada Brook")
    saver.commit(["Ada Brook", "Ben Hollis"])
    assert saver.read_staged("Ada Brook") is None
    kept = saver.get_tuple(CONFIG)
    assert kept is not None and kept.checkpoint["channel_values"] == {CHANNEL: BARE}
    assert [each.checkpoint["id"] for each in saver.list(CONFIG)] == [put]


def test_what_is_dropped_leaves_the_mind_as_committed():
    saver = MindSaver()
    _put(saver, BARE)
    saver.commit(["Ada Brook"])
    _put(saver, FULL)
    assert saver.mind("Ada Brook") == FULL
    saver.drop("Ada Brook")
    assert saver.mind("Ada Brook") == BARE and saver.read_staged("Ada Brook") is None


def test_a_restored_mind_is_a_committed_one():
    saver = MindSaver()
    saver.restore("Ada Brook", SavedMind(empty_checkpoint(), FULL, 3).blob(MIND))
    assert saver.mind("Ada Brook") == FULL and saver.read_staged("Ada Brook") is None
    assert saver.mind("Ben Hollis") is None


def test_only_the_outermost_graph_may_have_it():
    inner = {"configurable": {"thread_id": "Ada Brook", "checkpoint_ns": "inner:1"}}
    with pytest.raises(InternalError, match="outermost"):
        MindSaver().get_tuple(inner)
