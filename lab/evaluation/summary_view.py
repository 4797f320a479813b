"""A summary for the terminal: a row per variant, a row per step, and the verdicts."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smolville.agents.wording import format_count, percent, thousands
from smolville.lab.evaluation.counts import UNASKED, Share, VariantCounts
from smolville.lab.evaluation.summary import Summary, VariantSummary
from smolville.parsers.problem import SENSE_KINDS

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from smolville.lab.styled import Text

NONE = "·"
"""Shown for a value that is unknown or did not occur."""
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
        steps = {step for variant in summary.variants for step in variant.steps}
        if len(steps) > 1 and len(summary.variants) <= MOST_BESIDE:
            parts.append(_steps(summary))
        parts += [
            Text(f"{each.variant + 1} beside {each.against + 1}. {each.verdict_text}")
            for each in summary.comparisons
        ]
        parts += list(_format_footer(summary))
        return Group(*parts)


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
    kinds = list(counted.items())
    shown = ", ".join(f"{kind} {count:,}" for kind, count in kinds[:most])
    more = len(kinds) - most
    return f"{shown}, and {format_count(more, 'other kind')}" if more > 0 else shown


def format_wording(line: VariantCounts) -> str:
    """Return the wording figures, `12 an answer, 41 % different, 3 % said again`."""
    if line.words is None:
        return ""
    return (
        f"{line.words:.0f} an answer, {format_mean(line.different)} of them different; "
        f"{format_share(line.again)} of the answers said again to another moment"
    )


def _variants(summary: Summary) -> "Table":
    """Return a row per variant: shares with their intervals below, then the costs."""
    table = _table()
    table.add_column("", justify="right", style="dim")
    table.add_column("variant", overflow="fold", min_width=10)
    columns: list[tuple[str, Callable[[VariantCounts], str | Text]]] = [
        ("objec-\nted to", lambda line: _cell(line.objected)),
        ("first\nvalid", lambda line: _cell(line.first)),
        ("after\nrepairs", lambda line: _cell(line.valid)),
        ("fall-\nback", lambda line: _cell(line.fallback)),
        ("tokens\nin, out", _tokens),
        ("time", lambda line: format_seconds(line.milliseconds)),
        ("agrees,\nalike", _agrees),
    ]
    if any(variant.total.ends[UNASKED] for variant in summary.variants):
        columns.insert(4, ("too\nlong", lambda line: str(line.ends[UNASKED] or NONE)))
    for heading, _ in columns:
        table.add_column(heading, justify="right", no_wrap=True)
    for number, variant in enumerate(summary.variants, 1):
        cells = (cell(variant.total) for _, cell in columns)
        table.add_row(str(number), _name(variant), *cells)
    return table


def _steps(summary: Summary) -> "Table":
    """Return a row per step: the answers objected to, and below them the valid first answers."""
    from smolville.lab.styled import Text

    table = _table()
    table.add_column("objected to,\nvalid at once", overflow="fold", min_width=10)
    table.add_column("asked", justify="right", no_wrap=True)
    for number in range(1, len(summary.variants) + 1):
        table.add_column(Text(str(number), style="dim"), justify="right", no_wrap=True)
    for step in summary.variants[0].steps:
        lines = [variant.steps[step] for variant in summary.variants]
        most = max(line.asked for line in lines)
        table.add_row(step, str(most), *(_objected_and_first(line) for line in lines))
    return table


def _format_footer(summary: Summary) -> Iterator["Text"]:
    """Yield the lines below the tables."""
    from smolville.lab.styled import Text

    for number, variant in enumerate(summary.variants, 1):
        if odd := format_commonest(variant.total.odd_kinds, len(SENSE_KINDS)):
            yield Text(f"Objected to in answers of {number}: {odd}.", style="yellow")
        if kinds := format_commonest(variant.total.kinds):
            yield Text(f"Wrong in first answers of {number}: {kinds}.", style="dim")
    for number, variant in enumerate(summary.variants, 1):
        if worded := format_wording(variant.total):
            yield Text(f"Words of {number}: {worded}.", style="dim")
    for tally in summary.tallies:
        yield Text(tally.sentences)
    yield Text(
        "Objected to: odd, or none was accepted. Beneath a share: its 95 % interval. "
        "Tokens and time are of a question with its repairs; agrees: deciding fields as in the "
        "stored answer; alike: words of the free texts.",
        style="dim",
    )
    if summary.missing:
        yield Text(
            f"{format_count(summary.missing, 'question')} without a result: the evaluation was "
            "interrupted, and this is what there is so far.",
            style="yellow",
        )


def _table() -> "Table":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    return Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0))


def _name(variant: VariantSummary) -> "Text":
    """Return a variant's name: its templates, and below them its model."""
    from smolville.lab.styled import Text

    return Text.assemble(variant.name.prompts, "\n", (variant.name.model, "dim"))


def _cell(share: Share) -> "Text":
    """Return a share with its interval below."""
    from smolville.lab.styled import Text

    return Text.assemble(format_share(share), "\n", (format_interval(share), "dim"))


def _objected_and_first(line: VariantCounts) -> "Text":
    """Return the share of answers objected to, and below it that of valid first answers."""
    from smolville.lab.styled import Text

    return Text.assemble(format_share(line.objected), "\n", (format_share(line.first), "dim"))


def _tokens(line: VariantCounts) -> "Text":
    """Return the tokens read, and below them the tokens written."""
    from smolville.lab.styled import Text

    return Text.assemble(
        format_tokens(line.prompt_tokens), "\n", (format_tokens(line.completion_tokens), "dim")
    )


def _agrees(line: VariantCounts) -> "Text":
    """Return the share of equal decisions, and below it the similarity of the texts."""
    from smolville.lab.styled import Text

    return Text.assemble(format_mean(line.agreement), "\n", (format_mean(line.similarity), "dim"))
