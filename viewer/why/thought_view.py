"""The data of a why page. It is read from a run at once, so that the page shows one state."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from smolville.agents.errors import RunError, SmolvilleError
from smolville.agents.persona import Persona, Weights
from smolville.agents.wording import join_words
from smolville.history.moments import FOREVER
from smolville.history.records import Deed, RecordedTalk, StepView, Thought, ThoughtRow
from smolville.reports.runs import OpenRun, opened_run
from smolville.reports.thought_reasons import (
    find_planning_record,
    format_plan,
    unasked,
    why_thought,
)

UNREADABLE = (ValueError, KeyError, TypeError)
"""Exceptions raised when damaged rows of a history are read."""


@dataclass(frozen=True, kw_only=True)
class ThoughtView:
    """A thought or talk, with its context."""

    run: str
    tick_seconds: int
    embedder: str
    title: str
    time: str
    """Its town time with the date."""
    at: int
    tick: int
    agents: tuple[str, ...]
    """The agent who had the thought; for a talk, all participants."""
    steps: tuple[StepView, ...]
    weights: Mapping[str, Weights]
    """Memory weights by agent; empty when the town can no longer be read."""
    texts: Mapping[str, str]
    """Texts of the recalled memories, by id."""
    row: ThoughtRow | None = None
    why: str = ""
    """Why the person thought, and why they do what they decided."""
    talk: RecordedTalk | None = None
    deeds: tuple[Deed, ...] = ()
    more: tuple[str, ...] = ()
    """Sentences on urgent needs, on routines, and on memories that were picked at random."""
    links: tuple[tuple[str, str, int], ...] = ()
    """Other thoughts to go to: the text of each link, the agent and the tick."""


def see_thought(runs: Path, run: str, wanted: str, tick: str) -> ThoughtView:
    """Return a thought.

    Raises RunError if there is no such person, with the nearest name, or no thought at that tick.
    """
    with opened_run(runs, run) as opened, opened.reader.snapshot():
        agent = opened.person(wanted)
        number = int(tick) if tick.isascii() and tick.isdigit() and len(tick) < 12 else None
        thought = None if number is None else opened.reader.thought(agent, number)
        if thought is None:
            raise RunError(f"{agent} thought nothing at tick {tick[:40]} of the run {run!r}.")
        return _thought_seen(opened, thought)


def see_talk(runs: Path, run: str, wanted: str) -> ThoughtView:
    """Return a talk; raises RunError if there is none with that id."""
    with opened_run(runs, run) as opened, opened.reader.snapshot():
        id_ = wanted if wanted.startswith("talk/") else f"talk/{wanted}"
        talk = opened.reader.talk(id_)
        if talk is None:
            raise RunError(f"There is no talk {wanted!r} in the run {opened.folder.name!r}.")
        return _talk_seen(opened, talk)


def _seen(
    opened: OpenRun,
    at: int,
    tick: int,
    agents: tuple[str, ...],
    steps: tuple[StepView, ...],
    **more: Any,
) -> ThoughtView:
    """Return what a thought and a talk have in common, with what is their own."""
    personas: Mapping[str, Persona] = {}
    with suppress(SmolvilleError):
        personas = opened.town.personas
    ids = [id_ for view in steps for recall in view.record.recalls for id_ in recall.ids]
    return ThoughtView(
        run=opened.folder.name,
        tick_seconds=opened.folder.spec.tick_seconds,
        embedder=opened.folder.spec.models.embedder,
        time=opened.format_time(at),
        at=at,
        tick=tick,
        agents=agents,
        steps=steps,
        weights={name: personas[name].weights for name in agents if name in personas},
        texts=opened.reader.memory_texts(ids),
        **more,
    )


def _thought_seen(opened: OpenRun, thought: Thought) -> ThoughtView:
    row, reader = thought.row, opened.reader
    why, planned = why_thought(row, (), ""), None
    with suppress(*UNREADABLE):
        planned = find_planning_record(reader, row)
        plan = format_plan(planned, reader.spec.tick_seconds) if planned else ""
        why = why_thought(row, thought.steps, plan)
    is_earlier = planned is not None and planned.tick < row.tick
    near = {
        "← before": [each.tick for each in reader.thoughts(row.agent, 0, row.tick - 1)[-1:]],
        "next →": [each.tick for each in reader.thoughts(row.agent, row.tick + 1, FOREVER)[:1]],
        "The thought that planned it": [planned.tick] if planned and is_earlier else [],
    }
    return _seen(
        *(opened, row.at, row.tick, (row.agent,), thought.steps),
        title=f"Why {row.agent} {'did that' if row.intent else 'went on as before'}",
        row=row,
        why=why,
        deeds=tuple(reader.deeds(row.agent, row.tick, row.tick)),
        more=tuple(chain(*unasked(reader, row.agent, row.tick).values())),
        links=tuple((text, row.agent, tick) for text, ticks in near.items() for tick in ticks),
    )


def _talk_seen(opened: OpenRun, view: RecordedTalk) -> ThoughtView:
    talk, wish = view.talk, "The thought that wished for it"
    wished = opened.reader.thought(talk.participants[0], view.tick) if talk.participants else None
    return _seen(
        *(opened, talk.start, view.tick, talk.participants, view.steps),
        title=f"A talk of {join_words(talk.participants)}",
        talk=view,
        links=() if wished is None else ((wish, wished.row.agent, wished.row.tick),),
    )
