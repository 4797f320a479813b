"""A made-up town's history: every kind of row, the same for the same tick, sized like life."""

from collections.abc import Callable, Sequence
from json import dumps

import numpy as np

from smolville.agents.action import Action, Talk, TalkLine
from smolville.agents.chance import draw, pick
from smolville.agents.entities import PLOT, Happening
from smolville.agents.memory import Change, Memory, memory_id
from smolville.agents.needs import NeedsRow
from smolville.agents.routines import Reuse
from smolville.agents.stream import MemoryDraw
from smolville.graphs.loop.ledger import Call, CallKey, CallReading, StepRecord
from smolville.history.folder import RunFolder
from smolville.history.history import History
from smolville.history.records import (
    CommitBatch,
    Deed,
    Intervention,
    MindRow,
    Move,
    ObjectState,
    ThoughtRow,
)
from smolville.history.spec import ModelSpecs, RunSpec

CAST = ("Rosa Marin", "Tom O'Hara", "Žofie Nováková")
_WORDS = (
    "bakes", "bread", "walks", "garden", "early", "letter", "guitar", "promise", "market", "rain",
    "Thursday", "neighbour", "kettle", "window", "quarrel", "festival", "lamp", "harbour", "bench",
)  # fmt: skip
_RULES = "Answer in JSON only. Each field is explained below, one a line. " * 30


def spec(name: str = "amber-otter", **more: object) -> RunSpec:
    """What was asked."""
    return RunSpec(
        name=name,
        town="towns/smolville",
        town_name="Smolville",
        town_hash="c0ffee",
        cast=CAST,
        seed=7,
        models=ModelSpecs(fast="standin", strong="standin", embedder="words"),
        **more,
    )


def prose(count: int, *key: object) -> str:
    """Return `count` words drawn by `key`."""
    return " ".join(pick(_WORDS, *key, n) for n in range(count))


def call(tick: int, agent: str = CAST[0], attempt: int = 0, ordinal: int = 0) -> Call:
    """A call of about 10 kB."""
    key = CallKey(owner=agent, tick=tick, step="react", ordinal=ordinal, attempt=attempt)
    human = prose(220, "human", agent, tick)
    return Call(
        key=key,
        agent=agent,
        inputs=dumps({"me": {"name": agent}, "memories": human, "now": tick}),
        recalled=dumps(
            [{"id": f"{agent}/{n}/x/0/0", "score": draw(tick, n) / 2**63} for n in range(25)]
        ),
        template="0a1b2c3d",
        messages=dumps(
            [
                {"role": "system", "content": f"{_RULES}\nYou are {agent}."},
                {"role": "user", "content": human},
            ]
        ),
        messages_hash=f"{draw('hash', agent, tick, attempt):x}",
        model="standin",
        tier="fast",
        temperature=0.7,
        max_tokens=300,
        seed=draw("seed", agent, tick) % 2**31,
        schema=dumps(
            {"type": "object", "properties": {"choice": {"enum": prose(20, tick).split()}}}
        ),
        reply=dumps({"reason": prose(20, "reason", tick), "choice": "continue"}),
        finish="stop",
        prompt_tokens=900,
        completion_tokens=60,
        thinking_tokens=3,
        cached_tokens=None if attempt else 700,
        milliseconds=812.5 + attempt,
        retries=attempt,
    )


def calls(tick: int, agent: str) -> list[Call]:
    """The calls of a thought: a step that is repaired, and a clean one."""
    return [call(tick, agent, 0), call(tick, agent, 1), call(tick, agent, 0, ordinal=1)]


def batch(tick: int, agents: tuple[str, ...] = CAST, thinkers: int = 1) -> CommitBatch:
    """A commit in which some agents think, and two talk at every fifth tick."""
    at = tick * 10
    made = CommitBatch(tick=tick, at=at, agents=agents)
    first = tick % len(agents)
    for agent in (*agents[first:], *agents[:first])[:thinkers]:
        _think(made, agent)
    made.objects.append(
        ObjectState(
            address="Oak Cottage: kitchen: stove",
            tick=tick,
            state=prose(3, tick),
            emoji="🔥",
            by=agents[0],
        )
    )
    if tick % 5 == 0 and len(agents) > 1:
        made.talks.append(_talk(tick, agents))
    if tick % 10 == 0:
        made.reuses.append(reuse(tick, agents[0], prose))
        made.happenings.append(happening(tick, agents[0]))
        made.draws.append(drawn(tick, agents[0]))
        made.needs.append(felt(tick, agents[0]))
    if tick % 7 == 3:
        made.interventions.append(
            Intervention(
                id=f"w{tick}",
                tick=tick + 1,
                kind="whisper",
                target=agents[0],
                text=prose(5, "w", tick),
            )
        )
    return made


def _think(made: CommitBatch, agent: str) -> None:
    tick, at = made.tick, made.at
    made.bodies[agent] = dumps(
        {"place": "Oak Cottage: kitchen", "since": at, "action": prose(12, tick)}
    )
    made.moves.append(
        Move(agent=agent, tick=tick, end_tick=tick + 4, path=tuple((tick + n, 3) for n in range(5)))
    )
    made.deeds.append(
        Deed(
            agent=agent,
            tick=tick,
            action=Action(
                kind="do",
                activity=prose(4, tick),
                place="Oak Cottage: kitchen: stove",
                start=at,
                end=at + 600,
                emoji="🍞",
                predicate="bakes",
                object="bread",
                object_state="hot",
                object_emoji="🔥",
                partners=("Tom O'Hara",),
                fallback=tick % 11 == 0,
            ),
            outcome="refused" if tick % 13 == 0 else "accepted",
            reason="it is taken" if tick % 13 == 0 else "",
        )
    )
    made.thoughts.append(
        ThoughtRow(
            agent=agent,
            tick=tick,
            at=at,
            stimuli=("sight", "action_ended"),
            path=("perceive", "react"),
            intent=prose(5, "intent", tick),
            milliseconds=12.5,
        )
    )
    for ordinal, attempts in ((0, 2), (1, 1)):
        made.steps.append(
            StepRecord(
                owner=agent,
                tick=tick,
                step="react",
                ordinal=ordinal,
                agent=agent,
                attempts=attempts,
                outcome="repaired" if attempts == 2 else "clean",
                answer=dumps({"choice": "continue"}),
                problems=("`choice` is not one of them",) if attempts == 2 else (),
            )
        )
        for attempt in range(attempts):
            key = CallKey(owner=agent, tick=tick, step="react", ordinal=ordinal, attempt=attempt)
            last = attempt == attempts - 1
            made.readings.append(
                CallReading(
                    key=key,
                    accepted=last,
                    mends=("closed a bracket",),
                    problems=() if last else ("no",),
                )
            )
    made.memories += [memory(tick, agent, n) for n in range(2)]
    made.changes += changes(tick, agent)
    made.minds.append(
        MindRow(
            agent=agent,
            tick=tick,
            blob=dumps({"mind": _RULES, "t": tick}).encode(),
        )
    )


def memory(tick: int, agent: str, n: int) -> Memory:
    """A memory with every field set."""
    at = tick * 10
    return Memory(
        id=memory_id(agent, tick, "perceive", 0, n), agent=agent, kind="event" if n else "thought",
        text=f"{agent} {prose(8, tick, n)}", created=at, tick=tick, accessed=at,
        importance=None if n else 1 + tick % 10, subject=agent, predicate="bakes", object="bread",
        keywords=("bread", "oven"), expires=at + 30 * 86_400 if n else None,
        evidence=() if n else (f"{agent}/0/perceive/0/1",), depth=1 - n, strength=1,
    )  # fmt: skip


def changes(tick: int, agent: str) -> list[Change]:
    """Accesses of both memories of the tick, a rating, a strengthening and an expiry."""
    ids = [memory_id(agent, tick, "perceive", 0, n) for n in range(2)]
    at = tick * 10 + 5
    return [
        *(Change(id=one, kind="access", tick=tick, at=at) for one in ids),
        Change(id=ids[1], kind="rate", tick=tick, at=at, value=4, reason="it smells good"),
        Change(id=ids[0], kind="strengthen", tick=tick, at=at),
        Change(id=ids[1], kind="expire", tick=tick, at=at + 900),
    ]


def _talk(tick: int, agents: tuple[str, ...]) -> Talk:
    pair = agents[:2]
    lines = tuple(
        TalkLine(
            speaker=pair[n % 2], text=prose(12, "line", tick, n), at=tick * 10 + n, fallback=n == 2
        )
        for n in range(4)
    )
    return Talk(
        id=f"{tick}:{'+'.join(pair)}", participants=pair, place="Oak Cottage: kitchen",
        start=tick * 10, end=tick * 10 + 120, lines=lines, ended_by=pair[1],
    )  # fmt: skip


def write(history: History, ticks: range, thinkers: int = 1) -> None:
    """Live through some ticks: calls at once, then the commit."""
    for tick in ticks:
        made = batch(tick, thinkers=thinkers)
        for thought in made.thoughts:
            for one in calls(tick, thought.agent):
                history.store(one)
        history.commit(made)


def lived(folder: RunFolder, ticks: range) -> RunFolder:
    """Write the history of a run and close it."""
    with History(folder) as history:
        write(history, ticks)
    return folder


def embed(texts: Sequence[str]) -> np.ndarray:
    """A vector of small integers for each text, the same for the same text."""
    return np.array([[draw(text, n) % 7 - 3 for n in range(8)] for text in texts], np.float32)


def happening(tick: int, agent: str) -> Happening:
    """A letter of a tick."""
    return Happening(
        entity=PLOT,
        tick=tick,
        kind="letter",
        text=f"letter {tick}",
        place="a: b",
        who=agent,
        until=tick * 10 + 60,
    )


def reuse(tick: int, agent: str, prose: Callable[..., str]) -> Reuse:
    """Tasks that were done as before, with words drawn by `prose`."""
    return Reuse(
        agent=agent,
        tick=tick,
        kind="tasks",
        activity=prose(4, tick),
        matched=prose(4, "old", tick),
        similarity=0.912,
        learnt=tick - 5,
        since=tick * 10,
        until=tick * 10 + 3600,
        tasks=(prose(3, "one", tick), prose(3, "two", tick)),
    )


def drawn(tick: int, agent: str) -> MemoryDraw:
    """Two memories that came up by themselves."""
    return MemoryDraw(
        agent=agent,
        tick=tick,
        step="dream",
        memories=(f"{agent}/{tick}/perceive/0/0", f"{agent}/{tick}/perceive/0/1"),
        sizes=(1, 3),
        among=40,
        clusters=12,
        alike=0.6,
    )


def felt(tick: int, agent: str) -> NeedsRow:
    """The levels of two needs, of which one is urgent."""
    return NeedsRow(
        agent=agent,
        tick=tick,
        at=tick * 10 - 3,
        levels={"hunger": 81.5, "rest": 30.25},
        urgent="hunger",
    )
