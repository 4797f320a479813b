"""Two charts of relations: all people on a circle, and how close two people felt over the days.

On the circle, each pair with a relation has a line. Its thickness shows closeness, or the number
of talks in runs that do not count closeness.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from smolville.agents.times import DAY_SECONDS
from smolville.reports.relations import Relationship
from smolville.viewer.charts.echarts import DRAWN, INK, SOFT, TIP
from smolville.viewer.elements import sound
from smolville.viewer.playback.people import coat_of

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
"""Pixels around the circle for the names, which stand outside of it."""
MANY = 40
"""Number of lines from which on lines are half as thick, and weak ones paler than strong ones."""
MOST_PEOPLE = 80
"""Maximum number of people in the chart, those who talk most; the table lists all."""


def circle(
    nodes: Sequence[dict[str, Any]], links: Sequence[dict[str, Any]], **more: Any
) -> dict[str, Any]:
    """Return the options of a chart with names on a circle and lines between them.

    A long name continues in a second line. On narrow screens, names are smaller.
    """
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
        "links": links,
    }
    phone = {"series": [{**dict.fromkeys(SIDES, 88), "label": narrow}]}
    return {
        **DRAWN,
        "media": [{"query": {"maxWidth": 480}, "option": phone}],
        "tooltip": {**TIP, "trigger": "item"},
        "series": [{**series, **more}],
    }


def relation_options(
    people: Sequence[str], bonds: Sequence[Relationship], who: str
) -> dict[str, Any]:
    """Return the chart options for people and their bonds.

    If a person is chosen, everybody without a relation to that person is faded.
    """
    talks = {name: sum(len(b.talks) for b in bonds if name in b.pair) for name in people}
    shown = set(sorted(people, key=lambda name: -talks[name])[:MOST_PEOPLE])
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
    return circle(
        [node for name, node in zip(people, nodes, strict=True) if name in shown],
        _lines([bond for bond in bonds if set(bond.pair) <= shown], who),
        emphasis={"focus": "adjacency", "lineStyle": {"opacity": 1}},
    )


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


def course_options(bond: Relationship, coats: Mapping[str, str]) -> dict[str, Any]:
    """Return the chart options for how close two people felt to each other, over the days."""
    axis = {"type": "value", "axisLabel": {"color": INK}}
    return {
        **DRAWN,
        "tooltip": {**TIP, "trigger": "axis"},
        "grid": {"left": 36, "right": 12, "top": 28, "bottom": 24},
        "legend": {"top": 0, "itemGap": 22, "textStyle": {"color": INK}},
        "xAxis": {**axis, "name": "day", "min": 1},
        "yAxis": {**axis, "min": 0, "max": 1},
        "series": [
            {
                "name": sound(who),
                "type": "line",
                "step": "end",
                "color": coats.get(who, INK),
                "lineStyle": {"type": "solid" if who == bond.pair[0] else "dashed"},
                "data": [[round(1 + at / DAY_SECONDS, 3), value] for at, value in bond.course(who)],
            }
            for who in bond.pair
        ],
    }
