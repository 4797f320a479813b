"""The page about relations: a chart, a table and a panel, for an hour that a slider selects.

In the chart, all people are on a circle, and each pair with a relation has a line. Its thickness
shows closeness, or the number of talks in runs that do not count closeness.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nicegui import events, ui

from smolville.agents.wording import format_count, join_words
from smolville.reports.relations import MOODS, Relations, Relationship, relations
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import box, link, nothing, set_attributes, short, sound, words
from smolville.viewer.frame import frame, style
from smolville.viewer.playback.people import coat_of
from smolville.viewer.story.run_links import SECONDS, RunLinks, moment_key, moment_of, read

HOUR = 3600
INK = "var(--ink)"
SOFT = "var(--soft)"
TIP: dict[str, Any] = {
    "renderMode": "richText",
    "confine": True,
    "backgroundColor": "var(--card)",
    "borderColor": "var(--line)",
    "textStyle": {"color": INK},
}
MOST = 40
"""Maximum number of talks listed: the latest ones."""
STROKES: Mapping[str, dict[str, Any]] = {
    "warm": {"color": "var(--good)", "type": "solid"},
    "cool": {"color": "var(--bad)", "type": [8, 5]},
    "mixed": {"color": "var(--fair)", "type": [10, 4, 2, 4]},
    "unclear": {"color": "var(--soft)", "type": [2, 4]},
}
"""Line styles by mood.

Each has both a colour and a dash pattern, so that a reader needs only one of the two.
"""
SIDES = ("left", "right", "top", "bottom")
ROOM = 116
"""Pixels around a circle for the names, which stand outside of it."""
MANY = 40
"""Number of lines from which on lines are half as thick, and weak ones paler than strong ones."""


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
        if who is not None:
            self.who = who if who in self.known.people else ""
            place = f"document.getElementById({self._parts['focus'].html_id!r})"
            ui.run_javascript(f"{place}.value = {json.dumps(self.who)}")
        self.pair = pair
        # What was chosen is told above the table, wherever in it that was done.
        ui.run_javascript("document.querySelector('.relations-side').scrollTo(0, 0)")
        self._update()

    def _update(self, *, is_first: bool = False) -> None:
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
                _bond_panel(self.ways, chosen[0])
            elif self.who:
                words("h2", self.who)
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
                        mood = MOODS.get(bond.mood, "not told")
                        words("td", mood, f"mood is-{bond.mood}")


def _legend() -> None:
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


def _bond_panel(ways: RunLinks, bond: Relationship) -> None:
    words("h2", f"{bond.pair[0]} and {bond.pair[1]}")
    for who, other in (bond.pair, bond.pair[::-1]):
        if last := bond.lasts.get(who):
            short("p", f"{who} towards {other}: {last.feeling} ({last.relationship})", longest=600)
            link("why", ways.why(who, last.tick), "way")
    if bond.closeness is not None:
        close = [(who, last.closeness) for who, last in bond.lasts.items()]
        told = [f"{who} {value:.2f}" for who, value in close if value is not None]
        words("p", f"How close they feel, from 0 to 1: {join_words(told)}.", "soft")
    words("h3", format_count(len(bond.talks), "talk"))
    with box("ul", "moments"):
        for talk in bond.talks[-MOST:]:
            with box("li"):
                link(ways.format_time(talk.start), ways.town(talk.start, talk.participants[0]))
                words("span", f" {format_count(len(talk.lines), 'line')} ", "soft")
                link("read it", ways.talk(talk.id), "way")


def relation_options(
    people: Sequence[str], bonds: Sequence[Relationship], who: str
) -> dict[str, Any]:
    """Return the chart options for people and their bonds.

    If a person is chosen, everybody without a relation to that person is faded.
    """
    talks = {name: sum(len(b.talks) for b in bonds if name in b.pair) for name in people}
    near = {name for bond in bonds if who in bond.pair for name in bond.pair} | {who}
    nodes = []
    for number, name in enumerate(people):
        faded = {"opacity": 0.3} if who and name not in near else {}
        style = {
            "color": coat_of(number),
            "borderColor": INK if name == who else SOFT,
            "borderWidth": 3 if name == who else 1,
        }
        nodes.append(
            {
                "name": sound(name),
                "value": talks[name],
                "symbolSize": 10 + min(14, 2 * math.sqrt(talks[name])),
                "itemStyle": {**style, **faded},
                "label": {"fontWeight": 700 if name == who else 400, **faded},
            }
        )
    # A long name continues in a second line; on narrow screens, names are smaller.
    narrow = {"fontSize": 10, "lineHeight": 11, "width": 72}
    series = {
        "type": "graph",
        "layout": "circular",
        "circular": {"rotateLabel": True},
        **dict.fromkeys(SIDES, ROOM),
        "animation": False,
        "roam": False,
        "label": {
            "show": True,
            "color": INK,
            "fontSize": 12,
            "lineHeight": 13,
            "width": ROOM - 14,
            "overflow": "break",
        },
        "data": nodes,
        "links": _lines(bonds, who),
        "emphasis": {"focus": "adjacency", "lineStyle": {"opacity": 1}},
    }
    phone = {"series": [{**dict.fromkeys(SIDES, 88), "label": narrow}]}
    return {
        "animation": False,
        "textStyle": {"fontFamily": "inherit", "color": INK},
        "media": [{"query": {"maxWidth": 480}, "option": phone}],
        "tooltip": {**TIP, "trigger": "item"},
        "series": [series],
    }


def _lines(bonds: Sequence[Relationship], who: str) -> list[dict[str, Any]]:
    """Return a line for each pair; the strongest is last, so that it is drawn over the others."""
    most = max((len(bond.talks) for bond in bonds), default=1) or 1

    def share(bond: Relationship) -> float:
        return len(bond.talks) / most if bond.closeness is None else bond.closeness

    is_crowded = len(bonds) >= MANY
    lines = []
    for place, bond in enumerate(sorted(bonds, key=share)):
        opacity = 0.08 + 0.77 * (place / len(bonds)) ** 3 if is_crowded and not who else 0.7
        width = (1 + 8 * share(bond)) / (2 if is_crowded else 1)
        style = {
            **STROKES[bond.mood or "unclear"],
            "width": round(width, 1),
            "opacity": 0.05 if who and who not in bond.pair else round(opacity, 2),
            # Bent towards the middle of the circle, so that no line crosses a name outside of it.
            "curveness": 0.3,
        }
        one, other = (sound(name) for name in bond.pair)
        told = {"source": one, "target": other, "pair": [one, other], "value": len(bond.talks)}
        lines.append({**told, "lineStyle": style})
    return lines
