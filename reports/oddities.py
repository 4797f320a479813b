"""Find odd days: waking up at strange hours, and days with hardly any activities."""

from collections import Counter
from collections.abc import Iterator
from json import loads

from agents.plan import is_sleep
from graphs.frame.day import DUTY
from graphs.loop.ledger import StepRecord
from history.reader import RunReader
from reports.present import mind_of
from reports.reasons import StepProblem

EARLIEST_WAKE = "05:00"
LATEST_WAKE = "10:00"
FEWEST_ACTIVITIES = 6
"""A day with fewer different activities than this is nearly empty."""


def odd_days(reader: RunReader) -> Iterator[StepProblem]:
    """Yield the odd wake-up times and plans of a run that were accepted."""
    for step in reader.steps():
        if step.step == "plan_day":
            sentence, reason = _odd_wake(step), "wake"
        elif step.step == "plan_hours":
            sentence, reason = _little(reader, step), "low_activity"
        else:
            continue
        if sentence:
            yield StepProblem(
                reason=reason,
                agent=step.agent,
                step=step.step,
                tick=step.tick,
                owner=step.owner,
                sentence=sentence,
            )


def _odd_wake(step: StepRecord) -> str:
    """Return what is odd about a wake-up time; empty if nothing is."""
    wake = loads(step.answer).get("wake", EARLIEST_WAKE)
    if EARLIEST_WAKE <= wake <= LATEST_WAKE:
        return ""
    return f"{step.agent} wakes up at {wake}{_mark(step)}."


def _little(reader: RunReader, step: StepRecord) -> str:
    """Return how few activities a day's plan has; empty if it has enough."""
    awake = _minutes_awake(reader, step)
    if len(awake) < FEWEST_ACTIVITIES:
        return f"Only {len(awake)} different activities in the day{_mark(step)}: {_listed(awake)}."
    chosen = _minutes_awake(reader, step, with_duties=False)
    activity, minutes = chosen.most_common(1)[0] if chosen else ("", 0)
    if 2 * minutes > awake.total():
        return (
            f"{activity!r} fills {minutes / 60:.1f} of {awake.total() / 60:.1f} waking hours"
            f"{_mark(step)}."
        )
    return ""


def _minutes_awake(
    reader: RunReader, step: StepRecord, *, with_duties: bool = True
) -> Counter[str]:
    """Return activity to minutes, for a day as planned, without sleep.

    A long working day is required by the persona, and so no odd plan.
    """
    mind = mind_of(reader, step.agent, step.tick)
    awake: Counter[str] = Counter()
    for block in mind.plan.hours if mind and mind.plan else ():
        if not is_sleep(block.activity) and (with_duties or block.source != DUTY):
            awake[block.activity] += block.minutes
    return awake


def _listed(awake: Counter[str]) -> str:
    return ", ".join(awake) or "nothing but sleep"


def _mark(step: StepRecord) -> str:
    return " (a fallback)" if step.outcome == "fallback" else ""
