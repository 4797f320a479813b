"""The honesty ledger of a run for the terminal: how its models answered, and what went wrong."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from smolville.agents.times import moment
from smolville.agents.wording import format_count, percent, thousands, visible_line
from smolville.cli.options import command
from smolville.cli.run.summary import format_seconds
from smolville.cli.screen import console
from smolville.cli.tables import NONE, Column, counted_table, short_model
from smolville.graphs.loop.ledger import OUTCOMES, StepOutcome
from smolville.history.counts import Counts
from smolville.lab.tracing.span import thought_digits
from smolville.reports.analysis import Reason, StepProblem
from smolville.reports.health import (
    Health,
    format_answers,
    format_calls,
    format_oddities,
    format_sizes,
    format_without_calls,
)

if TYPE_CHECKING:
    from rich.console import RenderableType

SHORT: Mapping[StepOutcome, str] = {
    "clean": "clean",
    "mended": "mend",
    "repaired": "rep.",
    "escalated": "esc.",
    "fallback": "fall",
}
"""Headings of the outcomes on a narrow screen."""


@dataclass(frozen=True)
class LedgerView:
    """The ledger of a run, with a line per step, agent, model or server."""

    found: Health
    by: str

    def plain(self) -> object:
        """Return the whole ledger; it does not depend on how the lines are grouped."""
        return self.found.plain()

    def render(self) -> "RenderableType":
        """Return the counts, as printed."""
        from rich.console import Group

        from smolville.lab.styled import Text

        total = self.found.total
        parts: list[RenderableType] = [Text(format_answers(total), style="bold")]
        if total.recorded:
            groups = {
                "step": self.found.steps,
                "agent": self.found.agents,
                "model": {
                    self._format_model_name(name): part for name, part in self.found.models.items()
                },
                "server": {short_model(name): part for name, part in self.found.servers.items()},
            }
            width = console().width
            columns = _server_columns() if self.by == "server" else _columns()
            parts.append(counted_table(self.by, columns, [groups[self.by]], total, width))
        if total.odd_kinds:
            parts.append(Text(format_oddities(total), style="yellow"))
        parts.append(Text(format_calls(total), style="dim"))
        if format_sizes(self.found) and self.by != "model":
            parts.append(Text(visible_line(format_sizes(self.found)), style="dim"))
        if total.repaired_after:
            parts.append(Text(_repairs(total), style="dim"))
        parts += [Text(told, style="dim") for told in format_without_calls(self.found)]
        parts += [Text(visible_line(fault), style="red") for fault in self.found.faults]
        return Group(*parts)

    def _format_model_name(self, model: str) -> str:
        """Return the name of a model's line, with the model's size if it is known."""
        size = self.found.sizes.get(model)
        return f"{short_model(model)} ({size})" if size else short_model(model)


def _columns() -> list[Column]:
    """Return the columns of the ledger, from the number of steps to the tokens per second."""
    ends = [
        Column(
            heading=outcome,
            short=SHORT[outcome],
            cell=_share_of(_make_counter(outcome)),
            may_go=outcome != "clean",
            is_bad=outcome == "fallback",
        )
        for outcome in OUTCOMES
    ]
    return [
        _number("steps", "steps", lambda part: part.steps),
        _CALLS,
        *ends,
        Column(heading="odd", short="odd", cell=_share_of(lambda part: part.odd), may_never=True),
        _LOST,
        _number("cut", "cut", lambda part: part.cuts, may_never=True),
        *_TOKENS,
    ]


def _server_columns() -> list[Column]:
    """Return the columns of servers: calls, calls without a reply (lost), tokens and time."""
    time = Column(
        heading="time",
        short="time",
        cell=lambda part, _: format_seconds(part.milliseconds / 1000),
    )
    return [_CALLS, _LOST, *_TOKENS[:-1], time, _TOKENS[-1]]


def _number(
    heading: str, short: str, number: Callable[[Counts], int], *, may_never: bool = False
) -> Column:
    def cell(part: Counts, is_narrow: bool) -> str:
        return str(number(part)) if number(part) else NONE

    return Column(heading=heading, short=short, cell=cell, may_never=may_never, is_bad=may_never)


def _make_counter(outcome: StepOutcome) -> Callable[[Counts], int]:
    return lambda part: part.outcomes.get(outcome, 0)


def _share_of(number: Callable[[Counts], int]) -> Callable[[Counts, bool], str]:
    """Return a function that formats a number of steps as their share."""

    def cell(part: Counts, is_narrow: bool) -> str:
        some = number(part)
        return percent(some, part.steps, 0 if is_narrow else 1, gap="") if some else NONE

    return cell


def _format_cached_share(part: Counts, is_narrow: bool) -> str:
    if not part.told_tokens:
        return NONE
    return percent(part.told_cached, part.told_tokens, 0 if is_narrow else 1, gap="")


def _speed(part: Counts, is_narrow: bool) -> str:
    speed = part.tokens_per_second
    return NONE if speed is None else f"{speed:.1f}" if speed < 10 else f"{speed:.0f}"


_CALLS = _number("calls", "calls", lambda part: part.recorded)
_LOST = _number("lost", "lost", lambda part: part.retries, may_never=True)
_TOKENS = (
    Column(heading="read", short="read", cell=lambda part, _: thousands(part.prompt_tokens)),
    Column(heading="wrote", short="wrote", cell=lambda part, _: thousands(part.completion_tokens)),
    Column(heading="cached", short="cach.", cell=_format_cached_share, may_never=True),
    Column(heading="tok/s", short="tok/s", cell=_speed, may_never=True),
)


def _repairs(total: Counts) -> str:
    """Return a sentence: how many steps needed one repair, how many needed two, and so on."""
    parts = [
        f"{number:,} after {format_count(repairs, 'repair')}"
        for repairs, number in total.repaired_after.items()
    ]
    return f"Repaired: {', '.join(parts)}."


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

    def render(self) -> "RenderableType":
        """Return the page: a line per reason, with an example beneath."""
        from rich.console import Group
        from rich.padding import Padding

        from smolville.lab.styled import Text

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
