"""A chat model, which is called in the same way for every kind of server.

Messages are adapted to its chat template: strictly alternating turns, with or without a system
role. A dialect makes the keyword arguments of a call; servers with a native API have dialects of
their own beside their connection, in `models.connecting`.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, cast

from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
)

from smolville.models.errors import TransportError
from smolville.models.reply import (
    MOST_CHARACTERS_A_TOKEN,
    Reply,
    check_prompt,
    hold_to_limit,
    is_whole,
    read_reply,
)
from smolville.models.request import ModelSettings, Request
from smolville.models.servers.transport import TranslatedErrors
from smolville.models.tokens import PromptTokens as PromptTokens
from smolville.models.tokens import estimate_prompt

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.runnables import RunnableConfig

    from smolville.models.standin.rule import Rule


GAP = "\n\n"
"""Separator between texts that are merged into one turn."""
SPARE_PIECES = 16
"""Pieces of a reply that may come beyond its limit in tokens: a server may split a token."""
OPENING = "Begin."
"""Human turn put before a talk that would begin with the model's own words."""

ROLES = {"system": "system", "human": "user", "ai": "assistant"}
"""The role that chat APIs have for each type of message."""


def plain_messages(messages: Sequence[BaseMessage]) -> list[dict[str, str]]:
    """Return messages as chat APIs take them: dicts of role and content."""
    return [{"role": ROLES[each.type], "content": str(each.content)} for each in messages]


def fit_roles(messages: Sequence[BaseMessage], system_role: bool = True) -> list[BaseMessage]:
    """Return the messages in a form that every chat template accepts.

    All system texts are joined and put first. Consecutive turns of the same role are merged. The
    first turn is human. If the model has no system role (Mistral-Instruct, Gemma), the system text
    begins the first human turn; it still comes first, so a server's prefix cache is as effective.
    """
    system = [m for m in messages if isinstance(m, SystemMessage)]
    turns: list[BaseMessage] = []
    for turn in messages:
        if isinstance(turn, SystemMessage):
            continue
        if turns and turns[-1].type == turn.type:
            turns[-1] = type(turn)(_join_texts([turns[-1], turn]))
        else:
            turns.append(turn)
    begins_human = not turns or isinstance(turns[0], HumanMessage)
    if not system or (system_role and turns):
        first = system if len(system) < 2 else [SystemMessage(_join_texts(system))]
        return [*first, *([] if begins_human else [HumanMessage(OPENING)]), *turns]
    if turns and begins_human:
        return [HumanMessage(_join_texts([*system, turns[0]])), *turns[1:]]
    return [HumanMessage(_join_texts(system)), *turns]


def _join_texts(messages: Sequence[BaseMessage]) -> str:
    return GAP.join(str(message.text) for message in messages)


class Dialect(Protocol):
    """The conversion of a request into the arguments of one kind of model."""

    def arguments(self, request: Request) -> dict[str, Any]:
        """Return the keyword arguments for `model.ainvoke`."""
        ...


def held_to(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return OpenAI's `response_format` for a schema."""
    held = {"name": "answer", "strict": True, "schema": dict(schema)}
    return {"type": "json_schema", "json_schema": held}


@dataclass(frozen=True)
class PlainDialect:
    """Dialect of any LangChain chat model: passes only what the model's class has a field for.

    Hosted models differ in which parts of a JSON schema they accept, and refuse the call otherwise;
    the prompt's format instructions and the tolerant reader work for all of them. A schema is sent
    only if the operator insists on it, and the model's class is one of OpenAI's.
    """

    known: frozenset[str] = frozenset()
    """Those arguments among temperature, seed, max_tokens, top_p and min_p that the model's class
    accepts."""
    settings: ModelSettings = field(default_factory=ModelSettings)
    limit: str = "max_tokens"
    """Name of a call's argument for the limit of its reply; Gemini's class has its own name for
    it."""

    def arguments(self, request: Request) -> dict[str, Any]:
        """Return the sampling arguments that the model knows, and the stop strings."""
        sampling: Mapping[str, Any] = {
            "temperature": request.temperature,
            "seed": request.server_seed,
            "max_tokens": request.max_tokens,
            "top_p": self.settings.top_p,
            "min_p": self.settings.min_p,
        }
        told = {
            name: value
            for name, value in sampling.items()
            if name in self.known and value is not None
        }
        if "max_tokens" in told:
            told[self.limit] = told.pop("max_tokens")
        if self.settings.stop:
            told["stop"] = list(self.settings.stop)
        if request.schema is not None and self.settings.constrain == "schema":
            told["extra_body"] = {"response_format": held_to(request.schema)}
        return told


@dataclass(frozen=True)
class InputsDialect:
    """Dialect of models that declare `wants_inputs` (the stand-in, scripted models in tests)."""

    def arguments(self, request: Request) -> dict[str, Any]:
        """Return everything in the request except its messages."""
        return {name: value for name, value in vars(request).items() if name != "messages"}


@dataclass(kw_only=True)
class Chat:
    """A chat model, ready to be called; from its first call on it belongs to one event loop."""

    spec: str
    """The spec, which a run stores to open the same model again; `parse_spec` can read it."""
    name: str
    """The model's own name on its server."""
    model: "BaseChatModel" = field(repr=False)
    parameters: str = ""
    """Number of parameters as Ollama writes it: `3.2B`; empty if unknown."""
    quantization: str = ""
    """Quantisation as Ollama writes it: `Q4_K_M`; empty if unknown."""
    slots: int = 1
    """Number of calls that the server processes at the same time."""
    constrains: bool = False
    """Whether decoding is constrained to the schema."""
    wants_inputs: bool = False
    """Whether the model gets the step's inputs, and its rule for them."""
    is_instant: bool = False
    """Whether it answers at once, in this process."""
    num_ctx: int | None = None
    """Context size of one call in tokens; None if unknown."""
    thinks: bool = False
    """Whether the model can think aloud, as its server reports."""
    system_role: bool = True
    """False if the chat template has no system role: its text goes into the first human turn."""
    context_length: int | None = None
    """Context size of the training, in tokens; None if unknown."""
    counter: "Callable[[list[BaseMessage]], Awaitable[PromptTokens]] | None" = field(
        default=None, repr=False
    )
    """Counts a prompt's tokens with the server's help; None if the server cannot count."""
    thinking_tokens: int = 0
    """Tokens added to every reply's limit for the thinking before it."""
    cuts_in_silence: bool = False
    """True if the server shortens a long prompt without an error (Ollama)."""
    streams: bool = False
    """Whether a reply comes in pieces, the last of which is marked as such."""
    timeout: float = ModelSettings.timeout
    """Seconds until the next piece of a streamed reply, or for a whole one, before the call counts
    as lost."""
    dialect: Dialect | None = field(default=None, repr=False)
    """Makes the arguments of calls. None: chosen by `wants_inputs`, without sampling arguments for
    other models."""
    server: str = ""
    """The server's name in messages; by default the spec."""
    key: str = field(default="", repr=False)
    """The server's key, which no message may contain."""
    close: Callable[[], Awaitable[None]] | None = field(default=None, repr=False)
    servers: "tuple[Chat, ...]" = ()
    """The servers that share the model's calls (`models.pool`); empty if there is only one. `ask`
    asks the first of them."""

    def __post_init__(self) -> None:
        """Set the default dialect and server name."""
        if self.dialect is None:
            self.dialect = InputsDialect() if self.wants_inputs else PlainDialect()
        self.server = self.server or self.spec

    @property
    def size(self) -> str:
        """The model's size and quantisation: `3.2B, Q4_K_M`; empty if unknown."""
        return ", ".join(filter(None, (self.parameters, self.quantization)))

    async def ask(
        self,
        messages: "list[BaseMessage]",
        *,
        schema: Mapping[str, Any] | None = None,
        seed: int = 0,
        temperature: float = 0.0,
        max_tokens: int = 512,
        step: str = "",
        inputs: Mapping[str, Any] | None = None,
        rule: "Rule | None" = None,
        config: "RunnableConfig | None" = None,
    ) -> Reply:
        """Return the model's reply to one call.

        Raises TransportError when the call did not get through, PromptCut when the prompt does not
        fit, UnknownModel when the server lost the model, UnreadableReply when the server could not
        parse what the model wrote.
        """
        request = Request(
            messages=messages,
            schema=schema if self.constrains or self.wants_inputs else None,
            seed=seed,
            temperature=temperature,
            max_tokens=max_tokens + self.thinking_tokens,
            step=step,
            inputs=inputs if self.wants_inputs else None,
            rule=rule if self.wants_inputs else None,
        )
        return await self._send(request, config)

    async def _send(self, request: Request, config: "RunnableConfig | None") -> Reply:
        assert self.dialect is not None
        sent = self._fit_messages(request.messages)
        started = time.perf_counter()
        with TranslatedErrors(self.server, key=self.key):
            message = await self._receive(sent, request, config)
        if self.streams and not is_whole(message):
            raise TransportError(f"{self.server} broke off in the middle of its reply.")
        reply = read_reply(message, (time.perf_counter() - started) * 1000.0)
        if not self.wants_inputs:
            reply = hold_to_limit(reply, request.max_tokens)
        if self.cuts_in_silence and self.num_ctx is not None:
            check_prompt(reply, request, sent, self.num_ctx, spec=self.spec, server=self.server)
        return reply

    async def _receive(
        self, sent: "list[BaseMessage]", request: Request, config: "RunnableConfig | None"
    ) -> AIMessage:
        """Return the model's message; one that goes on beyond the request's limit is cut there.

        Before the first token every piece counts as a sign of life, since llama.cpp's server
        reports its progress with a long prompt; from then on only further text does.
        """
        assert self.dialect is not None
        arguments = self.dialect.arguments(request)
        if not self.streams:
            async with asyncio.timeout(None if self.is_instant else self.timeout):
                return await self.model.ainvoke(sent, config=config, **arguments)
        pieces: list[AIMessageChunk] = []
        tokens = characters = within = 0
        most = request.max_tokens
        now = asyncio.get_running_loop().time
        async with (
            asyncio.timeout(self.timeout) as silence,
            aclosing(cast(Any, self.model.astream(sent, config=config, **arguments))) as stream,
        ):
            async for piece in stream:
                has_text = bool(piece.content or piece.additional_kwargs or piece.tool_call_chunks)
                tokens += has_text
                characters += len(str(piece.content))
                if tokens > most + SPARE_PIECES or characters > most * MOST_CHARACTERS_A_TOKEN:
                    cut = AIMessageChunk(content="", response_metadata={"finish_reason": "length"})
                    pieces[within:] = [cut]
                    break
                pieces.append(piece)
                within = len(pieces) if tokens <= most else within
                if has_text or not tokens:
                    silence.reschedule(now() + self.timeout)
        first, *others = pieces
        return first + others if others else first

    async def count_tokens(self, messages: "list[BaseMessage]") -> PromptTokens:
        """Return the number of a prompt's tokens: the server's own count, or else an estimate.

        Raises TransportError when the server is asked and cannot be reached.
        """
        sent = self._fit_messages(messages)
        if self.counter is not None:
            with TranslatedErrors(self.server, key=self.key):
                return await self.counter(sent)
        return PromptTokens(estimate_prompt(sent), is_exact=False)

    def _fit_messages(self, messages: "Sequence[BaseMessage]") -> "list[BaseMessage]":
        return fit_roles(messages, self.system_role)

    async def aclose(self) -> None:
        """Close the connections to all servers; the chat cannot be asked afterwards."""
        if self.close is not None:
            await self.close()
        for server in self.servers:
            await server.aclose()


class RepairMessage(HumanMessage):
    """A message with the problems of the previous answer; to a server, an ordinary human message.

    When a talk is shown as turns, the prompt itself contains answers, so roles alone do not tell
    where a prompt ends and its repairs begin.
    """
