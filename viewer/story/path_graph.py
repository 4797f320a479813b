"""The path of a piece of news as a tree of who told whom."""

from typing import Any

from agents.times import clock, minute_of
from reports.news import HeardNews, NewsPath
from viewer.charts.ink import DRAWN, INK, SOFT, TIP
from viewer.why.elements import sound

SIGNS = {"told": "circle", "talk": "circle", "seen": "diamond", "untraced": "triangle"}
"""Shapes for how somebody came to know, so that it is not shown by colour alone."""
LONGEST_NAME = 28
LETTER = 7
"""Approximate width of a letter in pixels."""


def path_options(path: NewsPath) -> dict[str, Any]:
    """Return a path as chart options, with the first to know on the left."""
    roots = [_node(path, each) for each in path.origins]
    single = len(roots) == 1
    data = roots[0] if single else {"name": "the news", "children": roots}
    return {
        **DRAWN,
        "tooltip": {**TIP, "trigger": "item"},
        "series": [
            {
                "type": "tree",
                "data": [data],
                "left": 16 + LETTER * len(str(data["name"])) // 2,
                "right": 150,
                "top": 8,
                "bottom": 8,
                "symbolSize": 9,
                "roam": False,
                "initialTreeDepth": -1,
                "expandAndCollapse": False,
                "animation": False,
                "lineStyle": {"color": SOFT, "width": 1.2, "opacity": 0.6},
                "label": {"position": "top", "color": INK, "fontSize": 12},
                "leaves": {"label": {"position": "right", "align": "left"}},
            }
        ],
    }


def _node(path: NewsPath, each: HeardNews) -> dict[str, Any]:
    name = sound(each.name[:LONGEST_NAME])
    return {
        "name": f"{name}  {clock(minute_of(each.at))}",
        "symbol": SIGNS.get(each.how, "rect"),
        "itemStyle": {"color": SOFT, "borderColor": INK},
        "children": [_node(path, other) for other in path.told_by(each.name)],
    }
