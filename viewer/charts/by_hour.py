"""Figures over the hours of town time."""

from collections.abc import Sequence

from agents.numbers import percent
from agents.times import clock
from graphs.loop.ledger import OUTCOMES
from reports.hours import Hour
from viewer.charts.bars import columns
from viewer.charts.figure import ChartData

MOST_HOURS = 96
"""Maximum number of hours drawn, the last ones of a long run; the table holds all."""


def ended_by_hour(told: Sequence[Hour]) -> ChartData:
    """Return the outcomes of steps by hour."""
    drawn = told[-MOST_HOURS:]
    series = {outcome: [hour.outcomes[outcome] for hour in drawn] for outcome in OUTCOMES}
    return ChartData(
        key="hours",
        title="How steps ended, hour by hour",
        note="Town hours, from the first in which anything was asked."
        + (f" The last {MOST_HOURS} are drawn." if len(told) > MOST_HOURS else ""),
        head=("Hour", "Steps", "sensible", *OUTCOMES, "odd"),
        rows=[
            (
                _hour(hour),
                f"{hour.steps:,}",
                percent(hour.sensible, hour.steps),
                *(f"{hour.outcomes[each]:,}" for each in OUTCOMES),
                f"{hour.odd:,}",
            )
            for hour in told
        ],
        options=columns([_hour(hour) for hour in drawn], series),
        height=300,
    )


def asked_by_hour(told: Sequence[Hour]) -> ChartData:
    """Return the calls made by hour."""
    drawn = told[-MOST_HOURS:]
    return ChartData(
        key="asked",
        title="Calls, hour by hour",
        note="Every request that was recorded, with its tokens and its time in the table.",
        head=("Hour", "Calls", "Prompt tokens", "Completion tokens", "Milliseconds"),
        rows=[
            (
                _hour(hour),
                f"{hour.calls:,}",
                f"{hour.prompt_tokens:,}",
                f"{hour.completion_tokens:,}",
                f"{hour.milliseconds:,.0f}",
            )
            for hour in told
        ],
        options=columns([_hour(hour) for hour in drawn], {"calls": [h.calls for h in drawn]}),
        height=260,
    )


def _hour(hour: Hour) -> str:
    return f"{hour.hour // 24 + 1} {clock(hour.hour % 24 * 60)}"
