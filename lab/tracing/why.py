"""Reasons for an action: what was remembered, seen, decided and planned, from a run's history."""

from collections.abc import Iterable
from json import dumps
from typing import Any

from agents.action import Talk
from agents.times import moment as town_time
from graphs.loop.ledger import StepRecord
from history.reader import RunReader
from history.records import ThoughtRow
from history.thoughts import StepView
from lab.moments.moment import moment_digits
from lab.tracing.span import SpanCause, SpanContext
from reports.thought_reasons import (
    find_last_reaction,
    find_planning_record,
    format_plan,
    format_reaction_reason,
)


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

    Returns None when the thought does not carry out a plan.
    """
    found = find_planning_record(reader, row)
    if found is None:
        return None
    return _cause(reader, found, format_plan(found, reader.spec.tick_seconds))


def find_talk_cause(reader: RunReader, talk: Talk) -> SpanCause | None:
    """Return the `react` step in which a talk's initiator chose it, with the reason given."""
    thought = reader.thought(talk.participants[0], talk.start // reader.spec.tick_seconds)
    last = find_last_reaction(thought.steps if thought else ())
    if last is None:
        return None
    return _cause(reader, last, format_reaction_reason(last))


def _cause(reader: RunReader, record: StepRecord, words: str) -> SpanCause:
    """Return the link from a result to the use of a step that caused it; `words` is why."""
    digits = moment_digits(record.owner, record.tick, record.step, record.ordinal)
    thoughts = reader.thoughts(record.owner, record.tick, record.tick)
    there = SpanContext(spec=reader.spec, owner=record.owner, tick=record.tick, agent=record.owner)
    start = next((row.started for row in thoughts), 0.0) or record.started
    moment, root = f"{reader.spec.name}/{digits}", there.id("thought", start)
    return SpanCause(moment=moment, root=root, why=words)
