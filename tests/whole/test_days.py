"""A day of five with the stand-in, in which news of a party spreads, and two people's second."""

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
HOST = "Nadia Farouk"
PARTY = "party"


@pytest.fixture(scope="module")
def reader(shipped_day: RunFolder) -> Iterator[RunReader]:
    """The history of the first day of five in the shipped town."""
    with RunReader(shipped_day) as opened:
        yield opened


def assert_lived(reader: RunReader, town: Town, name: str, day: int, until: int) -> None:
    """Assert that somebody slept, ate, worked, and was never idle or without a plan."""
    found = days.stretches(reader, name, day)
    assert found[0].start == (day - 1) * DAY and found[-1].end == until
    assert all(each.end == after.start for each, after in pairwise(found))
    # Who gets up at six may get up half an hour earlier, and a day may end in the evening.
    assert days.asleep(found) >= 6 * HOUR - HOUR // 2
    assert len(days.meals(found)) >= 2
    assert len(days.activities(found)) >= 20
    assert days.longest_without_change(found)[0] <= 3 * HOUR
    building = sector_of(town.personas[name].work or "")
    assert days.seconds_at(reader, town.map, name, day, building) >= HOUR


def test_everybody_sleeps_eats_works_and_does_twenty_things(reader: RunReader) -> None:
    for name in reader.agents():
        assert_lived(reader, TOWN, name, 1, DAY)
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
    with RunReader(two_days) as reader:
        for name in two_days.spec.cast:
            assert_lived(reader, town_of(two_days), name, 2, days.reader_end(reader))
            assert_planned(reader, name, [1, 2])


def test_the_history_adds_up_and_no_thought_failed(reader: RunReader) -> None:
    assert reader.faults() == []
    assert [row for row in reader.thoughts() if row.failed] == []
    assert reader.watermark() == DAY // 10 - 1


def test_the_news_of_the_party_reaches_people_each_through_a_talk(
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
    assert len(told) >= 3, told


def _remembers(reader: RunReader, name: str, since: int) -> bool:
    return any(
        memory.created >= since and PARTY in memory.text.lower() for memory in reader.memories(name)
    )
