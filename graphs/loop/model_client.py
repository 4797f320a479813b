"""The client through which minds call models: journal, cache, a slot of a server, retries.

A lost call goes to another server at once, or is asked again after a pause.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, Literal, TypeVar

import orjson
from langchain_core.messages import BaseMessage

from smolville.agents.chance import draw
from smolville.agents.errors import StoppedError
from smolville.graphs.loop.ledger import Call, CallKey, Journal
from smolville.graphs.loop.rules import Rules, Tier
from smolville.models.cache import ReplyCache
from smolville.models.chat import Chat, PromptTokens, plain_messages
from smolville.models.errors import TransportError, UnreadableReply
from smolville.models.pacing import Backoff, ask_with_backoff, gave_up
from smolville.models.reply import Reply
from smolville.models.slots import RateLimiter, SlotInUse
from smolville.models.standin.rule import Rule
from smolville.models.tokens import estimate_prompt
from smolville.prompts.prompt import TemplateBook

T = TypeVar("T")
Waiting = Callable[[TransportError, float], None]
"""Callback with the error of a lost call, and the seconds until it is retried."""
LAST_SECONDS = 1.0
"""Seconds for which a call still waits for its reply after its thought was cancelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepQuestion:
    """One attempt of a step, ready to be sent."""

    key: CallKey
    agent: str
    inputs: Mapping[str, Any]
    rule: Rule
    """The stand-in's rule for answering these inputs, as the step declares it."""
    recalled: Sequence[Mapping[str, Any]]
    template: str
    messages: Sequence[BaseMessage]
    schema: Mapping[str, Any] | None
    """The answer's schema; None if the answer is not written in JSON."""
    tier: Tier
    temperature: float
    max_tokens: int
    examples: Sequence[Mapping[str, Any]] = ()
    """The examples in the messages: case and answer."""
    dropped: int = 0
    """Number of memories and lines left out to make the prompt fit."""
    cuts: int = 0
    """Number of longer versions of this question that did not fit the context."""
    lost: tuple[str, ...] = ()
    """The transport errors so far, one sentence each."""


@dataclass(kw_only=True)
class SentCall:
    """A call that holds a slot of a server, with its transport errors so far."""

    used: SlotInUse
    servers: Sequence[Chat]
    """The model's servers, in the order in which the slots name them."""
    ask: Callable[[Chat], Awaitable[Reply]]
    """Sends the call to a server."""
    left_out: set[str]
    """Names of the servers that are avoided now; all calls of a run share this set."""
    waiting: Waiting
    told: Callable[[str], None]
    """Called with a sentence when a server is avoided, or answers again."""
    lost: list[str] = field(default_factory=list)
    """One sentence for each time that a server lost the call."""
    lost_by: list[str] = field(default_factory=list)
    """Specs of the servers that lost it, in the same order."""

    @property
    def server(self) -> Chat:
        """The server that has the call now, or answered it last."""
        return self.servers[self.used.server]

    async def send(self, backoff: Backoff) -> Reply:
        """Return the reply. Raises StoppedError if no server is back after the last retry."""

        def noted(error: TransportError, seconds: float) -> None:
            self.lost.append(str(error))
            self.waiting(error, seconds)

        try:
            return await with_retries(self._ask_servers, backoff, noted)
        except StoppedError as error:
            self.lost.append(str(error.__cause__))
            raise

    async def _ask_servers(self) -> Reply:
        """Return the first server's reply that arrives. Raises TransportError if none does."""
        while True:
            server = self.server
            try:
                reply = await self._ask(server)
            except TransportError as error:
                self.lost_by.append(server.spec)
                if not error.retryable or not await self.used.move_on(error):
                    raise
                self.lost.append(str(error))
                self._tell_left_out(server.server, error)
            else:
                self.used.answered()
                self._tell_answer(server.server)
                return reply

    async def _ask(self, server: Chat) -> Reply:
        asking = self.ask(server)
        if server.is_instant:
            return await asking
        call = asyncio.ensure_future(asking)
        await wait_for_reply(call)
        return call.result()

    def _tell_left_out(self, server: str, error: TransportError) -> None:
        if server not in self.left_out:
            self.left_out.add(server)
            self.told(f"{error} Its calls go to the other servers until it answers again.")

    def _tell_answer(self, server: str) -> None:
        if server in self.left_out:
            self.left_out.remove(server)
            self.told(f"{server} answers again.")


async def wait_for_reply(call: "asyncio.Future[T]") -> None:
    """Wait until a call has ended; if the caller is cancelled, wait only briefly.

    When a run stops, a reply may already be on its way. The caller stores it, then calls
    `end_if_cancelled`.
    """
    try:
        await asyncio.wait([call])
    except asyncio.CancelledError:
        try:
            await asyncio.wait([call], timeout=LAST_SECONDS)
        finally:
            has_reply = call.done() and not call.cancelled() and call.exception() is None
            call.cancel()
        if not has_reply:
            raise


def end_if_cancelled() -> None:
    """Raise CancelledError if the running task was cancelled while it waited for a reply."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


async def with_retries(ask: Callable[[], Awaitable[T]], backoff: Backoff, lost: Waiting) -> T:
    """Return the result of `ask()`. Raises StoppedError if the server is gone after the last retry.

    `lost` is called with every lost call that is retried, and the pause before the retry.
    """
    paused: list[float] = []

    def noted(error: TransportError, seconds: float) -> None:
        paused.append(seconds)
        lost(error, seconds)

    try:
        return await ask_with_backoff(ask, backoff=backoff, on_retry=noted)
    except TransportError as error:
        raise StoppedError(gave_up(error, paused)) from error


@dataclass(kw_only=True)
class ModelClient:
    """The models of a run, its journal, and the rules for all questions."""

    fast: Chat
    strong: Chat
    journal: Journal
    seed: int
    rules: Rules = field(default_factory=Rules)
    backoff: Backoff = field(default_factory=Backoff)
    templates: TemplateBook = field(default_factory=TemplateBook)
    """The templates used at each tick."""
    cache: ReplyCache | None = None
    """Cache of replies, asked after the journal and before the model."""
    one_at_a_time: bool = False
    """True under the serial schedule, whatever the server can handle in parallel."""
    heard: Callable[[Call, bool], None] = lambda call, served: None
    """Called with every call, and whether it came from the journal."""
    waiting: Callable[[TransportError, float], None] = lambda error, seconds: None
    """Called with the error of a lost call, and the seconds until it is retried."""
    told: Callable[[str], None] = lambda sentence: None
    """Called with a sentence when one of a model's servers is avoided, or answers again."""
    _gates: dict[str, RateLimiter] = field(default_factory=dict)
    """Rate limiters by the model's spec: tiers with the same model share its servers' slots."""
    _left_out: set[str] = field(default_factory=set)
    """Names of the servers that are avoided now."""

    def chat(self, tier: Tier) -> Chat:
        """Return the model of a tier."""
        return self.strong if tier == "strong" else self.fast

    def counting(self, tier: Tier) -> Chat:
        """Return the tier's model, with a token counter that asks again if a request is lost.

        If it estimated instead, a prompt could lack things that an undisturbed run would show.
        If the server can never count, estimates are used for the whole run.
        """
        chat = self.chat(tier)
        if chat.counter is None:
            return chat

        async def count_tokens(messages: list[BaseMessage]) -> PromptTokens:
            async def once() -> PromptTokens:
                try:
                    return await chat.count_tokens(messages)
                except TransportError as error:
                    if error.retryable:
                        raise
                return PromptTokens(estimate_prompt(messages), is_exact=False)

            return await with_retries(once, self.backoff, self.waiting)

        return replace(chat, counter=count_tokens)

    @property
    def gates(self) -> tuple[RateLimiter, ...]:
        """The rate limiters of all models asked so far."""
        return tuple(self._gates.values())

    @property
    def can_escalate(self) -> bool:
        """True if the strong tier has another model than the fast one."""
        return self.strong.spec != self.fast.spec

    async def ask(self, question: StepQuestion) -> Call:
        """Return the call for a question: from the journal, the cache, or the model itself.

        Raises StoppedError if the server is still gone after the last retry, and PromptCut if the
        prompt does not fit, so that the caller can shorten it.
        """
        chat = self.chat(question.tier)
        draft = replace(self.draft(question, chat), started=time.time())
        found = self.journal.find_stored(draft.key, draft.messages_hash)
        if found is not None:
            self.heard(found, True)
            return found
        kept = self.cache.find_stored(_cache_key(draft)) if self.cache is not None else None
        if kept is not None:
            call = complete_call(draft, kept, source="cache")
        else:
            call = await self._send_in_slot(chat, question, draft)
        self.journal.store(call)
        self.heard(call, False)
        end_if_cancelled()
        return call

    def draft(self, question: StepQuestion, chat: Chat) -> Call:
        """Return the call as it is sent, without an answer yet."""
        key = question.key
        seed = draw(self.seed, key.owner, key.tick, key.step, key.ordinal, key.attempt) % 2**31
        messages = orjson.dumps(plain_messages(question.messages))
        is_held = chat.constrains and question.schema is not None
        schema = orjson.dumps(question.schema) if is_held else b""
        digest = blake2b(messages + schema, digest_size=16)
        digest.update(f"{chat.spec}|{question.temperature}|{question.max_tokens}|{seed}".encode())
        return Call(
            key=key,
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
            reply="",
            finish="",
            cuts=question.cuts,
            dropped=question.dropped,
            examples=orjson.dumps(list(question.examples)).decode(),
            lost=orjson.dumps(list(question.lost)).decode(),
        )

    async def _send_in_slot(self, chat: Chat, question: StepQuestion, draft: Call) -> Call:
        """Wait until a server has a free slot, and return the call with the model's answer.

        If the model has several servers, a call that one of them loses goes to another at once.
        """
        async with self.gate(chat).slot(question.max_tokens, question.key.tick) as used:
            sending = SentCall(
                used=used,
                servers=chat.servers or (chat,),
                ask=lambda server: send_question(server, question, draft.seed),
                left_out=self._left_out,
                waiting=self.waiting,
                told=self.told,
            )
            try:
                reply = await sending.send(self.backoff)
            except StoppedError:
                self.journal.give_up(_note_losses(draft, chat, sending))
                raise
            server = sending.server
        if self.cache is not None:
            self.cache.store(_cache_key(draft), reply)
        asked = replace(
            _note_losses(draft, chat, sending, before=question.lost),
            server=server.spec if chat.servers else "",
        )
        return complete_call(asked, reply, source="model")

    def gate(self, chat: Chat) -> RateLimiter:
        """Return the limiter that allows no more parallel calls than the servers have slots."""
        if chat.spec not in self._gates:
            self._gates[chat.spec] = RateLimiter(
                *(server.slots for server in chat.servers or (chat,)),
                in_flight=1 if self.one_at_a_time else None,
                clock=self.backoff.clock,
            )
        return self._gates[chat.spec]


async def send_question(chat: Chat, question: StepQuestion, seed: int) -> Reply:
    """Send a question to a model once; a reply that the server cannot parse is an answer too.

    If the server passes on what its model wrote, that is the reply. Otherwise its message is kept.
    """
    try:
        return await chat.ask(
            list(question.messages),
            schema=question.schema,
            seed=seed,
            temperature=question.temperature,
            max_tokens=question.max_tokens,
            step=question.key.step,
            inputs=question.inputs if chat.wants_inputs else None,
            rule=question.rule if chat.wants_inputs else None,
        )
    except UnreadableReply as error:
        return Reply(text=error.raw) if error.raw else Reply(text=str(error), finish="unreadable")


def _note_losses(draft: Call, chat: Chat, sending: SentCall, before: Sequence[str] = ()) -> Call:
    return replace(
        draft,
        retries=len(sending.lost),
        lost=orjson.dumps([*before, *sending.lost]).decode(),
        lost_by=tuple(sending.lost_by) if chat.servers else (),
    )


def complete_call(draft: Call, reply: Reply, *, source: Literal["model", "cache"]) -> Call:
    """Return the call completed with a reply and all that the server said about it."""
    return replace(
        draft,
        reply=reply.text,
        finish=reply.finish,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        thinking_tokens=reply.thinking_tokens,
        cached_tokens=reply.cached_tokens,
        milliseconds=reply.milliseconds,
        prompt_ms=reply.prompt_ms,
        reply_ms=reply.reply_ms,
        source=source,
        thinking=reply.thinking,
    )


def _cache_key(draft: Call) -> str:
    """Return the cache key of a call.

    The attempt is part of it: a repair that asks exactly the same question as the attempt before it
    must not get the same wrong answer from the cache.
    """
    return f"{draft.messages_hash}-{draft.key.attempt}"
