"""What a why page shows, read from a run at once, so that the page is drawn from one state."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agents.errors import RunError, SmolvilleError
from agents.persona import Weights
from agents.times import moment as town_time
from world.records import Deed, ThoughtRow
from world.runs.memory_rows import FOREVER
from world.runs.reader import RunReader
from world.runs.thoughts import StepView, TalkView, Thought
from world.telling.opening import Open, opened_run

UNREADABLE = (ValueError, KeyError, TypeError)
"""What damaged rows of a history raise when they are read."""


@dataclass(frozen=True, kw_only=True)
class Neighbour:
    """Another thought that a page leads to."""

    agent: str
    tick: int
    time: str
    """Clock and day, in words."""


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One thought or talk, with what is known beside it."""

    run: str
    tick_seconds: int
    embedder: str
    title: str
    time: str
    """Its town time with the date."""
    at: int
    tick: int
    agents: tuple[str, ...]
    """Whose thought it is; of a talk everybody in it."""
    steps: tuple[StepView, ...]
    weights: Mapping[str, Weights]
    """By agent; nobody where the town cannot be read any more."""
    texts: Mapping[str, str]
    """Of the memories that came back, by id."""
    row: ThoughtRow | None = None
    talk: TalkView | None = None
    deeds: tuple[Deed, ...] = ()
    before: Neighbour | None = None
    after: Neighbour | None = None
    began: Neighbour | None = None
    """Of a talk: the thought that wished for it."""


class NoThought(RunError):
    """There is no thought at a tick; has the nearest ones."""

    def __init__(self, text: str, near: tuple[Neighbour, ...]) -> None:
        super().__init__(text)
        self.near = near


def see_thought(runs: Path, run: str, wanted: str, tick: str) -> Seen:
    """Return a thought; RunError with the nearest name, NoThought with the nearest thoughts."""
    with opened_run(runs, run) as opened, opened.reader.snapshot():
        agent = opened.person(wanted)
        number = int(tick) if tick.isascii() and tick.isdigit() and len(tick) < 12 else None
        thought = None if number is None else opened.reader.thought(agent, number)
        if thought is None:
            raise _none(opened, agent, tick, number)
        return _thought_seen(opened, thought)


def see_talk(runs: Path, run: str, wanted: str) -> Seen:
    """Return a talk; RunError when there is none of that id."""
    with opened_run(runs, run) as opened, opened.reader.snapshot():
        id_ = wanted if wanted.startswith("talk/") else f"talk/{wanted}"
        talk = opened.reader.talk(id_)
        if talk is None:
            raise RunError(f"There is no talk {wanted!r} in the run {opened.folder.name!r}.")
        return _talk_seen(opened, talk)


def _thought_seen(opened: Open, thought: Thought) -> Seen:
    row, reader = thought.row, opened.reader
    near = _near(opened, row.agent, row.tick)
    return Seen(
        run=opened.folder.name,
        tick_seconds=opened.folder.spec.tick_seconds,
        embedder=opened.folder.spec.models.embedder,
        title=f"Why {row.agent} did that",
        time=opened.when(row.at),
        at=row.at,
        tick=row.tick,
        agents=(row.agent,),
        steps=thought.steps,
        weights=_weights(opened, (row.agent,)),
        texts=_texts(reader, thought.steps),
        row=row,
        deeds=tuple(reader.deeds(row.agent, row.tick, row.tick)),
        before=near[0],
        after=near[1],
    )


def _talk_seen(opened: Open, view: TalkView) -> Seen:
    talk, reader = view.talk, opened.reader
    wished = reader.thought(talk.participants[0], view.tick) if talk.participants else None
    return Seen(
        run=opened.folder.name,
        tick_seconds=opened.folder.spec.tick_seconds,
        embedder=opened.folder.spec.models.embedder,
        title=f"A talk of {' and '.join(talk.participants)}",
        time=opened.when(talk.start),
        at=talk.start,
        tick=view.tick,
        agents=talk.participants,
        steps=view.steps,
        weights=_weights(opened, talk.participants),
        texts=_texts(reader, view.steps),
        talk=view,
        began=None if wished is None else _neighbour(opened, wished.row),
    )


def _weights(opened: Open, agents: tuple[str, ...]) -> dict[str, Weights]:
    try:
        personas = opened.town.personas
    except SmolvilleError:
        return {}
    return {name: personas[name].weights for name in agents if name in personas}


def _texts(reader: RunReader, steps: tuple[StepView, ...]) -> dict[str, str]:
    ids = [id_ for view in steps for recall in view.record.recalls for id_ in recall.ids]
    return reader.memory_texts(ids)


def _near(opened: Open, agent: str, tick: int) -> tuple[Neighbour | None, Neighbour | None]:
    """Return somebody's last thought before a tick, and the first one after it."""
    before = opened.reader.thoughts(agent, 0, tick - 1)
    after = opened.reader.thoughts(agent, tick + 1, FOREVER)
    return (
        _neighbour(opened, before[-1]) if before else None,
        _neighbour(opened, after[0]) if after else None,
    )


def _neighbour(opened: Open, row: ThoughtRow) -> Neighbour:
    return Neighbour(agent=row.agent, tick=row.tick, time=opened.when(row.at))


def _none(opened: Open, agent: str, tick: str, number: int | None) -> NoThought:
    """Return that nothing was thought then, with the nearest thoughts."""
    run = opened.folder.name
    if number is None:
        near = _near(opened, agent, opened.tick + 1)
        text = f"{tick[:40]!r} is no tick; ticks count from 0."
    else:
        near = _near(opened, agent, number)
        when = town_time(number * opened.folder.spec.tick_seconds)
        text = f"{agent} thought nothing at tick {number} (day {when}) of the run {run!r}."
    return NoThought(text, tuple(each for each in near if each is not None))
