"""Sends thoughts to workers and collects the results; only the engine commits."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from smolville.agents.errors import InternalError, StoppedError
from smolville.agents.mind import Mind
from smolville.graphs.context import Senses, Thinker
from smolville.graphs.loop.model_client import ModelClient
from smolville.history.history import History
from smolville.history.records import write_mind
from smolville.history.spec import RunSpec
from smolville.models.chat import Chat
from smolville.world.run_resources import WorkerPlan, Workers
from smolville.world.streams import Streams
from smolville.world.thinkers import ThoughtOutcome
from smolville.world.workers.worker import (
    NEWS,
    REPLY,
    REQUEST,
    SETUP,
    ThoughtReply,
    ThoughtRequest,
    TierModel,
    WorkerNews,
    WorkerSetup,
)


@dataclass(kw_only=True)
class DistributedThoughts:
    """Makes thoughts in other processes (`world.thinkers.Thinks`)."""

    workers: Workers
    streams: Streams
    history: History
    client: ModelClient

    def __post_init__(self) -> None:
        self.streams.begin_telling()
        self._told = dict.fromkeys(self.streams.by_agent, 0)

    async def think(self, me: Thinker, mind: Mind) -> ThoughtOutcome:
        """Let a worker make a thought; each call is journaled as soon as its reply arrives."""
        request, vectors = self._request(me)
        async for kind, data in self.workers.think(me.name, request, write_mind(mind), vectors):
            if kind == "news":
                self._take(NEWS.validate_json(data))
            else:
                return _outcome(REPLY.validate_json(data))
        raise InternalError(f"a worker gave no reply to the thought of {me.name}")

    def _request(self, me: Thinker) -> tuple[bytes, bytes]:
        """Return a thought's request, and the vectors of the memories in the request."""
        around = me.surroundings
        if not isinstance(around, Senses):
            raise StoppedError(
                "the surroundings of this world cannot be sent to workers: leave --workers out"
            )
        untold, known = self.streams.take_untold(me.name), self._told[me.name]
        self._told[me.name] += len(untold.memories)
        asked = ThoughtRequest(
            persona=me.persona,
            around=around,
            norms=me.norms,
            without=me.without,
            known=known,
            memories=tuple(untold.memories),
            changes=tuple(untold.changes),
            stored=tuple(self.history.calls_of(me.name, around.tick)),
        )
        return REQUEST.dump_json(asked), np.concatenate(
            [np.zeros(0, np.float32), *untold.vectors]
        ).tobytes()

    def _take(self, news: WorkerNews) -> None:
        """Journal a call, or pass a notification on."""
        if news.kind == "given_up":
            self.history.give_up(news.call)
        else:
            is_served = news.kind == "served"
            if not is_served:
                self.history.store(news.call)
            self.client.heard(news.call, is_served)


def _outcome(reply: ThoughtReply) -> ThoughtOutcome:
    if reply.outcome is None:
        raise StoppedError(reply.stopped or "a worker gave an empty reply")
    return reply.outcome


@contextmanager
def distributed(
    plan: WorkerPlan,
    spec: RunSpec,
    streams: Streams,
    history: History,
    client: ModelClient,
) -> Iterator[DistributedThoughts]:
    """Start a run's workers, and stop them at the end of the block.

    Memories added to the streams during the block are sent to the workers.
    """
    templates = history.template_sets()
    setup = WorkerSetup(
        cast=tuple(spec.cast),
        seed=spec.seed,
        embedder=spec.models.embedder,
        keywords=spec.models.keywords,
        fast=_tier(client.fast),
        strong=_tier(client.strong),
        asking=plan.asking,
        rules=client.rules,
        templates=tuple((tick, dict(texts)) for tick, texts in templates),
        patience=client.backoff.patience_seconds,
        workers=plan.count,
    )
    with plan.open(SETUP.dump_json(setup)) as workers:
        yield DistributedThoughts(workers=workers, streams=streams, history=history, client=client)


def _tier(chat: Chat) -> TierModel:
    servers = tuple(each.spec for each in chat.servers) or (chat.spec,)
    return TierModel(spec=chat.spec, servers=servers)
