"""The newspaper's news desk: news that spread, plans, and overheard lines."""

import re
from collections.abc import Iterator

from smolville.agents.action import Talk, TalkLine
from smolville.agents.memory import Memory
from smolville.agents.times import DAY_SECONDS, clock, minute_of
from smolville.reports.news import (
    HeardNews,
    NewsPath,
    group_alike,
    is_plan,
    owners,
    path_of_memory,
    rumours,
)
from smolville.reports.newspaper.material import Material
from smolville.reports.newspaper.sheet import (
    Article,
    Quote,
    Source,
    headline,
    names,
    spell_count,
    words_and_speaker,
)

MOST_ALSO = 3
MOST_WANTED = 4
_WANTED = re.compile(
    r"\b(?:needs?|looking for|(?:have|has) lost|am missing|is missing|waiting for)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?]+[.!?]?")


def news_articles(day: Material) -> Iterator[Article]:
    """Yield articles on news that spread, the most heard first; the first can lead the paper."""
    for number, group in enumerate(rumours(day.memories)[: 1 + MOST_ALSO]):
        yield _write_spread_article(day, group, is_lead=number == 0)


def plan_article(day: Material) -> Article | None:
    """Return an article on the plan that most people made after talks; None if there is none."""
    groups = group_alike(filter(is_plan, day.memories))
    if not groups or len(owners(groups[0])) < 2:
        return None
    group = groups[0]
    people = owners(group)
    plan = _plan(group[0]).removeprefix(f"{group[0].agent} ")
    return Article(
        kicker="In the diaries",
        headline=f"{spell_count(len(people))} diaries, one entry",
        facts=(f"{names(people, 20)} mean to do much the same, after a talk.",),
        quotes=tuple(_plan_quote(day, memory) for memory in _select_first_memories(group)[:3]),
        news=group[0].id if plan else "",
    )


def wanted_article(day: Material) -> Article | None:
    """Return an article on things that people said they need, miss or await, with quotes."""
    quotes: dict[str, Quote] = {}
    for talk, line in _lines(day):
        for part in _SENTENCE.findall(line.text):
            text = part.strip()
            if _WANTED.search(text) and line.speaker not in quotes and text[-1:] != "?":
                quotes[line.speaker] = _line_quote(talk, line, text)
    if not quotes:
        return None
    return Article(
        kicker="Small advertisements",
        headline="Wanted, missed and waited for",
        quotes=tuple(list(quotes.values())[:MOST_WANTED]),
    )


def words_article(day: Material) -> Article | None:
    """Return an article with the first, the last and the longest line of the day."""
    lines = list(_lines(day))
    if len(lines) < 2:
        return None
    longest = max(lines, key=lambda each: len(each[1].text))
    chosen = {
        "the first words": lines[0],
        "the longest breath": longest,
        "the last words": lines[-1],
    }
    quotes = []
    for note, (talk, line) in chosen.items():
        quote = _line_quote(talk, line, line.text)
        quotes.append(
            Quote(text=quote.text, by=quote.by, source=quote.source, note=f"{note}, {quote.note}")
        )
    return Article(kicker="Overheard", headline="First words, last words", quotes=tuple(quotes))


def _write_spread_article(day: Material, group: list[Memory], *, is_lead: bool) -> Article:
    """Return the article on how a piece of news spread."""
    path = path_of_memory(day.known, group[0])
    people = owners(group)
    kicker = "The talk of the town" if is_lead else "Also going round"
    facts = [f"{spell_count(len(people), 'person', 'people')} took it home from a talk today."]
    text, speaker = words_and_speaker(group[0].text, group[0].agent)
    quotes = [Quote(text=text, by=speaker, source=_source(day, group[0]))]
    if is_lead:
        facts += _reach(day, path)
        hearers = [each for each in path.knowing if each.telling and each.at >= day.start]
        quotes = [_make_telling_quote(each) for each in (hearers[:1] + hearers[1:][-1:])] or quotes
    return Article(
        kicker=kicker,
        headline=headline(group[0].text),
        facts=tuple(facts),
        quotes=tuple(quotes),
        news=group[0].id,
    )


def _reach(day: Material, path: NewsPath) -> Iterator[str]:
    """Yield sentences on how far news had spread by the end of the day, or by now."""
    origins = [each.name for each in path.origins if each.how in ("given", "own", "said")]
    if origins:
        yield f"The first on record to know: {names(origins)}."
    first = origins[0] if origins else ""
    others = [each for each in path.knowing if each.by and each.by != first]
    if others and first:
        count = spell_count(len(others), "person", "people")
        yield f"{count} had it from somebody other than {first}."
    whole = len(day.people)
    is_whole = day.end - day.start >= DAY_SECONDS
    by = "By the end of the day" if is_whole else f"By {clock(minute_of(day.end))}"
    yield f"{by} {len(path.knowing)} of {whole} knew."
    if 0 < len(path.unknowing) <= 4:
        yield f"As far as is recorded it has not reached {names(path.unknowing)}."


def _make_telling_quote(each: HeardNews) -> Quote:
    assert each.telling is not None
    return _line_quote(each.telling.talk, each.telling.line, each.telling.line.text)


def _line_quote(talk: Talk, line: TalkLine, text: str) -> Quote:
    others = names(talk.others(line.speaker))
    fallback = ", a fallback" if line.fallback else ""
    return Quote(
        text=text,
        by=line.speaker,
        source=Source(at=line.at, who=line.speaker, talk=talk.id),
        note=f"to {others}{fallback}",
    )


def _plan_quote(day: Material, memory: Memory) -> Quote:
    return Quote(text=_plan(memory), by=memory.agent, source=_source(day, memory))


def _source(day: Material, memory: Memory) -> Source:
    talk = day.talk_at(memory.agent, memory.created)
    return Source(at=memory.created, who=memory.agent, talk=talk, tick=memory.tick)


def _lines(day: Material) -> Iterator[tuple[Talk, TalkLine]]:
    """Yield all lines of the day in the order in which they were said."""
    lines = [(talk, line) for talk in day.talks for line in talk.lines if line.at < day.end]
    yield from sorted(lines, key=lambda each: (each[1].at, each[0].id))


def _select_first_memories(group: list[Memory]) -> list[Memory]:
    """Return the first memory of each person in a group."""
    return list({memory.agent: memory for memory in reversed(group)}.values())[::-1]


def _plan(memory: Memory) -> str:
    return memory.text.removeprefix(f"For {memory.agent}'s plans: ")
