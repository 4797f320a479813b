"""The log analyser, which finds the problems and oddities of a run in its history, with reasons."""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from json import loads
from statistics import median
from typing import NamedTuple

from smolville.agents.plan import is_sleep
from smolville.graphs.frame.day import DUTY
from smolville.graphs.loop.ledger import Call, StepRecord
from smolville.history.calls import LISTING, Unpacker, given_up, read_call
from smolville.history.reader import RunReader
from smolville.parsers.problem import rule_in
from smolville.reports.present import mind_of
from smolville.reports.reasons import Reason, StepProblem, group_by_reason, reason_of

SLOW_TIMES = 4
"""A call is unusually slow if it takes this many times the median of its step and model."""
SLOW_MILLISECONDS = 2_000
"""An unusually slow call must also take this many milliseconds more than the median."""
FEWEST_CALLS = 8
"""Minimum number of calls of a step for its median to be meaningful."""

EARLIEST_WAKE = "05:00"
LATEST_WAKE = "10:00"
FEWEST_ACTIVITIES = 6
"""A day with fewer different activities than this is nearly empty."""

_TIMEOUT = re.compile(r"\bin time\b|\btime[d-]?[ -]?out|\bstall|\btoo slow", re.IGNORECASE)
_ORDER = "tick, owner, step, ordinal, attempt"
_REJECTED = f"""
SELECT calls.agent, owner, tick, step, readings.problems, readings.kinds, calls.finish
FROM readings JOIN calls USING (owner, tick, step, ordinal, attempt)
WHERE NOT readings.accepted ORDER BY {_ORDER}
"""  # noqa: S608
_CUT = f"""
SELECT agent, owner, tick, step, finish, completion_tokens, max_tokens FROM calls
WHERE finish != 'stop' ORDER BY {_ORDER}
"""  # noqa: S608
_LOST = f"SELECT {LISTING} FROM calls WHERE retries + cuts > 0 ORDER BY {_ORDER}"  # noqa: S608
_AGAIN = f"""
SELECT {LISTING} FROM calls WHERE EXISTS (
    SELECT 1 FROM calls AS later WHERE later.owner = calls.owner AND later.tick = calls.tick
        AND later.step = calls.step AND later.ordinal = calls.ordinal AND later.attempt > 0
) ORDER BY {_ORDER}
"""  # noqa: S608
_TIMES = f"""
SELECT agent, owner, tick, step, model, milliseconds FROM calls
WHERE source = 'model' ORDER BY {_ORDER}
"""  # noqa: S608
_ODD = """
SELECT agent, owner, tick, step, odd, odd_kinds FROM steps WHERE odd != '[]' ORDER BY tick, owner, n
"""
_FALLBACKS = """
SELECT agent, owner, tick, step, attempts, problems FROM steps WHERE outcome = 'fallback'
ORDER BY tick, owner, n
"""


class ProblemPlace(NamedTuple):
    """The place of a problem: the step, call or thought."""

    agent: str
    owner: str
    tick: int
    step: str

    def report(self, reason: str, sentence: str) -> StepProblem:
        """Return a problem at this place, with its reason and a sentence."""
        return StepProblem(
            reason=reason,
            agent=self.agent,
            step=self.step,
            tick=self.tick,
            owner=self.owner,
            sentence=" ".join(sentence.split()),
            detail=rule_in(sentence) if reason == "rule" else "",
        )


def analyse(reader: RunReader) -> list[Reason]:
    """Return a run's problems until now, grouped by reason; empty if there are none."""
    with reader.snapshot():
        connection = reader.connection
        unpacker = Unpacker(connection)
        findings = [
            *lost_calls(connection, unpacker),
            *_unfinished_replies(connection),
            *_find_rejected_replies(connection),
            *_find_repeated_replies(connection, unpacker),
            *_find_odd_answers(connection),
            *_fallbacks(connection),
            *_slow(connection),
            *_odd_days(reader),
            *_failed(reader),
        ]
    return group_by_reason(findings)


def broken_rules(reader: RunReader) -> list[Reason]:
    """Return the refused answers that broke a rule of the town, grouped by rule."""
    with reader.snapshot():
        found = _find_rejected_replies(reader.connection)
        return group_by_reason([each for each in found if each.reason == "rule"])


def lost_calls(connection: sqlite3.Connection, unpacker: Unpacker) -> Iterator[StepProblem]:
    """Yield prompts that were too long, and calls that never got a reply."""
    for cells in connection.execute(_LOST):
        call = read_call(cells, unpacker)
        reasons = [str(sentence) for sentence in loads(call.lost)]
        unexplained = call.cuts + call.retries - len(reasons)
        reasons += ["No reason was recorded."] * unexplained
        for number, sentence in enumerate(reasons):
            reason = "timeout" if _TIMEOUT.search(sentence) else "lost"
            yield _locate_call(call).report(
                "cut_prompt" if number < call.cuts else reason, sentence
            )
    for gone in given_up(connection):
        where = ProblemPlace(*gone[:4])
        for sentence in gone.lost:
            yield where.report("timeout" if _TIMEOUT.search(sentence) else "lost", sentence)


def _unfinished_replies(connection: sqlite3.Connection) -> Iterator[StepProblem]:
    """Yield replies that were cut at their length limit or that the server could not read."""
    for *where, finish, tokens, allowed in connection.execute(_CUT):
        if finish == "length":
            many = "" if tokens is None else f" after {tokens} tokens"
            sentence = f"The reply was cut off{many}; {allowed} were allowed."
            yield ProblemPlace(*where).report("cut_answer", sentence)
        else:
            yield ProblemPlace(*where).report(
                "unreadable", "The server could not read its model's reply."
            )


def _find_rejected_replies(connection: sqlite3.Connection) -> Iterator[StepProblem]:
    """Yield the problems of rejected replies; in each reply, only the first one of a kind."""
    for *where, problems, kinds, finish in connection.execute(_REJECTED):
        sentences = loads(problems)
        named = [*loads(kinds), *("text" for _ in sentences)][: len(sentences)]
        reported: set[str] = set()
        for kind, sentence in zip(named, sentences, strict=True):
            if sentence.startswith("`wake`"):
                yield ProblemPlace(*where).report("wake", sentence)
                continue
            reason, counted = reason_of(kind), rule_in(sentence) or reason_of(kind)
            # A fault that the server itself reported is counted with the call, answered or not.
            if counted in reported or finish == "unreadable" or (finish, kind) == ("length", "cut"):
                continue
            reported.add(counted)
            yield ProblemPlace(*where).report(reason, sentence)


def _find_repeated_replies(
    connection: sqlite3.Connection, unpacker: Unpacker
) -> Iterator[StepProblem]:
    """Yield replies that equal the reply of an earlier attempt of the same step."""
    calls = (read_call(cells, unpacker) for cells in connection.execute(_AGAIN))
    for _, attempts in groupby(calls, lambda call: (_locate_call(call), call.key.ordinal)):
        yield from _find_repeated_answers(attempts)


def _find_repeated_answers(attempts: Iterable[Call]) -> Iterator[StepProblem]:
    """Yield the attempts of one step whose answers equal the answer of an earlier attempt."""
    attempt_of: dict[str, int] = {}
    for call in attempts:
        reply = call.reply.strip()
        if reply in attempt_of:
            sentence = f"Attempt {call.key.attempt + 1} answered what {attempt_of[reply] + 1} had: "
            yield _locate_call(call).report("repeated", f"{sentence}{reply}")
        elif reply and call.finish != "unreadable":
            attempt_of[reply] = call.key.attempt


def _find_odd_answers(connection: sqlite3.Connection) -> Iterator[StepProblem]:
    """Yield the oddities in accepted answers."""
    for *where, sentences, kinds in connection.execute(_ODD):
        for kind, sentence in zip(loads(kinds), loads(sentences), strict=True):
            yield ProblemPlace(*where).report(reason_of(kind), f"Accepted all the same. {sentence}")


def _fallbacks(connection: sqlite3.Connection) -> Iterator[StepProblem]:
    """Yield the steps that used their fallback, with the problems of their last reply."""
    for *where, attempts, problems in connection.execute(_FALLBACKS):
        last = " ".join(loads(problems)) or "no problem was recorded"
        sentence = f"Given up after {attempts} calls; the last was wrong so: {last}"
        yield ProblemPlace(*where).report("fallback", sentence)


def _slow(connection: sqlite3.Connection) -> Iterator[StepProblem]:
    """Yield the calls that took far longer than usual for their step and model."""
    rows = [(ProblemPlace(*where), model, ms) for *where, model, ms in connection.execute(_TIMES)]
    times: dict[tuple[str, str], list[float]] = {}
    for where, model, ms in rows:
        times.setdefault((where.step, model), []).append(ms)
    usual = {key: median(each) for key, each in times.items() if len(each) >= FEWEST_CALLS}
    for where, model, ms in rows:
        most = usual.get((where.step, model))
        if most is not None and ms > SLOW_TIMES * most and ms - most > SLOW_MILLISECONDS:
            sentence = f"It took {ms / 1000:.1f} s, where {most / 1000:.1f} s are usual."
            yield where.report("slow", sentence)


def _failed(reader: RunReader) -> Iterator[StepProblem]:
    """Yield the thoughts that failed."""
    for row in reader.thoughts():
        if row.failed:
            yield ProblemPlace(row.agent, row.agent, row.tick, "").report(
                "failed_thought", row.failed
            )


def _locate_call(call: Call) -> ProblemPlace:
    return ProblemPlace(call.agent, call.key.owner, call.key.tick, call.key.step)


def _odd_days(reader: RunReader) -> Iterator[StepProblem]:
    """Yield the odd ones among the accepted wake-up times and plans of a run."""
    for step in reader.steps():
        if step.step == "plan_day":
            sentence, reason = _odd_wake(step), "wake"
        elif step.step == "plan_hours":
            sentence, reason = _describe_short_plan(reader, step), "low_activity"
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


def _describe_short_plan(reader: RunReader, step: StepRecord) -> str:
    """Return how few activities a day's plan has; empty if it has enough of them."""
    awake = _minutes_awake(reader, step)
    if len(awake) < FEWEST_ACTIVITIES:
        activities = _format_activities(awake)
        return f"Only {len(awake)} different activities in the day{_mark(step)}: {activities}."
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
    """Return the planned minutes of each activity of a day, without sleep.

    A long working day is required by the persona, so it is not odd. Without `with_duties` it is
    left out.
    """
    mind = mind_of(reader, step.agent, step.tick)
    awake: Counter[str] = Counter()
    for block in mind.plan.hours if mind and mind.plan else ():
        if not is_sleep(block.activity) and (with_duties or block.source != DUTY):
            awake[block.activity] += block.minutes
    return awake


def _format_activities(awake: Counter[str]) -> str:
    return ", ".join(awake) or "nothing but sleep"


def _mark(step: StepRecord) -> str:
    return " (a fallback)" if step.outcome == "fallback" else ""
