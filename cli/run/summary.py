"""The end of a run: what it held, how its steps ended, and what to do next."""

from pathlib import Path
from typing import TYPE_CHECKING

from agents.errors import SmolvilleError
from agents.times import long_text, moment
from cli.options import command
from cli.screen import console, say, write
from world.runs.counts import Counts
from world.runs.folder import RunFolder
from world.runs.reader import RunReader
from world.telling.tally import Tally, tally
from world.town.town_folder import town_of

if TYPE_CHECKING:
    from rich.table import Table

HEADINGS = ("calls", "clean", "mended", "repaired", "escalated", "fallback", "tokens", "time")


def print_summary(runs: Path, folder: RunFolder, *, is_quiet: bool) -> None:
    """Print what a run holds so far."""
    with RunReader(folder) as reader:
        done = reader.watermark()
        goal = reader.goal()
        numbers = tally(reader)
    at = 0 if done is None else (done + 1) * folder.spec.tick_seconds
    is_done = goal is not None and at >= goal.at
    say(f"{folder.name}: {_where(folder, at)}", "bold")
    say(held(numbers), "dim")
    if numbers.total.steps and not is_quiet:
        console().print(counts_table(numbers))
    if done is not None:
        _print_next(runs, folder, is_done=is_done)


def held(numbers: Tally) -> str:
    """Return what a run held, as a sentence."""
    failed = f" ({numbers.failed} failed)" if numbers.failed else ""
    return (
        f"{numbers.actions} actions, {numbers.talks} talks of {numbers.lines} lines, "
        f"{numbers.memories} memories, {numbers.thoughts} thoughts{failed}."
    )


def counts_table(numbers: Tally) -> "Table":
    """Return the counts by step, by agent and in all; what did not occur is a dot."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    total = numbers.total
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    table.add_column("step, agent", min_width=18)
    for heading in HEADINGS:
        is_bad = heading == "fallback" and total.outcomes.get("fallback")
        table.add_column(heading, justify="right", style="yellow" if is_bad else None)
    for parts in (numbers.of_steps, numbers.of_agents):
        for name, part in parts.items():
            table.add_row(name, *_cells(part))
        table.add_section()
    table.add_row("all", *_cells(total), style="bold")
    return table


def _cells(counts: Counts) -> list[str]:
    ends = [counts.outcomes.get(outcome, 0) for outcome in ("clean", "mended", "repaired")]
    ends += [counts.outcomes.get("escalated", 0), counts.outcomes.get("fallback", 0)]
    tokens = counts.prompt_tokens + counts.completion_tokens
    numbers = [counts.calls, *ends]
    return [*(f"{n}" if n else "·" for n in numbers), _thousands(tokens), _time(counts)]


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


def _print_next(runs: Path, folder: RunFolder, *, is_done: bool) -> None:
    """Print what to do next."""
    more = ("--for", "1d") if is_done else ()
    rows = [
        ("read the day", command(runs, "timeline", folder.name)),
        ("look at somebody", command(runs, "show", folder.name, _called(folder))),
        ("go on", command(runs, "run", folder.name, "--resume", *more)),
    ]
    for what, words in rows:
        # Never cut to the terminal's width: these lines are there to be copied.
        write(f"{what:<18}{words}")
