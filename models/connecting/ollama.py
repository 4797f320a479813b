"""Connect to a model of an Ollama server, through its native API."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from smolville.models.chat import Chat
from smolville.models.errors import SpecError
from smolville.models.request import CONNECT_SECONDS, ModelSettings, Request
from smolville.models.servers.address import trust_settings
from smolville.models.servers.http_client import async_client_settings
from smolville.models.servers.odd_answer import look_inside_async
from smolville.models.servers.ollama import OllamaServer
from smolville.models.spec import Spec

ALWAYS_THINKS = "gpt-oss"
"""Part of the names of models whose thinking cannot be switched off: its lowest level is requested
instead."""


@dataclass(frozen=True)
class OllamaDialect:
    """Ollama's native API through `ChatOllama`.

    The full schema goes into `format`. Ollama converts it to a grammar with llama.cpp's converter,
    so it enforces the same parts of a schema as llama.cpp's server. A grammar from the caller is
    not accepted.
    """

    settings: ModelSettings
    num_ctx: int
    """Context size, sent with every call: without it Ollama uses its default, and cuts silently."""
    think: bool | str | None = None
    """The value of the thinking switch; None for models that cannot think, to which no value is
    sent."""

    def arguments(self, request: Request) -> dict[str, Any]:
        """Return format, options and the thinking switch.

        `think` tells the server whether the model shall think. `reasoning` makes ChatOllama keep
        the thinking that the server sends even so, also of a model that is not known to think: it
        may be the whole reply. ChatOllama streams internally, so that the
        timeout limits the time without data and not the whole duration, and returns the complete
        reply.
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
            "reasoning": True,
            "think": self.think,
        }
        if request.schema is not None:
            arguments["format"] = dict(request.schema)
        return arguments


def connect_ollama(spec: Spec, settings: ModelSettings, env: Mapping[str, str]) -> Chat:
    """Return the chat model on the Ollama server that the spec or the environment names."""
    server = OllamaServer.of(env, host=spec.host)
    found = server.chat_model(spec.target)
    from httpx import Timeout
    from langchain_ollama import ChatOllama

    wanted = spec.count("num_ctx", settings.num_ctx)
    num_ctx = min(wanted, found.context_length or wanted)
    model = ChatOllama(
        model=found.name,
        base_url=server.url,
        num_ctx=num_ctx,
        client_kwargs={"timeout": Timeout(settings.timeout, connect=CONNECT_SECONDS)},
        sync_client_kwargs=trust_settings(server.url),
        async_client_kwargs=async_client_settings(server.url, look_inside_async),
    )
    think = thinking_switch(found.name, settings) if found.thinks else None
    return Chat(
        spec=str(spec),
        name=found.name,
        model=model,
        parameters=found.parameters,
        quantization=found.quantization,
        context_length=found.context_length,
        thinks=found.thinks,
        slots=spec.count("slots", _slots(env.get("OLLAMA_NUM_PARALLEL"))),
        constrains=settings.constrain != "none",
        num_ctx=num_ctx,
        system_role=settings.keeps_system_role(found.system_role),
        timeout=settings.timeout,
        thinking_tokens=settings.thinking_tokens if think else 0,
        cuts_in_silence=True,
        streams=True,
        dialect=OllamaDialect(settings, num_ctx, think),
        server=server.name,
        close=model._async_client.close,
    )


def check_tiers(fast: Chat, strong: Chat) -> None:
    """Raise SpecError when both tiers are the same Ollama model with different contexts."""
    both_ollama = all(isinstance(chat.dialect, OllamaDialect) for chat in (fast, strong))
    same = both_ollama and _add_tag(fast.name) == _add_tag(strong.name)
    if same and fast.server == strong.server and fast.num_ctx != strong.num_ctx:
        raise SpecError(
            f"Both tiers use {fast.name}, with contexts of {fast.num_ctx} and {strong.num_ctx} "
            "tokens: Ollama would load the model again at every change of the tier. Give both the "
            "same num_ctx."
        )


def thinking_switch(name: str, settings: ModelSettings) -> bool | str:
    """Return the value of Ollama's `think` for a model that can think.

    It is True or False, or a level for a model that cannot switch thinking off.
    """
    if ALWAYS_THINKS in name.lower():
        return "medium" if settings.thinking else "low"
    return settings.thinking


def _add_tag(name: str) -> str:
    return name if ":" in name.rpartition("/")[2] else f"{name}:latest"


def _kept_for(told: str) -> str | int:
    """Return how long the model stays loaded; Ollama needs seconds, or -1, as a number."""
    return int(told) if told.removeprefix("-").isdecimal() else told


def _slots(parallel: str | None) -> int:
    """Return the number of Ollama's parallel calls: 1 unless its environment sets a number."""
    return max(1, int(parallel)) if parallel and parallel.isdecimal() else 1
