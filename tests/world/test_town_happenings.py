"""What entities made happen is perceived where it is, from its tick on, as long as it lasts."""

import pytest

from smolville.agents.entities import PLOT, Happening, HappeningKind
from tests.world.stage import ADA, BEN, CAFE, CORA, Stage

HOME = "Fern Cottage: bedroom"
IN_BEDROOM, IN_KITCHEN, IN_CAFE = (2, 3), (6, 3), (5, 10)


def _happening(
    kind: HappeningKind, place: str = "", *, tick: int = 5, until: int = 600
) -> Happening:
    who = ADA if kind == "letter" else ""
    return Happening(
        entity=PLOT,
        tick=tick,
        kind=kind,
        text=f"a {kind}. More.",
        place=place,
        who=who,
        until=until,
    )


def test_a_letter_is_seen_in_its_room_alone_from_its_tick_until_its_end() -> None:
    stage = Stage({ADA: IN_BEDROOM, BEN: IN_KITCHEN, CORA: IN_CAFE})
    stage.let_happen([_happening("letter", HOME)])
    seen = {
        tick: [name for name in stage.names if "letter" in stage.subjects(name, tick)]
        for tick in (4, 5, 59, 60)
    }
    assert seen == {4: [], 5: [ADA], 59: [ADA], 60: []}


def test_who_is_in_the_room_looks_up_when_something_arrives() -> None:
    stage = Stage({ADA: IN_BEDROOM, CORA: IN_CAFE})
    stage.know_everything(0)
    stage.let_happen([_happening("notice", CAFE)])
    assert stage.kinds(4) == {}
    assert stage.kinds(5) == {CORA: ["sight"]}
    assert stage.next_tick(3, stage.names) == 5


@pytest.mark.parametrize("kind", ["weather", "news", "closing", "market"])
def test_what_everybody_hears_of_needs_no_thought_of_its_own(kind: HappeningKind) -> None:
    stage = Stage({ADA: IN_BEDROOM, CORA: (33, 9)})
    stage.know_everything(0)
    stage.let_happen([_happening(kind, CAFE if kind in ("closing", "market") else "")])
    assert stage.kinds(5) == {}
    for name in stage.names:
        assert [each.subject for each in stage.surroundings(name, 5, ()).heard] == [kind]


def test_a_closed_place_keeps_guests_out_for_its_hours_and_lets_its_people_in() -> None:
    stage = Stage({ADA: IN_BEDROOM, BEN: IN_KITCHEN})
    eight, six = 8 * 3600, 18 * 3600
    closing = _happening("closing", "Copper Kettle", tick=eight // 10, until=six)
    stage.let_happen([closing])
    assert stage.norms_at(eight // 10 - 1) == stage.norms_at(six // 10) == ()
    (rule,) = stage.norms_at(eight // 10)
    ada, ben, *_ = stage.state.personas.values()
    assert rule.binds(ben, CAFE) and not rule.binds(ada, CAFE)
    assert [rule.holds_at(0, minute) for minute in (479, 480, 1079, 1080)] == [
        False,
        True,
        True,
        False,
    ]
