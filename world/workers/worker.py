"""Thoughts in other processes: the workers that run them, and the engine that sends and commits.

The messages between an engine and its workers are plain data as JSON, validated on arrival; only
vectors, and the mind with which a thought begins, are sent beside a message, as bytes.

Between two thoughts a worker keeps only the memories that it was sent. It writes nothing: calls,
minds and records go back to the engine, which commits them.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from pydantic import TypeAdapter

from smolville.agents.errors import InternalError, SmolvilleError, StoppedError
from smolville.agents.memory import Change, Memory
from smolville.agents.mind import Mind
from smolville.agents.norms import TownRule
from smolville.agents.persona import Persona
from smolville.graphs.context import Thinker
from smolville.graphs.loop.ledger import Call, CallKey
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import Rules
from smolville.graphs.surroundings import Senses
from smolville.history.history import History
from smolville.history.records import read_mind, write_mind
from smolville.history.spec import RunSpec
from smolville.models.chat import Chat
from smolville.models.embedding.embedder import open_embedder
from smolville.models.errors import ModelError
from smolville.models.keys import UserSpec
from smolville.models.open import open_chat
from smolville.models.pacing import Backoff
from smolville.models.pool import pool
from smolville.models.request import ModelSettings
from smolville.prompts.prompt import TemplateBook
from smolville.world.run_resources import Part, WorkerPlan, Workers
from smolville.world.streams import Streams, word_vectors
from smolville.world.thinkers import ThoughtOutcome, ThoughtRunner


@dataclass(frozen=True, kw_only=True)
class TierModel:
    """The servers that run one tier's model, as specs; their API keys are never sent."""

    spec: str
    """Name of the model in all records."""
    servers: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class WorkerSetup:
    """Everything about a run that a worker needs; it is sent only once."""

    cast: tuple[str, ...]
    seed: int
    embedder: str
    keywords: str
    fast: TierModel
    strong: TierModel
    asking: ModelSettings
    rules: Rules
    templates: tuple[tuple[int, Mapping[str, str]], ...]
    """Each set of templates by file name, with the tick from which the run uses it."""
    patience: float
    """Seconds for which an unreachable server is asked again."""
    workers: int
    """Number of workers, which share the slots of each server."""


@dataclass(frozen=True, kw_only=True)
class ThoughtRequest:
    """One thought to be made, with everything new about its agent since the last request."""

    persona: Persona
    around: Senses
    norms: tuple[TownRule, ...]
    without: frozenset[str]
    """Names of the components that are left out."""
    known: int
    """Number of memories that the worker already has."""
    memories: tuple[Memory, ...]
    """The new memories; their vectors are sent beside this, as the bytes of float32 numbers."""
    changes: tuple[Change, ...]
    """Later changes to new and known memories."""
    stored: tuple[Call, ...]
    """Calls of this thought that were journaled before a crash."""


@dataclass(frozen=True, kw_only=True)
class WorkerNews:
    """An event during a thought, which is reported to the engine at once."""

    kind: Literal["call", "served", "given_up"]
    """A call with its reply, one that the journal answered, or one that was never answered."""
    call: Call


@dataclass(frozen=True, kw_only=True)
class ThoughtReply:
    """The end of a thought: its outcome, or the reason why the run must stop."""

    outcome: ThoughtOutcome | None = None
    stopped: str = ""


SETUP = TypeAdapter(WorkerSetup)
REQUEST = TypeAdapter(ThoughtRequest)
NEWS = TypeAdapter(WorkerNews)
REPLY = TypeAdapter(ThoughtReply)

News = asyncio.Queue[WorkerNews | None]


class ThoughtWorker:
    """Runs thoughts for an engine; the two only exchange messages."""

    def __init__(self, setup: bytes) -> None:
        """Open the models and the embedder; raises ModelError if one of them is not available."""
        self._setup = asked = SETUP.validate_json(setup)
        embedder = open_embedder(UserSpec(asked.embedder), env=os.environ)
        backoff = Backoff(patience_seconds=asked.patience)
        words = word_vectors(asked.keywords)
        self._streams = Streams(asked.cast, embedder, backoff, words=words)
        fast = _open_tier(asked.fast, asked.asking, asked)
        strong = fast
        if asked.strong != asked.fast:
            strong = _open_tier(asked.strong, asked.asking, asked)
        self._relay = _Relay()
        client = ModelClient(
            fast=fast,
            strong=strong,
            journal=self._relay,
            seed=asked.seed,
            rules=asked.rules,
            templates=TemplateBook.of(asked.templates),
            backoff=backoff,
            heard=self._relay.hear,
        )
        self._runner = ThoughtRunner(client=client)

    async def think(self, request: bytes, mind: bytes, vectors: bytes) -> AsyncIterator[Part]:
        """Make a thought, which begins with a mind; yield events as they happen, then the reply."""
        asked = REQUEST.validate_json(request)
        agent = asked.persona.name
        self._learn(asked, vectors)
        with self._relay.of(agent, asked.stored) as news:
            making = asyncio.ensure_future(self._make(asked, read_mind(mind, Mind)))
            making.add_done_callback(lambda _: news.put_nowait(None))
            try:
                while (each := await news.get()) is not None:
                    yield "news", NEWS.dump_json(each)
                reply = await making
            finally:
                making.cancel()
        yield "reply", REPLY.dump_json(reply)

    def _learn(self, asked: ThoughtRequest, vectors: bytes) -> None:
        stream = self._streams.by_agent[asked.persona.name]
        if len(stream) != asked.known:
            raise InternalError(
                f"a worker knows {len(stream)} memories of {asked.persona.name}, not {asked.known}"
            )
        rows = np.frombuffer(vectors, np.float32).reshape(len(asked.memories), stream.dimension)
        self._streams.add(asked.memories, rows)
        self._streams.change(asked.changes)

    async def _make(self, asked: ThoughtRequest, mind: Mind) -> ThoughtReply:
        """Make the thought; an error that concerns an operator is returned as a sentence."""
        try:
            outcome = await self._runner.think(self._thinker(asked), mind)
        except (SmolvilleError, ModelError) as error:
            return ThoughtReply(stopped=str(error))
        return ThoughtReply(outcome=outcome)

    def _thinker(self, asked: ThoughtRequest) -> Thinker:
        return Thinker(
            persona=asked.persona,
            surroundings=asked.around,
            stream=self._streams.by_agent[asked.persona.name],
            embed=self._streams.embed,
            without=asked.without,
            norms=asked.norms,
        )


class _Relay:
    """The journal of the thoughts being made; it sends each stored call to the engine at once."""

    def __init__(self) -> None:
        self._thoughts: dict[str, tuple[Mapping[CallKey, Call], News]] = {}

    @contextmanager
    def of(self, agent: str, stored: Sequence[Call]) -> Iterator[News]:
        """Yield the queue of news about an agent's thought; `stored` are its journaled calls."""
        news: News = asyncio.Queue()
        self._thoughts[agent] = {call.key: call for call in stored}, news
        try:
            yield news
        finally:
            del self._thoughts[agent]

    def find_stored(self, key: CallKey, messages_hash: str) -> Call | None:
        """Return the call stored under `key` if it asked exactly the same, otherwise None."""
        call = self._thoughts[key.owner][0].get(key)
        return call if call is not None and call.messages_hash == messages_hash else None

    def store(self, call: Call) -> None:
        """Report a finished call to the engine."""
        self._put(call.key.owner, WorkerNews(kind="call", call=call))

    def give_up(self, call: Call) -> None:
        """Report to the engine a call that was never answered."""
        self._put(call.key.owner, WorkerNews(kind="given_up", call=call))

    def hear(self, call: Call, served: bool) -> None:
        """Report to the engine a call that the journal served."""
        if served:
            self._put(call.key.owner, WorkerNews(kind="served", call=call))

    def _put(self, agent: str, news: WorkerNews) -> None:
        self._thoughts[agent][1].put_nowait(news)


def _open_tier(tier: TierModel, asking: ModelSettings, setup: WorkerSetup) -> Chat:
    chats = [
        _sharing(open_chat(UserSpec(spec), settings=asking, seed=setup.seed)[0], setup.workers)
        for spec in tier.servers
    ]
    if len(chats) == 1:
        return replace(chats[0], spec=tier.spec)
    return pool(chats, tier.spec)


def _sharing(chat: Chat, workers: int) -> Chat:
    """Return a chat that uses this worker's share of a server's slots.

    It leaves the choice of a free slot to the server, because other workers use slots too.
    """
    return replace(chat, slots=max(1, chat.slots // workers))


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
