"""A summary for the terminal: a row per variant, a row per step, and the verdicts."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smolville.agents.wording import format_count, percent, thousands
from smolville.lab.evaluation.statistics import Share
from smolville.lab.evaluation.summary import UNASKED, Summary, VariantCounts

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from smolville.lab.styled import Text

NONE = "·"
"""Shown for a value that is unknown or did not occur."""
SHOWN = ("objected", "first", "valid", "fallback")
"""Shares in a variant's row."""
MOST_BESIDE = 8
"""Maximum number of variants side by side on a narrow screen."""
MOST_KINDS = 3
"""Maximum number of kinds of problems that are listed."""


@dataclass(frozen=True)
class SummaryView:
    """An evaluation's summary, as text for people or as plain data."""

    summary: Summary

    def plain(self) -> object:
        """Return the summary as plain data."""
        return self.summary.plain()

    def render(self) -> "RenderableType":
        """Return the page, designed for 80 columns."""
        from rich.console import Group

        from smolville.lab.styled import Text

        summary = self.summary
        parts: list[RenderableType] = [Text(summary.asked, style="bold"), _variants(summary)]
        if len(summary.variants[0].steps) > 1 and len(summary.variants) <= MOST_BESIDE:
            parts.append(_steps(summary))
        parts += [Text(each) for each in summary.verdicts]
        return Group(*parts, *_format_footer(summary))


def format_seconds(milliseconds: float | None) -> str:
    """Return a duration as text: `840 ms`, `2.4 s`."""
    if milliseconds is None:
        return NONE
    if milliseconds < 1000:
        return f"{milliseconds:.0f} ms"
    return f"{milliseconds / 1000:.{1 if milliseconds < 100_000 else 0}f} s"


def format_share(share: Share) -> str:
    """Return a share as a whole percentage."""
    return percent(share.count, share.of, 0) if share.of else NONE


def format_interval(share: Share) -> str:
    """Return an interval in whole percentages, `71–92`; empty when nothing was asked."""
    low, high = share.interval
    return f"{100 * low:.0f}–{100 * high:.0f}" if share.of else ""


def format_tokens(number: float | None) -> str:
    """Return a mean number of tokens in short form."""
    return NONE if number is None else thousands(round(number))


def format_mean(share: float | None) -> str:
    """Return a mean share as a whole percentage."""
    return NONE if share is None else percent(share, 1, 0)


def format_commonest(counted: Mapping[str, int], most: int = MOST_KINDS) -> str:
    """Return the most frequent kinds; empty when there are none."""
    shown = ", ".join(f"{kind} {count:,}" for kind, count in [*counted.items()][:most])
    more = len(counted) - most
    return f"{shown}, and {format_count(more, 'other kind')}" if more > 0 else shown


def share_cell(share: Share) -> "Text":
    """Return a share with its interval below."""
    return _two(format_share(share), format_interval(share))


def _two(above: str, below: str) -> "Text":
    from smolville.lab.styled import Text

    return Text.assemble(above, "\n", (below, "dim"))


def _variants(summary: Summary) -> "Table":
    """Return a row per variant: shares with their intervals below, then the costs."""
    from smolville.lab.styled import Text, plain_table

    columns = ["objec-\nted to", "first\nvalid", "after\nrepairs", "fall-\nback"]
    has_unasked = any(variant.total.ends[UNASKED] for variant in summary.variants)
    columns += ["too\nlong"] if has_unasked else []
    columns += ["tokens\nin, out", "time", "agrees"]
    rows: list[list[str | Text]] = []
    for number, variant in enumerate(summary.variants, 1):
        line, name = variant.total, variant.name
        tokens = (format_tokens(line.prompt_tokens), format_tokens(line.completion_tokens))
        rows.append(
            [
                Text.assemble(f"{number}  {name.prompts}", "\n", (f"   {name.model}", "dim")),
                *(share_cell(line.shares[each]) for each in SHOWN),
                *([str(line.ends[UNASKED] or NONE)] if has_unasked else []),
                _two(*tokens),
                format_seconds(line.milliseconds),
                format_mean(line.agreement),
            ]
        )
    return plain_table(("variant", *columns), rows)


def _steps(summary: Summary) -> "Table":
    """Return a row per step: the answers objected to, and below them the valid first answers."""
    from smolville.lab.styled import plain_table

    def cell(line: VariantCounts) -> "Text":
        return _two(format_share(line.shares["objected"]), format_share(line.shares["first"]))

    headings = (
        "objected to,\nvalid at once",
        "asked",
        *map(str, range(1, len(summary.variants) + 1)),
    )
    rows: list[list[str | Text]] = []
    for step in summary.variants[0].steps:
        lines = [variant.steps[step] for variant in summary.variants]
        rows.append([step, str(max(line.asked for line in lines)), *map(cell, lines)])
    return plain_table(headings, rows)


def _format_footer(summary: Summary) -> Iterator["Text"]:
    """Yield the lines below the tables."""
    from smolville.lab.styled import Text

    for number, variant in enumerate(summary.variants, 1):
        line = variant.total
        if odd := format_commonest(line.odd_kinds, len(line.odd_kinds)):
            yield Text(f"Objected to in answers of {number}: {odd}.", style="yellow")
        if kinds := format_commonest(line.kinds):
            yield Text(f"Wrong in first answers of {number}: {kinds}.", style="dim")
        if line.words is not None:
            again = f"{format_share(line.shares['again'])} said again to another moment"
            yield Text(f"Words of {number}: {line.words:.0f} an answer; {again}.", style="dim")
    yield Text(
        "Objected to: odd, or none was accepted. Beneath a share: its 95 % interval. "
        "Tokens and time are of a question with its repairs; agrees: decisions as in the stored "
        "answer.",
        style="dim",
    )
    if summary.missing:
        yield Text(
            f"{format_count(summary.missing, 'question')} without a result: the evaluation was "
            "interrupted, and this is what there is so far.",
            style="yellow",
        )
