"""Objects: used one by one, in a state while they are used, idle when they are left."""

from smolville.agents.chance import shuffle_items
from smolville.history.records import Intervention
from smolville.world.adapter import Changes
from tests.world.stage import (
    ADA,
    BEN,
    CAFE,
    LAWN,
    MACHINE,
    Stage,
    doing,
    people,
)

BREWING = doing("brewing coffee", MACHINE, object_state="brewing", object_emoji="☕", end=600)


def arrive(stage: Stage, tick: int) -> Changes:
    """Everything that arrivals change at a tick."""
    changes = Changes()
    for each in stage.arrivals(tick, stage.names).values():
        changes.add(each)
    return changes


def test_a_state_is_set_on_arrival_and_idle_after_leaving() -> None:
    stage = Stage({ADA: (3, 10), BEN: (1, 10)})
    begun = stage.do(0, ada=BREWING)
    assert begun.objects == []
    arrived = begun.moves[0].end_tick
    assert arrive(stage, arrived - 1).objects == []
    (state,) = arrive(stage, arrived).objects
    assert (state.address, state.tick, state.state, state.emoji, state.by) == (
        *(MACHINE, arrived, "brewing", "☕"),
        ADA,
    )
    assert stage.shown(BEN, arrived) == {"coffee machine": "brewing"}
    (idle,) = stage.do(60, ada=doing("wiping tables", CAFE)).objects
    assert (idle.address, idle.state, idle.by) == (MACHINE, "off", "")
    assert stage.shown(BEN, 60) == {}


def test_an_object_in_use_is_refused_on_arrival() -> None:
    stage = Stage({ADA: (6, 9), BEN: (3, 11)})
    stage.do(0, ada=BREWING)
    end = stage.do(1, ben=doing("making tea", MACHINE, object_state="hissing")).moves[0].end_tick
    changes = arrive(stage, end)
    (deed,) = changes.deeds
    assert (deed.agent, deed.outcome, deed.reason) == (
        BEN,
        "refused",
        "the coffee machine is in use",
    )
    assert changes.objects == []
    assert stage.state.objects[MACHINE].by == ADA
    body = stage.surroundings(BEN, end, ()).body
    assert (body.refused, body.refused_place) == ("the coffee machine is in use", MACHINE)
    assert body.action is not None
    assert body.action.place == CAFE
    assert stage.kinds(end)[BEN] == ["refused"]


def test_of_two_who_arrive_at_once_a_seeded_lot_decides() -> None:
    winners = set()
    for tick in range(12):
        stage = Stage({ADA: (4, 10), BEN: (8, 10)})
        stage.do(tick, ada=doing("brewing", MACHINE), ben=doing("brewing", MACHINE))
        ends = {stage.figures[name].walk.end_tick for name in (ADA, BEN)}
        assert len(ends) == 1
        end = ends.pop()
        changes = arrive(stage, end)
        (refused,) = [deed.agent for deed in changes.deeds]
        winner = next(name for name in (ADA, BEN) if name != refused)
        assert shuffle_items([ADA, BEN], 0, end, "take")[0] == winner
        winners.add(winner)
    assert winners == {ADA, BEN}


def test_what_an_operator_set_stays_until_somebody_sets_it_again() -> None:
    stage = Stage({ADA: (6, 9), BEN: (1, 10)})
    wish = Intervention(id="x", tick=0, kind="object_state", target=MACHINE, text="broken")
    (state,) = stage.deliver(wish).objects
    assert (state.address, state.state, state.by) == (MACHINE, "broken", "")
    stage.do(1, ada=doing("looking at it", MACHINE))
    assert stage.subjects(BEN) == [ADA], "while somebody sees to it, it is that one's doing"
    stage.do(2, ada=doing("giving up", LAWN))
    assert stage.state.objects[MACHINE].state == "broken"
    stage.know_everything(2)
    assert MACHINE in stage.subjects(BEN, 3)


def test_everybody_near_one_end_of_a_long_object_is_near_the_other() -> None:
    stage = Stage({ADA: (1, 9), BEN: (8, 9)}, people(vision=1))
    groups = stage.clusters(0, stage.names, {ADA})
    assert groups == [(ADA,)], "seven tiles apart, and the longest object reaches over two"
    stage = Stage({ADA: (2, 9), BEN: (6, 9)}, people(vision=1))
    assert stage.clusters(0, stage.names, {ADA}) == [(ADA, BEN)]
