"""A day's newspaper: what went round, what happened and the day in numbers, from recorded rows."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from smolville.agents.action import Talk, TalkLine
from smolville.agents.entities import Happening
from smolville.agents.memory import Memory, read_quote
from smolville.agents.times import DAY_SECONDS, at_of, clock, day_of, minute_of
from smolville.agents.wording import join_words
from smolville.history.moments import happenings_between
from smolville.history.reader import RunReader
from smolville.history.records import Intervention
from smolville.reports.from_outside import is_told, outside_words
from smolville.reports.news import (
    TownKnowledge,
    known_at,
    owners,
    path_of_memory,
    rumours,
)

MOST_NEWS = 4
"""Maximum number of articles on news that spread; the first leads the paper."""
MOST_QUOTES = 4
HIGH = 7
"""Importance from which on an insight is printed."""
LONGEST_HEADLINE = 84
_SENTENCE_END = re.compile(r"(?<=[.!?]) ")
_CLAUSE = re.compile(r", | and | because |; | on | from ")


@dataclass(frozen=True, kw_only=True)
class Source:
    """The source of a statement."""

    at: int
    """Town second of the source."""
    who: str = ""
    """The person to show at that moment."""
    talk: str = ""
    """Id of the talk from which the statement is taken."""
    tick: int | None = None
    """Tick of the thought of `who` from which the statement is taken."""


@dataclass(frozen=True, kw_only=True)
class Quote:
    """A literal quotation of recorded words."""

    text: str
    by: str
    """The person who said the words, or whom the words describe."""
    source: Source
    note: str = ""
    """The context in the record: `to Ravi Menon`, `rated 9 of 10`."""


@dataclass(frozen=True, kw_only=True)
class Article:
    """One article: statements, and the quotes that support them."""

    kicker: str
    headline: str
    quotes: Sequence[Quote]
    facts: Sequence[str] = ()
    news: str = ""
    """Id of a memory whose path through the town can be shown; empty if there is none."""


@dataclass(frozen=True, kw_only=True)
class Paper:
    """One day's newspaper."""

    day: int
    days: int
    """Number of days that the run has begun; the last may be incomplete."""
    until: int
    """Town second up to which this day is reported."""
    articles: Sequence[Article]
    """The articles; the first one leads the paper."""
    almanac: Sequence[tuple[str, str]]
    numbers: Sequence[tuple[str, str]]

    @property
    def is_whole(self) -> bool:
        """False while the day is not over."""
        return self.until >= at_of(self.day + 1, 0)


@dataclass(frozen=True, kw_only=True)
class _Day:
    """One day's rows, and what people know at its end."""

    start: int
    end: int
    seconds: int
    known: TownKnowledge
    talks: Sequence[Talk]
    memories: Sequence[Memory]
    acts: Sequence[Intervention]
    happenings: Sequence[Happening]

    def at(self, tick: int, who: str) -> Source:
        """Return a moment as a source; only people of the town can be shown."""
        return Source(at=tick * self.seconds, who=who if who in self.known.people else "")

    def source(self, memory: Memory) -> Source:
        """Return a memory's source: the last talk of its owner that had ended by then, if any."""
        who, at = memory.agent, memory.created
        talks = [talk.id for talk in self.talks if who in talk.participants and talk.end <= at]
        return Source(at=at, who=who, talk=talks[-1] if talks else "", tick=memory.tick)


def days_lived(reader: RunReader, tick: int) -> int:
    """Return the number of days that have begun by a tick; 0 if none has."""
    return 0 if tick < 0 else day_of(tick * reader.spec.tick_seconds)


def newspaper(reader: RunReader, day: int, tick: int) -> Paper:
    """Return the newspaper of a day up to a tick."""
    seconds = reader.spec.tick_seconds
    start = at_of(day, 0)
    end = min(start + DAY_SECONDS, (tick + 1) * seconds)
    since, until = -(-start // seconds), (end - 1) // seconds
    with reader.snapshot():
        known = known_at(reader, until, end)
        every = (each for mine in known.memories.values() for each in mine)
        made = happenings_between(reader.connection, since, until)
        rows = _Day(
            start=start,
            end=end,
            seconds=seconds,
            known=known,
            talks=[talk for talk in known.talks if talk.start >= start],
            memories=sorted(
                (each for each in every if each.created >= start), key=lambda m: (m.created, m.id)
            ),
            acts=[each for each in reader.interventions(since - 1) if each.tick <= until],
            happenings=made,
        )
        thoughts = len(reader.thoughts(since=since, until=until))
    news = list(_news(rows))
    others = [*_outside(rows), *_overheard(rows), *_minds(rows)]
    return Paper(
        day=day,
        days=days_lived(reader, tick),
        until=end,
        articles=[*news[:1], *others, *news[1:]],
        almanac=[("Weather", each.text) for each in made if each.kind == "weather"],
        numbers=[
            ("Talks", f"{len(rows.talks):,}"),
            ("Lines said", f"{sum(len(talk.lines) for talk in rows.talks):,}"),
            ("Memories made", f"{len(rows.memories):,}"),
            ("Thoughts", f"{thoughts:,}"),
        ],
    )


def _news(day: _Day) -> Iterator[Article]:
    for number, group in enumerate(rumours(day.memories)[:MOST_NEWS]):
        speaker, text = read_quote(group[0].text) or (group[0].agent, group[0].text)
        facts = [f"{_people(len(owners(group)))} took it home from a talk today."]
        quotes = [Quote(text=text, by=speaker, source=day.source(group[0]))]
        if number == 0:
            path = path_of_memory(day.known, group[0])
            origins = [each.name for each in path.origins if each.how in ("given", "own", "said")]
            if origins:
                facts.append(f"The first on record to know: {join_words(origins)}.")
            is_whole = day.end - day.start >= DAY_SECONDS
            by = "By the end of the day" if is_whole else f"By {_clock(day.end)}"
            facts.append(f"{by} {len(path.knowing)} of {len(day.known.people)} knew.")
            tellings = [each.telling for each in path.knowing if each.at >= day.start]
            told = dict.fromkeys(_quote_line(each.talk, each.line) for each in tellings if each)
            quotes = list(told)[:2] or quotes
        yield Article(
            kicker="Also going round" if number else "The talk of the town",
            headline=headline(group[0].text),
            facts=facts,
            quotes=quotes,
            news=group[0].id,
        )


def _outside(day: _Day) -> Iterator[Article]:
    acts = [(each, *outside_words(each)) for each in day.acts if is_told(each)]
    quotes = [
        Quote(
            text=quote or words,
            by=words if quote else "From outside",
            source=day.at(act.tick, act.target),
        )
        for act, words, quote in acts
    ]
    if quotes:
        yield Article(kicker="From outside", headline="Nobody in town began it", quotes=quotes)
    made = [each for each in day.happenings if each.kind not in ("weather", "letter")]
    quotes = [
        Quote(
            text=each.text,
            by=f"{each.kind.capitalize()}{f' for {each.who}' if each.who else ''}",
            source=day.at(each.tick, each.who),
        )
        for each in made
    ]
    if quotes:
        yield Article(kicker="In town", headline="Nobody had planned it", quotes=quotes)


def _overheard(day: _Day) -> Iterator[Article]:
    said = [(talk, line) for talk in day.talks for line in talk.lines if line.at < day.end]
    said.sort(key=lambda each: len(each[1].text))
    # Of two entries with one key, a dict keeps the last.
    longest = {line.speaker: (talk, line) for talk, line in said}
    if longest:
        yield Article(
            kicker="Overheard",
            headline="Said at length",
            quotes=[_quote_line(*each) for each in longest.values()][-MOST_QUOTES:],
        )


def _quote_line(talk: Talk, line: TalkLine) -> Quote:
    return Quote(
        text=line.text,
        by=line.speaker,
        source=Source(at=line.at, who=line.speaker, talk=talk.id),
        note=f"to {join_words(talk.others(line.speaker))}{', a fallback' * line.fallback}",
    )


def _minds(day: _Day) -> Iterator[Article]:
    """Yield an article on the insights rated highest, the best one of each person."""
    found = [each for each in day.memories if "/reflect_insights/" in each.id]
    found = [each for each in found if (each.importance or 0) >= HIGH]
    found.sort(key=lambda each: (each.importance or 0, -each.created))
    # The best one of each person: of two entries with one key, a dict keeps the last.
    best = {each.agent: each for each in found}
    quotes = [
        Quote(
            text=each.text,
            by=each.agent,
            source=Source(at=each.created, who=each.agent, tick=each.tick),
            note=f"rated {each.importance} of 10",
        )
        for each in sorted(best.values(), key=lambda each: -(each.importance or 0))
    ][:MOST_QUOTES]
    if quotes:
        yield Article(
            kicker="On people's minds",
            headline=f"What {join_words([each.by.split()[0] for each in quotes])} came to think",
            quotes=quotes,
        )


def _people(count: int) -> str:
    return "One person" if count == 1 else f"{count:,} people"


def _clock(at: int) -> str:
    return clock(minute_of(at))


def headline(text: str) -> str:
    """Return a text as a headline.

    If the text says who said something, the headline is the longest sentence of what was said.
    Otherwise it is the beginning of the text. A long headline ends after a clause or a word.
    """
    line = " ".join(text.split()).rstrip(".")
    said = read_quote(line)
    if said is not None:
        return f"“{_cut(max(_SENTENCE_END.split(said[1]), key=len).rstrip('.'))}”"
    return _cut(line)


def _cut(line: str) -> str:
    if len(line) <= LONGEST_HEADLINE:
        return line
    head = line[:LONGEST_HEADLINE]
    clauses = [found.start() for found in _CLAUSE.finditer(head)]
    if clauses and clauses[-1] >= LONGEST_HEADLINE // 2:
        return head[: clauses[-1]]
    return head.rsplit(" ", 1)[0].rstrip(",;:") + " …"
