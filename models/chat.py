"""One chat model, asked the same way whatever serves it."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from models.cut import check_prompt
from models.dialect import Dialect, InputsDialect, PlainDialect
from models.reading import read_reply
from models.reply import Reply
from models.request import Request
from models.servers.transport import Translated
from models.tokens import Counted as Counted
from models.tokens import estimate_prompt

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage
    from langchain_core.runnables import RunnableConfig


@dataclass(kw_only=True)
class Chat:
    """A chat model that is ready to be asked; belongs to one event loop from its first call on."""

    spec: str
    """As `parse_spec` reads it: what a run stores to open the same model again."""
    name: str
    """The model's own name, as its server has it."""
    model: "BaseChatModel" = field(repr=False)
    slots: int = 1
    """How many calls the server works on at the same time."""
    constrains: bool = False
    """Whether decoding is held to the schema."""
    wants_inputs: bool = False
    """Whether the model is handed the step's typed inputs."""
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
        from models.roles import fit_roles

        return fit_roles(messages, self.system_role)

    async def aclose(self) -> None:
        """Close the connections to the server; the chat cannot be asked afterwards."""
        if self.close is not None:
            await self.close()
