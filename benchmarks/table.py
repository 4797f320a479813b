"""The output format of all benchmarks: tables for people, then a line of JSON for programs."""

import json
import platform
from collections.abc import Mapping, Sequence

Cell = str | float | int | None


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    """Print rows below their title; the first column is left-aligned, the others right-aligned."""
    shown = [list(columns), *([_shown(cell) for cell in row] for row in rows)]
    widths = [max(len(row[place]) for row in shown) for place in range(len(columns))]
    print(f"\n{title}")
    for number, row in enumerate(shown):
        print("  ".join(_aligned(place, cell, widths[place]) for place, cell in enumerate(row)))
        if number == 0:
            print("  ".join("-" * width for width in widths))


def print_figures(figures: Mapping[str, object]) -> None:
    """Print the figures as one line of JSON, which is the last output of a benchmark."""
    print()
    print(json.dumps(figures))


def machine() -> str:
    """Return the machine on which the figures were taken, as far as the system reports it."""
    return f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}"


def _shown(cell: Cell) -> str:
    """Return a cell's text with as many digits as are meaningful; a dot for no value."""
    if cell is None:
        return "·"
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int) or abs(cell) >= 100:
        return f"{cell:,.0f}"
    return f"{cell:.1f}" if abs(cell) >= 10 else f"{cell:.2f}"


def _aligned(place: int, cell: str, width: int) -> str:
    """Return a cell padded to the width of its column."""
    return cell.ljust(width) if place == 0 else cell.rjust(width)
