"""A thought, a talk or an hour as one tree of spans, built from a run's history alone.

thought ─→ step ─→ recall, render, attempt ─→ model, parse
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agents.action import Talk
from lab.tracing.metadata import counted, told
from lab.tracing.naming import (
    talk_name,
    thought_digits,
    thought_name,
    thread,
    what_was_done,
    worst,
)
from lab.tracing.place import Place
from lab.tracing.span import Span
from lab.tracing.steps import step_span
from world.records import ThoughtRow
from world.runs.reader import RunReader
from world.runs.thoughts import StepView


def thought_span(reader: RunReader, agent: str, tick: int) -> Span | None:
    """Return a thought as a tree, None when there is none."""
    thought = reader.thought(agent, tick)
    if thought is None:
        return None
    row = thought.row
    place = Place(spec=reader.spec, owner=agent, tick=tick, at=row.at, agent=agent)
    steps = _steps(place, thought.steps, row.started)
    return _root(place, row, steps)


def talk_span(reader: RunReader, talk_id: str) -> Span | None:
    """Return a talk as a tree, None when there is none."""
    view = reader.talk(talk_id)
    if view is None:
        return None
    talk = view.talk
    names = " & ".join(talk.participants)
    place = Place(spec=reader.spec, owner=talk.id, tick=view.tick, at=talk.start, agent=names)
    steps = _steps(place, view.steps, 0.0)
    return place.span(
        "talk",
        talk_name(talk.participants, talk.start),
        min((each.start for each in steps), default=0.0),
        max((each.end for each in steps), default=0.0),
        inputs={"participants": list(talk.participants), "place": talk.place},
        outputs={"lines": len(talk.lines), "ended_by": talk.ended_by},
        metadata=_talk_metadata(talk, place) | _totals(steps),
        tags=_tags(*talk.participants, steps=steps),
        children=steps,
    )


def hour_span(name: str, spans: Sequence[Span], *, id: str = "") -> Span:
    """Return thoughts and talks, at least one, under one root: what a quota counts once.

    They stand by the time at which they were thought. `id` is the root's; without it, it is made
    from its first child's.
    """
    children = tuple(sorted(spans, key=lambda each: each.start))
    first = children[0].metadata
    alike = ("run", "agent", "time", "tick", "thread")
    metadata = {key: first[key] for key in alike} | {
        "thoughts": len(children),
        "steps": sum(each.metadata["steps"] for each in children),
        "calls": sum(each.metadata["calls"] for each in children),
        "outcome": worst(each.metadata["outcome"] for each in children if each.metadata["outcome"]),
    }
    return Span(
        name=name,
        kind="hour",
        id=id or f"{int(children[0].id, 16) ^ (2**128 - 1):032x}",
        start=children[0].start,
        end=max(each.end for each in children),
        inputs={"thoughts": len(children)},
        outputs={"outcome": metadata["outcome"]},
        metadata=told(metadata | counted(each.metadata for each in children)),
        tags=tuple(dict.fromkeys(tag for each in children for tag in each.tags)),
        error="\n".join(each.error for each in children if each.error),
        children=children,
    )


def _root(place: Place, row: ThoughtRow, steps: tuple[Span, ...]) -> Span:
    """Return a thought's own span."""
    start = row.started or min((each.start for each in steps), default=0.0)
    done = start + row.milliseconds / 1000.0
    names = [each.name for each in steps]
    totals = _totals(steps)
    if row.failed:
        totals["outcome"] = "failed"
    metadata = {
        "thought": thought_digits(place.owner, place.tick),
        "thread": thread(place.spec.name, place.agent),
        "stimuli": list(row.stimuli),
        "nodes": list(row.path),
    }
    return place.span(
        "thought",
        thought_name(row.agent, row.at, what_was_done(names, row.path, row.failed)),
        start,
        max([done, *(each.end for each in steps)]),
        inputs={"stimuli": list(row.stimuli)},
        outputs={"intent": row.intent},
        metadata=metadata | totals,
        tags=_tags(row.agent, steps=steps, failed=row.failed),
        error=row.failed,
        children=steps,
    )


def _steps(place: Place, views: Sequence[StepView], after: float) -> tuple[Span, ...]:
    """Return the steps one after another."""
    spans: list[Span] = []
    for view in views:
        record = view.record
        here = replace(place, agent=record.agent, step=record.step, ordinal=record.ordinal)
        spans.append(step_span(here, view, after))
        after = spans[-1].end
    return tuple(spans)


def _totals(steps: Sequence[Span]) -> dict[str, Any]:
    """Return what the steps of a thought or talk come to."""
    return {
        "steps": len(steps),
        "calls": sum(each.metadata["attempts"] for each in steps),
        "outcome": worst(each.metadata["outcome"] for each in steps),
        **counted(each.metadata for each in steps),
    }


def _talk_metadata(talk: Talk, place: Place) -> dict[str, Any]:
    return {
        "thought": thought_digits(talk.id, place.tick),
        "thread": thread(place.spec.name, *talk.participants),
        "talk": talk.id,
        "participants": list(talk.participants),
        "place": talk.place,
        "lines": len(talk.lines),
        "ended_by": talk.ended_by,
    }


def _tags(*names: str, steps: Sequence[Span], failed: str = "") -> tuple[str, ...]:
    """Return who, what and how it ended, each once."""
    ends = [each.metadata["outcome"] for each in steps] + (["failed"] if failed else [])
    return tuple(dict.fromkeys([*names, *(each.name for each in steps), *ends]))
