"""Talks: asked for, granted or refused, held by both from the same start to the same end."""

import pytest

from smolville.graphs.surroundings import Intent
from smolville.world.perception import near
from tests.world.stage import ADA, BEN, CORA, Stage, people

TOGETHER = {ADA: (25, 9), BEN: (26, 9), CORA: (25, 10)}


def refusals(stage: Stage, tick: int, *wishes: tuple[str, str]) -> list[tuple[str, str]]:
    """Who was refused, and why."""
    deeds = stage.ask(tick, *wishes).deeds
    assert all(deed.outcome == "refused" and deed.action.kind == "talk" for deed in deeds)
    return [(deed.agent, deed.reason) for deed in deeds]


def test_whoever_wants_somebody_granted_a_talk_in_the_same_tick_joins_it() -> None:
    stage = Stage(TOGETHER)
    changes = stage.ask(0, (ADA, BEN), (CORA, BEN), (BEN, CORA))
    (grant,) = changes.granted
    assert changes.deeds == [] and grant.participants == (ADA, BEN, CORA)
    assert grant.id == f"talk/0/{ADA}&{BEN}&{CORA}"
    assert grant.reasons == dict.fromkeys((ADA, BEN, CORA), "news")


def test_all_in_a_talk_of_four_share_start_end_and_partners_and_stand_together() -> None:
    cast = people(4)
    stage = Stage({ADA: (24, 11), BEN: (30, 11), CORA: (27, 9), "Extra 3": (28, 13)}, cast)
    (grant,) = stage.ask(0, (ADA, BEN), (CORA, ADA), ("Extra 3", CORA)).granted
    talk = stage.talk(0, grant)
    deeds = {deed.agent: deed.action for deed in stage.hold(0, talk).deeds}
    assert set(deeds) == {ADA, BEN, CORA, "Extra 3"} == set(grant.participants)
    for name, action in deeds.items():
        assert (action.kind, action.start, action.end) == ("talk", 0, talk.end)
        assert {name, *action.partners} == set(grant.participants)
    assert deeds[ADA].activity == f"talking with {BEN}, {CORA} and Extra 3"
    tiles = [stage.state.tiles(stage.clock.tick_at(grant.begins))[name] for name in deeds]
    assert len(set(tiles)) == 4
    assert all(any(near(one, two) == 1 for two in tiles if two != one) for one in tiles)


def test_whoever_goes_on_is_left_alone_and_their_reason_is_not_heard() -> None:
    stage = Stage(TOGETHER)
    going_on = Intent(declines=(ADA,), reason="Ada has no news for me.")
    wishes = {name: Intent(start_talk=BEN, reason="news") for name in (ADA, CORA)}
    changes = stage.resolve(0, [ADA, CORA, BEN], {**wishes, BEN: going_on})
    (refused,) = changes.deeds
    assert (refused.agent, refused.outcome) == (ADA, "refused")
    assert refused.reason == f"{BEN} was busy (resting) and did not talk with {ADA}"
    assert [grant.participants for grant in changes.granted] == [(CORA, BEN)], "not asked"
    body = stage.surroundings(ADA, 1, ()).body
    assert (body.refused, body.refused_by, body.refused_place) == (refused.reason, BEN, "")


def test_a_partner_in_a_talk_is_refused_until_it_ends() -> None:
    stage = Stage(TOGETHER)
    (grant,) = stage.ask(0, (ADA, BEN)).granted
    talk = stage.talk(0, grant)
    stage.hold(0, talk)
    last = stage.clock.tick_at(talk.end)
    for tick in range(1, last):
        assert refusals(stage, tick, (CORA, ADA)) == [
            (CORA, f"{ADA} is talking with somebody else")
        ]
    assert stage.ask(last, (CORA, ADA)).granted


@pytest.mark.parametrize(
    "tiles",
    [
        {ADA: (24, 9), BEN: (32, 9)},
        {ADA: (2, 3), BEN: (6, 3)},
        {ADA: (5, 7), BEN: (5, 9)},
    ],
    ids=["beyond the box", "behind a wall", "indoors, seen from the street"],
)
def test_whoever_is_out_of_sight_is_refused(tiles: dict[str, tuple[int, int]]) -> None:
    assert refusals(Stage(tiles), 0, (ADA, BEN)) == [(ADA, f"{BEN} is out of sight")]


def test_they_meet_half_way_and_begin_when_both_are_there() -> None:
    stage = Stage({ADA: (24, 11), BEN: (30, 11)})
    (grant,) = stage.ask(5, (ADA, BEN)).granted
    changes = stage.hold(5, stage.talk(5, grant))
    ends = {move.agent: move.path[-1] for move in changes.moves}
    assert ends == {ADA: (26, 11), BEN: (27, 11)}
    assert grant.begins == 10 * max(move.end_tick for move in changes.moves)
    assert grant.begins == 50 + 10 * 3


def test_whoever_has_not_concluded_a_talk_does_not_look_free() -> None:
    stage = Stage(TOGETHER)
    (grant,) = stage.ask(0, (ADA, BEN)).granted
    talk = stage.talk(0, grant)
    stage.hold(0, talk)
    end = stage.clock.tick_at(talk.end)

    def free(tick: int) -> dict[str, bool]:
        return {percept.subject: percept.can_talk for percept in stage.seen_by(CORA, tick)}

    assert free(1) == free(end) == {ADA: False, BEN: False}
    stage.settle(ADA, end, ())
    assert free(end) == {ADA: True, BEN: False}
