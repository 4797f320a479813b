"""A mind is written and read whole, also from histories of older versions."""

from dataclasses import fields

import pytest

from smolville.agents.entities import EntityMind
from smolville.agents.mind import Appointment, Goal, GoalChange, Idea, Impression, KnownPlace, Mind
from smolville.agents.needs import NeedLevels
from smolville.agents.plan import Block, DayPlan, Spot
from smolville.history.records import read_mind, write_mind

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
EMPTY = (None, "", (), {}, [], 0, False, frozenset())
VALUES = [GOAL, GOAL_CHANGE, SPOT, BLOCK, PLAN, PLACE, IMPRESSION, NEEDS, APPOINTMENT]
VALUES += [FULL.idea, FULL]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_these_values_fill_every_field_of_their_class(value):
    held = {each.name: (getattr(value, each.name), each.default) for each in fields(value)}
    plain = [name for name, (has, usual) in held.items() if has in EMPTY or has == usual]
    assert plain in ([], ["start"]), "only a block may start at 0"


@pytest.mark.parametrize("mind", [FULL, BARE, EntityMind(name="world", act=2, turns=1)])
def test_a_mind_is_read_as_it_was_written(mind):
    assert read_mind(write_mind(mind), type(mind)) == mind


@pytest.mark.parametrize(
    "blob", [b"", b"{", b"[]", b'{"mind": null}', b'{"mind": {"name": "Ada"}, "step": 1}']
)
def test_what_is_no_mind_is_refused(blob):
    with pytest.raises((ValueError, KeyError, TypeError)):
        read_mind(blob, Mind)
