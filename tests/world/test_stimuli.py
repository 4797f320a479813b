"""Why somebody must think: what its body tells it, and what comes into sight."""

from smolville.agents.times import Clock
from smolville.world.tile_town import TileTown
from tests.world.stage import ADA, BEN, CORA, LAWN, Stage, doing, people


def fresh(tick: int = 10) -> TileTown:
    """The town as a run begins."""
    from tests.world.stage import town

    return TileTown(town(), people(), Clock(tick), seed=0)


def test_a_run_begins_with_a_new_day_for_everybody_in_bed() -> None:
    stage = fresh()
    for name in (ADA, BEN, CORA):
        why = stage.stimuli(0, stage.names)[name]
        assert [each.kind for each in why] == ["new_day", "action_ended"]
    homes = {name: stage.surroundings(name, 0, ()).body.place for name in stage.names}
    assert homes == {name: stage.state.personas[name].home for name in stage.names}


def test_everybody_knows_home_work_the_places_their_file_names_and_the_homes_of_friends() -> None:
    stage = fresh()
    known = {name: set(stage.known_at_start(stage.state.personas[name])) for name in stage.names}
    assert known[ADA] == {
        "Fern Cottage: bedroom",
        "Fern Cottage: kitchen",
        "Copper Kettle: counter room",
        "Corner Shop: shop floor",
        LAWN,
        "Plum Cottage: bedroom",
        "Moss Cottage: bedroom",
    }
    assert "Copper Kettle: back room" in known[BEN]
    assert stage.known_at_start(stage.state.personas[CORA])[LAWN].objects == ("bench", "pond edge")


def test_who_comes_into_sight_in_the_room_of_their_deed_is_news_once() -> None:
    stage = Stage({ADA: (25, 9), BEN: (33, 9)})
    stage.do(0, ben=doing("looking for ducks", f"{LAWN}: bench"))
    told = [tick for tick in range(1, 30) if _sees(stage, ADA, tick)]
    (first,) = told
    (seen,) = stage.seen_by(ADA, first)
    assert seen.distance == people()[0].vision
    assert seen.text == f"{BEN} is looking for ducks"


def _sees(stage: Stage, name: str, tick: int) -> bool:
    """True when somebody is told of a sight; it is settled then."""
    kinds = stage.kinds(tick).get(name, [])
    if kinds:
        stage.know_everything(tick)
    return kinds == ["sight"]


def test_what_somebody_in_sight_begins_is_news_at_the_next_tick() -> None:
    stage = Stage({ADA: (25, 9), BEN: (26, 9), CORA: (1, 1)})
    stage.know_everything(0)
    stage.do(5, ben=doing("juggling", LAWN, start=50))
    assert stage.kinds(6) == {ADA: ["sight"]}


def test_whose_thought_failed_is_left_alone_for_ten_minutes_and_then_looks_around() -> None:
    stage = Stage({ADA: (25, 9), BEN: (26, 9)})
    stage.know_everything(0)
    stage.do(5, ben=doing("juggling", LAWN, start=50))
    assert stage.kinds(6) == {ADA: ["sight"]}
    stage.excuse(ADA, 6)
    assert all(stage.kinds(tick) == {} for tick in range(7, 66))
    assert stage.next_tick(7, stage.names) == 66
    assert stage.kinds(66) == {ADA: ["sight"]}


def test_clusters_are_who_is_linked_by_nearness_to_somebody_active() -> None:
    cast = people(4, vision=2)
    stage = Stage({ADA: (1, 7), BEN: (6, 7), CORA: (11, 7), "Extra 3": (30, 7)}, cast)
    assert stage.clusters(0, stage.names, {CORA}) == [(ADA, BEN, CORA)]
    assert stage.clusters(0, stage.names, {"Extra 3"}) == [("Extra 3",)]
    assert stage.clusters(0, (ADA, CORA), {ADA, CORA}) == [(ADA,), (CORA,)]
    assert stage.clusters(0, stage.names, set()) == []
