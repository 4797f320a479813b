"""Relations as a chart: people on a circle, with a line for every pair that talked."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from reports.relations import Bond
from viewer.charts.echarts import CARD, DRAWN, INK, TIP
from viewer.elements import sound

STROKES: Mapping[str, dict[str, Any]] = {
    "grows": {"color": "var(--good)", "type": "solid"},
    "cools": {"color": "var(--bad)", "type": [8, 5]},
    "unclear": {"color": "var(--soft)", "type": [2, 4]},
}
"""Line styles with both a colour and a dash pattern, so that neither is needed alone."""
THINNEST, THICKEST = 1.0, 9.0
MOST_PEOPLE = 80
"""Maximum number of people in the chart; the table lists all."""


def relation_options(people: Sequence[str], bonds: Sequence[Bond], who: str) -> dict[str, Any]:
    """Return the chart options for people and their bonds; the chosen person is highlighted."""
    shown = choose_drawn_people(people, bonds)
    most = max((len(bond.talks) for bond in bonds), default=1) or 1
    talks = {name: sum(len(b.talks) for b in bonds if name in b.pair) for name in people}
    return {
        **DRAWN,
        "tooltip": {**TIP, "trigger": "item"},
        "series": [
            {
                "type": "graph",
                "layout": "circular",
                "circular": {"rotateLabel": True},
                "left": "27%",
                "right": "27%",
                "top": 110,
                "bottom": 110,
                "animation": False,
                "roam": False,
                "emphasis": {"focus": "adjacency", "lineStyle": {"opacity": 1}},
                "label": {"show": True, "color": INK, "fontSize": 12},
                "data": [_person(name, talks, is_chosen=name == who) for name in shown],
                "links": [_line(bond, most, who) for bond in bonds if set(bond.pair) <= set(shown)],
            }
        ],
    }


def choose_drawn_people(people: Sequence[str], bonds: Sequence[Bond]) -> list[str]:
    """Return the people in the chart: all, or the most talkative when there are too many."""
    if len(people) <= MOST_PEOPLE:
        return list(people)
    talks = {name: sum(len(b.talks) for b in bonds if name in b.pair) for name in people}
    most = sorted(people, key=lambda name: -talks[name])[:MOST_PEOPLE]
    return [name for name in people if name in most]


def pair_of(data: Any) -> tuple[str, str] | None:
    """Return the pair of a clicked line; None when a person was clicked."""
    pair = data.get("pair") if isinstance(data, dict) else None
    if isinstance(pair, list) and len(pair) == 2:
        return (str(pair[0]), str(pair[1]))
    return None


def _person(name: str, talks: Mapping[str, int], *, is_chosen: bool) -> dict[str, Any]:
    return {
        "name": sound(name),
        "value": talks[name],
        "symbolSize": 8 + min(14, 2 * math.sqrt(talks[name])),
        "itemStyle": {
            "color": "var(--accent)" if is_chosen else CARD,
            "borderColor": "var(--accent)",
            "borderWidth": 2,
        },
        "label": {
            "width": 130,
            "overflow": "truncate",
            "fontWeight": 700 if is_chosen else 400,
        },
    }


def _line(bond: Bond, most: int, who: str) -> dict[str, Any]:
    share = len(bond.talks) / most
    faded = bool(who) and who not in bond.pair
    return {
        "source": sound(bond.pair[0]),
        "target": sound(bond.pair[1]),
        "pair": [sound(name) for name in bond.pair],
        "value": len(bond.talks),
        "lineStyle": {
            **STROKES[bond.turn or "unclear"],
            "width": round(THINNEST + (THICKEST - THINNEST) * share, 1),
            "opacity": 0.08 if faded else 0.65,
            "curveness": 0.2,
        },
    }
