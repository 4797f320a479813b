"""A day's newspaper: articles about news and the town, and small columns, from recorded rows."""

from collections import Counter

from smolville.agents.places import sector_of
from smolville.agents.times import DAY_SECONDS, clock, day_of, minute_of
from smolville.agents.wording import percent
from smolville.history.reader import RunReader
from smolville.reports.newspaper.material import Material, material
from smolville.reports.newspaper.sheet import Article, Box, Paper, names
from smolville.reports.newspaper.talk_of_town import (
    news_articles,
    plan_article,
    wanted_article,
    words_article,
)
from smolville.reports.newspaper.town_desk import (
    feeling_article,
    gathering_article,
    happening_article,
    insight_article,
    outside_article,
    queue_article,
    things_article,
)


def days_lived(reader: RunReader, tick: int) -> int:
    """Return the number of days that have begun by a tick; 0 if none has."""
    return 0 if tick < 0 else day_of(tick * reader.spec.tick_seconds)


def newspaper(reader: RunReader, day: int, tick: int) -> Paper:
    """Return the newspaper of a day up to a tick."""
    rows = material(reader, day, tick)
    news = list(news_articles(rows))
    others = [
        outside_article(rows),
        happening_article(rows),
        plan_article(rows),
        gathering_article(rows),
        *news[1:],
        insight_article(rows),
        feeling_article(rows),
        things_article(rows),
        wanted_article(rows),
        queue_article(rows),
        words_article(rows),
    ]
    articles: list[Article] = [each for each in others if each is not None]
    if not news and articles:
        news = [articles.pop(0)]
    return Paper(
        town=reader.spec.town_name,
        day=day,
        days=days_lived(reader, tick),
        until=rows.end,
        is_whole=rows.end - rows.start >= DAY_SECONDS,
        lead=news[0] if news else None,
        articles=tuple(articles),
        boxes=(_where_box(rows), _almanac_box(rows), _numbers_box(rows)),
    )


MOST_PLACES = 8


def _where_box(day: Material) -> Box:
    """Return the places of the people who are awake; those with most people come first."""
    here: dict[str, dict[str, None]] = {}
    for deed in day.accepted:
        place = sector_of(deed.action.place)
        if place and deed.action.kind != "sleep":
            here.setdefault(place, {})[deed.agent] = None
    order = sorted(here.items(), key=lambda each: (-len(each[1]), each[0]))
    rows = tuple((place, names(sorted(people), 6)) for place, people in order[:MOST_PLACES])
    left = len(order) - len(rows)
    notes = (f"And {left} more {'place' if left == 1 else 'places'}.",) if left > 0 else ()
    return Box(title="Who was where", rows=rows, notes=notes)


def _almanac_box(day: Material) -> Box:
    """Return the day's records: who was first, last, and did the most; also the weather."""
    rows = [*_ups_and_downs(day), *_walks(day), *_talks(day)]
    weather = tuple(each.text for each in day.happenings if each.kind == "weather")
    return Box(
        title="Almanac",
        rows=tuple(rows),
        notes=weather or ("Weather: none was recorded.",),
    )


def _numbers_box(day: Material) -> Box:
    """Return the day in numbers, including the models' mistakes."""
    ends = {
        "clean at once": sum(step.outcome == "clean" for step in day.steps),
        "fallback": sum(step.outcome == "fallback" for step in day.steps),
        "objected to": sum(bool(step.odd) for step in day.steps),
    }
    rows = [
        ("Talks", f"{len(day.talks):,}"),
        ("Lines said", f"{sum(len(talk.lines) for talk in day.talks):,}"),
        ("Memories made", f"{len(day.memories):,}"),
        ("Thoughts", f"{len(day.thoughts):,}"),
        ("Steps asked", f"{len(day.steps):,}"),
        *(
            (f"… {end}", f"{count:,} ({percent(count, len(day.steps))})")
            for end, count in ends.items()
            if count or end != "objected to"
        ),
    ]
    failed = sum(1 for row in day.thoughts if row.failed)
    notes = ["A fallback is a step in which no model's answer could be used."]
    if ends["objected to"]:
        notes.append("An answer is objected to where a check finds something odd in it.")
    if failed:
        notes.append(f"Thoughts that failed and left nothing behind: {failed:,}.")
    return Box(title="In numbers", rows=tuple(rows), notes=tuple(notes), is_figures=True)


def _ups_and_downs(day: Material) -> list[tuple[str, str]]:
    """Return who got up first, and who went to bed last."""
    awake: dict[str, int] = {}
    for deed in day.accepted:
        if deed.action.kind != "sleep" and deed.action.start >= day.start:
            awake.setdefault(deed.agent, deed.action.start)
    beds = [
        (deed.action.start, deed.agent)
        for deed in day.accepted
        if deed.action.kind == "sleep" and deed.action.start > awake.get(deed.agent, day.end)
    ]
    rows = []
    if awake:
        at, name = min((at, name) for name, at in awake.items())
        rows.append(("First up", f"{name}, {_clock(at)}"))
    if beds:
        at, name = max(beds)
        rows.append(("Last to bed", f"{name}, {_clock(at)}"))
    return rows


def _walks(day: Material) -> list[tuple[str, str]]:
    """Return who walked farthest."""
    tiles: Counter[str] = Counter()
    for move in day.moves:
        if move.tick * day.seconds >= day.start:
            tiles[move.agent] += len(move.path) - 1
    if not tiles:
        return []
    name, count = min(tiles.items(), key=lambda each: (-each[1], each[0]))
    return [("Walked farthest", f"{name}, {count:,} tiles")]


def _talks(day: Material) -> list[tuple[str, str]]:
    """Return the longest talk and who talked most."""
    if not day.talks:
        return []
    longest = max(day.talks, key=lambda talk: (len(talk.lines), -talk.start))
    spoken = Counter(line.speaker for talk in day.talks for line in talk.lines)
    name, count = min(spoken.items(), key=lambda each: (-each[1], each[0]), default=("", 0))
    rows = [
        (
            "Longest talk",
            f"{names(longest.participants)}, {len(longest.lines)} lines at {_clock(longest.start)}",
        )
    ]
    return [*rows, ("Said most", f"{name}, {count} lines")] if name else rows


def _clock(at: int) -> str:
    return clock(minute_of(at))
