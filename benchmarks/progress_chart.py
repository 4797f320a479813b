"""Draws how far everybody in a town has got over the model's time, one panel for each schedule."""

import asyncio
from collections.abc import Mapping, Sequence
from html import escape

from smolville.agents.times import clock, minute_of
from smolville.history.observers import RunObserver
from smolville.history.records import CommitBatch

WIDTH, HEIGHT, TOP, LEFT, BOTTOM = 1080, 380, 44, 60, 46
"""Sizes in pixels: width and height of the picture, then its margins."""
GAP = 16
"""Pixels between two panels."""
COLOURS = ("#2a6f97", "#b5651d", "#5a7d2a", "#8b3a62", "#4b4e9b", "#a1851f", "#2f7f79", "#9b3d3d")
"""Colours dark enough for thin lines on white; people are assigned them in turn."""
FADED, INK, GRID = "#6b7280", "#1f2937", "#e5e7eb"

Point = tuple[float, int]
"""Seconds of the model since the beginning, and the town second that somebody has reached."""


class Course(RunObserver):
    """Records at every commit how far its people have got."""

    def __init__(self) -> None:
        self.by_agent: dict[str, list[Point]] = {}

    def on_commit(self, batch: CommitBatch) -> None:
        """Record a commit."""
        now = asyncio.get_running_loop().time()
        for name in batch.agents:
            self.by_agent.setdefault(name, []).append((now, batch.at))


def draw_chart(title: str, courses: Mapping[str, Course], begin: int, until: int) -> str:
    """Return an SVG picture of several runs of the same hours, in the order given."""
    seconds = max(
        at for each in courses.values() for line in each.by_agent.values() for at, _ in line
    )
    width = (WIDTH - LEFT - GAP * len(courses)) / len(courses)
    body = [f'<text x="{LEFT}" y="20" fill="{INK}" font-size="15">{escape(title)}</text>']
    for number, (name, course) in enumerate(courses.items()):
        left = LEFT + number * (width + GAP)
        body += _panel(name, course, left, width, (begin, until), seconds)
    for at in range(begin, until + 1, _step(until - begin)):
        y = _y(at, begin, until) + 4
        body.append(_label(clock(minute_of(at)), LEFT - 8, y, "end"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="system-ui, sans-serif" role="img">\n<title>{escape(title)}</title>\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def _panel(
    name: str, course: Course, left: float, width: float, hours: tuple[int, int], seconds: float
) -> list[str]:
    """Return one schedule's lines, with its name and time above and the axis below."""
    begin, until = hours
    ended = max(at for line in course.by_agent.values() for at, _ in line)
    drawn = [_label(f"{name}: {ended:,.0f} s", left, TOP - 8, "start", INK)]
    for at in range(begin, until + 1, _step(until - begin)):
        y = _y(at, begin, until)
        drawn.append(f'<path d="M{left:.1f} {y:.1f}H{left + width:.1f}" stroke="{GRID}"/>')
    for mark in range(0, int(seconds) + 1, _step(int(seconds))):
        x = left + width * mark / seconds
        drawn.append(_label(f"{mark:,}", x, HEIGHT - BOTTOM + 16, "middle"))
    drawn.append(_label("seconds of the model", left + width / 2, HEIGHT - 8, "middle"))
    for number, line in enumerate(course.by_agent.values()):
        points = _points(line, left, width / seconds, hours)
        colour = COLOURS[number % len(COLOURS)]
        drawn.append(
            f'<path d="{points}" fill="none" stroke="{colour}" stroke-width="0.9" opacity="0.75"/>'
        )
    return drawn


def _points(line: Sequence[Point], left: float, scale: float, hours: tuple[int, int]) -> str:
    """Return somebody's progress as an SVG path: horizontal while they wait, then up."""
    begin, until = hours
    path = f"M{left:.1f} {_y(begin, begin, until):.1f}"
    for now, at in line:
        path += f"H{left + scale * now:.1f}V{_y(at, begin, until):.1f}"
    return path


def _y(at: int, begin: int, until: int) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (at - begin) / (until - begin)


def _label(text: str, x: float, y: float, anchor: str, colour: str = FADED) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-size="12">'
        f"{escape(text)}</text>"
    )


def _step(length: int) -> int:
    """Return a round distance between two marks, so that there are two to six marks."""
    rounds = (100, 200, 500, 1000, 2000, 3600, 5000, 7200, 10_000, 14_400, 20_000, 50_000)
    return next((each for each in rounds if length // each <= 4), 100_000)
