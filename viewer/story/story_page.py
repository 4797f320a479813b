"""The page of events as text: filtered by person, day, kind and words, and split into parts."""

from collections.abc import Sequence
from dataclasses import dataclass

from nicegui import ui

from smolville.agents.action import Talk
from smolville.agents.times import day_of
from smolville.agents.wording import format_count
from smolville.reports.happenings import KINDS, TownEvent, happenings
from smolville.reports.runs import OpenRun
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import (
    add_text_field,
    box,
    choice,
    form,
    link,
    nothing,
    send,
    set_attributes,
    short,
    words,
)
from smolville.viewer.frame import frame
from smolville.viewer.story.rules_card import KeptRule, draw_rules, read_rules
from smolville.viewer.story.run_links import SECONDS, RunLinks, read
from smolville.viewer.styles import style

SLICE = 80
"""Number of events in one part."""
LONGEST = 600
"""Maximum number of characters of a text; the whole text is on a page of its own."""


@dataclass(frozen=True, kw_only=True)
class StoryFilter:
    """The filter that the reader has set."""

    who: str = ""
    day: int = 0
    """The day; 0 for all days."""
    kind: str = ""
    words: str = ""
    slice: int = 1

    def takes(self, each: TownEvent) -> bool:
        """Return whether an event passes the filter."""
        return (
            (not self.who or self.who in each.who)
            and (not self.day or day_of(each.at) == self.day)
            and (not self.kind or self.kind == each.kind)
            and (not self.words or each.holds(self.words))
        )

    def address(self, ways: RunLinks, part: int) -> str:
        """Return the address of part number `part`."""
        return ways.page(
            "story",
            who=self.who,
            day=self.day or "",
            kind=self.kind,
            words=self.words,
            part=part if part > 1 else "",
        )


@dataclass(frozen=True, kw_only=True)
class StoryContent:
    """The content of the page."""

    people: tuple[str, ...]
    days: int
    count: int
    """Total number of matching events."""
    number: int
    """Number of the part, from 1."""
    last: int
    """Number of the last part."""
    part: Sequence[TownEvent]
    rules: Sequence[KeptRule] = ()
    """The town's rules; only for the first part of everybody's events."""


def add(config: AppConfig) -> None:
    """Add the page `/run/NAME/story`."""

    @ui.page("/run/{run}/story", response_timeout=SECONDS)
    async def story(
        run: str, who: str = "", day: str = "", kind: str = "", words: str = "", part: str = ""
    ) -> None:
        wish = StoryFilter(
            who=who, day=_number(day), kind=kind, words=words[:200], slice=max(_number(part), 1)
        )
        ways, told = await read(config, run, lambda opened: _read_story_content(opened, wish))
        style("story")
        with frame("What happened", ways.run, "Story"):
            _page(ways, wish, told)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 7 else 0


def _read_story_content(run: OpenRun, wish: StoryFilter) -> StoryContent:
    found = [each for each in happenings(run.reader, run.tick) if wish.takes(each)]
    last = max(-(-len(found) // SLICE), 1)
    part = min(wish.slice, last)
    return StoryContent(
        people=run.reader.agents(),
        days=day_of(run.at - 1) if run.tick >= 0 else 0,
        count=len(found),
        number=part,
        last=last,
        part=found[(part - 1) * SLICE : part * SLICE],
        rules=read_rules(run) if wish == StoryFilter() else (),
    )


def _page(ways: RunLinks, wish: StoryFilter, told: StoryContent) -> None:
    _filters(ways, wish, told)
    if ways.tick < 0:
        nothing("Nothing has happened yet: the run has not started.")
        return
    first = (told.number - 1) * SLICE
    if not told.part:
        nothing("Nothing matches the filter. Remove a filter to see more.")
        return
    more = f" It is told up to {ways.format_time(ways.at)}; load the page again for more."
    words(
        "p",
        f"{first + 1:,} to {first + len(told.part):,} of {format_count(told.count, 'happening')}."
        + (more if ways.state == "running" else ""),
        "soft",
    )
    draw_rules(ways, told.rules)
    _entries(ways, told.part)
    _slices(ways, wish, told)


def _filters(ways: RunLinks, wish: StoryFilter, told: StoryContent) -> None:
    """Add the filter form."""
    days = {str(day): f"Day {day}: {ways.day(day)}" for day in range(1, told.days + 1)}
    if ways.start is None:
        days = {str(day): f"Day {day}" for day in range(1, told.days + 1)}
    with form(ways.page("story"), "Choose what is shown"):
        choice("who", "Person", {"": "Everybody"} | {each: each for each in told.people}, wish.who)
        choice("day", "Day", {"": "Every day"} | days, str(wish.day or ""))
        choice(
            "kind", "Kind", {"": "Everything"} | {str(k): v for k, v in KINDS.items()}, wish.kind
        )
        add_text_field("words", "Words", wish.words, "lantern party")
        send("Show")


def _entries(ways: RunLinks, part: Sequence[TownEvent]) -> None:
    """Add the events under their days and hours."""
    day, hour = 0, -1
    where = None
    for each in part:
        if day_of(each.at) != day:
            day, hour = day_of(each.at), -1
            words("h2", ways.day(day), "story-day")
        if each.at // 3600 != hour or where is None:
            hour = each.at // 3600
            words("h3", f"{hour % 24:02d}:00", "story-hour")
            where = box("ol", "story-list")
        with where:
            _entry(ways, each)


def _entry(ways: RunLinks, each: TownEvent) -> None:
    """Add one event."""
    who = each.who[0] if each.who else ""
    with box("li", f"story-entry is-{each.kind}"):
        clock = link(ways.clock(each.at), ways.town(each.at, who), "story-clock")
        set_attributes(clock, aria_label=f"{ways.clock(each.at)}: see it in the town")
        with box("div", "story-body"):
            with box("p"):
                short("span", each.text, longest=LONGEST)
                for sign in each.emoji:
                    set_attributes(words("span", sign, "emoji"), aria_hidden="true")
                _mark_odd(each.odd)
                _add_reason_link(ways, each, who)
            for text in each.more:
                short("blockquote", text, longest=LONGEST)
            if each.lines:
                _lines(each)


def _add_reason_link(ways: RunLinks, each: TownEvent, who: str) -> None:
    """Add a link to the reason of an event."""
    if isinstance(each.record, Talk):
        made = link("why", ways.talk(each.record.id), "way")
        set_attributes(made, aria_label="Why they talked so")
    elif each.tick is not None and who:
        set_attributes(link("why", ways.why(who, each.tick), "way"), aria_label=f"Why {who} did so")


def _mark_odd(sentences: Sequence[str]) -> None:
    """Add a mark that something is odd, with the sentences that explain it; nothing if none."""
    if sentences:
        words("span", "◇ odd", "story-mark")
        for sentence in sentences:
            short("small", sentence, longest=LONGEST)


def _lines(each: TownEvent) -> None:
    with box("dl", "story-talk"):
        for line, odd in zip(each.lines, each.odd_lines, strict=True):
            words("dt", line.speaker)
            with box("dd"):
                short("span", line.text, longest=LONGEST)
                if line.fallback:
                    words("span", "fallback", "story-mark")
                _mark_odd(odd)


def _slices(ways: RunLinks, wish: StoryFilter, told: StoryContent) -> None:
    """Add the links to the previous and next parts."""
    if told.last < 2:
        return
    with set_attributes(box("nav", "slices"), aria_label="Slices of the story"):
        if told.number > 1:
            link("← Earlier", wish.address(ways, told.number - 1), "button")
        words("span", f"{told.number} of {told.last}", "soft")
        if told.number < told.last:
            link("Later →", wish.address(ways, told.number + 1), "button")
