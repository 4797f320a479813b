"""The page of events as text: filtered by person, day, kind and words, and split into parts."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

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
from smolville.viewer.frame import frame, style
from smolville.viewer.story.run_links import SECONDS, RunLinks, read

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
        kept = {"who": self.who, "day": self.day or "", "kind": self.kind, "words": self.words}
        return ways.page("story", **kept, part=part if part > 1 else "")


@dataclass(frozen=True, kw_only=True)
class StoryContent:
    """The content of the page."""

    people: tuple[str, ...]
    days: int
    events: Sequence[TownEvent]
    """All matching events."""


def add(config: AppConfig) -> None:
    """Add the page `/run/NAME/story`."""

    @ui.page("/run/{run}/story", response_timeout=SECONDS)
    async def story(
        run: str, who: str = "", day: str = "", kind: str = "", words: str = "", part: str = ""
    ) -> None:
        wish = StoryFilter(who=who, day=_number(day), kind=kind, words=words[:200])
        ways, told = await read(config, run, lambda opened: _read_story_content(opened, wish))
        style("story")
        with frame("What happened", ways.run, "Story"):
            _page(ways, wish, told, max(_number(part), 1))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 7 else 0


def _read_story_content(run: OpenRun, wish: StoryFilter) -> StoryContent:
    return StoryContent(
        people=run.reader.agents(),
        days=day_of(run.at - 1) if run.tick >= 0 else 0,
        events=[each for each in happenings(run.reader, run.tick) if wish.takes(each)],
    )


def _page(ways: RunLinks, wish: StoryFilter, told: StoryContent, part: int) -> None:
    days = {str(day): f"Day {day}" for day in range(1, told.days + 1)}
    if ways.start is not None:
        days = {day: f"{name}: {ways.day(int(day))}" for day, name in days.items()}
    with form(ways.page("story"), "Choose what is shown"):
        choice("who", "Person", {"": "Everybody"} | {each: each for each in told.people}, wish.who)
        choice("day", "Day", {"": "Every day"} | days, str(wish.day or ""))
        kinds = {"": "Everything"} | {str(kind): name for kind, name in KINDS.items()}
        choice("kind", "Kind", kinds, wish.kind)
        add_text_field("words", "Words", wish.words, "lantern party")
        send("Show")
    if ways.tick < 0:
        nothing("Nothing has happened yet: the run has not started.")
        return
    if not told.events:
        nothing("Nothing matches the filter. Remove a filter to see more.")
        return
    last = -(-len(told.events) // SLICE)
    part = min(part, last)
    first = (part - 1) * SLICE
    shown = told.events[first : first + SLICE]
    more = f" It is told up to {ways.format_time(ways.at)}; load the page again for more."
    words(
        "p",
        f"{first + 1:,} to {first + len(shown):,} of {format_count(len(told.events), 'happening')}."
        + (more if ways.state == "running" else ""),
        "soft",
    )
    _entries(ways, shown)
    if last > 1:
        with set_attributes(box("nav", "slices"), aria_label="Slices of the story"):
            if part > 1:
                link("← Earlier", wish.address(ways, part - 1), "button")
            words("span", f"{part} of {last}", "soft")
            if part < last:
                link("Later →", wish.address(ways, part + 1), "button")


def _entries(ways: RunLinks, part: Sequence[TownEvent]) -> None:
    for day, of_day in groupby(part, lambda each: day_of(each.at)):
        words("h2", ways.day(day), "story-day")
        for hour, of_hour in groupby(of_day, lambda each: each.at // 3600 % 24):
            words("h3", f"{hour:02d}:00", "story-hour")
            with box("ol", "story-list"):
                for each in of_hour:
                    _entry(ways, each)


def _entry(ways: RunLinks, each: TownEvent) -> None:
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
                if isinstance(each.record, Talk):
                    made = link("why", ways.talk(each.record.id), "way")
                    set_attributes(made, aria_label="Why they talked so")
                elif each.tick is not None and who:
                    made = link("why", ways.why(who, each.tick), "way")
                    set_attributes(made, aria_label=f"Why {who} did so")
            for text in each.more:
                short("blockquote", text, longest=LONGEST)
            if each.lines:
                with box("dl", "story-talk"):
                    for line, odd in zip(each.lines, each.odd_lines, strict=True):
                        words("dt", line.speaker)
                        with box("dd"):
                            short("span", line.text, longest=LONGEST)
                            if line.fallback:
                                words("span", "fallback", "story-mark")
                            _mark_odd(odd)


def _mark_odd(sentences: Sequence[str]) -> None:
    """Add a mark that something is odd, with the sentences that explain it; nothing if none."""
    if sentences:
        words("span", "◇ odd", "story-mark")
        for sentence in sentences:
            short("small", sentence, longest=LONGEST)
