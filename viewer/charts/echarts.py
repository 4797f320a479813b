"""Charts as options for ECharts: colours that follow the page's theme, plain text, no animation.

Charts are drawn as SVG, so that their colours can be the page's own CSS variables and follow its
night theme. Tooltips are drawn as text inside the picture (`richText`), never as markup.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from smolville.viewer.elements import sound

Row = tuple[str, ...]
INK = "var(--ink)"
SOFT = "var(--soft)"
LINE = "var(--line)"
CARD = "var(--card)"
TIP: dict[str, Any] = {
    "renderMode": "richText",
    "confine": True,
    "backgroundColor": CARD,
    "borderColor": LINE,
    "textStyle": {"color": INK},
}
DRAWN: dict[str, Any] = {
    "animation": False,
    "textStyle": {"fontFamily": "inherit", "color": INK},
}
"""Options that every chart starts with."""
SHADES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00")
"""Colours that colour-blind people can tell apart (Okabe and Ito).

They are used together with patterns and names.
"""
PATTERNS: tuple[dict[str, Any] | None, ...] = (
    None,
    {"symbol": "rect", "dashArrayX": [1, 0], "dashArrayY": [2, 4], "rotation": 0.8},
    {"symbol": "circle", "dashArrayX": [[6, 6], [0, 6, 6, 0]], "dashArrayY": [5, 0]},
    {"symbol": "rect", "dashArrayX": [1, 0], "dashArrayY": [3, 3], "rotation": -0.8},
    {"symbol": "rect", "dashArrayX": [[4, 4], [0, 4, 4, 0]], "dashArrayY": [4, 4]},
)
"""A pattern for each colour; the first has none."""
NAME_WIDTH = 170
"""Pixels for the names of bars; a longer name continues in a second line."""
LONGEST_NAME = 30
Numbers = Mapping[Any, Sequence[float]]
"""Values by the name of their series."""


@dataclass(frozen=True, kw_only=True)
class ChartData:
    """One figure, with its table and its optional chart."""

    key: str
    title: str
    note: str
    head: Row
    rows: Sequence[Row]
    options: dict[str, Any] | None
    """Options of the chart; None if a table is better."""
    height: int = 0
    """Height of the chart in pixels."""
    commands: Sequence[str] = ()
    """Commands for a terminal that list the moments behind the figures."""


def _shade(number: int) -> dict[str, Any]:
    """Return the colour and pattern of the n-th series."""
    style: dict[str, Any] = {"color": SHADES[number % len(SHADES)]}
    pattern = PATTERNS[number % len(PATTERNS)]
    if pattern is not None:
        style["decal"] = {**pattern, "color": "rgba(0, 0, 0, 0.35)", "symbolSize": 0.8}
    return style


def bars(names: Sequence[str], series: Numbers) -> dict[str, Any]:
    """Return horizontal bars, one for each name, from top to bottom."""
    return {
        **_common(series),
        "grid": {"left": 16, "right": 40, "top": _top(series), "bottom": 8, "containLabel": True},
        "xAxis": _values(),
        "yAxis": {
            "type": "category",
            "inverse": True,
            "data": [sound(name) for name in names],
            "axisLabel": {
                "color": INK,
                "width": NAME_WIDTH,
                "overflow": "break",
                "fontSize": 11,
                "lineHeight": 13,
                "interval": 0,
            },
            "axisLine": {"lineStyle": {"color": LINE}},
            "axisTick": {"show": False},
        },
        "series": _series(series),
    }


def columns(names: Sequence[str], series: Numbers) -> dict[str, Any]:
    """Return vertical columns, one for each name, from left to right."""
    return {
        **_common(series),
        "grid": {"left": 8, "right": 16, "top": _top(series), "bottom": 8, "containLabel": True},
        "xAxis": {
            "type": "category",
            "data": [sound(name) for name in names],
            "axisLabel": {"color": INK, "hideOverlap": True},
            "axisLine": {"lineStyle": {"color": LINE}},
            "axisTick": {"show": False},
        },
        "yAxis": _values(),
        "series": _series(series),
    }


def _common(series: Numbers) -> dict[str, Any]:
    return {
        **DRAWN,
        "tooltip": {**TIP, "trigger": "axis", "axisPointer": {"type": "none"}},
        "legend": {
            "show": len(series) > 1,
            "top": 4,
            "left": 0,
            "textStyle": {"color": INK, "fontSize": 11},
            "itemWidth": 13,
            "itemHeight": 12,
            "itemGap": 12,
            "inactiveColor": SOFT,
        },
    }


def _top(series: Numbers) -> int:
    """Return how many pixels to leave above the plot for the legend, which may wrap on a phone."""
    if len(series) <= 1:
        return 12
    return 40 if len(series) <= 3 else 54


def _values() -> dict[str, Any]:
    return {
        "type": "value",
        "minInterval": 1,
        "axisLabel": {"color": INK, "hideOverlap": True},
        "splitLine": {"lineStyle": {"color": LINE}},
    }


def _series(series: Numbers) -> list[dict[str, Any]]:
    return [
        {
            "name": sound(name),
            "type": "bar",
            "stack": "all",
            "animation": False,
            "barMaxWidth": 18,
            "data": list(values),
            "itemStyle": {**_shade(number), "borderColor": "var(--card)", "borderWidth": 0.5},
            "emphasis": {"disabled": True},
        }
        for number, (name, values) in enumerate(series.items())
    ]
