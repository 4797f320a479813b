"""The page about relations: a chart, a table and a panel that follow a slider over the hours."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from nicegui import events, ui

from agents.wording import format_count
from reports.relations import TURNS, Bond, Feeling, Relations, relations
from viewer.elements import box, link, nothing, set_attributes, short, words
from viewer.frame import frame
from viewer.house import AppRuns
from viewer.story.relation_graph import pair_of, relation_options
from viewer.story.run_links import SECONDS, RunLinks, moment_key, moment_of, read
from viewer.styles import style

HOUR = 3600
MOST = 40
"""Maximum number of talks and changes listed, the latest ones."""


def add(house: AppRuns) -> None:
    """Add `/run/NAME/relations`."""

    @ui.page("/run/{run}/relations", response_timeout=SECONDS)
    async def relations_page(run: str, at: str = "", who: str = "") -> None:
        ways, known = await read(house, run, lambda opened: relations(opened.reader, opened.tick))
        style("story", "tables", "relations")
        with frame("Who is close to whom", ways.run, "People"):
            if ways.tick < 0:
                nothing("Nobody has met yet: the run has not lived a moment.")
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
    """The content of one open page, and the current selection."""

    ways: RunLinks
    known: Relations
    at: int
    who: str = ""
    pair: tuple[str, str] | None = None
    _parts: dict[str, ui.element] = field(default_factory=dict)

    def draw(self) -> None:
        """Fill the page."""
        self._slider()
        with box("div", "relations"):
            with box("div", "relations-picture"):
                bonds = self.known.bonds(self.at)
                options = relation_options(self.known.people, bonds, self.who)
                chart = ui.echart(options, on_point_click=self._clicked, renderer="svg")
                chart.classes("relations-graph")
                set_attributes(
                    chart,
                    role="img",
                    aria_label="People and their talks; the table below says the same",
                )
                self._parts["chart"] = chart
                _legend()
            self._parts["panel"] = set_attributes(
                box("section", "card relations-panel"), aria_live="polite", aria_label="Chosen"
            )
        words("h2", "The same as a table")
        self._parts["table"] = box("div", "scrolls")
        set_attributes(self._parts["table"], tabindex="0", role="region", aria_label="Pairs")
        self._update_parts()

    def _slider(self) -> None:
        """Add the slider over the hours; the browser keeps its position (`^`: set only once)."""
        with box("div", "relations-time"):
            set_attributes(words("label", "Up to", "relations-label"), for_="until")
            last = -(-self.ways.at // HOUR)
            slider = set_attributes(box("input"), id="until", type="range", min=0, max=last, step=1)
            set_attributes(slider, **{"^value": -(-self.at // HOUR)})
            slider.on(
                "input",
                self._move_time,
                js_handler="(event) => emit(Number(event.target.value))",
                throttle=0.15,
            )
            with set_attributes(box("output"), for_="until"):
                self._parts["when"] = words("span", self.ways.format_time(self.at))

    def _move_time(self, event: events.GenericEventArguments) -> None:
        hour = event.args if isinstance(event.args, int) else 0
        self.at = max(0, min(hour * HOUR, self.ways.at))
        address = self.ways.page("relations", at=moment_key(self.at), who=self.who)
        ui.navigate.history.replace(address)
        self._update_parts()

    def _clicked(self, event: events.EChartPointClickEventArguments) -> None:
        pair = pair_of(event.data)
        if pair is not None:
            self._choose(pair=pair)
        elif event.name in self.known.people:
            self._choose(who=event.name)

    def _choose(self, who: str = "", pair: tuple[str, str] | None = None) -> None:
        self.who, self.pair = who, pair
        self._update_parts()

    def _update_parts(self) -> None:
        """Update all parts to the current time and selection."""
        bonds = self.known.bonds(self.at)
        shown: Any = self._parts["when"]
        shown.set_text(self.ways.format_time(self.at))
        chart: Any = self._parts["chart"]
        chart.options.clear()
        chart.options.update(relation_options(self.known.people, bonds, self.who))
        chart.update()
        self._panel(bonds)
        self._table(bonds)

    def _panel(self, bonds: list[Bond]) -> None:
        self._parts["panel"].clear()
        with self._parts["panel"]:
            chosen = [bond for bond in bonds if bond.pair == self.pair]
            if chosen:
                _bond_panel(self.ways, chosen[0])
            elif self.who:
                _person_panel(self.ways, self.who, bonds, lambda pair: self._choose(pair=pair))
            else:
                words("p", "Choose a person or a line in the picture, or a pair in the table.")

    def _table(self, bonds: list[Bond]) -> None:
        where = self._parts["table"]
        where.clear()
        with where, box("table", "figures"):
            words(
                "caption",
                f"{format_count(len(bonds), 'pair')} up to {self.ways.format_time(self.at)}",
            )
            with box("thead"), box("tr"):
                for title in ("Pair", "Talks", "Feelings", "Last known turn"):
                    set_attributes(words("th", title), scope="col")
            with box("tbody"):
                for bond in bonds:
                    self._row(bond)

    def _row(self, bond: Bond) -> None:
        with box("tr"):
            with set_attributes(box("th"), scope="row"):
                choose = words("button", f"{bond.pair[0]} and {bond.pair[1]}", "plain-button")
                set_attributes(choose, type="button")
                choose.on("click", lambda _, pair=bond.pair: self._choose(pair=pair))
            words("td", str(len(bond.talks)), "number")
            with box("td"):
                for who in bond.pair:
                    last = bond.last(who)
                    if last is not None:
                        words("div", f"{who}: {last.feeling[:160]}")
            words("td", TURNS[bond.turn] if bond.turn else "not known")


def _legend() -> None:
    """Add the legend of the lines, with their dashes."""
    with box("ul", "relations-legend"):
        for kind, text in (
            ("grows", "last known turn: warmer"),
            ("cools", "last known turn: cooler"),
            ("unclear", "not known"),
        ):
            with box("li", f"is-{kind}"):
                set_attributes(words("span", "", "relations-stroke"), aria_hidden="true")
                words("span", text)
        words("li", "The thicker the line, the more talks.")


def _bond_panel(ways: RunLinks, bond: Bond) -> None:
    """Add the talks and feelings of two people."""
    words("h2", f"{bond.pair[0]} and {bond.pair[1]}")
    words("h3", format_count(len(bond.talks), "talk"))
    with box("ul", "moments"):
        for talk in bond.talks[-MOST:]:
            with box("li"):
                link(ways.format_time(talk.start), ways.town(talk.start, talk.participants[0]))
                words("span", f" {format_count(len(talk.lines), 'line')} ", "soft")
                link("read it", ways.talk(talk.id), "way")
    if bond.feelings:
        words("h3", "Feelings")
        with box("ul", "moments"):
            for each in bond.feelings[-MOST:]:
                _feeling(ways, each)


def _person_panel(
    ways: RunLinks, who: str, bonds: Sequence[Bond], choose: Callable[[tuple[str, str]], None]
) -> None:
    """Add the people that somebody talked with, most frequent first."""
    mine = [bond for bond in bonds if who in bond.pair]
    words("h2", who)
    if not mine:
        words("p", "Has talked with nobody so far.", "soft")
    with box("ul", "moments"):
        for bond in mine:
            other = bond.pair[0] if bond.pair[1] == who else bond.pair[1]
            with box("li"):
                made = set_attributes(words("button", other, "plain-button"), type="button")
                made.on("click", lambda _, pair=bond.pair: choose(pair))
                words("span", f" {format_count(len(bond.talks), 'talk')}", "soft")
                last = bond.last(who)
                if last is not None:
                    short("blockquote", last.feeling, longest=200)


def _feeling(ways: RunLinks, each: Feeling) -> None:
    with box("li"):
        link(ways.format_time(each.at), ways.town(each.at, each.who))
        words("span", f" {each.who}: ", "")
        short("q", each.feeling, longest=200)
        told = TURNS[each.turn]
        if each.is_first or each.is_changed:
            words("span", f" {'at first' if each.is_first else 'now'}, {told} ", "soft")
        else:
            words("span", " as before ", "soft")
        link("why", ways.why(each.who, each.tick), "way")
        if each.relationship != each.was:
            short("p", each.relationship, "soft", longest=300)
