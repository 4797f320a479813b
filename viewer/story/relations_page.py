"""The page about relations: a chart, a table and a panel, up to a moment.

In the chart, all people are on a circle, and each pair with a relation has a line. Its thickness
shows closeness, or the number of talks in runs that do not count closeness.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nicegui import events, ui

from smolville.agents.wording import format_count, join_words
from smolville.reports.relations import MOODS, Relations, Relationship, relations
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import (
    box,
    choice,
    form,
    link,
    nothing,
    send,
    set_attributes,
    short,
    sound,
    words,
)
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
    async def relations_page(run: str, at: str = "", who: str = "", other: str = "") -> None:
        ways, known = await read(config, run, lambda opened: relations(opened.reader, opened.tick))
        style("story", "relations")
        with frame("Who is close to whom", ways.run, "People"):
            if ways.tick < 0:
                nothing("Nobody has met yet: the run has not started.")
            elif not known.talks and not known.feelings:
                nothing(f"Nobody has talked with anybody up to {ways.format_time(ways.at)}.")
            else:
                wanted = moment_of(at)
                until = ways.at if wanted is None else min(wanted, ways.at)
                _page(ways, known, until, who if who in known.people else "", other)


def _page(ways: RunLinks, known: Relations, at: int, who: str, other: str) -> None:
    def page(who: str, other: str = "") -> str:
        return ways.page("relations", at=moment_key(at), who=who, other=other)

    def clicked(event: events.EChartPointClickEventArguments) -> None:
        pair = event.data.get("pair") if isinstance(event.data, dict) else None
        if isinstance(pair, list) and len(pair) == 2:
            ui.navigate.to(page(*map(str, pair)))
        elif event.name in known.people:
            ui.navigate.to(page("" if event.name == who else str(event.name)))

    bonds = known.bonds(at)
    hours = sorted({*range(0, ways.at, HOUR), at, ways.at})
    moments = {moment_key(hour): ways.format_time(hour) for hour in hours}
    with form(ways.page("relations"), "Choose whose relations are shown, and when"):
        people = {"": "Everybody's"} | {name: name for name in known.people}
        choice("who", "Whose relations", people, who)
        choice("at", "Up to", moments, moment_key(at))
        send("Show")
    with box("div", "relations"):
        with box("div", "relations-picture"):
            options = relation_options(known.people, bonds, who)
            chart = ui.echart(options, on_point_click=clicked, renderer="svg")
            told = "People and their talks; the table beside it says the same"
            set_attributes(chart.classes("relations-graph"), role="img", aria_label=told)
            _legend()
        with box("div", "card relations-side"):
            with box("section", "relations-panel", aria_label="Chosen"):
                chosen = [bond for bond in bonds if other and set(bond.pair) == {who, other}]
                if chosen:
                    _bond_panel(ways, chosen[0])
                elif who:
                    words("h2", who)
                    link("Who and what they know", ways.page("knowledge", who=who), "way")
                else:
                    words("p", "Choose a person or a line in the picture, or a pair in the table.")
            shown = [bond for bond in bonds if not who or who in bond.pair]
            with box("div", "scrolls", tabindex="0", role="region", aria_label="Pairs"):
                _table(shown, ways.format_time(at), page, {who, other})


def _table(
    bonds: Sequence[Relationship], until: str, page: Callable[[str, str], str], chosen: set[str]
) -> None:
    with box("table", "figures"):
        words("caption", f"{format_count(len(bonds), 'pair')} up to {until}")
        with box("thead"), box("tr"):
            for title in ("Pair", "Talks", "Close", "Feeling"):
                words("th", title, scope="col")
        with box("tbody"):
            for bond in bonds:
                with box("tr", "is-chosen" if set(bond.pair) == chosen else ""):
                    one, other = sorted(bond.pair, key=lambda name: name not in chosen)
                    with box("th", scope="row"):
                        link(f"{one} and {other}", page(one, other))
                    words("td", str(len(bond.talks)), "number")
                    close = "" if bond.closeness is None else f"{bond.closeness:.2f}"
                    words("td", close, "number")
                    words("td", MOODS.get(bond.mood, "not told"), f"mood is-{bond.mood}")


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
