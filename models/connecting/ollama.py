"""Connect to a model of an Ollama server, through its native API."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from models.chat import Chat
from models.connecting.limits import CONNECT_SECONDS, count, system_role
from models.errors import SpecError
from models.request import ModelSettings, Request
from models.servers.address import is_loopback
from models.servers.counting import OllamaCounter
from models.servers.odd_answer import look_inside_async
from models.servers.ollama import OllamaServer
from models.spec import Spec

ALWAYS_THINKS = "gpt-oss"
"""Part of the names of models that cannot stop thinking, only less: the lowest level is
requested."""


@dataclass(frozen=True)
class OllamaDialect:
    """Ollama's native API through `ChatOllama`.

    The full schema goes into `format`. Ollama converts it to a grammar with llama.cpp's own
    converter, so the same parts are enforced; it accepts no grammar from the caller.
    """

    settings: ModelSettings
    num_ctx: int
    """Context size, sent with every call: without it Ollama uses its default, and cuts silently."""
    think: bool | str | None = None
    """The thinking switch; None for models that cannot think, which get none."""

    def arguments(self, request: Request) -> dict[str, Any]:
        """Return format, options and the thinking switch.

        `reasoning` makes ChatOllama keep the thinking that comes anyway; `think` is sent to the
        server. ChatOllama streams internally, so that the timeout counts silence and not the
        duration, and returns the complete reply.
        """
        options = {
            "num_ctx": self.num_ctx,
            "num_predict": request.max_tokens,
            "seed": request.server_seed,
            "temperature": request.temperature,
            **self.settings.sampling(),
        }
        arguments: dict[str, Any] = {
            "options": options,
            "keep_alive": _kept_for(self.settings.keep_alive),
        }
        if request.schema is not None:
            arguments["format"] = dict(request.schema)
        if self.think is not None:
            arguments |= {"reasoning": True, "think": self.think}
        return arguments


def connect_ollama(spec: Spec, settings: ModelSettings, env: Mapping[str, str]) -> Chat:
    """Return the chat model on the Ollama server in the environment."""
    server = OllamaServer.of(env)
    found = server.chat_model(spec.target)
    from httpx import Timeout
    from langchain_ollama import ChatOllama

    wanted = count(spec, "num_ctx", settings.num_ctx)
    num_ctx = min(wanted, found.context_length or wanted)
    model = ChatOllama(
        model=found.name,
        base_url=server.url,
        num_ctx=num_ctx,
        client_kwargs={
            "timeout": Timeout(settings.timeout, connect=CONNECT_SECONDS),
            "trust_env": not is_loopback(server.url),
        },
        async_client_kwargs={"event_hooks": {"response": [look_inside_async]}},
    )
    think = thinking_switch(found.name, settings) if found.thinks else None
    dialect = OllamaDialect(settings, num_ctx, think)
    return Chat(
        spec=str(spec),
        name=found.name,
        model=model,
        parameters=found.parameters,
        quantization=found.quantization,
        slots=_slots(env.get("OLLAMA_NUM_PARALLEL")),
        constrains=settings.constrain != "none",
        num_ctx=num_ctx,
        system_role=system_role(settings, found.system_role),
        counter=OllamaCounter(model, dialect),
        thinking_tokens=settings.thinking_tokens if think else 0,
        cuts_in_silence=True,
        streams=True,
        dialect=dialect,
        server=server.name,
        close=model._async_client.close,
    )


def check_contexts(fast: Chat, strong: Chat) -> None:
    """Raise SpecError when both tiers are the same Ollama model with different contexts."""
    both_ollama = all(isinstance(chat.dialect, OllamaDialect) for chat in (fast, strong))
    same = both_ollama and _tagged(fast.name) == _tagged(strong.name)
    if same and fast.server == strong.server and fast.num_ctx != strong.num_ctx:
        raise SpecError(
            f"Both tiers use {fast.name}, with contexts of {fast.num_ctx} and {strong.num_ctx} "
            "tokens: Ollama would load the model again at every change of the tier. Give both the "
            "same num_ctx."
        )


def thinking_switch(name: str, settings: ModelSettings) -> bool | str:
    """Return the thinking switch for a thinking model."""
    if ALWAYS_THINKS in name.lower():
        return "medium" if settings.thinking else "low"
    return settings.thinking


def _tagged(name: str) -> str:
    """Return the name including its tag."""
    return name if ":" in name.rpartition("/")[2] else f"{name}:latest"


def _kept_for(told: str) -> str | int:
    """Return how long the model stays loaded; Ollama needs seconds, or -1, as a number."""
    return int(told) if told.removeprefix("-").isdecimal() else told


def _slots(parallel: str | None) -> int:
    """Return the number of Ollama's parallel calls: 1 unless its environment says more."""
    return max(1, int(parallel)) if parallel and parallel.isdecimal() else 1
