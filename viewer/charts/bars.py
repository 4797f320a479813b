"""Options for stacked bar and column charts, with labels, colours and patterns."""

from collections.abc import Mapping, Sequence
from typing import Any

from viewer.charts.ink import DRAWN, INK, LINE, SOFT, TIP, shade
from viewer.why.elements import sound

LONGEST_NAME = 30
Numbers = Mapping[Any, Sequence[float]]
"""Values by name of the series."""


def bars(names: Sequence[str], series: Numbers, most: float | None = None) -> dict[str, Any]:
    """Return horizontal bars, one for each name, from top to bottom."""
    return {
        **_common(series),
        "grid": {"left": 8, "right": 40, "top": 44, "bottom": 8, "containLabel": True},
        "xAxis": {**_values(), "max": most},
        "yAxis": {
            "type": "category",
            "inverse": True,
            "data": [sound(name) for name in names],
            "axisLabel": {"color": INK, "width": 170, "overflow": "truncate", "interval": 0},
            "axisLine": {"lineStyle": {"color": LINE}},
            "axisTick": {"show": False},
        },
        "series": _series(series),
    }


def columns(names: Sequence[str], series: Numbers) -> dict[str, Any]:
    """Return vertical columns, one for each name, from left to right."""
    return {
        **_common(series),
        "grid": {"left": 8, "right": 16, "top": 44, "bottom": 8, "containLabel": True},
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
            "textStyle": {"color": INK},
            "itemWidth": 22,
            "itemHeight": 13,
            "inactiveColor": SOFT,
        },
    }


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
            "itemStyle": {**shade(number), "borderColor": "var(--card)", "borderWidth": 0.5},
            "emphasis": {"disabled": True},
        }
        for number, (name, values) in enumerate(series.items())
    ]
