"""One chat model, asked the same way whatever serves it."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from models.cut import check_prompt
from models.dialect import Dialect, InputsDialect, PlainDialect
from models.reading import read_reply
from models.reply import Reply
from models.request import Request
from models.servers.transport import Translated
from models.tokens import estimate_prompt

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage
    from langchain_core.runnables import RunnableConfig


class Counted(NamedTuple):
    """How many tokens a prompt has."""

    tokens: int
    is_exact: bool
    """False for an estimate, which wants a margin."""


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
    counter: "Callable[[list[BaseMessage]], Awaitable[int]] | None" = field(
        default=None, repr=False
    )
    """Counts a prompt's tokens as the server does; None where it cannot be asked."""
    cuts_in_silence: bool = False
    """True where the server shortens a long prompt without an error (Ollama)."""
    dialect: Dialect | None = field(default=None, repr=False)
    """None: by `wants_inputs`, without any sampling arguments for other models."""
    server: str = ""
    """How sentences name the server; the spec unless given."""
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
            max_tokens=max_tokens,
            step=step,
            inputs=inputs if self.wants_inputs else None,
            slot=slot if self.has_slots else None,
        )
        return await self._send(request, config)

    async def _send(self, request: Request, config: "RunnableConfig | None") -> Reply:
        """Return the reply to a request."""
        assert self.dialect is not None
        sent = list(request.messages)
        if not self.system_role:
            from models.roles import fold_system

            sent = fold_system(sent)
        started = time.perf_counter()
        with Translated(self.server):
            message = await self.model.ainvoke(
                sent, config=config, **self.dialect.arguments(request)
            )
        reply = read_reply(message, (time.perf_counter() - started) * 1000.0)
        if self.cuts_in_silence and self.num_ctx is not None:
            check_prompt(reply, request, sent, self.num_ctx)
        return reply

    async def count_tokens(self, messages: "list[BaseMessage]") -> Counted:
        """Return how many tokens a prompt has: by the server's own count, else estimated."""
        sent = messages
        if not self.system_role:
            from models.roles import fold_system

            sent = fold_system(messages)
        if self.counter is not None:
            with Translated(self.server):
                return Counted(await self.counter(sent), is_exact=True)
        return Counted(estimate_prompt(sent), is_exact=False)

    async def aclose(self) -> None:
        """Close the connections to the server; the chat cannot be asked afterwards."""
        if self.close is not None:
            await self.close()
