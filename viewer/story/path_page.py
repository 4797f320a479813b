"""The page about a piece of news: who told whom, in which lines, and who does not know the news."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nicegui import ui

from smolville.agents.memory import Memory
from smolville.agents.times import clock, minute_of
from smolville.agents.wording import format_count
from smolville.reports.news import (
    HOWS,
    HeardNews,
    NewsPath,
    TownKnowledge,
    known_at,
    owners,
    path_of_memory,
    path_of_words,
    rumours_of,
)
from smolville.reports.runs import OpenRun
from smolville.viewer.charts.echarts import SOFT
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import (
    add_text_field,
    box,
    form,
    link,
    make_folded_section,
    nothing,
    send,
    set_attributes,
    short,
    words,
)
from smolville.viewer.frame import frame
from smolville.viewer.playback.people import coat_of
from smolville.viewer.story.run_links import SECONDS, RunLinks, read
from smolville.viewer.styles import style

MOST_RUMOURS = 10
LONGEST = 500
"""Maximum number of characters of a line or a memory."""


@dataclass(frozen=True, kw_only=True)
class PathContent:
    """The content of the page."""

    memory: Memory | None
    path: NewsPath | None
    rumours: Sequence[tuple[Memory, int]]
    """Facts that have spread, each with the number of people who remember it."""
    coats: Mapping[str, str]
    """Everybody's own colour."""


def add(config: AppConfig) -> None:
    """Add the page `/run/NAME/news/path`."""

    @ui.page("/run/{run}/news/path", response_timeout=SECONDS)
    async def path(run: str, of: str = "") -> None:
        ways, found = await read(
            config, run, lambda opened: _find_path_content(opened, of[:400].strip())
        )
        style("story", "path")
        with frame("Who told whom", ways.run, "News"):
            _page(ways, found, of[:400].strip())


def _find_path_content(run: OpenRun, of: str) -> PathContent:
    known = known_at(run.reader, run.tick, run.at)
    memory = known.memory(of) if of else None
    path = None
    if memory is not None:
        path = path_of_memory(known, memory)
    elif of:
        path = path_of_words(known, of)
    coats = {name: coat_of(number) for number, name in enumerate(run.reader.agents())}
    return PathContent(memory=memory, path=path, rumours=_rumours(known), coats=coats)


def _rumours(known: TownKnowledge) -> list[tuple[Memory, int]]:
    return [(group[0], len(owners(group))) for group in rumours_of(known)[:MOST_RUMOURS]]


def _page(ways: RunLinks, found: PathContent, of: str) -> None:
    with form(ways.page("news/path"), "Choose a piece of news"):
        add_text_field("of", "Words of the news", "" if found.memory else of, "lantern party")
        send("Follow it")
    if found.path is None:
        if ways.tick < 0:
            nothing("Nothing has been said yet: the run has not started.")
        _suggestions(ways, found)
        return
    if found.memory is not None:
        with box("figure", "story-subject"):
            short("blockquote", f"“{found.memory.text}”", longest=LONGEST)
            words("figcaption", f"a memory of {found.memory.agent}", "soft")
    if not found.path.knowing:
        nothing("Nobody knows anything of the kind, as far as words tell. Try fewer words.")
        _suggestions(ways, found)
        return
    _path(ways, found.path, found.coats)
    _suggestions(ways, found)


def count_told(path: NewsPath) -> int:
    """Return how many people were told the news, as opposed to having seen it themselves."""
    return sum(1 for each in path.knowing if each.how in ("told", "talk"))


def _path(ways: RunLinks, path: NewsPath, coats: Mapping[str, str]) -> None:
    """Add a path as a sentence, a picture and a list, then those whom the news did not reach."""
    told = count_told(path)
    left = len(path.unknowing)
    rest = f"{left} {'has' if left == 1 else 'have'} not heard" if left else "everybody has heard"
    words(
        "p",
        f"{format_count(len(path.knowing), 'person knows', 'people know')} of it, {told} from "
        f"somebody else; {rest}.",
        "story-sum",
    )
    if told:
        _tree(path, coats)
    words("h2", "In their order")
    with box("ol", "path-list"):
        for each in path.knowing:
            _knowing(ways, each)
    _list_others(ways, path)
    _rule(path)


def _knowing(ways: RunLinks, each: HeardNews) -> None:
    """Add how one person learned of the news, with the evidence."""
    with box("li", "path-item"):
        with box("p"):
            set_attributes(
                link(ways.format_time(each.at), ways.town(each.at, each.name), "story-clock"),
                aria_label=f"{ways.format_time(each.at)}: see it in the town",
            )
            words("strong", each.name)
            words("span", f" {HOWS[each.how]}{_format_source(each)} ")
            if each.talk is not None:
                link("the talk", ways.talk(each.talk.id), "way")
            elif each.memory is not None:
                link("why", ways.why(each.name, each.memory.tick), "way")
        if each.telling is not None:
            line = each.telling.line
            with box("figure", "path-line"):
                short("blockquote", f"“{line.text}”", longest=LONGEST)
                words("figcaption", line.speaker + (", a fallback" if line.fallback else ""))
        if each.memory is None:
            words("p", "No memory of it was kept.", "soft")
        elif not each.is_kept(ways.at):
            short("p", f"Forgotten since: {each.memory.text}", "soft", longest=LONGEST)
        else:
            short("p", f"Remembers: {each.memory.text}", "soft", longest=LONGEST)


def _format_source(each: HeardNews) -> str:
    if not each.by:
        return ""
    sources = {"told": f" by {each.by}", "talk": f" with {each.by}"}
    return sources.get(each.how, f": it was about {each.by}")


def _tree(path: NewsPath, coats: Mapping[str, str]) -> None:
    """Add the path as a tree: each person stands above the people they told.

    A branch has the colour of the teller.
    """
    tree = set_attributes(box("ul", "path-tree"), aria_label="Who told whom")
    with tree:
        for each in path.origins:
            _branch(path, each, coats)


def _branch(path: NewsPath, each: HeardNews, coats: Mapping[str, str]) -> None:
    with box("li").style(f"--coat: {coats.get(each.name, SOFT)}"):
        with box("p"):
            set_attributes(box("span", f"path-mark is-{each.how}"), aria_hidden="true")
            words("strong", each.name)
            words("span", f" {clock(minute_of(each.at))}", "soft")
            if each.how not in ("told", "talk"):
                words("span", f" {HOWS[each.how]}", "soft")
        told = path.told_by(each.name)
        if told:
            with box("ul"):
                for other in told:
                    _branch(path, other, coats)


def _list_others(ways: RunLinks, path: NewsPath) -> None:
    """Add the people who heard the news but do not remember it, and those who never heard it."""
    if path.heard:
        words("h2", "Heard it, and kept nothing")
        with box("ul"):
            for name, telling in path.heard.items():
                with box("li"):
                    words("strong", name)
                    short("span", f" from {telling.line.speaker}: “{telling.line.text}” ")
                    link("the talk", ways.talk(telling.talk.id), "way")
    if path.unknowing:
        words("h2", "Do not know")
        words("p", ", ".join(path.unknowing))


def _rule(path: NewsPath) -> None:
    """Add the rule by which the path was found, and what that rule cannot detect."""
    with make_folded_section("How this was found"):
        weighed = sorted(path.subject.words.items(), key=lambda each: (-each[1], each[0]))
        words(
            "p",
            "A line or a memory tells this news when it holds enough of these words: "
            + ", ".join(f"{word} ({share:.0%})" for word, share in weighed)
            + f". Enough is {path.subject.least:.0%}. Rare words weigh more.",
        )
        words(
            "p",
            "It cannot see news told in quite other words, and takes for knowing what only shares "
            "the words. A question that names the news counts as telling it. Of several talks, the "
            "last one before the memory was made is taken for its source.",
        )


def _suggestions(ways: RunLinks, found: PathContent) -> None:
    if not found.rumours:
        return
    words("h2", "What went round in this town")
    with box("ul", "rumours"):
        for memory, count in found.rumours:
            with box("li"):
                made = link("", ways.page("news/path", of=memory.id))
                with made:
                    short("span", memory.text, longest=200)
                words("span", f" {format_count(count, 'person', 'people')}", "soft")
