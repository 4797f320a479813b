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
ROOM = 116
"""Pixels around the circle for the names, which stand outside of it."""
CIRCLE: Mapping[str, Any] = {
    "type": "graph",
    "layout": "circular",
    "circular": {"rotateLabel": True},
    **dict.fromkeys(("left", "right", "top", "bottom"), ROOM),
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
}
"""A series of names on a circle; a long name continues in a second line."""
ON_A_PHONE: Mapping[str, Any] = {
    "query": {"maxWidth": 480},
    "option": {
        "series": [
            {
                **dict.fromkeys(("left", "right", "top", "bottom"), 88),
                "label": {"fontSize": 10, "lineHeight": 11, "width": 72},
            }
        ]
    },
}
"""Options for narrow screens: smaller names and a larger circle, so that the names do not overlap.
"""
THINNEST, THICKEST = 1.0, 9.0
FIRM = 0.7
"""Opacity of a line if there are few lines."""
MANY = 40
"""Number of lines from which on lines are half as thick, and weaker lines are paler than stronger
ones.
"""
FAINT, STRONG = 0.08, 0.85
"""Opacity of the weakest and of the strongest line if there are many lines."""
FADED = 0.3
"""Opacity of people who are not related to the chosen person."""
MOST_PEOPLE = 80
"""Maximum number of people in the chart; the table lists all."""


def relation_options(
    people: Sequence[str], bonds: Sequence[Relationship], who: str
) -> dict[str, Any]:
    """Return the chart options for people and their bonds.

    If a person is chosen, everybody without a relation to that person is faded.
    """
    shown = choose_drawn_people(people, bonds)
    talks = {name: sum(len(b.talks) for b in bonds if name in b.pair) for name in people}
    near = {name for bond in bonds if who in bond.pair for name in bond.pair} | {who}
    is_near = {name: not who or name in near for name in people}
    coats = {name: coat_of(number) for number, name in enumerate(people)}
    return {
        **DRAWN,
        "media": [ON_A_PHONE],
        "tooltip": {**TIP, "trigger": "item"},
        "series": [
            {
                **CIRCLE,
                "emphasis": {"focus": "adjacency", "lineStyle": {"opacity": 1}},
                "data": [
                    _person(name, talks[name], coats[name], is_chosen=name == who)
                    if is_near[name]
                    else _fade(_person(name, talks[name], coats[name]))
                    for name in shown
                ],
                "links": _lines([bond for bond in bonds if set(bond.pair) <= set(shown)], who),
            }
        ],
    }


def course_options(bond: Relationship, coats: Mapping[str, str]) -> dict[str, Any]:
    """Return the chart options for how close two people felt to each other, over the days."""
    return {
        **DRAWN,
        "tooltip": {**TIP, "trigger": "axis"},
        "grid": {"left": 36, "right": 12, "top": 28, "bottom": 24},
        "legend": {"top": 0, "itemGap": 22, "textStyle": {"color": INK}},
        "xAxis": {"type": "value", "name": "day", "min": 1, "axisLabel": {"color": INK}},
        "yAxis": {"type": "value", "min": 0, "max": 1, "axisLabel": {"color": INK}},
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


def choose_drawn_people(people: Sequence[str], bonds: Sequence[Relationship]) -> list[str]:
    """Return the people in the chart: all, or those who talk most if there are too many."""
    if len(people) <= MOST_PEOPLE:
        return list(people)
    talks = {name: sum(len(b.talks) for b in bonds if name in b.pair) for name in people}
    most = sorted(people, key=lambda name: -talks[name])[:MOST_PEOPLE]
    return [name for name in people if name in most]


def pair_of(data: Any) -> tuple[str, str] | None:
    """Return the pair of people of a clicked line; None if a person was clicked."""
    pair = data.get("pair") if isinstance(data, dict) else None
    if isinstance(pair, list) and len(pair) == 2:
        return (str(pair[0]), str(pair[1]))
    return None


def _person(name: str, talks: int, coat: str, *, is_chosen: bool = False) -> dict[str, Any]:
    return {
        "name": sound(name),
        "value": talks,
        "symbolSize": 10 + min(14, 2 * math.sqrt(talks)),
        "itemStyle": {
            "color": coat,
            "borderColor": INK if is_chosen else SOFT,
            "borderWidth": 3 if is_chosen else 1,
        },
        "label": {"fontWeight": 700 if is_chosen else 400},
    }


def _fade(person: dict[str, Any]) -> dict[str, Any]:
    """Return the node of a person who is not related to the chosen person."""
    faded = {"opacity": FADED}
    return {
        **person,
        "itemStyle": {**person["itemStyle"], **faded},
        "label": {**person["label"], **faded},
    }


def _lines(bonds: Sequence[Relationship], who: str) -> list[dict[str, Any]]:
    """Return a line for each pair; the strongest is last, so that it is drawn over the others."""
    most = max((len(bond.talks) for bond in bonds), default=1) or 1

    def share(bond: Relationship) -> float:
        return len(bond.talks) / most if bond.closeness is None else bond.closeness

    ranked = sorted(bonds, key=share)
    is_crowded = len(bonds) >= MANY
    lines = []
    for place, bond in enumerate(ranked):
        strength = (place / len(ranked)) ** 3
        opacity = FAINT + (STRONG - FAINT) * strength if is_crowded and not who else FIRM
        lines.append(
            _line(
                bond,
                width=(THINNEST + (THICKEST - THINNEST) * share(bond)) / (2 if is_crowded else 1),
                opacity=0.05 if who and who not in bond.pair else opacity,
            )
        )
    return lines


def _line(bond: Relationship, *, width: float, opacity: float) -> dict[str, Any]:
    return {
        "source": sound(bond.pair[0]),
        "target": sound(bond.pair[1]),
        "pair": [sound(name) for name in bond.pair],
        "value": len(bond.talks),
        "lineStyle": {
            **STROKES[bond.mood or "unclear"],
            "width": round(width, 1),
            "opacity": round(opacity, 2),
            # Bent towards the middle of the circle, so that no line crosses a name outside of it.
            "curveness": 0.3,
        },
    }
