"""The end of a run: what it held, how its steps ended, and what to do next."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from agents.errors import SmolvilleError
from agents.times import long_text, moment
from cli.options import command
from cli.screen import console
from world.runs.counts import Counts
from world.runs.folder import RunFolder
from world.runs.reader import RunReader
from world.tally import Tally, tally
from world.town_folder import town_of

if TYPE_CHECKING:
    from rich.table import Table

HEADINGS = ("calls", "clean", "mended", "repaired", "escalated", "fallback", "tokens", "time")


def print_summary(runs: Path, folder: RunFolder, *, is_quiet: bool) -> None:
    """Print what a run holds so far."""
    with RunReader(folder) as reader:
        done = reader.watermark()
        goal = reader.goal()
        numbers = tally(reader)
    screen = console()
    at = 0 if done is None else (done + 1) * folder.spec.tick_seconds
    is_done = goal is not None and at >= goal.at
    screen.print(f"\n{folder.name}: {_where(folder, at)}. {held(numbers)}", style="bold")
    if numbers.total.steps and not is_quiet:
        screen.print(counts_table("step", numbers.of_steps, numbers.total))
        screen.print(counts_table("agent", numbers.of_agents, numbers.total))
    if done is not None:
        _print_next(runs, folder, is_done=is_done)


def held(numbers: Tally) -> str:
    """Return what a run held, as a sentence."""
    failed = f" ({numbers.failed} failed)" if numbers.failed else ""
    return (
        f"{numbers.actions} actions, {numbers.talks} talks of {numbers.lines} lines, "
        f"{numbers.memories} memories, {numbers.thoughts} thoughts{failed}."
    )


def counts_table(of: str, parts: Mapping[str, Counts], total: Counts) -> "Table":
    """Return a table of counts, the sum last; what did not occur is a dot."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold", show_footer=True)
    table.add_column(of, "all", footer_style="bold")
    for heading, cell in zip(HEADINGS, _cells(total), strict=True):
        style = "yellow" if heading == "fallback" and total.outcomes.get("fallback") else None
        table.add_column(heading, cell, justify="right", footer_style="bold", style=style)
    for name, part in parts.items():
        table.add_row(name, *_cells(part))
    return table


def _cells(counts: Counts) -> list[str]:
    ends = [counts.outcomes.get(outcome, 0) for outcome in ("clean", "mended", "repaired")]
    ends += [counts.outcomes.get("escalated", 0), counts.outcomes.get("fallback", 0)]
    tokens = counts.prompt_tokens + counts.completion_tokens
    numbers = [counts.calls, *ends]
    return [*(f"{n}" if n else "·" for n in numbers), _thousands(tokens), _time(counts)]


def _thousands(number: int) -> str:
    return f"{number / 1000:.1f}k" if number < 100_000 else f"{number / 1000:.0f}k"


def _time(counts: Counts) -> str:
    seconds = counts.milliseconds / 1000
    if seconds < 100:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def _where(folder: RunFolder, at: int) -> str:
    try:
        return f"lived up to {long_text(town_of(folder).start_date, at)}"
    except SmolvilleError:
        return f"lived up to {moment(at)}"


def _print_next(runs: Path, folder: RunFolder, *, is_done: bool) -> None:
    """Print what to do next."""
    from rich.table import Table

    more = ("--for", "1d") if is_done else ()
    rows = [
        ("read the day", command(runs, "timeline", folder.name)),
        ("look at somebody", command(runs, "show", folder.name, folder.spec.cast[0])),
        ("go on", command(runs, "run", folder.name, "--resume", *more)),
    ]
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim")
    grid.add_column(style="cyan", no_wrap=True)
    for row in rows:
        grid.add_row(*row)
    console().print(grid)
