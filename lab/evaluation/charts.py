"""The charts of a report as plain numbers: the position, length and label of each bar.

All lengths are percentages of a row's width, so that a row can be as wide as the screen allows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from smolville.lab.evaluation.counts import ENDS, UNASKED, Share, VariantCounts
from smolville.lab.evaluation.summary import Summary
from smolville.lab.evaluation.summary_view import (
    NONE,
    format_interval,
    format_mean,
    format_seconds,
    format_share,
    format_tokens,
)

ENDS_TOLD: Mapping[str, str] = {
    "clean": "clean: the first answer, as it was",
    "mended": "mended in code",
    "repaired": "repaired: after asking again",
    "escalated": "escalated: by the strong model",
    "fallback": "fallback: no answer",
    UNASKED: "too long for the context",
}
"""Legend of the possible outcomes of a question."""
ROOM = 7.0
"""Minimum width of a segment that holds its number, in percent."""


@dataclass(frozen=True, kw_only=True)
class ShareBar:
    """One variant's share with its confidence interval."""

    number: int
    """Number of the variant, from 1."""
    label: str
    at: float | None
    """The share in percent; None when nothing was asked."""
    low: float
    high: float
    told: str
    interval: str

    @property
    def width(self) -> float:
        """Width of the interval."""
        return self.high - self.low


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One measure, with a row for each variant."""

    heading: str
    note: str
    rows: tuple[ShareBar, ...]

    @property
    def mark(self) -> float | None:
        """Position of the first variant; None if there is no other variant to compare it with."""
        return self.rows[0].at if len(self.rows) > 1 else None


@dataclass(frozen=True, kw_only=True)
class Segment:
    """One outcome in a variant's stacked bar."""

    end: str
    start: float
    width: float
    count: int
    is_roomy: bool
    """Whether the segment is wide enough for its number."""


@dataclass(frozen=True, kw_only=True)
class Stack:
    """The outcomes of one variant's questions, as a stacked bar."""

    number: int
    label: str
    segments: tuple[Segment, ...]
    told: str


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One variant's amount, relative to the largest of all variants."""

    number: int
    label: str
    width: float
    told: str


@dataclass(frozen=True, kw_only=True)
class Bars:
    """One kind of cost, with a bar for each variant."""

    heading: str
    rows: tuple[Bar, ...]


def sense_and_validity(summary: Summary) -> tuple[Panel, ...]:
    """Return the panels: answers objected to, valid at once, and valid after repairs."""
    totals = [variant.total for variant in summary.variants]
    return (
        _panel(summary, "Answers objected to", "", totals, lambda line: line.objected),
        _panel(summary, "First answers that were valid", "", totals, lambda line: line.first),
        _panel(summary, "Valid after repairs", "", totals, lambda line: line.valid),
    )


def by_step(summary: Summary) -> tuple[Panel, ...]:
    """Return a panel of answers objected to for each step."""
    steps = dict.fromkeys(step for variant in summary.variants for step in variant.steps)
    found = []
    for step in steps:
        lines = [variant.steps[step] for variant in summary.variants]
        note = f"{max(line.moments for line in lines):,} moments"
        found.append(_panel(summary, step, note, lines, lambda line: line.objected))
    return tuple(found)


def stacks(summary: Summary) -> tuple[Stack, ...]:
    """Return the outcomes of every variant's questions."""
    found = []
    for number, variant in enumerate(summary.variants, 1):
        line, start, segments = variant.total, 0.0, []
        for end in ENDS:
            width = 100 * line.ends[end] / line.asked if line.asked else 0.0
            if width:
                segments.append(
                    Segment(
                        end=end,
                        start=round(start, 3),
                        width=round(width, 3),
                        count=line.ends[end],
                        is_roomy=width >= ROOM,
                    )
                )
            start += width
        counts = ", ".join(f"{line.ends[end]} {end}" for end in ENDS if line.ends[end])
        found.append(
            Stack(
                number=number,
                label=variant.name.label,
                segments=tuple(segments),
                told=counts or "nothing was asked",
            )
        )
    return tuple(found)


def costs(summary: Summary) -> tuple[Bars, ...]:
    """Return the average cost of a question: tokens read and written, and time."""
    kinds: tuple[
        tuple[str, Callable[[VariantCounts], float | None], Callable[[float | None], str]], ...
    ] = (
        ("Tokens read", lambda line: line.prompt_tokens, format_tokens),
        ("Tokens written", lambda line: line.completion_tokens, format_tokens),
        ("Time", lambda line: line.milliseconds, format_seconds),
    )
    return tuple(_bars(summary, *kind) for kind in kinds)


def agreements(summary: Summary) -> tuple[Bars, ...]:
    """Return how far the answers agree with the stored ones."""
    whole = 1.0
    return (
        _bars(summary, "Decided alike", lambda line: line.agreement, format_mean, whole),
        _bars(summary, "Worded alike", lambda line: line.similarity, format_mean, whole),
    )


def wordings(summary: Summary) -> tuple[Bars, ...]:
    """Return how the answers are worded."""
    whole = 1.0
    return (
        _bars(summary, "Words an answer", lambda line: line.words, format_tokens),
        _bars(summary, "Different words", lambda line: line.different, format_mean, whole),
        _bars(summary, "Said again", lambda line: line.again.share, format_mean, whole),
    )


def _panel(
    summary: Summary,
    heading: str,
    note: str,
    lines: Sequence[VariantCounts],
    share: Callable[[VariantCounts], Share],
) -> Panel:
    pairs = zip(summary.variants, lines, strict=True)
    rows = [
        _row(number, variant.name.label, share(line))
        for number, (variant, line) in enumerate(pairs, 1)
    ]
    return Panel(heading=heading, note=note, rows=tuple(rows))


def _row(number: int, label: str, share: Share) -> ShareBar:
    low, high = share.interval
    return ShareBar(
        number=number,
        label=label,
        at=None if share.share is None else round(100 * share.share, 2),
        low=round(100 * low, 2),
        high=round(100 * high, 2),
        told=format_share(share),
        interval=format_interval(share),
    )


def _bars(
    summary: Summary,
    heading: str,
    amount: Callable[[VariantCounts], float | None],
    format_value: Callable[[float | None], str],
    whole: float | None = None,
) -> Bars:
    amounts = [amount(variant.total) for variant in summary.variants]
    most = whole or max((each or 0.0 for each in amounts), default=0.0)
    return Bars(
        heading=heading,
        rows=tuple(
            Bar(
                number=number,
                label=variant.name.label,
                width=round(100 * (each or 0.0) / most, 2) if most else 0.0,
                told=NONE if each is None else format_value(each),
            )
            for number, (variant, each) in enumerate(zip(summary.variants, amounts, strict=True), 1)
        ),
    )
