"""A visitor goes after people who wander off, until they can speak to them."""

from smolville.history.records import Intervention
from smolville.world import wishes
from smolville.world.adapter import Changes
from smolville.world.cluster_runner import Schedule
from smolville.world.inbox_reader import MOST_WALKS
from smolville.world.tile_town import TileTown
from tests.world.stage import ADA, BEN, CAFE, CORA, people, town
from tests.world.wanderers import wander

ROSA = "Rosa Lind"
HOUR = 3600
SCHEDULES: tuple[Schedule, ...] = ("free", "lockstep", "serial")


class Followed(TileTown):
    """A town that notes a visitor's walks after somebody, and who is spoken to."""

    done: list[tuple[str, str]]

    def _visit(self, each: Intervention) -> Changes:
        """Note what is done about whom, and carry it out."""
        if each.kind in ("visitor_walks", "visitor_talks"):
            Followed.done.append((each.kind, each.text))
        return super()._visit(each)


def test_a_visitor_goes_after_people_who_wander_off_the_same_under_all_schedules() -> None:
    enters = wishes.entrance(ROSA, "a reporter", CAFE, town=town(), cast=(ADA, BEN, CORA))
    whom = [BEN, CORA, BEN, ADA]
    found = []
    for schedule in SCHEDULES:
        Followed.done = []
        lived = wander(
            town(),
            people(3, vision=3),
            schedule,
            seed=5,
            tick_seconds=10,
            until=2 * HOUR // 10,
            world=Followed,
            asked=(enters, *(wishes.talk(ROSA, name) for name in whom)),
        )
        found.append((dict(lived), Followed.done))
    assert found[0] == found[1] == found[2]
    _, done = found[0]
    assert [name for kind, name in done if kind == "visitor_talks"] == whom
    walks = [name for kind, name in done if kind == "visitor_walks"]
    assert len(whom) < len(walks) <= MOST_WALKS * len(whom), "somebody was gone when she came"
