"""Where minds ask their models: one call, journaled, bounded to the server's slots."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import orjson
from langchain_core.messages import BaseMessage

from agents.chance import draw
from agents.errors import StoppedError
from graphs.loop.ledger import Call, CallKey, Journal
from graphs.loop.rules import Rules, Tier
from models.backoff import Backoff, ask_with_backoff
from models.chat import Chat
from models.errors import TransportError, UnreadableReply
from models.reply import Reply

_ROLES = {"system": "system", "human": "user", "ai": "assistant"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One attempt of a step, ready to be asked."""

    key: CallKey
    agent: str
    inputs: Mapping[str, Any]
    recalled: Sequence[Mapping[str, Any]]
    template: str
    messages: Sequence[BaseMessage]
    schema: Mapping[str, Any]
    tier: Tier
    temperature: float
    max_tokens: int
    examples: Sequence[Mapping[str, Any]] = ()
    """The example cases in the messages: case, answer, likeness, from."""
    dropped: int = 0
    """Memories and lines left out so that the prompt fits."""
    cuts: int = 0
    """Longer versions of this very question that did not fit the context."""
    lost: tuple[str, ...] = ()
    """What was wrong with them, a sentence each."""


@dataclass(kw_only=True)
class Desk:
    """The models of a run, its journal, and what every question obeys."""

    fast: Chat
    strong: Chat
    journal: Journal
    seed: int
    rules: Rules = field(default_factory=Rules)
    backoff: Backoff = field(default_factory=Backoff)
    one_at_a_time: bool = False
    """True under the serial schedule, whatever the server could take."""
    heard: Callable[[Call, bool], None] = lambda call, served: None
    """Told of every call, and whether the journal served it."""
    waiting: Callable[[TransportError, float], None] = lambda error, seconds: None
    """Told of every pause after a lost call."""
    _gates: dict[Tier, asyncio.Semaphore] = field(default_factory=dict)

    def chat(self, tier: Tier) -> Chat:
        """Return the model of a tier."""
        return self.strong if tier == "strong" else self.fast

    @property
    def can_escalate(self) -> bool:
        """True when the strong tier is another model than the fast one."""
        return self.strong.spec != self.fast.spec

    async def ask(self, question: Question) -> Call:
        """Return the call for a question: from the journal if it was asked before, else anew.

        Raises StoppedError when the server went away for good, after bounded back-off.
        """
        chat = self.chat(question.tier)
        seed = draw(self.seed, *_parts(question.key)) % 2**31
        messages = orjson.dumps(_plain(question.messages))
        schema = orjson.dumps(question.schema) if chat.constrains else b""
        digest = blake2b(messages + schema, digest_size=16)
        digest.update(f"{chat.spec}|{question.temperature}|{question.max_tokens}|{seed}".encode())
        found = self.journal.served(question.key, digest.hexdigest())
        if found is not None:
            self.heard(found, True)
            return found
        lost: list[str] = []

        def noted(error: TransportError, seconds: float) -> None:
            lost.append(str(error))
            self.waiting(error, seconds)

        async with self._gate(question.tier, chat):
            reply, finish = await self._sent(chat, question, seed, noted)
        call = Call(
            key=question.key,
            agent=question.agent,
            inputs=orjson.dumps(question.inputs).decode(),
            recalled=orjson.dumps(question.recalled).decode(),
            template=question.template,
            messages=messages.decode(),
            messages_hash=digest.hexdigest(),
            model=chat.spec,
            tier=question.tier,
            temperature=question.temperature,
            max_tokens=question.max_tokens,
            seed=seed,
            schema=schema.decode(),
            reply=reply.text,
            finish=finish,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            thinking_tokens=reply.thinking_tokens,
            cached_tokens=reply.cached_tokens,
            milliseconds=reply.milliseconds,
            prompt_ms=reply.prompt_ms,
            reply_ms=reply.reply_ms,
            retries=len(lost),
            cuts=question.cuts,
            dropped=question.dropped,
            thinking=reply.thinking,
            examples=orjson.dumps(list(question.examples)).decode(),
            lost=orjson.dumps([*question.lost, *lost]).decode(),
        )
        self.journal.keep(call)
        self.heard(call, False)
        return call

    async def _sent(
        self,
        chat: Chat,
        question: Question,
        seed: int,
        noted: Callable[[TransportError, float], None],
    ) -> tuple[Reply, str]:
        """Return the model's reply and how it ended."""

        async def once() -> Reply:
            return await chat.ask(
                list(question.messages),
                schema=question.schema,
                seed=seed,
                temperature=question.temperature,
                max_tokens=question.max_tokens,
                step=question.key.step,
                inputs=question.inputs if chat.wants_inputs else None,
            )

        try:
            reply = await ask_with_backoff(once, backoff=self.backoff, on_retry=noted)
        except UnreadableReply as error:
            return Reply(text=str(error)), "unreadable"
        except TransportError as error:
            raise StoppedError(f"{error} Everything up to the last commit is saved.") from error
        return reply, reply.finish

    def _gate(self, tier: Tier, chat: Chat) -> AbstractAsyncContextManager[Any]:
        """Return what bounds the calls in flight to the server's slots."""
        if chat.wants_inputs and not self.one_at_a_time:
            return nullcontext()
        same: Tier = tier if self.can_escalate else "fast"
        if same not in self._gates:
            self._gates[same] = asyncio.Semaphore(1 if self.one_at_a_time else max(1, chat.slots))
        return self._gates[same]


def _parts(key: CallKey) -> tuple[object, ...]:
    """Return a call key's parts in the order in which draws are named."""
    return key.owner, key.tick, key.step, key.ordinal, key.attempt


def _plain(messages: Sequence[BaseMessage]) -> list[dict[str, str]]:
    """Return messages as role and content."""
    return [{"role": _ROLES[each.type], "content": str(each.content)} for each in messages]
