"""Odd days: people who wake up at strange hours, and days with hardly anything in them."""

from collections import Counter
from collections.abc import Iterator
from json import loads

from agents.plan import is_sleep
from graphs.loop.ledger import StepRecord
from world.runs.reader import RunReader
from world.telling.present import mind_of
from world.telling.reasons import Finding

EARLIEST_WAKE = "05:00"
LATEST_WAKE = "10:00"
FEWEST_ACTIVITIES = 6
"""A day with fewer different things to do holds little."""


def odd_days(reader: RunReader) -> Iterator[Finding]:
    """Yield the wake-up times and plans of a run that were accepted and are odd all the same."""
    for step in reader.steps():
        if step.step == "plan_day":
            sentence, reason = _odd_wake(step), "wake"
        elif step.step == "plan_hours":
            sentence, reason = _little(reader, step), "low_activity"
        else:
            continue
        if sentence:
            yield Finding(
                reason=reason,
                agent=step.agent,
                step=step.step,
                tick=step.tick,
                owner=step.owner,
                sentence=sentence,
            )


def _odd_wake(step: StepRecord) -> str:
    """Return what is odd about a wake-up time; empty when nothing is."""
    wake = loads(step.answer).get("wake", EARLIEST_WAKE)
    if EARLIEST_WAKE <= wake <= LATEST_WAKE:
        return ""
    return f"{step.agent} wakes up at {wake}{_mark(step)}."


def _little(reader: RunReader, step: StepRecord) -> str:
    """Return how little a day's plan holds; empty when it is enough."""
    awake = _minutes_awake(reader, step)
    if len(awake) < FEWEST_ACTIVITIES:
        return f"Only {len(awake)} different activities in the day{_mark(step)}: {_listed(awake)}."
    activity, minutes = awake.most_common(1)[0]
    if 2 * minutes > awake.total():
        return (
            f"{activity!r} fills {minutes / 60:.1f} of {awake.total() / 60:.1f} waking hours"
            f"{_mark(step)}."
        )
    return ""


def _minutes_awake(reader: RunReader, step: StepRecord) -> Counter[str]:
    """Return activity to minutes, of what a day holds beside sleep as it was planned."""
    mind = mind_of(reader, step.agent, step.tick)
    awake: Counter[str] = Counter()
    for block in mind.plan.hours if mind and mind.plan else ():
        if not is_sleep(block.activity):
            awake[block.activity] += block.minutes
    return awake


def _listed(awake: Counter[str]) -> str:
    return ", ".join(awake) or "nothing but sleep"


def _mark(step: StepRecord) -> str:
    return " (a fallback)" if step.outcome == "fallback" else ""
