"""A day of all 25 with the stand-in, in which news of a party spreads, and two people's second."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from smolville.agents.places import sector_of
from smolville.agents.plan import DayPlan
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.world.town.town import Town, shipped_town, town_of
from tests.whole import days
from tests.whole.lives import DAY, HOUR

TOWN = Town.load(shipped_town())
CAST = tuple(TOWN.personas)
HOST = "Nadia Farouk"
PARTY = "party"


@pytest.fixture(scope="module")
def reader(crowd_day: RunFolder) -> Iterator[RunReader]:
    """The history of everybody's first day in the shipped town."""
    with RunReader(crowd_day) as opened:
        yield opened


@pytest.mark.parametrize("name", CAST)
class TestEverybody:
    def test_sleeps_six_hours(self, reader: RunReader, name: str) -> None:
        assert days.asleep(days.stretches(reader, name, 1)) >= 6 * HOUR

    def test_has_two_meals(self, reader: RunReader, name: str) -> None:
        assert len(days.meals(days.stretches(reader, name, 1))) >= 2

    def test_works_or_studies_at_its_place(self, reader: RunReader, name: str) -> None:
        work = TOWN.personas[name].work
        assert work
        building = sector_of(work)
        assert days.seconds_at(reader, TOWN.map, name, 1, building) >= HOUR, building
        assert days.seconds_at(reader, TOWN.map, name, 1, work) >= HOUR // 3, work

    def test_does_nothing_for_more_than_three_hours(self, reader: RunReader, name: str) -> None:
        seconds, activity = days.longest_without_change(days.stretches(reader, name, 1))
        assert seconds <= 3 * HOUR, activity

    def test_does_twenty_different_things(self, reader: RunReader, name: str) -> None:
        assert len(days.activities(days.stretches(reader, name, 1))) >= 20

    def test_is_never_without_anything_to_do(self, reader: RunReader, name: str) -> None:
        found = days.stretches(reader, name, 1)
        assert sum(each.end - each.start for each in found) == DAY
        assert all(each.end == after.start for each, after in pairwise(found))

    def test_plans_1440_minutes(self, reader: RunReader, name: str) -> None:
        assert_planned(reader, name, [1])


def assert_planned(reader: RunReader, name: str, wanted: list[int]) -> None:
    """Assert that somebody has a plan for each of these days alone, of 24 hours."""
    minds = dict(days.plans(reader, name))
    assert list(minds) == wanted
    for day, mind in minds.items():
        plan: DayPlan | None = mind.plan
        assert plan is not None
        assert plan.day == day
        for blocks in (plan.hours, plan.blocks):
            assert sum(block.minutes for block in blocks) == 1440


def test_the_second_day_is_lived_as_the_first(two_days: RunFolder) -> None:
    town = town_of(two_days)
    with RunReader(two_days) as reader:
        for name in two_days.spec.cast:
            found = days.stretches(reader, name, 2)
            assert found[0].start == DAY and found[-1].end == days.reader_end(reader)
            assert all(each.end == after.start for each, after in pairwise(found))
            # Who gets up at six may get up half an hour earlier; the life ends in the evening.
            assert days.asleep(found) >= 6 * HOUR - HOUR // 2
            assert len(days.meals(found)) >= 2
            assert len(days.activities(found)) >= 20
            assert days.longest_without_change(found)[0] <= 3 * HOUR
            work = sector_of(town.personas[name].work or "")
            assert days.seconds_at(reader, town.map, name, 2, work) >= HOUR
            assert_planned(reader, name, [1, 2])


def test_the_history_adds_up_and_no_thought_failed(reader: RunReader) -> None:
    assert reader.faults() == []
    assert [row for row in reader.thoughts() if row.failed] == []
    assert reader.watermark() == DAY // 10 - 1


def test_the_news_of_the_party_reaches_five_people_each_through_a_talk(
    reader: RunReader,
) -> None:
    knew = {
        name
        for name, whispers in TOWN.history.items()
        if any(PARTY in whisper.lower() for whisper in whispers)
    }
    assert knew == {HOST}
    told: dict[str, str] = {}
    for talk in sorted(reader.talks(), key=lambda talk: (talk.end, talk.id)):
        for line in talk.lines:
            if PARTY not in line.text.lower() or line.speaker not in {HOST, *told}:
                continue
            for hearer in talk.others(line.speaker):
                if hearer != HOST and _remembers(reader, hearer, talk.end):
                    told.setdefault(hearer, line.text)
    assert len(told) >= 5, told


def _remembers(reader: RunReader, name: str, since: int) -> bool:
    """True when somebody has a memory of the party that was made after a moment."""
    return any(
        memory.created >= since and PARTY in memory.text.lower() for memory in reader.memories(name)
    )
