"""Where minds ask their models: one call, journaled, bounded to the server's slots."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, Literal, TypeVar

import orjson
from langchain_core.messages import BaseMessage

from agents.chance import draw
from agents.errors import StoppedError
from graphs.loop.examples import Pool
from graphs.loop.ledger import Call, CallKey, Journal
from graphs.loop.rules import Rules, Tier
from models.cache import ReplyCache
from models.chat import Chat, Counted
from models.errors import TransportError, UnreadableReply
from models.pacing import Backoff, Gate, ask_with_backoff, gave_up
from models.reply import Reply
from models.standin.rule import Rule
from models.tokens import estimate_prompt
from prompts.prompt import TemplateBook

T = TypeVar("T")

_ROLES = {"system": "system", "human": "user", "ai": "assistant"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One attempt of a step, ready to be asked."""

    key: CallKey
    agent: str
    inputs: Mapping[str, Any]
    rule: Rule
    """The stand-in's answer to these inputs, as the step declares it."""
    recalled: Sequence[Mapping[str, Any]]
    template: str
    messages: Sequence[BaseMessage]
    schema: Mapping[str, Any]
    tier: Tier
    temperature: float
    max_tokens: int
    examples: Sequence[Mapping[str, Any]] = ()
    """The example cases in the messages: case, answer, likeness, from, by."""
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
    templates: TemplateBook = field(default_factory=TemplateBook)
    """What questions are put with, by the tick."""
    pool: Pool = field(default_factory=Pool)
    """This run's own answers, for examples."""
    cache: ReplyCache | None = None
    """Asked behind the journal and before the model."""
    one_at_a_time: bool = False
    """True under the serial schedule, whatever the server could take."""
    heard: Callable[[Call, bool], None] = lambda call, served: None
    """Told of every call, and whether the journal served it."""
    waiting: Callable[[TransportError, float], None] = lambda error, seconds: None
    """Told of every pause after a lost call."""
    _gates: dict[str, Gate] = field(default_factory=dict)
    """By the model's spec: tiers with the same model share its server's slots."""

    def chat(self, tier: Tier) -> Chat:
        """Return the model of a tier."""
        return self.strong if tier == "strong" else self.fast

    def counting(self, tier: Tier) -> Chat:
        """Return the model of a tier, for counting prompts: a lost count is asked again, too.

        An estimate in its place would leave out of a prompt what an undisturbed run shows. Where
        the server will never count, the estimate holds for the whole run.
        """
        chat = self.chat(tier)
        if chat.counter is None:
            return chat

        async def counted(messages: list[BaseMessage]) -> Counted:
            async def once() -> Counted:
                try:
                    return await chat.count_tokens(messages)
                except TransportError as error:
                    if error.retryable:
                        raise
                    return Counted(estimate_prompt(messages), is_exact=False)

            return await patiently(once, self.backoff, self.waiting)

        return replace(chat, counter=counted)

    @property
    def gates(self) -> tuple[Gate, ...]:
        """What bounds the calls of each model that was asked so far."""
        return tuple(self._gates.values())

    @property
    def can_escalate(self) -> bool:
        """True when the strong tier is another model than the fast one."""
        return self.strong.spec != self.fast.spec

    async def ask(self, question: Question) -> Call:
        """Return the call for a question: out of the journal, the cache, or a model's own.

        Raises StoppedError when the server went away for good, after bounded back-off; PromptCut
        when the prompt does not fit, which whoever asks can help.
        """
        chat = self.chat(question.tier)
        draft = replace(self._draft(question, chat), started=time.time())
        found = self.journal.served(draft.key, draft.messages_hash)
        if found is not None:
            self.heard(found, True)
            return found
        kept = self.cache.served(_cache_key(draft)) if self.cache is not None else None
        if kept is not None:
            call = _answered(draft, kept, source="cache")
        else:
            call = await self._sent(chat, question, draft)
        self.journal.keep(call)
        self.heard(call, False)
        return call

    def _draft(self, question: Question, chat: Chat) -> Call:
        """Return the call as it is asked, without an answer yet."""
        seed = draw(self.seed, *_parts(question.key)) % 2**31
        messages = orjson.dumps(_plain(question.messages))
        schema = orjson.dumps(question.schema) if chat.constrains else b""
        digest = blake2b(messages + schema, digest_size=16)
        digest.update(f"{chat.spec}|{question.temperature}|{question.max_tokens}|{seed}".encode())
        return Call(
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
            reply="",
            finish="",
            cuts=question.cuts,
            dropped=question.dropped,
            examples=orjson.dumps(list(question.examples)).decode(),
            lost=orjson.dumps(list(question.lost)).decode(),
        )

    async def _sent(self, chat: Chat, question: Question, draft: Call) -> Call:
        """Return the call with the model's answer, as soon as the server has room for it."""
        lost: list[str] = []

        def noted(error: TransportError, seconds: float) -> None:
            lost.append(str(error))
            self.waiting(error, seconds)

        step, agent = question.key.step, question.agent
        async with self._gate(chat).slot(step, agent, question.max_tokens) as number:
            slot = number if chat.has_slots else None

            async def once() -> Reply:
                return await _put(chat, question, draft.seed, slot)

            try:
                reply = await patiently(once, self.backoff, noted)
            except StoppedError as error:
                lost.append(str(error.__cause__))
                told = orjson.dumps(lost).decode()
                self.journal.give_up(replace(draft, retries=len(lost), lost=told))
                raise
        if self.cache is not None:
            self.cache.keep(_cache_key(draft), reply)
        sentences = orjson.dumps([*question.lost, *lost]).decode()
        asked = replace(draft, slot=slot, retries=len(lost), lost=sentences)
        return _answered(asked, reply, source="model")

    def _gate(self, chat: Chat) -> Gate:
        """Return what bounds the calls in flight to the server's slots."""
        if chat.spec not in self._gates:
            self._gates[chat.spec] = Gate(chat.slots, in_flight=1 if self.one_at_a_time else None)
        return self._gates[chat.spec]


async def _put(chat: Chat, question: Question, seed: int, slot: int | None) -> Reply:
    """Put a question to a model, once; a reply its server could not parse is an answer, too."""
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
            slot=slot,
        )
    except UnreadableReply as error:
        return Reply(text=str(error), finish="unreadable")


def _answered(draft: Call, reply: Reply, *, source: Literal["model", "cache"]) -> Call:
    """Return the call with a reply and all that is told about it."""
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
    """Return what a reply is kept under.

    The attempt is part of it: a failed answer is never served to its own repair, even where the
    repair asks word for word the same.
    """
    return f"{draft.messages_hash}-{draft.key.attempt}"


def _parts(key: CallKey) -> tuple[object, ...]:
    """Return a call key's parts in the order in which draws are named."""
    return key.owner, key.tick, key.step, key.ordinal, key.attempt


def _plain(messages: Sequence[BaseMessage]) -> list[dict[str, str]]:
    """Return messages as role and content."""
    return [{"role": _ROLES[each.type], "content": str(each.content)} for each in messages]


async def patiently(
    ask: Callable[[], Awaitable[T]],
    backoff: Backoff,
    lost: Callable[[TransportError, float], None],
) -> T:
    """Return what `ask()` gives; StoppedError when the server went away for good.

    `lost` hears of every call that is asked again, and of the pause before.
    """
    paused: list[float] = []

    def noted(error: TransportError, seconds: float) -> None:
        paused.append(seconds)
        lost(error, seconds)

    try:
        return await ask_with_backoff(ask, backoff=backoff, on_retry=noted)
    except TransportError as error:
        raise StoppedError(gave_up(error, paused)) from error
