"""Draws figures: a chart, a table of the same numbers, and commands that list the moments."""

from collections.abc import Sequence
from typing import Any

from nicegui import ui

from viewer.charts.figure import ChartData
from viewer.charts.figures import sums
from viewer.charts.readings import Readings
from viewer.why.elements import box, folded, named, short, words


def figure_parts(figure: ChartData) -> dict[str, Any]:
    """Add a figure to the page, and return the elements that are updated later."""
    parts: dict[str, Any] = {}
    with named(box("section", "card figure"), aria_labelledby=f"figure-{figure.key}"):
        named(words("h2", figure.title), id=f"figure-{figure.key}")
        words("p", figure.note, "soft")
        if figure.options is not None:
            chart = ui.echart(figure.options, renderer="svg").style(f"height: {figure.height}px")
            named(chart, role="img", aria_label=f"{figure.title}; the table says the same")
            parts[f"{figure.key} chart"] = chart
        with folded("The same as a table") if figure.options is not None else box("div"):
            region = named(box("div", "scrolls"), tabindex="0", role="region")
            named(region, aria_label=f"{figure.title}, as a table")
            with region, box("table", "figures") as table:
                table_rows(figure)
            parts[f"{figure.key} table"] = table
        _commands(figure.commands)
    return parts


def table_rows(figure: ChartData) -> None:
    """Add the rows of a figure's table."""
    words("caption", figure.title, "unseen")
    with box("thead"), box("tr"):
        for title in figure.head:
            named(words("th", title), scope="col")
    with box("tbody"):
        for name, *cells in figure.rows:
            with box("tr"):
                named(short("th", name, longest=120), scope="row")
                for cell in cells:
                    short("td", cell, "number" if _is_number(cell) else "", longest=300)


def sum_rows(told: Readings) -> None:
    """Add the totals of the whole run."""
    for name, value in sums(told):
        with box("div"):
            words("dt", name)
            words("dd", value)


def shape(made: Sequence[ChartData]) -> tuple[str, ...]:
    """Return a key for the structure of the figures; while it is the same, only numbers change."""
    return tuple(f"{figure.key} {figure.options is not None}" for figure in made)


def _commands(lines: Sequence[str]) -> None:
    if not lines:
        return
    words("p", "In a terminal, these list the moments behind it:", "soft")
    with box("ul", "commands"):
        for line in lines:
            with box("li"):
                words("code", line)


def _is_number(cell: str) -> bool:
    return cell[:1].isdigit() or cell in ("-", "not told")
