"""Settings shared by all charts: colours that follow the page's theme, plain text, no animation.

Charts are drawn as SVG, so that their colours can be the page's own CSS variables and follow its
night theme. Tooltips are drawn as text inside the picture (`richText`), never as markup.
"""

from typing import Any

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
"""Colours that are distinguishable with colour-blindness (Okabe and Ito), used together with
patterns and names."""
PATTERNS: tuple[dict[str, Any] | None, ...] = (
    None,
    {"symbol": "rect", "dashArrayX": [1, 0], "dashArrayY": [2, 4], "rotation": 0.8},
    {"symbol": "circle", "dashArrayX": [[6, 6], [0, 6, 6, 0]], "dashArrayY": [5, 0]},
    {"symbol": "rect", "dashArrayX": [1, 0], "dashArrayY": [3, 3], "rotation": -0.8},
    {"symbol": "rect", "dashArrayX": [[4, 4], [0, 4, 4, 0]], "dashArrayY": [4, 4]},
)
"""A pattern for each colour; the first has none."""


def shade(number: int) -> dict[str, Any]:
    """Return the colour and pattern of the n-th series."""
    style: dict[str, Any] = {"color": SHADES[number % len(SHADES)]}
    pattern = PATTERNS[number % len(PATTERNS)]
    if pattern is not None:
        style["decal"] = {**pattern, "color": "rgba(0, 0, 0, 0.35)", "symbolSize": 0.8}
    return style
