"""A thought, a talk or an hour as one tree of spans, built from a run's history alone.

thought ─→ step ─→ recall, render, attempt ─→ model, parse
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lab.tracing import why
from lab.tracing.naming import span_id, thought_digits, thought_name, what_was_done, worst
from lab.tracing.span import Place, Span, counted
from lab.tracing.steps import step_span
from world.runs.reader import RunReader
from world.runs.thoughts import StepView


def thought_span(reader: RunReader, agent: str, tick: int) -> Span | None:
    """Return a thought as a tree, None when there is none."""
    thought = reader.thought(agent, tick)
    if thought is None:
        return None
    row = thought.row
    place = Place(spec=reader.spec, owner=agent, tick=tick, at=row.at, agent=agent)
    steps = _steps(reader, place, thought.steps, row.started)
    start = row.started or min((each.start for each in steps), default=0.0)
    plan = why.planned(reader, place, row)
    seen, kept = why.remembered(reader, agent, tick)
    metadata = _metadata(place, steps, (agent,)) | {
        "stimuli": list(row.stimuli),
        "nodes": list(row.path),
        "why": why.why_thought(row, thought.steps, plan),
        "planned_by": plan[0].moment if plan else None,
    }
    failed = ("failed",) if row.failed else ()
    did = what_was_done([each.name for each in steps], row.path, row.failed)
    return place.span(
        "thought",
        thought_name([agent], row.at, did),
        start,
        max([start + row.milliseconds / 1000.0, *(each.end for each in steps)]),
        inputs={"stimuli": list(row.stimuli), "newly_seen": seen},
        outputs={"intent": row.intent, "remembered": kept},
        metadata=metadata | ({"outcome": "failed"} if failed else {}),
        tags=(*_tags(steps), *failed),
        error=row.failed,
        cause=plan[0] if plan else None,
        children=steps,
    )


def talk_span(reader: RunReader, talk_id: str) -> Span | None:
    """Return a talk as a tree, None when there is none."""
    view = reader.talk(talk_id)
    if view is None:
        return None
    talk, people = view.talk, list(view.talk.participants)
    names = " & ".join(people)
    place = Place(spec=reader.spec, owner=talk.id, tick=view.tick, at=talk.start, agent=names)
    steps = _steps(reader, place, view.steps, 0.0)
    begun = why.begun(reader, place, talk)
    reason = why.why_talked(talk, begun)
    metadata = _metadata(place, steps, people) | {
        "talk": talk.id,
        "participants": people,
        "place": talk.place,
        "lines": len(talk.lines),
        "ended_by": talk.ended_by,
        "why": reason,
        "begun_by": begun[0].moment if begun else None,
    }
    said = [f"{line.speaker}: {line.text}" for line in talk.lines]
    return place.span(
        "talk",
        thought_name(people, talk.start, "talk"),
        min((each.start for each in steps), default=0.0),
        max((each.end for each in steps), default=0.0),
        inputs={"participants": people, "place": talk.place, "why": reason},
        outputs={"lines": said, "ended_by": talk.ended_by},
        metadata=metadata,
        tags=(*people, *_tags(steps)),
        cause=begun[0] if begun else None,
        children=steps,
    )


def hour_span(spans: Sequence[Span]) -> Span | None:
    """Return an agent's thoughts of a town hour under one root: what a quota counts once.

    They stand by the time at which they were thought. None where there is none.
    """
    if not spans:
        return None
    children = tuple(sorted(spans, key=lambda each: each.start))
    first = children[0].metadata
    metadata = {key: first[key] for key in ("run", "agent", "time", "tick", "thread")} | {
        "thoughts": len(children),
        "steps": sum(each.metadata["steps"] for each in children),
        "calls": sum(each.metadata["calls"] for each in children),
        "outcome": worst(each.metadata["outcome"] for each in children),
        **counted(each.metadata for each in children),
    }
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


def _steps(
    reader: RunReader, place: Place, views: Sequence[StepView], after: float
) -> tuple[Span, ...]:
    """Return the steps one after another."""
    place = replace(place, memories=why.memories_of(reader, views))
    spans: list[Span] = []
    for view in views:
        told = view.record
        here = replace(place, agent=told.agent, step=told.step, ordinal=told.ordinal)
        spans.append(step_span(here, view, after))
        after = spans[-1].end
    return tuple(spans)


def _metadata(place: Place, steps: Sequence[Span], people: Sequence[str]) -> dict[str, Any]:
    """Return what a thought's and a talk's spans tell alike."""
    return {
        "thought": thought_digits(place.owner, place.tick),
        "thread": f"{place.spec.name}/{' & '.join(people)}",
        "steps": len(steps),
        "calls": sum(each.metadata["attempts"] for each in steps),
        "outcome": worst(each.metadata["outcome"] for each in steps),
        **counted(each.metadata for each in steps),
    }


def _tags(steps: Sequence[Span]) -> tuple[str, ...]:
    """Return what was done and how it ended."""
    ends = [each.metadata["outcome"] for each in steps]
    return (*(each.name for each in steps), *ends)
