"""Builds the span tree of a thought, a talk or an hour from a run's history alone.

thought ─→ step ─→ recall, render, attempt ─→ model, parse
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from json import dumps
from typing import Any

from smolville.agents.action import Talk
from smolville.agents.times import moment as town_time
from smolville.graphs.loop.ledger import StepRecord
from smolville.history.moments import draws_of, needs_of
from smolville.history.reader import RunReader
from smolville.history.records import ThoughtRow
from smolville.history.thoughts import StepView
from smolville.lab.moments.moment import moment_digits
from smolville.lab.tracing.listing import HOUR, Key, TraceRow, listed_of
from smolville.lab.tracing.span import (
    Span,
    SpanCause,
    SpanContext,
    find_worst_outcome,
    odd_tags,
    span_id,
    sum_span_counts,
)
from smolville.lab.tracing.steps import step_span
from smolville.reports.reused import format_reuse
from smolville.reports.thought_reasons import (
    find_last_reaction,
    find_planning_record,
    format_draw,
    format_plan,
    format_reaction_reason,
    format_urgent,
    why_talked,
    why_thought,
)


def thought_span(reader: RunReader, agent: str, tick: int) -> Span | None:
    """Return a thought as a tree, or None when there is none."""
    thought = reader.thought(agent, tick)
    if thought is None:
        return None
    row, plan = thought.row, find_planning_step(reader, thought.row)
    seen, kept = read_new_memories(reader, agent, tick)
    reused = [
        format_reuse(each, reader.spec.tick_seconds)
        for each in reader.reuses(tick, tick)
        if each.agent == agent
    ]
    texts = {each.id: each.text for each in reader.memories(agent, tick)}
    felt = format_urgent(needs_of(reader.connection, agent, tick, tick))
    return _root(
        reader,
        listed_of([row], (), [each.record for each in thought.steps], reader.spec.tick_seconds)[0],
        thought.steps,
        row.started,
        inputs={"stimuli": list(row.stimuli), "newly_seen": seen},
        outputs={"intent": row.intent, "remembered": kept},
        metadata={
            "stimuli": list(row.stimuli),
            "nodes": list(row.path),
            "why": why_thought(row, thought.steps, plan.why if plan else ""),
            "planned_by": plan.moment if plan else None,
            "reused": reused,
            "came_up": [
                format_draw(each, lambda id_: texts.get(id_, id_))
                for each in draws_of(reader.connection, agent, tick, tick)
            ],
            "felt": felt,
        },
        error=row.failed,
        cause=plan,
    )


def talk_span(reader: RunReader, talk_id: str) -> Span | None:
    """Return a talk as a tree, or None when there is none."""
    view = reader.talk(talk_id)
    if view is None:
        return None
    talk, people, cause = (
        view.talk,
        list(view.talk.participants),
        find_talk_cause(reader, view.talk),
    )
    shared = {
        "participants": people,
        "place": talk.place,
        "why": why_talked(talk, cause.why if cause else ""),
    }
    lines = [f"{line.speaker}: {line.text}" for line in talk.lines]
    return _root(
        reader,
        listed_of((), [talk], [each.record for each in view.steps], reader.spec.tick_seconds)[0],
        view.steps,
        0.0,
        inputs=shared,
        outputs={"lines": lines, "ended_by": talk.ended_by},
        metadata=shared
        | {
            "talk": talk.id,
            "lines": len(lines),
            "ended_by": talk.ended_by,
            "begun_by": cause.moment if cause else None,
        },
        cause=cause,
    )


def hour_span(spans: Sequence[Span]) -> Span | None:
    """Return an agent's thoughts of a town hour under one root, so that they count as one trace.

    They are ordered by the time at which they were made. Returns None when there are none.
    """
    if not spans:
        return None
    children = tuple(sorted(spans, key=lambda each: each.start))
    first = children[0].metadata
    metadata = {key: first[key] for key in ("run", "agent", "time", "tick", "thread")}
    metadata |= {"thoughts": len(children), **_summarise_children(children)}
    return Span(
        name=f"{first['agent']} · {first['time'].split()[-1][:2]}:00",
        kind="hour",
        id=span_id(children[0].start, children[0].id, "hour"),
        start=children[0].start,
        end=max(each.end for each in children),
        inputs={"thoughts": [each.metadata["why"] for each in children]},
        outputs={"outcome": metadata["outcome"]},
        metadata={key: value for key, value in metadata.items() if value is not None},
        tags=tuple(dict.fromkeys(tag for each in children for tag in each.tags)),
        error="\n".join(each.error for each in children if each.error),
        children=children,
    )


def tree_of(reader: RunReader, key: Key) -> Span | None:
    """Return the tree for a key, or None when the history has no such entry."""
    kind, owner, number = key
    if kind != "hour":
        return talk_span(reader, owner) if kind == "talk" else thought_span(reader, owner, number)
    first, after = (
        -(-at // reader.spec.tick_seconds) for at in (number * HOUR, (number + 1) * HOUR)
    )
    rows = reader.thoughts(owner, first, after - 1)
    spans = (thought_span(reader, owner, row.tick) for row in rows)
    return hour_span([each for each in spans if each is not None])


def _root(
    reader: RunReader, entry: TraceRow, views: Sequence[StepView], started: float, **more: Any
) -> Span:
    """Return the root span of a thought or talk, with its steps and the fields common to both."""
    agent = " & ".join(entry.people)
    place = SpanContext(spec=reader.spec, owner=entry.owner, tick=entry.tick, agent=agent)
    memories = memories_of(reader, views)
    steps: list[Span] = []
    for view in views:
        record = view.record
        here = replace(
            place, agent=record.agent, step=record.step, ordinal=record.ordinal, memories=memories
        )
        steps.append(step_span(here, view, steps[-1].end if steps else started))
    start = started or min((each.start for each in steps), default=0.0)
    ended = start + entry.milliseconds / 1000.0
    shared = {
        "thought": entry.digits,
        "thread": f"{reader.spec.name}/{agent}",
        **_summarise_children(steps),
    }
    outcomes = (each.metadata["outcome"] for each in steps)
    return place.span(
        entry.kind,
        start,
        max([ended, *(each.end for each in steps)]),
        entry.name,
        metadata=shared | more.pop("metadata") | {"outcome": entry.outcome},
        tags=(
            *entry.people,
            *entry.steps,
            *outcomes,
            entry.outcome,
            *odd_tags(shared["odd_kinds"]),
        ),
        children=tuple(steps),
        **more,
    )


def _summarise_children(children: Sequence[Span]) -> dict[str, Any]:
    """Return the metadata that summarises child spans: steps, or thoughts with their steps."""
    parts = [each.metadata for each in children]
    return {
        "steps": sum(part.get("steps", 1) for part in parts),
        "odd_kinds": list(dict.fromkeys(kind for part in parts for kind in part["odd_kinds"])),
        "calls": sum(part.get("calls", part.get("attempts", 0)) for part in parts),
        "outcome": find_worst_outcome(part["outcome"] for part in parts),
        **sum_span_counts(parts),
    }


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
    """Return the texts of a thought's new memories: its perceptions, and all other memories."""
    query = "SELECT id, text FROM memories WHERE id > ? AND id < ? ORDER BY n"
    with reader.snapshot():
        # A memory's id is where it was made: agent/tick/step/ordinal/n. "0" follows "/".
        rows = reader.connection.execute(query, (f"{agent}/{tick}/", f"{agent}/{tick}0")).fetchall()
    texts: dict[bool, list[str]] = {True: [], False: []}
    for id_, text in rows:
        texts[id_.startswith(f"{agent}/{tick}/perceive/")].append(text)
    return texts[True], texts[False]


def find_planning_step(reader: RunReader, row: ThoughtRow) -> SpanCause | None:
    """Return the step that planned the action of a thought.

    Returns None if the thought does not carry out a plan.
    """
    found = find_planning_record(reader, row)
    if found is None:
        return None
    return _cause(reader, found, format_plan(found, reader.spec.tick_seconds))


def find_talk_cause(reader: RunReader, talk: Talk) -> SpanCause | None:
    """Return the `react` step in which somebody chose to begin a talk, with the reason given."""
    thought = reader.thought(talk.participants[0], talk.start // reader.spec.tick_seconds)
    last = find_last_reaction(thought.steps if thought else ())
    if last is None:
        return None
    return _cause(reader, last, format_reaction_reason(last))


def _cause(reader: RunReader, record: StepRecord, words: str) -> SpanCause:
    """Return the link from a result to the use of a step that caused it; `words` are the reason."""
    digits = moment_digits(record.owner, record.tick, record.step, record.ordinal)
    thoughts = reader.thoughts(record.owner, record.tick, record.tick)
    there = SpanContext(spec=reader.spec, owner=record.owner, tick=record.tick, agent=record.owner)
    start = next((row.started for row in thoughts), 0.0) or record.started
    moment, root = f"{reader.spec.name}/{digits}", there.id("thought", start)
    return SpanCause(moment=moment, root=root, why=words)
