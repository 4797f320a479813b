"""The page about relations: a chart, a table and a panel, for an hour that a slider selects."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from nicegui import events, ui

from smolville.agents.wording import format_count, join_words
from smolville.reports.relations import (
    MOODS,
    TURNS,
    Relations,
    Relationship,
    relations,
    tone,
)
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import box, link, nothing, set_attributes, short, words
from smolville.viewer.frame import frame
from smolville.viewer.playback.people import coat_of
from smolville.viewer.story.relation_graph import course_options, relation_options
from smolville.viewer.story.run_links import SECONDS, RunLinks, moment_key, moment_of, read
from smolville.viewer.styles import style

HOUR = 3600
MOST = 40
"""Maximum number of talks and of changes listed: the latest ones."""


def add(config: AppConfig) -> None:
    """Add the page `/run/NAME/relations`."""

    @ui.page("/run/{run}/relations", response_timeout=SECONDS)
    async def relations_page(run: str, at: str = "", who: str = "") -> None:
        ways, known = await read(config, run, lambda opened: relations(opened.reader, opened.tick))
        style("story", "relations")
        with frame("Who is close to whom", ways.run, "People"):
            if ways.tick < 0:
                nothing("Nobody has met yet: the run has not started.")
            elif not known.talks and not known.feelings:
                nothing(f"Nobody has talked with anybody up to {ways.format_time(ways.at)}.")
            else:
                wanted = moment_of(at)
                view = _RelationsView(
                    ways=ways,
                    known=known,
                    at=min(ways.at if wanted is None else wanted, ways.at),
                    who=who if who in known.people else "",
                )
                view.draw()


@dataclass(kw_only=True)
class _RelationsView:
    """The content of one open page, with its current selection."""

    ways: RunLinks
    known: Relations
    at: int
    who: str = ""
    pair: tuple[str, str] | None = None
    _parts: dict[str, Any] = field(default_factory=dict)

    def draw(self) -> None:
        """Fill the page."""
        parts = self._parts
        with box("div", "relations-time"):
            set_attributes(words("label", "Up to", "relations-label"), for_="until")
            last = -(-self.ways.at // HOUR)
            slider = set_attributes(box("input"), id="until", type="range", min=0, max=last, step=1)
            # Set only once, as `^` says; after that, the browser keeps its position.
            set_attributes(slider, **{"^value": -(-self.at // HOUR)})
            emit = "(event) => emit(Number(event.target.value))"
            slider.on("input", self._move_time, js_handler=emit, throttle=0.15)
            with set_attributes(box("output"), for_="until"):
                parts["when"] = words("span", self.ways.format_time(self.at))
        with box("div", "relations"):
            with box("div", "relations-picture"):
                options = relation_options(self.known.people, self.known.bonds(self.at), self.who)
                chart = ui.echart(options, on_point_click=self._clicked, renderer="svg")
                told = "People and their talks; the table beside it says the same"
                set_attributes(chart.classes("relations-graph"), role="img", aria_label=told)
                parts["chart"] = chart
                _legend()
            with box("div", "card relations-side"):
                self._draw_focus()
                panel = box("section", "relations-panel")
                parts["panel"] = set_attributes(panel, aria_live="polite", aria_label="Chosen")
                table = box("div", "scrolls")
                parts["table"] = set_attributes(
                    table, tabindex="0", role="region", aria_label="Pairs"
                )
        self._update(is_first=True)

    def _draw_focus(self) -> None:
        """Add the choice of the person whose relations are shown."""
        with box("label", "asking-field"):
            words("span", "Whose relations")
            self._parts["focus"] = focus = box("select")
            with focus:
                for name in ("", *self.known.people):
                    option = set_attributes(words("option", name or "Everybody's"), value=name)
                    if name == self.who:
                        set_attributes(option, selected=True)
            emit = "(event) => emit(event.target.value)"
            focus.on("change", lambda event: self._choose(who=str(event.args)), js_handler=emit)

    def _move_time(self, event: events.GenericEventArguments) -> None:
        hour = event.args if isinstance(event.args, int) else 0
        self.at = max(0, min(hour * HOUR, self.ways.at))
        self._update()

    def _clicked(self, event: events.EChartPointClickEventArguments) -> None:
        pair = event.data.get("pair") if isinstance(event.data, dict) else None
        if isinstance(pair, list) and len(pair) == 2:
            self._choose(pair=(str(pair[0]), str(pair[1])))
        elif event.name in self.known.people:
            self._choose(who="" if event.name == self.who else event.name)

    def _choose(self, who: str | None = None, pair: tuple[str, str] | None = None) -> None:
        """Select a person, everybody (an empty name) or a pair; None keeps the chosen person."""
        if who is not None:
            self.who = who if who in self.known.people else ""
            place = f"document.getElementById({self._parts['focus'].html_id!r})"
            ui.run_javascript(f"{place}.value = {json.dumps(self.who)}")
        self.pair = pair
        # What was chosen is told above the table, wherever in it that was done.
        ui.run_javascript("document.querySelector('.relations-side').scrollTo(0, 0)")
        self._update()

    def _update(self, *, is_first: bool = False) -> None:
        """Update all parts, and then the page's address, to the current time and selection."""
        parts, bonds = self._parts, self.known.bonds(self.at)
        if not is_first:
            address = self.ways.page("relations", at=moment_key(self.at), who=self.who)
            ui.navigate.history.replace(address)
        parts["when"].set_text(self.ways.format_time(self.at))
        chart = parts["chart"]
        chart.options.clear()
        chart.options.update(relation_options(self.known.people, bonds, self.who))
        chart.update()
        for name in ("panel", "table"):
            parts[name].clear()
        with parts["panel"]:
            chosen = [bond for bond in bonds if bond.pair == self.pair]
            if chosen:
                _bond_panel(self.ways, chosen[0], self.known.people)
            elif self.who:
                words("h2", self.who)
                for sentence in describe_feelings(self.who, bonds):
                    short("p", sentence, longest=600)
                link("Who and what they know", self.ways.page("knowledge", who=self.who), "way")
            else:
                words("p", "Choose a person or a line in the picture, or a pair in the table.")
        shown = [bond for bond in bonds if not self.who or self.who in bond.pair]
        if shown:
            with parts["table"]:
                self._table(shown)

    def _table(self, bonds: Sequence[Relationship]) -> None:
        until = self.ways.format_time(self.at)
        with box("table", "figures"):
            words("caption", f"{format_count(len(bonds), 'pair')} up to {until}")
            with box("thead"), box("tr"):
                for title in ("Pair", "Talks", "Close", "Feeling"):
                    set_attributes(words("th", title), scope="col")
            with box("tbody"):
                for bond in bonds:
                    with box("tr", "is-chosen" if bond.pair == self.pair else ""):
                        one, other = sorted(bond.pair, key=lambda name: name != self.who)
                        with set_attributes(box("th"), scope="row"):
                            choose = words("button", f"{one} and {other}", "plain-button")
                            set_attributes(choose, type="button")
                            choose.on("click", lambda _, pair=bond.pair: self._choose(pair=pair))
                        words("td", str(len(bond.talks)), "number")
                        close = "" if bond.closeness is None else f"{bond.closeness:.2f}"
                        words("td", close, "number")
                        mood = MOODS[bond.mood] if bond.mood else "not told"
                        words("td", mood, f"mood is-{bond.mood}")


def describe_feelings(who: str, bonds: Sequence[Relationship]) -> list[str]:
    """Return sentences on what a person feels for others, and on whom they only talked with."""
    towards: dict[int | None, list[str]] = {}
    for bond in bonds:
        if who in bond.pair:
            last = bond.last(who)
            other = bond.pair[bond.pair[0] == who]
            towards.setdefault(None if last is None else tone(last.feeling), []).append(other)
    sentences: dict[int | None, str] = {
        1: f"{who} feels warm towards {{}}.",
        -1: f"{who} feels cool towards {{}}.",
        0: f"What {who} feels towards {{}} is neither warm nor cool.",
        None: f"{who} has talked with {{}}, and kept no feeling from it.",
    }
    told = [
        text.replace("{}", join_words(towards[sign]))
        for sign, text in sentences.items()
        if sign in towards
    ]
    return told or [f"{who} has talked with nobody so far."]


def _legend() -> None:
    """Add the legend: what the lines' colours, dashes and widths mean, and the people's colours."""
    with box("ul", "relations-legend"):
        for kind, text in (*MOODS.items(), ("unclear", "not told")):
            with box("li", f"is-{kind}"):
                set_attributes(words("span", "", "relations-stroke"), aria_hidden="true")
                words("span", text)
        words(
            "li",
            "The thicker a line, the closer the two (in older runs: the more talks); a person's "
            "dot has their own colour.",
        )


def _bond_panel(ways: RunLinks, bond: Relationship, people: Sequence[str]) -> None:
    """Add two people's feelings for each other, their closeness, and their talks."""
    words("h2", f"{bond.pair[0]} and {bond.pair[1]}")
    for who, other in (bond.pair, bond.pair[::-1]):
        if last := bond.last(who):
            short("p", f"{who} towards {other}: {last.feeling}", longest=400)
    if bond.closeness is not None:
        words("h3", "How close they feel")
        told = [f"{who} {bond.course(who)[-1][1]:.2f}" for who in bond.pair if bond.course(who)]
        words("p", f"From 0 to 1, now: {join_words(told)}.", "soft")
        coats = {who: coat_of(people.index(who)) for who in bond.pair if who in people}
        curve = ui.echart(course_options(bond, coats), renderer="svg").style("height: 11rem")
        set_attributes(curve, role="img", aria_label="How close they felt, over the days")
    words("h3", format_count(len(bond.talks), "talk"))
    with box("ul", "moments"):
        for talk in bond.talks[-MOST:]:
            with box("li"):
                link(ways.format_time(talk.start), ways.town(talk.start, talk.participants[0]))
                words("span", f" {format_count(len(talk.lines), 'line')} ", "soft")
                link("read it", ways.talk(talk.id), "way")
    if bond.feelings:
        words("h3", "How it came to be")
        with box("ul", "moments"):
            for each in bond.feelings[-MOST:]:
                with box("li"):
                    link(ways.format_time(each.at), ways.town(each.at, each.who))
                    words("span", f" {each.who} towards {each.of}: ")
                    short("q", each.feeling, longest=200)
                    when = "now" if each.before else "at first"
                    turn = f"{when}, {TURNS[each.turn]}" if each.is_changed else "as before"
                    words("span", f" {turn} ", "soft")
                    link("why", ways.why(each.who, each.tick), "way")
                    if each.relationship != each.was:
                        short("p", each.relationship, "soft", longest=300)
