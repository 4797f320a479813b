"""Put a day's newspaper together: every statement comes from recorded rows, nothing is invented."""

from agents.times import DAY_SECONDS, day_of
from history.reader import RunReader
from reports.newspaper.columns import almanac_box, numbers_box, where_box
from reports.newspaper.material import material
from reports.newspaper.sheet import Article, Paper
from reports.newspaper.talk_of_town import (
    news_articles,
    plan_article,
    wanted_article,
    words_article,
)
from reports.newspaper.town_desk import (
    feeling_article,
    gathering_article,
    insight_article,
    outside_article,
    queue_article,
    things_article,
)


def days_lived(reader: RunReader, tick: int) -> int:
    """Return how many days have begun by a tick; 0 if none has."""
    return 0 if tick < 0 else day_of(tick * reader.spec.tick_seconds)


def newspaper(reader: RunReader, day: int, tick: int) -> Paper:
    """Return the newspaper of a day up to a tick."""
    rows = material(reader, day, tick)
    news = list(news_articles(rows))
    others = [
        outside_article(rows),
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
        boxes=(where_box(rows), almanac_box(rows), numbers_box(rows)),
    )
