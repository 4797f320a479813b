"""How every benchmark prints: tables for people, then one line of JSON for programs."""

import json
import platform
from collections.abc import Mapping, Sequence

Cell = str | float | int | None


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
    """Print rows under their title, the first column to the left, the others to the right."""
    shown = [list(columns), *([_shown(cell) for cell in row] for row in rows)]
    widths = [max(len(row[place]) for row in shown) for place in range(len(columns))]
    print(f"\n{title}")
    for number, row in enumerate(shown):
        print("  ".join(_aligned(place, cell, widths[place]) for place, cell in enumerate(row)))
        if number == 0:
            print("  ".join("-" * width for width in widths))


def print_figures(figures: Mapping[str, object]) -> None:
    """Print the figures as one line of JSON; the last thing a benchmark prints."""
    print()
    print(json.dumps(figures))


def machine() -> str:
    """Return what the figures were taken on, as far as the system says it."""
    return f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}"


def _shown(cell: Cell) -> str:
    """Return a cell's text: no more digits than mean something, and a dot for nothing."""
    if cell is None:
        return "·"
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int) or abs(cell) >= 100:
        return f"{cell:,.0f}"
    return f"{cell:.1f}" if abs(cell) >= 10 else f"{cell:.2f}"


def _aligned(place: int, cell: str, width: int) -> str:
    """Return a cell at its column's width."""
    return cell.ljust(width) if place == 0 else cell.rjust(width)
