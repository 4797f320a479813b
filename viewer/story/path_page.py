"""The page about a piece of news: who told whom, in which lines, and who does not know the news."""

from collections.abc import Mapping, Sequence

from nicegui import ui

from smolville.agents.memory import Memory
from smolville.agents.times import clock, minute_of
from smolville.agents.wording import format_count
from smolville.reports.news import (
    HOWS,
    HeardNews,
    NewsPath,
    known_at,
    owners,
    path_of_memory,
    path_of_words,
    rumours,
)
from smolville.reports.runs import OpenRun
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import (
    add_text_field,
    box,
    form,
    link,
    nothing,
    send,
    set_attributes,
    short,
    words,
)
from smolville.viewer.frame import frame, style
from smolville.viewer.playback.people import coat_of
from smolville.viewer.story.run_links import SECONDS, RunLinks, read

MOST_RUMOURS = 10
LONGEST = 500
"""Maximum number of characters of a line or a memory."""
Found = tuple[Memory | None, NewsPath | None, Sequence[Sequence[Memory]]]
"""The memory that was asked about, the path, and the facts that have spread."""


def add(config: AppConfig) -> None:
    """Add the page `/run/NAME/news/path`."""

    @ui.page("/run/{run}/news/path", response_timeout=SECONDS)
    async def path(run: str, of: str = "") -> None:
        asked = of[:400].strip()
        ways, (people, found) = await read(config, run, lambda opened: _find(opened, asked))
        style("story")
        with frame("Who told whom", ways.run, "News"):
            _page(ways, found, asked, people)


def _find(run: OpenRun, of: str) -> tuple[tuple[str, ...], Found]:
    known = known_at(run.reader, run.tick, run.at)
    memory = known.memory(of) if of else None
    path = path_of_words(known, of) if of else None
    if memory is not None:
        path = path_of_memory(known, memory)
    return known.people, (memory, path, rumours(known.every_memory)[:MOST_RUMOURS])


def _page(ways: RunLinks, found: Found, of: str, people: Sequence[str]) -> None:
    memory, path, spread = found
    with form(ways.page("news/path"), "Choose a piece of news"):
        add_text_field("of", "Words of the news", "" if memory else of, "lantern party")
        send("Follow it")
    if path is None and ways.tick < 0:
        nothing("Nothing has been said yet: the run has not started.")
    if memory is not None:
        with box("figure", "story-subject"):
            short("blockquote", f"“{memory.text}”", longest=LONGEST)
            words("figcaption", f"a memory of {memory.agent}", "soft")
    if path is not None and path.knowing:
        _path(ways, path, {name: coat_of(number) for number, name in enumerate(people)})
    elif path is not None:
        nothing("Nobody knows anything of the kind, as far as words tell. Try fewer words.")
    if spread:
        words("h2", "What went round in this town")
        with box("ul", "rumours"):
            for group in spread:
                with box("li"):
                    with link("", ways.page("news/path", of=group[0].id)):
                        short("span", group[0].text, longest=200)
                    words(
                        "span", f" {format_count(len(owners(group)), 'person', 'people')}", "soft"
                    )


def _path(ways: RunLinks, path: NewsPath, coats: Mapping[str, str]) -> None:
    """Add a path as a sentence, a tree and a list, then those whom the news did not reach."""
    told = sum(each.how in ("told", "talk") for each in path.knowing)
    left = len(path.unknowing)
    rest = f"{left} {'has' if left == 1 else 'have'} not heard" if left else "everybody has heard"
    know = format_count(len(path.knowing), "person knows", "people know")
    words("p", f"{know} of it, {told} from somebody else; {rest}.", "story-sum")
    if told:
        with set_attributes(box("ul", "path-tree"), aria_label="Who told whom"):
            for each in path.origins:
                _branch(path, each, coats)
    words("h2", "In their order")
    with box("ol", "path-list"):
        for each in path.knowing:
            _knowing(ways, each)
    if path.unknowing:
        words("h2", "Do not know")
        words("p", ", ".join(path.unknowing))
    words(
        "p",
        "Found by words, of which rare ones weigh more: news told in quite other words is not "
        "seen, and what only shares the words is taken for knowing.",
        "soft",
    )


def _branch(path: NewsPath, each: HeardNews, coats: Mapping[str, str]) -> None:
    with box("li").style(f"--coat: {coats.get(each.name, 'var(--soft)')}"):
        with box("p"):
            set_attributes(box("span", f"path-mark is-{each.how}"), aria_hidden="true")
            words("strong", each.name)
            how = "" if each.how in ("told", "talk") else f" {HOWS[each.how]}"
            words("span", f" {clock(minute_of(each.at))}{how}", "soft")
        if told := path.told_by(each.name):
            with box("ul"):
                for other in told:
                    _branch(path, other, coats)


def _knowing(ways: RunLinks, each: HeardNews) -> None:
    sources = {"told": f" by {each.by}", "talk": f" with {each.by}"}
    source = sources.get(each.how, f": it was about {each.by}") if each.by else ""
    when = ways.format_time(each.at)
    with box("li", "path-item"):
        with box("p"):
            made = link(when, ways.town(each.at, each.name), "story-clock")
            set_attributes(made, aria_label=f"{when}: see it in the town")
            words("strong", each.name)
            words("span", f" {HOWS[each.how]}{source} ")
            if each.talk is not None:
                link("the talk", ways.talk(each.talk.id), "way")
            elif each.memory is not None:
                link("why", ways.why(each.name, each.memory.tick), "way")
        if each.telling is not None:
            line = each.telling.line
            with box("figure", "path-line"):
                short("blockquote", f"“{line.text}”", longest=LONGEST)
                words("figcaption", line.speaker + (", a fallback" if line.fallback else ""))
        kept = "Remembers" if each.is_kept(ways.at) else "Forgotten since"
        told = f"{kept}: {each.memory.text}" if each.memory else "No memory of it was kept."
        short("p", told, "soft", longest=LONGEST)
