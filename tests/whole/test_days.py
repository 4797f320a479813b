"""Two days of all 25 with the stand-in: everybody lives them, and the news of a party spreads."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from agents.places import sector_of
from agents.plan import DayPlan
from history.folder import RunFolder
from history.reader import RunReader
from tests.whole import days
from tests.whole.lives import DAY, HOUR, lived
from world.run_request import RunRequest
from world.town.town import Town, shipped_town

TOWN = Town.load(shipped_town())
CAST = tuple(TOWN.personas)
DAYS = (1, 2)
HOST = "Nadia Farouk"
PARTY = "party"


@pytest.fixture(scope="module")
def two_days(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Two days of everybody in the shipped town."""
    runs: Path = tmp_path_factory.mktemp("days")
    return lived(runs, "two-days", RunRequest(cast=25), 2 * DAY)


@pytest.fixture(scope="module")
def reader(two_days: RunFolder) -> Iterator[RunReader]:
    """Their history."""
    with RunReader(two_days) as opened:
        yield opened


@pytest.mark.parametrize("name", CAST)
@pytest.mark.parametrize("day", DAYS)
class TestEverybody:
    def test_sleeps_six_hours(self, reader: RunReader, name: str, day: int) -> None:
        assert days.asleep(days.stretches(reader, name, day)) >= 6 * HOUR

    def test_has_two_meals(self, reader: RunReader, name: str, day: int) -> None:
        assert len(days.meals(days.stretches(reader, name, day))) >= 2

    def test_works_or_studies_at_its_place(self, reader: RunReader, name: str, day: int) -> None:
        work = TOWN.personas[name].work
        assert work
        building = sector_of(work)
        assert days.seconds_at(reader, TOWN.map, name, day, building) >= HOUR, building
        in_the_room = [days.seconds_at(reader, TOWN.map, name, each, work) for each in DAYS]
        assert sum(in_the_room) >= HOUR // 3, work

    def test_does_nothing_for_more_than_three_hours(
        self, reader: RunReader, name: str, day: int
    ) -> None:
        seconds, activity = days.longest_without_change(days.stretches(reader, name, day))
        assert seconds <= 3 * HOUR, activity

    def test_does_twenty_different_things(self, reader: RunReader, name: str, day: int) -> None:
        assert len(days.activities(days.stretches(reader, name, day))) >= 20

    def test_is_never_without_anything_to_do(self, reader: RunReader, name: str, day: int) -> None:
        found = days.stretches(reader, name, day)
        assert sum(each.end - each.start for each in found) == DAY
        assert all(each.end == after.start for each, after in pairwise(found))


@pytest.mark.parametrize("name", CAST)
def test_the_plan_of_every_day_sums_to_1440_minutes(reader: RunReader, name: str) -> None:
    minds = dict(days.plans(reader, name))
    assert list(minds) == list(DAYS)
    for day, mind in minds.items():
        plan: DayPlan | None = mind.plan
        assert plan is not None
        assert plan.day == day
        for blocks in (plan.hours, plan.blocks):
            assert sum(block.minutes for block in blocks) == 1440


def test_the_history_adds_up_and_no_thought_failed(reader: RunReader) -> None:
    assert reader.faults() == []
    assert [row for row in reader.thoughts() if row.failed] == []
    assert reader.watermark() == 2 * DAY // 10 - 1


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
