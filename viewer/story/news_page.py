"""The page of the town's daily newspaper."""

from collections.abc import Sequence

from nicegui import ui

from smolville.reports.newspaper import Article, Paper, days_lived, newspaper
from smolville.reports.runs import OpenRun
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import box, link, nothing, set_attributes, short, words
from smolville.viewer.frame import frame, style
from smolville.viewer.story.run_links import SECONDS, RunLinks, read

LONGEST = 320
"""Maximum number of characters of a printed quote."""


def add(config: AppConfig) -> None:
    """Add the page `/run/NAME/news`."""

    @ui.page("/run/{run}/news", response_timeout=SECONDS)
    async def news(run: str, day: str = "") -> None:
        ways, (town, days, paper) = await read(config, run, lambda opened: _paper(opened, day))
        style("story", "news")
        with frame(title_of(town), ways.run, "News"):
            if paper is not None:
                _print(ways, paper)
            elif not days:
                nothing("No edition yet: the run has not started.")
            else:
                lived = "one day has" if days == 1 else f"{days} days have"
                nothing(f"There is no edition of day {day!r}: {lived} begun in this town.")
                link("The latest edition", ways.page("news"), "way")


def title_of(town: str) -> str:
    """Return the newspaper's name."""
    return f"The {town.removeprefix('The ')} Daily"


def _paper(run: OpenRun, day: str) -> tuple[str, int, Paper | None]:
    """Return the town's name, its number of days, and the chosen day's paper if there is one."""
    days = days_lived(run.reader, run.tick)
    wanted = int(day) if day.isdecimal() and len(day) < 7 else (0 if day else days)
    is_lived = 1 <= wanted <= days
    paper = newspaper(run.reader, wanted, run.tick) if is_lived else None
    return run.folder.spec.town_name, days, paper


def _print(ways: RunLinks, paper: Paper) -> None:
    with box("div", "paper-dateline"):
        with set_attributes(box("nav", "paper-days"), aria_label="Editions"):
            if paper.day > 1:
                link("← The day before", ways.page("news", day=paper.day - 1))
            if paper.day < paper.days:
                link("The day after →", ways.page("news", day=paper.day + 1))
            link("Who told whom", ways.page("news/path"))
        words("span", ways.day(paper.day), "paper-date")
        early = "" if paper.is_whole else f" · early edition, told up to {ways.clock(paper.until)}"
        words("span", f"No. {paper.day}{early}")
    if not paper.articles:
        nothing("Nobody talked, thought or stirred enough for an article. A quiet day.")
    with box("div", "paper"):
        for lead in paper.articles[:1]:
            with set_attributes(box("div", "paper-lead"), id="lead"):
                _article(ways, lead, "h2")
        with box("div", "paper-columns"):
            for article in paper.articles[1:]:
                _article(ways, article, "h3")
        with box("aside", "paper-boxes"):
            _column("Almanac", paper.almanac)
            _column("In numbers", paper.numbers, "is-figures")
    words(
        "p",
        "Set by rule from what was recorded; nothing was written for it. What stands in quotation "
        "marks stands so in the town's history, and each quote leads to its moment.",
        "paper-imprint",
    )


def _article(ways: RunLinks, article: Article, level: str) -> None:
    with box("article", "paper-article"):
        words("p", article.kicker, "paper-kicker")
        short(level, article.headline, "paper-headline")
        for fact in article.facts:
            short("p", fact, "paper-fact")
        for quote in article.quotes:
            with box("figure", "paper-quote"):
                short("blockquote", f"“{quote.text}”", longest=LONGEST)
                with box("figcaption"):
                    short("span", quote.by, "paper-by", longest=120)
                    if quote.note:
                        short("span", quote.note, "soft", longest=200)
                    ways.source_links(quote.source)
        if article.news:
            with box("p", "paper-ways"):
                told = link("Who told whom →", ways.page("news/path", of=article.news), "way")
                set_attributes(told, aria_label=f"Who told whom: {article.headline[:120]}")


def _column(title: str, rows: Sequence[tuple[str, str]], classes: str = "") -> None:
    if rows:
        with box("section", "paper-box"):
            words("h2", title)
            with box("dl", classes):
                for name, value in rows:
                    with box("div"):
                        short("dt", name, longest=80)
                        short("dd", value, longest=300)
