"""A thought, a talk or an hour as one tree of spans, built from a run's history alone.

thought ─→ step ─→ recall, render, attempt ─→ model, parse
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lab.tracing import why
from lab.tracing.naming import span_id, thought_digits, thought_name, what_was_done, worst
from lab.tracing.span import Kind, Place, Span, counted
from lab.tracing.steps import step_span
from world.runs.reader import RunReader
from world.runs.thoughts import StepView

HOUR = 3600
Key = tuple[Kind, str, int]
"""What tells a tree from all others of its run: the kind of its root, the agent (or the talk's id),
and the tick; of an hour, how many town hours lie before it."""


def thought_span(reader: RunReader, agent: str, tick: int) -> Span | None:
    """Return a thought as a tree, None when there is none."""
    thought = reader.thought(agent, tick)
    if thought is None:
        return None
    row, plan = thought.row, why.planned(reader, thought.row)
    place = Place(spec=reader.spec, owner=agent, tick=tick, agent=agent)
    steps = _steps(reader, place, thought.steps, row.started)
    seen, kept = why.remembered(reader, agent, tick)
    metadata = {
        "stimuli": list(row.stimuli),
        "nodes": list(row.path),
        "why": why.why_thought(row, thought.steps, plan),
        "planned_by": plan.moment if plan else None,
    }
    return _root(
        place,
        "thought",
        steps,
        what_was_done([each.name for each in steps], row.path, row.failed),
        started=row.started,
        milliseconds=row.milliseconds,
        inputs={"stimuli": list(row.stimuli), "newly_seen": seen},
        outputs={"intent": row.intent, "remembered": kept},
        metadata=metadata | ({"outcome": "failed"} if row.failed else {}),
        error=row.failed,
        cause=plan,
    )


def talk_span(reader: RunReader, talk_id: str) -> Span | None:
    """Return a talk as a tree, None when there is none."""
    view = reader.talk(talk_id)
    if view is None:
        return None
    talk, people, begun = view.talk, list(view.talk.participants), why.begun(reader, view.talk)
    place = Place(spec=reader.spec, owner=talk.id, tick=view.tick, agent=" & ".join(people))
    steps = _steps(reader, place, view.steps, 0.0)
    shared = {"participants": people, "place": talk.place, "why": why.why_talked(talk, begun)}
    metadata = {
        "talk": talk.id,
        "lines": len(talk.lines),
        "ended_by": talk.ended_by,
        "begun_by": begun.moment if begun else None,
    }
    said = [f"{line.speaker}: {line.text}" for line in talk.lines]
    return _root(
        place,
        "talk",
        steps,
        "talk",
        tags=people,
        inputs=shared,
        outputs={"lines": said, "ended_by": talk.ended_by},
        metadata=metadata | shared,
        cause=begun,
    )


def hour_span(spans: Sequence[Span]) -> Span | None:
    """Return an agent's thoughts of a town hour under one root: what a quota counts once.

    They stand by the time at which they were thought. None where there is none.
    """
    if not spans:
        return None
    children = tuple(sorted(spans, key=lambda each: each.start))
    first = children[0].metadata
    metadata = {key: first[key] for key in ("run", "agent", "time", "tick", "thread")}
    metadata |= {"thoughts": len(children), **_summed(children)}
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
    """Return the tree that a key names; None where the history has nothing there."""
    kind, owner, number = key
    if kind != "hour":
        return talk_span(reader, owner) if kind == "talk" else thought_span(reader, owner, number)
    first, after = (
        -(-at // reader.spec.tick_seconds) for at in (number * HOUR, (number + 1) * HOUR)
    )
    rows = reader.thoughts(owner, first, after - 1)
    spans = (thought_span(reader, owner, row.tick) for row in rows)
    return hour_span([each for each in spans if each is not None])


def _steps(
    reader: RunReader, place: Place, views: Sequence[StepView], after: float
) -> tuple[Span, ...]:
    """Return the steps one after another."""
    place = replace(place, memories=why.memories_of(reader, views))
    spans: list[Span] = []
    for view in views:
        told = view.record
        here = replace(place, agent=told.agent, step=told.step, ordinal=told.ordinal)
        spans.append(step_span(here, view, spans[-1].end if spans else after))
    return tuple(spans)


def _root(
    place: Place,
    kind: Kind,
    steps: tuple[Span, ...],
    did: str,
    *,
    started: float = 0.0,
    milliseconds: float = 0.0,
    metadata: dict[str, Any],
    tags: Sequence[str] = (),
    **more: Any,
) -> Span:
    """Return a thought's or talk's span over its steps, with what both tell alike."""
    start = started or min((each.start for each in steps), default=0.0)
    metadata = {
        "thought": thought_digits(place.owner, place.tick),
        "thread": f"{place.spec.name}/{place.agent}",
        **_summed(steps),
        **metadata,
    }
    ends = (*(each.metadata["outcome"] for each in steps), metadata["outcome"])
    return place.span(
        kind,
        start,
        max([start + milliseconds / 1000.0, *(each.end for each in steps)]),
        thought_name([place.agent], place.tick * place.spec.tick_seconds, did),
        metadata=metadata,
        tags=(*tags, *(each.name for each in steps), *ends),
        children=steps,
        **more,
    )


def _summed(children: Sequence[Span]) -> dict[str, Any]:
    """Return what a span tells of all beneath it: of steps, or of thoughts with theirs."""
    parts = [each.metadata for each in children]
    return {
        "steps": sum(part.get("steps", 1) for part in parts),
        "calls": sum(part.get("calls", part.get("attempts", 0)) for part in parts),
        "outcome": worst(part["outcome"] for part in parts),
        **counted(parts),
    }
