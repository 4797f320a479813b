"""The data of a why page. It is read from a run at once, so that the page shows one state."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from smolville.agents.errors import RunError, SmolvilleError
from smolville.agents.persona import Persona, Weights
from smolville.agents.wording import join_words
from smolville.history.moments import FOREVER, draws_of, needs_of
from smolville.history.records import Deed, ThoughtRow
from smolville.history.thoughts import RecordedTalk, StepView, Thought
from smolville.reports.runs import OpenRun, opened_run
from smolville.reports.stretches import format_reuse
from smolville.reports.thought_reasons import find_planning_record, format_draw, format_urgent

UNREADABLE = (ValueError, KeyError, TypeError)
"""Exceptions raised when damaged rows of a history are read."""


@dataclass(frozen=True, kw_only=True)
class LinkedThought:
    """Another thought that a page links to."""

    agent: str
    tick: int
    time: str
    """Clock and day, in words."""


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
    finished: str = ""
    """What the person did until the thought."""
    planned: LinkedThought | None = None
    """The earlier thought that planned the result of this one; None if there is none."""
    planned_by: str = ""
    """The step that planned it."""
    talk: RecordedTalk | None = None
    deeds: tuple[Deed, ...] = ()
    more: tuple[str, ...] = ()
    """Sentences on urgent needs, on routines, and on memories that were picked at random."""
    before: LinkedThought | None = None
    after: LinkedThought | None = None
    began: LinkedThought | None = None
    """For a talk: the thought that requested it."""


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
    planned, planned_by = _planned(opened, row)
    before, after = _near(opened, row.agent, row.tick)
    routines = [each for each in reader.reuses(row.tick, row.tick) if each.agent == row.agent]
    drawn = draws_of(reader.connection, row.agent, row.tick, row.tick)
    texts = {each.id: each.text for each in reader.memories(row.agent, row.tick)} if drawn else {}
    deeds = reader.deeds(row.agent, until=row.tick - 1) if row.tick else []
    done = [each.action.activity for each in deeds if each.outcome == "accepted"]
    return _seen(
        *(opened, row.at, row.tick, (row.agent,), thought.steps),
        title=f"Why {row.agent} {'did that' if row.intent else 'went on as before'}",
        row=row,
        finished=done[-1] if done else "",
        planned=planned,
        planned_by=planned_by,
        deeds=tuple(reader.deeds(row.agent, row.tick, row.tick)),
        more=(
            *format_urgent(needs_of(reader.connection, row.agent, row.tick, row.tick)),
            *(format_reuse(each, opened.folder.spec.tick_seconds) for each in routines),
            *(format_draw(each, lambda id_: texts.get(id_, id_)) for each in drawn),
        ),
        before=before,
        after=after,
    )


def _planned(opened: OpenRun, row: ThoughtRow) -> tuple[LinkedThought | None, str]:
    """Return the earlier thought that planned what this thought decided, and the step in it.

    If there is none, return None and "".
    """
    with suppress(*UNREADABLE):
        record = find_planning_record(opened.reader, row)
        if record is not None and record.tick < row.tick:
            time = opened.format_time(record.tick * opened.folder.spec.tick_seconds)
            return LinkedThought(agent=row.agent, tick=record.tick, time=time), record.step
    return None, ""


def _talk_seen(opened: OpenRun, view: RecordedTalk) -> ThoughtView:
    talk = view.talk
    wished = opened.reader.thought(talk.participants[0], view.tick) if talk.participants else None
    return _seen(
        *(opened, talk.start, view.tick, talk.participants, view.steps),
        title=f"A talk of {join_words(talk.participants)}",
        talk=view,
        began=None if wished is None else _neighbour(opened, wished.row),
    )


def _near(
    opened: OpenRun, agent: str, tick: int
) -> tuple[LinkedThought | None, LinkedThought | None]:
    """Return a person's last thought before a tick, and the first one after it."""
    before = opened.reader.thoughts(agent, 0, tick - 1)
    after = opened.reader.thoughts(agent, tick + 1, FOREVER)
    return (
        _neighbour(opened, before[-1]) if before else None,
        _neighbour(opened, after[0]) if after else None,
    )


def _neighbour(opened: OpenRun, row: ThoughtRow) -> LinkedThought:
    return LinkedThought(agent=row.agent, tick=row.tick, time=opened.format_time(row.at))
