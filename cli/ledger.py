"""The honesty ledger of a run for the terminal: how its models answered, and what went wrong."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import Literal

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table

from smolville.agents.times import moment
from smolville.agents.wording import format_count, percent, thousands, visible_line
from smolville.cli.console import PlainTextConsole
from smolville.cli.options import command
from smolville.cli.run.summary import format_seconds
from smolville.cli.screen import console
from smolville.cli.tables import NONE, ROOMY, short_model
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

SHORT: Mapping[StepOutcome, str] = {
    "clean": "clean",
    "mended": "mend",
    "repaired": "rep.",
    "escalated": "esc.",
    "fallback": "fall",
}
"""Headings of the outcomes on a narrow screen."""
TIGHT_NAME = 8
"""Minimum width of the name column in characters, if the table does not fit otherwise."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of numbers."""

    heading: str
    short: str
    """The heading on a narrow screen."""
    cell: Callable[[Counts, bool], str]
    """Return a row's number, or `NONE`, given its counts and whether the screen is narrow."""
    goes: Literal["", "if narrow", "always"] = ""
    """When the column is left out if all its cells are `NONE`: never, on a narrow screen, always.
    """
    is_bad: bool = False
    """Whether the column is highlighted when its total is not `NONE`."""


def counted_table(
    heading: str, columns: Sequence[Column], group: Mapping[str, Counts], total: Counts, width: int
) -> Table:
    """Return a table of counts by name and in total; it is narrowed to `width`."""

    def least_width(table: Table) -> int:
        return PlainTextConsole(width=10_000).measure(table).minimum

    table = _table(heading, columns, group, total, is_narrow=width < ROOMY)
    if width >= ROOMY and least_width(table) > width:
        table = _table(heading, columns, group, total, is_narrow=True)
    if least_width(table) > width:
        table.padding = (0, 0, 0, 0)
        names = table.columns[0]
        names.min_width, names.width = None, TIGHT_NAME
        longest = max(map(len, [*group, heading]))
        names.width = max(TIGHT_NAME, min(longest, TIGHT_NAME + width - least_width(table)))
    return table


def _table(
    heading: str,
    columns: Sequence[Column],
    group: Mapping[str, Counts],
    total: Counts,
    *,
    is_narrow: bool,
) -> Table:
    """Return a table whose padding and name column may shrink, but never its numbers."""
    rows = {**group, "all": total}
    padding = (0, 1, 0, 0) if is_narrow else (0, 1)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold", padding=padding)
    table.add_column(heading, min_width=10 if is_narrow else 18, overflow="fold")
    kept = []
    for column in columns:
        cells = [column.cell(part, is_narrow) for part in rows.values()]
        may_go = column.goes == "always" or (is_narrow and column.goes == "if narrow")
        if may_go and set(cells) == {NONE}:
            continue
        kept.append(cells)
        title = column.short if is_narrow else column.heading
        table.add_column(
            title,
            justify="right",
            style="yellow" if column.is_bad and cells[-1] != NONE else None,
            no_wrap=True,
            min_width=max(map(len, (title, *cells))),
        )
    for number, name in enumerate(rows):
        if number == len(rows) - 1:
            table.add_section()
        style = "bold" if number == len(rows) - 1 else None
        table.add_row(name, *(cells[number] for cells in kept), style=style)
    return table


def _number(heading: str, number: Callable[[Counts], int], *, is_bad: bool = False) -> Column:
    """Return a column of plain numbers; a bad one is left out if it has none."""

    def cell(part: Counts, is_narrow: bool) -> str:
        return str(number(part)) if number(part) else NONE

    goes: Literal["", "always"] = "always" if is_bad else ""
    return Column(heading=heading, short=heading, cell=cell, goes=goes, is_bad=is_bad)


def _share(
    some: Callable[[Counts], int], whole: Callable[[Counts], int] = lambda part: part.steps
) -> Callable[[Counts, bool], str]:
    """Return a function that formats a number of steps as their share."""

    def cell(part: Counts, is_narrow: bool) -> str:
        if not whole(part) or (not some(part) and whole(part) == part.steps):
            return NONE
        return percent(some(part), whole(part), 0 if is_narrow else 1, gap="")

    return cell


def _outcome(outcome: StepOutcome) -> Column:
    return Column(
        heading=outcome,
        short=SHORT[outcome],
        cell=_share(lambda part: part.outcomes.get(outcome, 0)),
        goes="" if outcome == "clean" else "if narrow",
        is_bad=outcome == "fallback",
    )


def _speed(part: Counts, is_narrow: bool) -> str:
    speed = part.tokens_per_second
    return NONE if speed is None else f"{speed:.1f}" if speed < 10 else f"{speed:.0f}"


def _time(part: Counts, is_narrow: bool) -> str:
    return format_seconds(part.milliseconds / 1000)


_CALLS = _number("calls", lambda part: part.recorded)
_LOST = _number("lost", lambda part: part.retries, is_bad=True)
_TOKENS = (
    Column(heading="read", short="read", cell=lambda part, _: thousands(part.prompt_tokens)),
    Column(heading="wrote", short="wrote", cell=lambda part, _: thousands(part.completion_tokens)),
    Column(
        heading="cached",
        short="cach.",
        cell=_share(lambda part: part.told_cached, lambda part: part.told_tokens),
        goes="always",
    ),
)
_SPEED = Column(heading="tok/s", short="tok/s", cell=_speed, goes="always")
COLUMNS = (
    _number("steps", lambda part: part.steps),
    _CALLS,
    *map(_outcome, OUTCOMES),
    Column(heading="odd", short="odd", cell=_share(lambda part: part.odd), goes="always"),
    _LOST,
    _number("cut", lambda part: part.cuts, is_bad=True),
    *_TOKENS,
    _SPEED,
)
OF_SERVERS = (
    _CALLS,
    _LOST,
    *_TOKENS,
    Column(heading="time", short="time", cell=_time),
    _SPEED,
)


@dataclass(frozen=True)
class LedgerView:
    """The ledger of a run, with a line per step, agent, model or server."""

    found: Health
    by: str

    def plain(self) -> object:
        """Return the whole ledger; it does not depend on how the lines are grouped."""
        return self.found.plain()

    def render(self) -> RenderableType:
        """Return the counts, as printed."""
        found, total = self.found, self.found.total
        parts: list[RenderableType] = [Text(format_answers(total), style="bold")]
        if total.recorded:
            sizes = {name: f" ({size})" for name, size in found.sizes.items()}
            groups = {
                "step": found.steps,
                "agent": found.agents,
                "model": {short_model(n) + sizes.get(n, ""): p for n, p in found.models.items()},
                "server": {short_model(name): part for name, part in found.servers.items()},
            }
            columns = OF_SERVERS if self.by == "server" else COLUMNS
            parts.append(counted_table(self.by, columns, groups[self.by], total, console().width))
        sizes_told = "" if self.by == "model" else visible_line(format_sizes(found))
        repairs = ", ".join(
            f"{number:,} after {format_count(after, 'repair')}"
            for after, number in total.repaired_after.items()
        )
        lines = (
            (format_oddities(total), "yellow"),
            (format_calls(total), "dim"),
            (sizes_told, "dim"),
            (f"Repaired: {repairs}." if repairs else "", "dim"),
            *((told, "dim") for told in format_without_calls(found)),
            *((visible_line(fault), "red") for fault in found.faults),
        )
        return Group(*parts, *(Text(told, style=style) for told, style in lines if told))


LOST = ("timeout", "lost")
"""Reasons whose example may be in a thought that was never finished, and so cannot be shown
alone."""
LONGEST = 200
"""Maximum length of an example, in characters; the JSON output has the whole example."""
MOST_NAMED = 3
"""Maximum number of steps or agents named, the most frequent first; JSON output has all."""


@dataclass(frozen=True)
class ReasonsView:
    """The reasons why answers went wrong in a run, formatted for the terminal."""

    found: Health
    reasons: list[Reason]
    runs: Path
    run: str
    tick_seconds: int

    def plain(self) -> object:
        """Return the whole ledger with the reasons added."""
        return self.found.plain() | {
            "reasons": {each.name: self._plain(each) for each in self.reasons}
        }

    def render(self) -> RenderableType:
        """Return the page: a line per reason, with an example beneath."""
        total = self.found.total
        parts: list[RenderableType] = [Text(format_answers(total), style="bold")]
        if not self.reasons and total.recorded:
            parts.append(Text("Nothing went wrong." if total.steps else "Nothing is wrong so far."))
        for reason in self.reasons:
            count = (f"{reason.count:,}", "bold yellow")
            head = Text.assemble((reason.title, "bold"), ": ", count, "  ")
            told = [
                _format_most_frequent(names) for names in (reason.by_step, reason.by_agent) if names
            ]
            head.append(" · ".join(told), "dim")
            example = visible_line(shorten(reason.example.sentence, LONGEST, placeholder=" …"))
            where = Text(f"{moment(self._second(reason.example))}  ", style="cyan")
            # Never wrapped: these lines are meant to be copied.
            look = Text(f"  {self._look(reason.example)}", "dim", no_wrap=True, overflow="ignore")
            told_so = Padding(where.append(example, "not cyan"), (0, 0, 0, 2), expand=False)
            parts += [Text(), head, told_so, look]
        return Group(*parts)

    def _plain(self, reason: Reason) -> dict[str, object]:
        example = reason.example
        return {
            "title": reason.title,
            "count": reason.count,
            "by_step": dict(reason.by_step.most_common()),
            "by_agent": dict(reason.by_agent.most_common()),
            "example": {
                "agent": example.agent,
                "step": example.step,
                "time": moment(self._second(example)),
                "sentence": example.sentence,
                "look": self._look(example),
            },
        }

    def _second(self, finding: StepProblem) -> int:
        return finding.tick * self.tick_seconds

    def _look(self, finding: StepProblem) -> str:
        """Return the command that shows an example of a problem.

        A lost call may belong to no finished thought: all thoughts or talks are then shown.
        """
        if finding.reason not in LOST:
            digits = thought_digits(finding.owner, finding.tick)
            return command(self.runs, "trace", self.run, digits)
        what = "--talks" if finding.is_talk else "--thoughts"
        return command(self.runs, "show", self.run, finding.agent, what)


def _format_most_frequent(names: Counter[str]) -> str:
    """Return the most frequent names: `plan_day 3, react 2 and 4 more`."""
    told = [f"{name} {number}" for name, number in names.most_common(MOST_NAMED)]
    more = len(names) - MOST_NAMED
    return ", ".join(told) + (f" and {more} more" if more > 0 else "")
