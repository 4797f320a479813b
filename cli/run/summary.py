"""The end of a run: what it held, how its steps ended, and what to do next."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agents.errors import SmolvilleError
from agents.times import long_text, moment
from cli.options import command
from cli.screen import console, say, write
from world.records import ThoughtRow
from world.runs.counts import Counts
from world.runs.folder import RunFolder
from world.runs.reader import RunReader
from world.telling.tally import Tally, tally
from world.town.town_folder import town_of

if TYPE_CHECKING:
    from rich.table import Table

HEADINGS = ("calls", "clean", "mended", "repaired", "escalated", "fallback", "tokens", "time")
SHORT = ("calls", "clean", "mend", "rep.", "esc.", "fall", "tokens", "time")
"""The headings on a narrow screen."""
ROOMY = 100
"""Columns from which on every column has its place and its whole heading."""
LEAST_NAME = 10
"""Columns that are left to names on the narrowest screen."""
NONE = "·"


def print_summary(
    runs: Path, folder: RunFolder, *, is_quiet: bool, is_stopped: bool = False
) -> None:
    """Print what a run holds so far; how to go on is left out for one that says so itself."""
    with RunReader(folder) as reader:
        done = reader.watermark()
        goal = reader.goal()
        numbers = tally(reader)
    at = 0 if done is None else (done + 1) * folder.spec.tick_seconds
    more = ("--for", "1d") if goal is not None and at >= goal.at else ()
    say(f"{folder.name}: {_where(folder, at)}", "bold")
    say(held(numbers), "dim")
    if numbers.total.steps and not is_quiet:
        screen = console()
        # Rather broken by the terminal than cropped: half a number is a wrong one.
        screen.print(counts_table(numbers, screen.width), crop=False)
    if done is not None:
        _print_next(runs, folder, None if is_stopped else more)


def failures_told(failures: Sequence[ThoughtRow], folder: RunFolder) -> str:
    """Return how many thoughts failed, whose was the last and why, in a sentence."""
    last = max(failures, key=lambda row: row.tick)
    many = "1 thought" if len(failures) == 1 else f"{len(failures)} thoughts"
    why = last.failed.rstrip(".")
    return (
        f"{many} failed, the last of {last.agent} at {moment(last.at)}: {why}; "
        f"see run.log in {folder.path}."
    )


def held(numbers: Tally) -> str:
    """Return what a run held, as a sentence."""
    failed = f" ({numbers.failed} failed)" if numbers.failed else ""
    return (
        f"{numbers.actions} actions, {numbers.talks} talks of {numbers.lines} lines, "
        f"{numbers.memories} memories, {numbers.thoughts} thoughts{failed}."
    )


def counts_table(numbers: Tally, width: int = ROOMY) -> "Table":
    """Return the counts by step, by agent and in all; what did not occur is a dot.

    On a narrow screen endings that never occurred have no column.
    """
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    is_narrow = width < ROOMY
    total = numbers.total
    parts = [list(part.items()) for part in (numbers.of_steps, numbers.of_agents)]
    rows = [_cells(part) for group in parts for _, part in group] + [_cells(total)]
    # Gaps and names give way, numbers never do: their columns are as wide as they are.
    table = Table(
        box=SIMPLE_HEAD,
        pad_edge=False,
        header_style="bold",
        padding=(0, 1, 0, 0) if is_narrow else (0, 1),
    )
    table.add_column("step, agent", min_width=LEAST_NAME if is_narrow else 18, overflow="fold")
    kept = [place for place in range(len(HEADINGS)) if not is_narrow or _is_worth(place, rows)]
    for place in kept:
        heading = SHORT[place] if is_narrow else HEADINGS[place]
        widest = max(len(text) for text in (heading, *(row[place] for row in rows)))
        is_bad = HEADINGS[place] == "fallback" and total.outcomes.get("fallback")
        style = "yellow" if is_bad else None
        table.add_column(heading, justify="right", style=style, no_wrap=True, min_width=widest)
    room = width - sum((column.min_width or 0) + 2 for column in table.columns[1:]) - 3
    if room < LEAST_NAME:
        table.columns[0].width = LEAST_NAME
    for group in parts:
        for name, part in group:
            cells = _cells(part)
            table.add_row(name, *(cells[place] for place in kept))
        table.add_section()
    table.add_row("all", *(_cells(total)[place] for place in kept), style="bold")
    return table


def _is_worth(place: int, rows: list[list[str]]) -> bool:
    """Return False for an ending, other than clean, that never occurred."""
    return not 2 <= place <= 5 or any(row[place] != NONE for row in rows)


def _cells(counts: Counts) -> list[str]:
    ends = [counts.outcomes.get(outcome, 0) for outcome in ("clean", "mended", "repaired")]
    ends += [counts.outcomes.get("escalated", 0), counts.outcomes.get("fallback", 0)]
    tokens = counts.prompt_tokens + counts.completion_tokens
    numbers = [counts.calls, *ends]
    return [*(f"{n}" if n else NONE for n in numbers), _thousands(tokens), _time(counts)]


def _called(folder: RunFolder) -> str:
    """Return how the first of the cast can be called: by the first name where it is enough."""
    firsts = [name.split()[0] for name in folder.spec.cast]
    return firsts[0] if firsts.count(firsts[0]) == 1 else folder.spec.cast[0]


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


def _print_next(runs: Path, folder: RunFolder, more: tuple[str, ...] | None) -> None:
    """Print what to do next; with these words the run goes on, None leaves that out."""
    rows = [
        ("read the day", command(runs, "timeline", folder.name)),
        ("look at somebody", command(runs, "show", folder.name, _called(folder))),
    ]
    if more is not None:
        rows.append(("go on", command(runs, "run", folder.name, "--resume", *more)))
    for what, words in rows:
        # Never cut to the terminal's width: these lines are there to be copied.
        write(f"{what:<18}{words}")
