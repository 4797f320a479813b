"""A worker, which runs the thoughts of some people, on this machine or another one.

Between two thoughts it keeps only the memories that it was sent. It writes nothing: calls, minds
and records go back to the engine, which commits them.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from smolville.agents.errors import InternalError, SmolvilleError
from smolville.agents.mind import Mind
from smolville.graphs.context import Thinker
from smolville.graphs.loop.ledger import Call, CallKey
from smolville.graphs.loop.model_client import ModelClient
from smolville.history.minds import read_mind
from smolville.models.chat import Chat
from smolville.models.embedding.embedder import open_embedder
from smolville.models.errors import ModelError
from smolville.models.keys import UserSpec
from smolville.models.open import open_chat
from smolville.models.pacing import Backoff
from smolville.models.pool import pool
from smolville.models.request import ModelSettings
from smolville.prompts.folder import Texts
from smolville.prompts.prompt import TemplateBook, TemplateSet
from smolville.world.run_resources import Part
from smolville.world.streams import Streams, word_vectors
from smolville.world.thinkers import ThoughtRunner
from smolville.world.workers.messages import (
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
        fast = _open_tier(asked.fast, asked.asking.of_fast(), asked)
        strong = fast
        if asked.strong != asked.fast or asked.asking.of_fast() != asked.asking.of_strong():
            strong = _open_tier(asked.strong, asked.asking.of_strong(), asked)
        self._relay = _Relay()
        client = ModelClient(
            fast=fast,
            strong=strong,
            journal=self._relay,
            seed=asked.seed,
            rules=asked.rules,
            templates=book_of(asked.templates),
            backoff=backoff,
            heard=self._relay.hear,
            told=self._relay.tell,
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
        """Add the memories and changes of a request to those kept here."""
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

    def tell(self, sentence: str) -> None:
        """Report a sentence about a server to the engine.

        It concerns no single thought, so it is sent with the news of any thought being made.
        """
        for agent in self._thoughts:
            self._put(agent, WorkerNews(kind="told", text=sentence))
            return

    def _put(self, agent: str, news: WorkerNews) -> None:
        self._thoughts[agent][1].put_nowait(news)


def book_of(sets: Sequence[tuple[int, Texts]]) -> TemplateBook:
    """Return a run's templates; each set has the tick from which it is used."""
    (_, first), *later = sets
    book = TemplateBook(TemplateSet.of(first))
    for tick, texts in later:
        book.turn(tick, TemplateSet.of(texts))
    return book


def _open_tier(tier: TierModel, asking: ModelSettings, setup: WorkerSetup) -> Chat:
    """Return the model of a tier, with this worker's share of each server's slots."""
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
