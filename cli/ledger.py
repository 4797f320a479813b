"""The honesty ledger of a run for the terminal: how its models answered, and what went wrong."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import shorten

from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table

from smolville.agents.times import moment
from smolville.agents.wording import format_count, percent, thousands, visible_line
from smolville.cli.options import command
from smolville.cli.run.summary import format_seconds
from smolville.cli.tables import NONE, Page, short_model
from smolville.graphs.loop.ledger import OUTCOMES, StepOutcome
from smolville.history.counts import Counts
from smolville.lab.styled import Text
from smolville.lab.tracing.listing import thought_digits
from smolville.reports.analysis import Reason, StepProblem
from smolville.reports.health import (
    Health,
    format_answers,
    format_calls,
    format_oddities,
    format_sizes,
    format_without_calls,
)

HEADINGS: Mapping[StepOutcome, str] = {
    "clean": "clean",
    "mended": "mend",
    "repaired": "rep.",
    "escalated": "esc.",
    "fallback": "fall",
}
"""Headings of the outcomes, short enough for a screen of 80 characters."""
Cell = Callable[[Counts], str]
"""Returns a row's number, or `NONE`, given its counts."""


def _number(number: Callable[[Counts], int]) -> Cell:
    return lambda part: str(number(part) or NONE)


def _share(
    some: Callable[[Counts], int], whole: Callable[[Counts], int] = lambda part: part.steps
) -> Cell:
    def cell(part: Counts) -> str:
        return percent(some(part), whole(part), 0, gap="") if some(part) else NONE

    return cell


def _ended(outcome: StepOutcome) -> Cell:
    return _share(lambda part: part.outcomes.get(outcome, 0))


def _speed(part: Counts) -> str:
    speed = part.tokens_per_second
    return NONE if speed is None else f"{speed:.1f}" if speed < 10 else f"{speed:.0f}"


OF_CALLS: Mapping[str, Cell] = {
    "calls": _number(lambda part: part.recorded),
    "lost": _number(lambda part: part.retries),
    "read": lambda part: thousands(part.prompt_tokens),
    "wrote": lambda part: thousands(part.completion_tokens),
    "cached": _share(lambda part: part.told_cached, lambda part: part.told_tokens),
    "tok/s": _speed,
}
COLUMNS: Mapping[str, Cell] = {
    "steps": _number(lambda part: part.steps),
    "calls": OF_CALLS["calls"],
    **{HEADINGS[outcome]: _ended(outcome) for outcome in OUTCOMES},
    "odd": _share(lambda part: part.odd),
    "lost": OF_CALLS["lost"],
    "cut": _number(lambda part: part.cuts),
    **OF_CALLS,
}
"""A cell for each heading. A column without any number is left out."""
OF_SERVERS: Mapping[str, Cell] = {
    **OF_CALLS,
    "time": lambda part: format_seconds(part.milliseconds / 1000),
}
BAD = ("fall", "lost", "cut")
"""Headings of the columns that are highlighted."""


def counted_table(
    heading: str, columns: Mapping[str, Cell], group: Mapping[str, Counts], total: Counts
) -> Table:
    """Return a table of counts by name and in total; only names are wrapped, never numbers."""
    rows = {**group, "all": total}
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    table.add_column(heading, min_width=8, overflow="fold")
    kept: list[list[str]] = []
    for title, cell in columns.items():
        cells = [cell(part) for part in rows.values()]
        if set(cells) == {NONE}:
            continue
        kept.append(cells)
        style = "yellow" if title in BAD else None
        table.add_column(title, justify="right", style=style, no_wrap=True)
    for number, name in enumerate(rows):
        is_last = number == len(rows) - 1
        if is_last:
            table.add_section()
        cells = [column[number] for column in kept]
        table.add_row(name, *cells, style="bold" if is_last else None)
    return table


def ledger_page(found: Health, by: str) -> Page:
    """Return the ledger of a run, with a line per step, agent, model or server.

    The data are the whole ledger; they do not depend on how the lines are grouped.
    """
    total = found.total
    parts: list[RenderableType] = [Text(format_answers(total), style="bold")]
    if total.recorded:
        sizes = {name: f" ({size})" for name, size in found.sizes.items()}
        groups = {
            "step": found.steps,
            "agent": found.agents,
            "model": {short_model(n) + sizes.get(n, ""): p for n, p in found.models.items()},
            "server": {short_model(name): part for name, part in found.servers.items()},
        }
        columns = OF_SERVERS if by == "server" else COLUMNS
        parts.append(counted_table(by, columns, groups[by], total))
    repairs = ", ".join(
        f"{number:,} after {format_count(after, 'repair')}"
        for after, number in total.repaired_after.items()
    )
    lines = (
        (format_oddities(total), "yellow"),
        (format_calls(total), "dim"),
        ("" if by == "model" else visible_line(format_sizes(found)), "dim"),
        (f"Repaired: {repairs}." if repairs else "", "dim"),
        *((told, "dim") for told in format_without_calls(found)),
        *((visible_line(fault), "red") for fault in found.faults),
    )
    parts += [Text(told, style=style) for told, style in lines if told]
    return Page(found.plain(), parts)


LOST = ("timeout", "lost")
"""Reasons whose example may be in a thought that was never finished, and so cannot be shown
alone."""
LONGEST = 200
"""Maximum length of an example, in characters; the JSON output has the whole example."""
MOST_NAMED = 3
"""Maximum number of steps or agents named, the most frequent first; JSON output has all."""


def reasons_page(
    found: Health, reasons: Sequence[Reason], runs: Path, run: str, tick_seconds: int
) -> Page:
    """Return the reasons why answers went wrong: a line for each, with an example beneath."""
    total = found.total
    parts: list[RenderableType] = [Text(format_answers(total), style="bold")]
    if not reasons and total.recorded:
        parts.append(Text("Nothing went wrong." if total.steps else "Nothing is wrong so far."))
    data = {}
    for reason in reasons:
        example = reason.example
        time, look = moment(example.tick * tick_seconds), _look(example, runs, run)
        data[reason.name] = {
            "title": reason.title,
            "count": reason.count,
            "by_step": dict(reason.by_step.most_common()),
            "by_agent": dict(reason.by_agent.most_common()),
            "example": {
                "agent": example.agent,
                "step": example.step,
                "time": time,
                "sentence": example.sentence,
                "look": look,
            },
        }
        head = Text.assemble(
            (reason.title, "bold"), ": ", (f"{reason.count:,}", "bold yellow"), "  "
        )
        told = [_format_most_frequent(each) for each in (reason.by_step, reason.by_agent) if each]
        head.append(" · ".join(told), "dim")
        short = visible_line(shorten(example.sentence, LONGEST, placeholder=" …"))
        said = Text(f"{time}  ", style="cyan").append(short, "not cyan")
        # Never wrapped: these lines are meant to be copied.
        copied = Text(f"  {look}", "dim", no_wrap=True, overflow="ignore")
        parts += [Text(), head, Padding(said, (0, 0, 0, 2), expand=False), copied]
    return Page(found.plain() | {"reasons": data}, parts)


def _look(finding: StepProblem, runs: Path, run: str) -> str:
    """Return the command that shows an example of a problem.

    A lost call may belong to no finished thought: all thoughts or talks are then shown.
    """
    if finding.reason not in LOST:
        return command(runs, "trace", run, thought_digits(finding.owner, finding.tick))
    return command(runs, "show", run, finding.agent, "talks" if finding.is_talk else "thoughts")


def _format_most_frequent(names: Counter[str]) -> str:
    """Return the most frequent names: `plan_day 3, react 2 and 4 more`."""
    told = [f"{name} {number}" for name, number in names.most_common(MOST_NAMED)]
    more = len(names) - MOST_NAMED
    return ", ".join(told) + (f" and {more} more" if more > 0 else "")
