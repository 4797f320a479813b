"""The honesty ledger for the terminal: a summary, a table, and the calls and tokens it took."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.numbers import many, percent, thousands
from agents.wording import visible_line
from cli.counted import NONE, Column, counted_table, short_model
from cli.screen import console
from graphs.loop.ledger import OUTCOMES, StepOutcome
from history.counts import Counts
from reports.health import (
    Health,
    by_rule_told,
    calls_told,
    nowhere_told,
    oddities_told,
    outcomes_told,
    sense_told,
    sizes_told,
)

if TYPE_CHECKING:
    from rich.console import RenderableType

SHORT: Mapping[StepOutcome, str] = {
    "mended": "mend",
    "repaired": "rep.",
    "escalated": "esc.",
    "fallback": "fall",
}
"""Outcome headings on a narrow screen; the share of clean answers is in the sentence on top."""


@dataclass(frozen=True)
class LedgerView:
    """The ledger of a run, with a line per step, agent or model."""

    found: Health
    by: str

    def plain(self) -> object:
        """Return the whole ledger, whatever its lines are grouped by."""
        return self.found.plain()

    def render(self) -> "RenderableType":
        """Return the page."""
        from rich.console import Group

        from lab.styled import Text

        total = self.found.total
        parts: list[RenderableType] = [Text(sense_told(total), style="bold")]
        if total.steps:
            parts.append(Text(outcomes_told(total)))
        if total.recorded:
            groups = {
                "step": self.found.steps,
                "agent": self.found.agents,
                "model": {self._named(name): part for name, part in self.found.models.items()},
            }
            width = console().width
            parts.append(counted_table(self.by, _columns(), [groups[self.by]], total, width))
        if total.odd_kinds:
            parts.append(Text(oddities_told(total), style="yellow"))
        parts.append(Text(calls_told(total), style="dim"))
        if sizes_told(self.found) and self.by != "model":
            parts.append(Text(visible_line(sizes_told(self.found)), style="dim"))
        if total.repaired_after:
            parts.append(Text(_repairs(total), style="dim"))
        if self.found.nowhere:
            parts.append(Text(nowhere_told(self.found.nowhere), style="dim"))
        if self.found.whispers_by_rule:
            parts.append(Text(by_rule_told(self.found.whispers_by_rule), style="dim"))
        parts += [Text(visible_line(fault), style="red") for fault in self.found.faults]
        return Group(*parts)

    def _named(self, model: str) -> str:
        """Return the name of a model's line, with the model's size where it is known."""
        size = self.found.sizes.get(model)
        return f"{short_model(model)} ({size})" if size else short_model(model)


def _columns() -> list[Column]:
    """Return the columns of the ledger: shares of the steps, then numbers."""
    ends = [
        Column(
            heading=outcome,
            short=SHORT[outcome],
            cell=_share(outcome),
            may_go=True,
            is_bad=outcome == "fallback",
        )
        for outcome in OUTCOMES[1:]
    ]
    return [
        _number("steps", "steps", lambda part: part.steps),
        _number("calls", "calls", lambda part: part.recorded),
        Column(heading="sensible", short="sense", cell=_sensible),
        *ends,
        _number("lost", "lost", lambda part: part.retries, may_never=True),
        _number("cut", "cut", lambda part: part.cuts, may_never=True),
        Column(heading="read", short="read", cell=lambda part, _: thousands(part.prompt_tokens)),
        Column(
            heading="wrote", short="wrote", cell=lambda part, _: thousands(part.completion_tokens)
        ),
        Column(heading="cached", short="cach.", cell=_cached, may_never=True),
        Column(heading="tok/s", short="tok/s", cell=_speed, may_never=True),
    ]


def _number(
    heading: str, short: str, number: Callable[[Counts], int], *, may_never: bool = False
) -> Column:
    def cell(part: Counts, is_narrow: bool) -> str:
        return str(number(part)) if number(part) else NONE

    return Column(heading=heading, short=short, cell=cell, may_never=may_never, is_bad=may_never)


def _share(outcome: StepOutcome) -> Callable[[Counts, bool], str]:
    """Return a function that formats the share of steps with this outcome."""

    def cell(part: Counts, is_narrow: bool) -> str:
        ended = part.outcomes.get(outcome, 0)
        return percent(ended, part.steps, 0 if is_narrow else 1, gap="") if ended else NONE

    return cell


def _sensible(part: Counts, is_narrow: bool) -> str:
    """Return the share of the steps that a model answered with nothing odd."""
    if not part.steps:
        return NONE
    return percent(part.sensible, part.steps, 0 if is_narrow else 1, gap="")


def _cached(part: Counts, is_narrow: bool) -> str:
    if not part.told_tokens:
        return NONE
    return percent(part.told_cached, part.told_tokens, 0 if is_narrow else 1, gap="")


def _speed(part: Counts, is_narrow: bool) -> str:
    speed = part.tokens_per_second
    return NONE if speed is None else f"{speed:.1f}" if speed < 10 else f"{speed:.0f}"


def _repairs(total: Counts) -> str:
    """Return a sentence on how many steps were repaired after how many repairs."""
    told = [
        f"{number:,} after {many(repairs, 'repair')}"
        for repairs, number in total.repaired_after.items()
    ]
    return f"Repaired: {', '.join(told)}."
