"""Visitors on the map: they come in, are seen by those in sight only, talk, and are gone."""

from dataclasses import replace

import orjson
import pytest

from smolville.graphs.surroundings import Intent
from smolville.history.records import Intervention, Move, WishKind
from smolville.world.adapter import Changes
from smolville.world.perception import near
from tests.world.stage import ADA, BEN, CAFE, CORA, LAWN, Stage, doing

ROSA = "Rosa Lind"
ABOUT = "a reporter from the county paper"
AWAY = {ADA: (3, 10), BEN: (30, 10), CORA: (17, 4)}
"""Ada in the café, Ben on the lawn, Cora at home."""


def told(stage: Stage, kind: WishKind, text: str = "", tick: int = 0, who: str = ROSA) -> Changes:
    wish = Intervention(id=f"{kind}/{tick}", tick=tick, kind=kind, target=who, text=text)
    assert stage.why_not(wish) == ""
    return stage.deliver(wish)


def comes(stage: Stage, place: str = CAFE, tick: int = 0) -> int:
    """Let the visitor come; the tick at which they have arrived."""
    said = {"about": ABOUT, "place": place, "doing": "looking around"}
    changes = told(stage, "visitor_enters", orjson.dumps(said).decode(), tick)
    return changes.moves[0].end_tick


def test_a_visitor_walks_in_from_outdoors_and_is_seen_in_the_room_only() -> None:
    stage = Stage(AWAY)
    arrives = comes(stage)
    way = stage.figures[ROSA].walk.path
    assert stage.town.map.arena_at(way[0]) == "outdoors"
    assert stage.town.map.arena_at(way[-1]) == CAFE
    assert ROSA not in stage.names
    assert stage.next_tick(0, stage.names) == 1, "somebody walks"
    (percept,) = stage.seen_by(ADA, arrives)
    assert percept.text == f"{ROSA}, {ABOUT}, is looking around"
    assert (percept.is_person, percept.can_talk, percept.about) == (True, True, ABOUT)
    assert stage.subjects(BEN, arrives) == stage.subjects(CORA, arrives) == []
    assert "sight" in stage.kinds(arrives)[ADA]
    assert set(stage.kinds(arrives)) == {ADA}


def test_what_a_visitor_does_is_seen_and_they_walk_to_another_place() -> None:
    stage = Stage(AWAY)
    arrives = comes(stage)
    stage.know_everything(arrives)
    told(stage, "visitor_acts", "taking notes at the counter", arrives)
    assert stage.kinds(arrives)[ADA] == ["sight"]
    (percept,) = stage.seen_by(ADA, arrives)
    assert percept.text == f"{ROSA}, {ABOUT}, is taking notes at the counter"
    (move,) = told(stage, "visitor_walks", LAWN, arrives + 1).moves
    assert stage.town.map.arena_at(move.path[-1]) == LAWN
    assert stage.subjects(ADA, move.end_tick) == []
    assert stage.figures[ROSA].action.place == LAWN


def test_a_talk_with_a_visitor_is_granted_and_wishes_wait_for_its_end() -> None:
    stage = Stage(AWAY)
    arrives = comes(stage)
    intents = told(stage, "visitor_talks", ADA, arrives).intents
    assert intents == {ROSA: Intent(start_talk=ADA)}
    (grant,) = stage.resolve(arrives, [ROSA], intents).granted
    assert grant.guests[ROSA].about == ABOUT
    talk = stage.talk(arrives, grant)
    stage.hold(arrives, talk)
    leaving = Intervention(id="x", tick=arrives + 1, kind="visitor_leaves", target=ROSA, text="")
    assert stage.must_wait(leaving)
    end = stage.clock.tick_at(talk.end)
    assert not stage.must_wait(replace(leaving, tick=end))
    assert stage.surroundings(ADA, end, ()).body.introduced == {ROSA: ABOUT}
    stage.settle(ADA, end, ())
    (percept,) = stage.seen_by(ADA, end)
    assert (percept.activity, percept.can_talk) == ("looking around", True)


def test_a_visitor_out_of_sight_or_asleep_people_cannot_be_talked_to() -> None:
    stage = Stage(AWAY)
    arrives = comes(stage)
    wish = Intervention(id="x", tick=arrives, kind="visitor_talks", target=ROSA, text=BEN)
    assert stage.why_not(wish) == f"{BEN} is out of sight."
    assert not stage.must_wait(wish)
    told(stage, "visitor_walks", LAWN, arrives)
    assert stage.must_wait(replace(wish, tick=arrives + 1)), "on the way to Ben"
    there = stage.figures[ROSA].walk.end_tick
    assert (
        stage.must_wait(replace(wish, tick=there)),
        stage.why_not(replace(wish, tick=there)),
    ) == (False, "")
    told(stage, "visitor_walks", CAFE, there)
    arrives = stage.figures[ROSA].walk.end_tick
    wish = replace(wish, tick=arrives, text=ADA)
    stage.put(ADA, action=doing("sleeping", CAFE))
    assert stage.why_not(wish) == f"{ADA} is asleep."
    stage.put(ADA, tile=AWAY[CORA])
    assert (stage.why_not(wish), stage.walk_before(wish)) == (f"{ADA} is asleep.", None)
    assert stage.ask(arrives, (BEN, ROSA)).deeds[0].reason == f"{ROSA} is out of sight"


def test_a_visitor_walks_to_where_somebody_is_or_is_going_to_speak_to_them() -> None:
    stage = Stage(AWAY)
    arrives = comes(stage)
    wish = Intervention(id="x", tick=arrives, kind="visitor_talks", target=ROSA, text=BEN)
    assert stage.walk_before(replace(wish, text=ADA)) is None, "they see each other"
    way = stage.town.paths.path(AWAY[BEN], (AWAY[CORA],))
    stage.put(BEN, walk=Move(agent=BEN, tick=arrives, end_tick=arrives + len(way), path=way))
    walk = stage.walk_before(wish)
    assert walk == replace(wish, kind="visitor_walks")
    (move,) = stage.deliver(walk).moves
    assert near(move.path[-1], way[-1]) == 1
    assert stage.figures[ROSA].action.place == stage.town.map.arena_at(way[-1])
    assert stage.walk_before(replace(wish, tick=arrives + 1)) is None, "they walk already"
    first, last = sorted((move.end_tick, arrives + len(way)))
    assert stage.must_wait(replace(wish, tick=first)), "who is there first waits for the other"
    there = replace(wish, tick=last)
    assert (stage.must_wait(there), stage.why_not(there)) == (False, "")


def test_whoever_has_left_is_nowhere_and_may_come_again() -> None:
    stage = Stage(AWAY)
    arrives = comes(stage)
    (move,) = told(stage, "visitor_leaves", tick=arrives).moves
    assert stage.town.map.arena_at(move.path[-1]) == "outdoors"
    assert ROSA in stage.state.tiles(move.end_tick - 1)
    assert ROSA not in stage.state.tiles(move.end_tick)
    assert stage.ask(move.end_tick, (ADA, ROSA)).deeds[0].reason == f"nobody called {ROSA} is here"
    gone = Intervention(id="x", tick=move.end_tick, kind="visitor_acts", target=ROSA, text="waving")
    assert stage.why_not(gone) == f"{ROSA} is not in town."
    stage.stimuli(move.end_tick, stage.names)
    assert comes(stage, tick=move.end_tick + 1) > move.end_tick


@pytest.mark.parametrize(
    ("kind", "who", "text", "why"),
    [
        ("visitor_enters", ADA, '{"about": "", "place": "Willow Park"}', "lives in this town"),
        ("visitor_enters", ROSA, '{"about": "", "place": "Atlantis"}', "there is no way"),
        ("visitor_enters", ROSA, '{"about": "", "place": {}}', "cannot be read"),
        ("visitor_enters", ROSA, "[", "cannot be read"),
        ("visitor_walks", ROSA, LAWN, "is not in town"),
        ("visitor_acts", BEN, "juggling", "is not in town"),
        ("visitor_leaves", "", "", "is not in town"),
        ("visitor_calls", ROSA, '{"about": "", "agent": "Nobody"}', "lives here"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(
    kind: WishKind, who: str, text: str, why: str
) -> None:
    wish = Intervention(id="x", tick=0, kind=kind, target=who, text=text)
    assert why in Stage(AWAY).why_not(wish)


def test_who_calls_is_nowhere_and_the_one_called_stays_where_they_are() -> None:
    stage = Stage(AWAY)
    intents = told(
        stage, "visitor_calls", orjson.dumps({"about": "", "agent": BEN}).decode()
    ).intents
    (grant,) = stage.resolve(0, [ROSA], intents).granted
    assert (grant.place, grant.by_telephone, grant.begins) == (LAWN, True, 0)
    changes = stage.hold(0, stage.talk(0, grant))
    assert changes.moves == []
    (deed,) = changes.deeds
    assert (deed.agent, deed.action.activity) == (BEN, f"talking with {ROSA} on the telephone")
    assert ROSA not in stage.state.tiles(0)
    assert stage.subjects(BEN) == []
