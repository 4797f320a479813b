"""A newspaper of the recorded day: every quote is in the history, word for word."""

from collections.abc import Iterator

import pytest

from smolville.agents.times import DAY_SECONDS
from smolville.history.folder import SAMPLE, RunFolder
from smolville.history.moments import happenings_between
from smolville.history.reader import RunReader
from smolville.reports.happenings import happenings
from smolville.reports.news import known_at, path_of_words
from smolville.reports.newspaper import days_lived, newspaper

NADIA = "Nadia Farouk"


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunReader]:
    """The history of the day of three people that comes with the program."""
    with RunReader(RunFolder.open(tmp_path_factory.mktemp("runs"), SAMPLE)) as opened:
        yield opened


def tick_of(reader: RunReader) -> int:
    done = reader.watermark()
    assert done is not None
    return done


def recorded(reader: RunReader) -> set[str]:
    """Every text of the history that a newspaper could quote."""
    texts = {line.text for talk in reader.talks() for line in talk.lines}
    for name in reader.agents():
        texts |= {memory.text for memory in reader.memories(name)}
    texts |= {deed.reason for deed in reader.deeds()}
    texts |= {each.text for each in happenings_between(reader.connection)}
    return texts | {change.state for change in reader.object_changes()}


def test_every_quote_is_recorded_to_the_letter_and_leads_into_the_day(reader: RunReader) -> None:
    paper = newspaper(reader, 1, tick_of(reader))
    assert paper.is_whole
    texts = recorded(reader)
    quotes = [quote for article in paper.articles for quote in article.quotes]
    assert len(quotes) > 3
    for quote in quotes:
        assert any(quote.text in text for text in texts), quote
        assert 0 <= quote.source.at <= 86_400
    talks = {talk.id for talk in reader.talks()}
    assert {quote.source.talk for quote in quotes if quote.source.talk} <= talks


def test_the_columns_count_what_the_history_holds(reader: RunReader) -> None:
    paper = newspaper(reader, 1, tick_of(reader))
    counted = dict(paper.numbers)
    assert counted["Talks"] == str(sum(talk.end <= DAY_SECONDS for talk in reader.talks()))
    weather = [text.split(":")[0] for name, text in paper.almanac if name == "Weather"]
    parts = ("morning", "afternoon", "evening")
    assert weather == [f"The weather in the {part}" for part in parts]
    assert days_lived(reader, tick_of(reader)) == 2 and days_lived(reader, -1) == 0


def test_an_edition_of_half_a_day_knows_nothing_of_the_rest(reader: RunReader) -> None:
    paper = newspaper(reader, 1, 3600)
    assert not paper.is_whole and paper.until == 36_010
    told = [quote.source.at for article in paper.articles for quote in article.quotes]
    assert told and max(told) < 36_010
    evenings = [newspaper(reader, day, 8640 * (day - 1) + 7199) for day in (1, 2)]
    facts = [fact for paper in evenings for each in paper.articles for fact in each.facts]
    assert any(fact.startswith("By 20:00 ") for fact in facts)
    night = newspaper(reader, 1, 100)
    assert all(article.kicker != "The talk of the town" for article in night.articles)


def test_the_lantern_party_is_followed_through_the_lived_day(reader: RunReader) -> None:
    path = path_of_words(known_at(reader, tick_of(reader), 86_400), "lantern party")
    first, *others = path.knowing
    assert (first.name, first.how, first.at) == (NADIA, "given", 0)
    assert len(others) == 2
    for each in others:
        assert each.how == "told" and each.telling is not None and each.memory is not None
        assert "lantern party" in each.telling.line.text.casefold()
        assert each.memory.created >= each.telling.line.at


def test_everything_that_happened_is_told_in_its_order(reader: RunReader) -> None:
    found = happenings(reader, tick_of(reader))
    assert [each.at for each in found] == sorted(each.at for each in found)
    kinds = {each.kind for each in found}
    assert {"doing", "talk", "insight", "thought"} <= kinds
    talks = [each for each in found if each.kind == "talk"]
    told = [each.record for each in talks]
    assert sorted(told, key=str) == sorted(reader.talks(), key=str)
    assert sum(each.text.endswith("asleep.") for each in found) == 1
    for each in found:
        if each.tick is not None:
            assert reader.thought(each.who[0], each.tick) is not None
    assert any(each.holds("LANTERN party") for each in talks)
    assert not any(each.holds("submarine") for each in found)
