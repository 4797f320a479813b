"""One chat model, asked the same way whatever serves it.

Messages are fitted to its chat template: strictly alternating turns, with or without a system role.
A dialect makes the keyword arguments of one call; servers that are asked natively have dialects of
their own beside their connection, in `models.connecting`.
"""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from models.cut import check_prompt
from models.errors import TransportError
from models.reply import Reply, is_whole, read_reply
from models.request import Request, Settings
from models.servers.transport import Translated
from models.tokens import Counted as Counted
from models.tokens import estimate_prompt

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.runnables import RunnableConfig

    from models.standin.rule import Rule


GAP = "\n\n"
"""Stands between texts that become one turn."""
OPENING = "Begin."
"""The human turn in front of a talk that would open with the model's own words."""


def fit_roles(messages: Sequence[BaseMessage], system_role: bool = True) -> list[BaseMessage]:
    """Return the messages as every chat template takes them.

    System texts become one, at the front; turns of one role in a row become one; the first turn is
    human. Without a system role (Mistral-Instruct, Gemma) its text goes in front of the first human
    turn: it stays first, so a server's prefix cache serves as much as before.
    """
    system = [m for m in messages if isinstance(m, SystemMessage)]
    turns = _alternating([m for m in messages if not isinstance(m, SystemMessage)])
    if not system:
        return _opened(turns)
    if not system_role or not turns:
        return _folded(_joined(system), turns)
    first = system[0] if len(system) == 1 else SystemMessage(_joined(system))
    return [first, *_opened(turns)]


def _alternating(turns: Sequence[BaseMessage]) -> list[BaseMessage]:
    """Return the turns with neighbours of one role joined."""
    fitted: list[BaseMessage] = []
    for turn in turns:
        if fitted and fitted[-1].type == turn.type:
            fitted[-1] = type(turn)(_joined([fitted[-1], turn]))
        else:
            fitted.append(turn)
    return fitted


def _opened(turns: list[BaseMessage]) -> list[BaseMessage]:
    """Return the turns with a human one in front."""
    return [HumanMessage(OPENING), *turns] if turns and isinstance(turns[0], AIMessage) else turns


def _folded(system: str, turns: list[BaseMessage]) -> list[BaseMessage]:
    """Return the turns with the system text in front of the first human one."""
    if not turns or not isinstance(turns[0], HumanMessage):
        return [HumanMessage(system), *turns]
    return [HumanMessage(f"{system}{GAP}{turns[0].text}"), *turns[1:]]


def _joined(messages: Sequence[BaseMessage]) -> str:
    """Return the texts of messages as one."""
    return GAP.join(str(message.text) for message in messages)


class Dialect(Protocol):
    """What one kind of model understands beyond the messages."""

    def arguments(self, request: Request) -> dict[str, Any]:
        """Return the keyword arguments for `model.ainvoke`."""
        ...


def held_to(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return OpenAI's `response_format` for a schema."""
    held = {"name": "answer", "strict": True, "schema": dict(schema)}
    return {"type": "json_schema", "json_schema": held}


@dataclass(frozen=True)
class PlainDialect:
    """Any LangChain chat model: it is told what its class has a field for.

    Hosted models differ in what of a JSON schema they accept, and refuse the call for the rest; the
    prompt's format instructions and the tolerant reader serve all of them. A schema goes out only
    where the operator insists on it, and the model's class is one of OpenAI's.
    """

    known: frozenset[str] = frozenset()
    """Which of temperature, seed, max_tokens, top_p and min_p the model's class knows."""
    settings: Settings = field(default_factory=Settings)

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
        if self.settings.stop:
            told["stop"] = list(self.settings.stop)
        if request.schema is not None and self.settings.constrain == "schema":
            told["extra_body"] = {"response_format": held_to(request.schema)}
        return told


@dataclass(frozen=True)
class InputsDialect:
    """A model that declares `wants_inputs` (the stand-in, scripted models in tests)."""

    def arguments(self, request: Request) -> dict[str, Any]:
        """Return everything that the request says beside its messages."""
        return {
            "step": request.step,
            "inputs": request.inputs,
            "rule": request.rule,
            "seed": request.seed,
            "temperature": request.temperature,
            "max_tokens": request.max_tokens,
            "schema": request.schema,
        }


@dataclass(kw_only=True)
class Chat:
    """A chat model that is ready to be asked; belongs to one event loop from its first call on."""

    spec: str
    """As `parse_spec` reads it: what a run stores to open the same model again."""
    name: str
    """The model's own name, as its server has it."""
    model: "BaseChatModel" = field(repr=False)
    parameters: str = ""
    """As Ollama writes it: `3.2B`; empty where it is not known."""
    quantization: str = ""
    """As Ollama writes it: `Q4_K_M`; empty where it is not known."""
    slots: int = 1
    """How many calls the server works on at the same time."""
    constrains: bool = False
    """Whether decoding is held to the schema."""
    wants_inputs: bool = False
    """Whether the model is handed the step's inputs, and its rule for them."""
    num_ctx: int | None = None
    """Context in tokens of one call; None where it is not known."""
    system_role: bool = True
    """False where the chat template has no system role: its text goes into the first human turn."""
    has_slots: bool = False
    """Whether a call may name the server's slot (llama.cpp), so that its prefix is found there."""
    counter: "Callable[[list[BaseMessage]], Awaitable[Counted]] | None" = field(
        default=None, repr=False
    )
    """Counts a prompt's tokens with the server's help; None where it cannot be asked."""
    thinking_tokens: int = 0
    """What every reply's allowance grows by, for the thinking that comes before it."""
    cuts_in_silence: bool = False
    """True where the server shortens a long prompt without an error (Ollama)."""
    streams: bool = False
    """Whether a reply comes in pieces, of which the last one says that it is the last."""
    dialect: Dialect | None = field(default=None, repr=False)
    """None: by `wants_inputs`, without any sampling arguments for other models."""
    server: str = ""
    """How sentences name the server; the spec unless given."""
    key: str = field(default="", repr=False)
    """The server's key, which stands in no sentence."""
    is_foreign: bool = False
    """True for classes whose exceptions nobody has listed: each of them is a lost call."""
    close: Callable[[], Awaitable[None]] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Settle the dialect and the server's name."""
        if self.dialect is None:
            self.dialect = InputsDialect() if self.wants_inputs else PlainDialect()
        self.server = self.server or self.spec

    @property
    def size(self) -> str:
        """How large the model is and how it is quantised: `3.2B, Q4_K_M`; empty where unknown."""
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
        slot: int | None = None,
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
            slot=slot if self.has_slots else None,
        )
        return await self._send(request, config)

    async def _send(self, request: Request, config: "RunnableConfig | None") -> Reply:
        """Return the reply to a request."""
        assert self.dialect is not None
        sent = self._fitted(request.messages)
        started = time.perf_counter()
        with Translated(self.server, key=self.key, foreign=self.is_foreign):
            message = await self.model.ainvoke(
                sent, config=config, **self.dialect.arguments(request)
            )
        if self.streams and not is_whole(message):
            raise TransportError(f"{self.server} broke off in the middle of its reply.")
        reply = read_reply(message, (time.perf_counter() - started) * 1000.0)
        if self.cuts_in_silence and self.num_ctx is not None:
            check_prompt(reply, request, sent, self.num_ctx, spec=self.spec, server=self.server)
        return reply

    async def count_tokens(self, messages: "list[BaseMessage]") -> Counted:
        """Return how many tokens a prompt has: by the server's own count, else estimated.

        Raises TransportError when the server is asked and cannot be reached.
        """
        sent = self._fitted(messages)
        if self.counter is not None:
            with Translated(self.server, key=self.key):
                return await self.counter(sent)
        return Counted(estimate_prompt(sent), is_exact=False)

    def _fitted(self, messages: "Sequence[BaseMessage]") -> "list[BaseMessage]":
        """Return the messages as the chat template takes them."""
        return fit_roles(messages, self.system_role)

    async def aclose(self) -> None:
        """Close the connections to the server; the chat cannot be asked afterwards."""
        if self.close is not None:
            await self.close()
