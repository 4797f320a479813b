"""Reasons for an action: what was remembered, seen, decided and planned, from a run's history."""

from collections.abc import Iterable, Sequence
from json import dumps
from typing import Any

import orjson

from agents.action import Talk
from agents.times import at_of, clock, day_of, minute_at, minute_of
from agents.times import moment as town_time
from graphs.loop.ledger import StepRecord
from history.reader import RunReader
from history.records import ThoughtRow
from history.tables import STEPS
from history.thoughts import StepView, UseKey
from lab.moments.moment import moment_digits
from lab.tracing.span import SpanCause, SpanContext

BECAUSE = {
    "new_day": "a new day began",
    "action_ended": "what {} did was over",
    "sight": "something new came into sight",
    "talk_ended": "a talk had ended",
    "inner_voice": "an inner voice whispered",
    "refused": "the town refused what {} wanted",
}
"""Stimuli in words, with a placeholder for the first name."""


def memories_of(reader: RunReader, views: Iterable[StepView]) -> dict[str, dict[str, Any]]:
    """Return the memories found by some steps' recalls, by id: text, time, kind and rating."""
    ids = {id_ for view in views for recall in view.record.recalls for id_ in recall.ids}
    query = (
        "SELECT id, text, created, kind, importance FROM memories "
        "WHERE id IN (SELECT value FROM json_each(?))"
    )
    with reader.snapshot():
        rows = reader.connection.execute(query, (dumps(sorted(ids)),)).fetchall() if ids else []
    return {
        id_: {"text": text, "time": town_time(created), "kind": kind, "rating": rating}
        for id_, text, created, kind, rating in rows
    }


def read_new_memories(reader: RunReader, agent: str, tick: int) -> tuple[list[str], list[str]]:
    """Return the texts of a thought's new memories: those of what it saw, and all others."""
    query = "SELECT id, text FROM memories WHERE id > ? AND id < ? ORDER BY n"
    with reader.snapshot():
        # A memory's id is where it was made: agent/tick/step/ordinal/n. "0" follows "/".
        rows = reader.connection.execute(query, (f"{agent}/{tick}/", f"{agent}/{tick}0")).fetchall()
    texts: dict[bool, list[str]] = {True: [], False: []}
    for id_, text in rows:
        texts[id_.startswith(f"{agent}/{tick}/perceive/")].append(text)
    return texts[True], texts[False]


def find_planning_step(reader: RunReader, row: ThoughtRow) -> SpanCause | None:
    """Return the step that planned what a thought carries out.

    It is the last step of the same day up to then whose answer has the activity at that minute;
    fixed activities such as sleep and meals were planned with the day. Returns None when the
    thought does not carry out a plan.
    """
    if "act" not in row.path or not row.intent:
        return None
    activity, minute = row.intent.rpartition(" @ ")[0], minute_of(row.at)
    first = at_of(day_of(row.at), 0) // reader.spec.tick_seconds
    query = f"{STEPS.select} WHERE owner = ? AND tick BETWEEN ? AND ? ORDER BY tick DESC, n DESC"
    with reader.snapshot():
        rows = reader.connection.execute(query, (row.agent, first, row.tick))
        records = [STEPS.row(cells) for cells in rows]
    laid = (each for each in records if each.step == "plan_day")
    fitting = (each for each in records if _is_activity_planned(reader, each, activity, minute))
    found = next(fitting, None) or next(laid, None)
    if found is None:
        return None
    when = clock(minute_of(found.tick * reader.spec.tick_seconds))
    return _cause(reader, found, f"the plan says so since {when} ({found.step})")


def find_talk_cause(reader: RunReader, talk: Talk) -> SpanCause | None:
    """Return the `react` step in which a talk's initiator chose it, with the reason given."""
    thought = reader.thought(talk.participants[0], talk.start // reader.spec.tick_seconds)
    last = _find_last_reaction(thought.steps if thought else ())
    if last is None:
        return None
    return _cause(reader, last, str(orjson.loads(last.answer).get("reason", "")).rstrip("."))


def why_thought(row: ThoughtRow, views: Sequence[StepView], plan: SpanCause | None) -> str:
    """Return a thought's reasons and its result, in one sentence."""
    first = row.agent.split()[0]
    reasons = dict.fromkeys(BECAUSE.get(each, each).format(first) for each in row.stimuli)
    because = f"{row.agent} thought because {' and '.join(reasons) or 'somebody asked'}"
    if row.failed:
        return f"{because}; the thought failed: {row.failed}"
    if last := _find_last_reaction(views):
        choice = orjson.loads(last.answer)
        because += f", chose to {_format_reaction(choice)}: “{choice['reason'].rstrip('.')}”"
    if plan is not None:
        because += f"; {first} turned to {row.intent.rpartition(' @ ')[0]}: {plan.why}"
    return f"{because}."


def why_talked(talk: Talk, cause: SpanCause | None) -> str:
    """Return who began a talk and why, in one sentence."""
    others = " and ".join(talk.others(talk.participants[0])) or "nobody"
    reason = f": “{cause.why}”" if cause and cause.why else ""
    return f"{talk.participants[0]} began to talk with {others}{reason}."


def _find_last_reaction(views: Iterable[StepView]) -> StepRecord | None:
    """Return a thought's last `react` step."""
    found = [view.record for view in views if view.record.step == "react"]
    return found[-1] if found else None


def _format_reaction(choice: dict[str, Any]) -> str:
    """Return a reaction in words: `talk with Ben Hollis`, `continue`."""
    words = {
        "talk": f"talk with {choice['person']}",
        "wait": f"wait for {choice['person']}",
        "other": f"do something other than planned ({choice['activity']})",
    }
    return words.get(choice["choice"], f"{choice['choice']} as before")


def _is_activity_planned(reader: RunReader, record: StepRecord, activity: str, minute: int) -> bool:
    """Return whether a step's answer plans an activity for a time that contains this minute."""
    answer = orjson.loads(record.answer)
    start = minute_of(record.tick * reader.spec.tick_seconds)
    if record.step == "react":
        is_near = minute < start + (answer["minutes"] or 1)
        return bool(answer["choice"] == "other" and answer["activity"] == activity and is_near)
    if activity not in _planned_in(record.step, answer):
        return False
    view = reader.step(UseKey(record.owner, record.tick, record.step, record.ordinal))
    asked = orjson.loads(view.attempts[0].call.inputs) if view and view.attempts else {}
    if "start" not in asked:
        return True
    return minute_at(asked["start"]) <= minute < (minute_at(asked["end"]) or 1440)


def _planned_in(step: str, answer: dict[str, Any]) -> list[str]:
    """Return the activities planned in an answer."""
    if step == "plan_hours":
        return [text for texts in answer.values() for text in texts]
    return [each["activity"] for each in answer.get("subtasks", ())]


def _cause(reader: RunReader, record: StepRecord, words: str) -> SpanCause:
    """Return a use of a step as the cause of something."""
    digits = moment_digits(record.owner, record.tick, record.step, record.ordinal)
    thoughts = reader.thoughts(record.owner, record.tick, record.tick)
    there = SpanContext(spec=reader.spec, owner=record.owner, tick=record.tick, agent=record.owner)
    start = next((row.started for row in thoughts), 0.0) or record.started
    moment, root = f"{reader.spec.name}/{digits}", there.id("thought", start)
    return SpanCause(moment=moment, root=root, why=words)
