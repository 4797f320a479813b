"""Run one thought: from a mind, its surroundings and memories to an outcome for the commit."""

import logging
import time
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol, TypeVar

from smolville.agents.action import Talk
from smolville.agents.errors import SmolvilleError
from smolville.agents.memory import Change, Memory
from smolville.agents.mind import Appointment, Mind
from smolville.agents.needs import NeedsRow
from smolville.agents.rare_memories import MemoryDraw
from smolville.agents.routines import Reuse
from smolville.graphs.context import Thinker, context_of
from smolville.graphs.loop.ledger import FinishedStep, OnAsk
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.mind import build_mind, think
from smolville.graphs.needs import needs_due
from smolville.graphs.surroundings import Intent
from smolville.history.observers import RunObserver
from smolville.history.records import ThoughtRow
from smolville.models.errors import ModelError

T = TypeVar("T")

LOG = logging.getLogger("smolville")


@dataclass(kw_only=True)
class ThoughtOutcome:
    """The results of one thought or talk for the commit."""

    agent: str
    intent: Intent | None = None
    row: ThoughtRow | None = None
    talk: Talk | None = None
    memories: list[Memory] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    finished: list[FinishedStep] = field(default_factory=list)
    reused: list[Reuse] = field(default_factory=list)
    draws: list[MemoryDraw] = field(default_factory=list)
    felt: list[NeedsRow] = field(default_factory=list)
    need_at: int = 0
    """Town second at which a need is due if the agent follows its intent; 0 for none."""
    agreed: tuple[Appointment, ...] = ()
    """What was agreed in a talk, for the others who took part."""
    mind: Mind | None = None
    """The new mind; None if the thought failed."""


class Thinks(Protocol):
    """A runner of thoughts, in this process or in another one (`world.workers`)."""

    async def think(self, me: Thinker, mind: Mind) -> ThoughtOutcome:
        """Run one thought, which begins with a mind."""
        ...


@dataclass(kw_only=True)
class ThoughtRunner:
    """Runs thoughts in this process."""

    client: ModelClient
    watch: RunObserver = field(default_factory=RunObserver)

    async def think(self, me: Thinker, mind: Mind) -> ThoughtOutcome:
        """Run one thought; a failure in it affects only this agent.

        Errors that concern an operator (a stopped run, a model that cannot be used) are raised.
        """
        started, clock = time.time(), time.perf_counter()
        agent, around = me.name, me.surroundings
        row = ThoughtRow(
            agent=agent,
            tick=around.tick,
            at=around.at,
            stimuli=tuple(stimulus.kind for stimulus in around.stimuli()),
            path=(),
            started=started,
        )
        with watch_calls(self.watch, agent) as asks:
            done = await run_guarded(
                f"the thought of {agent} at tick {around.tick}",
                think(build_mind(), context_of(me, self.client, asks=asks), agent, mind),
            )
        if isinstance(done, Exception):
            return ThoughtOutcome(agent=agent, row=failed_row(row, done))
        row = replace(
            row,
            path=tuple(done.path),
            intent=_in_words(done.intent),
            milliseconds=(time.perf_counter() - clock) * 1000.0,
        )
        return ThoughtOutcome(
            agent=agent,
            intent=_declining(done.intent, done.declined),
            row=row,
            memories=list(done.draft.memories),
            changes=list(done.draft.changes),
            finished=done.finished,
            reused=done.reused,
            draws=done.draws,
            felt=done.felt,
            need_at=needs_due(me, done.mind, done.intent),
            agreed=done.agreed,
            mind=done.mind,
        )


@contextmanager
def watch_calls(watch: RunObserver, owner: str) -> Iterator[OnAsk | None]:
    """Yield the callback for an owner's model calls; None if nobody watches."""
    if not watch.wants_asks:
        yield None
        return
    try:
        yield partial(watch.asks, owner)
    finally:
        watch.asks(owner, None)


async def run_guarded(what: str, running: Awaitable[T]) -> T | Exception:
    """Return a graph's result or its error; raises errors that concern an operator."""
    try:
        return await running
    except (SmolvilleError, ModelError):
        raise
    except Exception as error:
        LOG.exception("%s failed", what)
        return error


def failed_row(row: ThoughtRow, error: Exception) -> ThoughtRow:
    """Return the row of a failed thought, which has only the reason."""
    return replace(row, failed=f"{type(error).__name__}: {error}"[:400])


def _declining(intent: Intent | None, people: tuple[str, ...]) -> Intent | None:
    return replace(intent or Intent(), declines=people) if people else intent


def _in_words(intent: Intent | None) -> str:
    """Return the result of a thought in words."""
    if intent is None:
        return ""
    if intent.start_talk:
        return f"talk to {intent.start_talk}: {intent.reason}"
    assert intent.action is not None
    return f"{intent.action.activity} @ {intent.action.place}"
