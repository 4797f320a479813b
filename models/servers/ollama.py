"""Ollama through its native API: what the server reports, and the chat model on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from smolville.models.chat import Chat
from smolville.models.errors import SpecError, UnknownModel
from smolville.models.request import CONNECT_SECONDS, ModelSettings, Request
from smolville.models.servers.address import ollama_url
from smolville.models.servers.http_client import async_client_settings, client_settings
from smolville.models.servers.transport import TranslatedErrors, look_inside_async
from smolville.models.spec import Spec

if TYPE_CHECKING:
    from ollama import Client, ShowResponse

PLACES_SYSTEM = (".System", ".Messages", ".Role", "system")
"""Texts in templates: a template without any of these drops the system text."""
PROBE_SECONDS = 2.0
"""Seconds for checking whether a server is there."""
ALWAYS_THINKS = "gpt-oss"
"""Part of the names of models whose thinking cannot be switched off: its lowest level is requested
instead."""


@dataclass(frozen=True, kw_only=True)
class ServedModel:
    """A model that a server offers."""

    name: str
    chats: bool
    """False for models that only embed."""
    thinks: bool
    system_role: bool
    context_length: int | None
    """Context size of the training, in tokens."""
    embeds: bool = False
    parameters: str = ""
    """Number of parameters as Ollama writes it: `3.2B`."""
    quantization: str = ""
    """Quantisation as Ollama writes it: `Q4_K_M`."""


class OllamaServer:
    """One Ollama server, asked with short timeouts."""

    def __init__(self, url: str, *, timeout: float = 5.0) -> None:
        """Store the address; nothing is requested yet."""
        self.url = url
        self.timeout = timeout
        self.name = f"Ollama at {url}"

    @classmethod
    def of(cls, env: Mapping[str, str], *, host: str = "", timeout: float = 5.0) -> "OllamaServer":
        """Return the server at `host`, else in `OLLAMA_HOST`, else at the default address."""
        return cls(ollama_url(host or env.get("OLLAMA_HOST")), timeout=timeout)

    def find(self, name: str) -> ServedModel | None:
        """Return the facts about a model; None if it is not installed."""
        try:
            with TranslatedErrors(self.name), self._client() as client:
                return _read(name, client.show(name))
        except UnknownModel:
            return None

    def chat_model(self, name: str) -> ServedModel:
        """Return an installed chat model. Raises UnknownModel or SpecError with the choices."""
        found = self.find(name)
        if found is not None and found.chats:
            return found
        names = [model.name for model in self.models() if model.chats]
        choice = f"Installed: {', '.join(names)}." if names else "No chat model is installed."
        if found is not None:
            raise SpecError(f"{name!r} is a model for embeddings and cannot chat. {choice}")
        raise UnknownModel(
            f"{self.name} has no model {name!r}. {choice} To get it: ollama pull {name}"
        )

    def models(self) -> list[ServedModel]:
        """Return every installed model, the newest first."""
        with TranslatedErrors(self.name), self._client() as client:
            listed = client.list().models
        return [model for row in listed if row.model and (model := self.find(row.model))]

    def _client(self) -> "Client":
        from ollama import Client

        return Client(host=self.url, timeout=self.timeout, **client_settings(self.url))


def is_remote(name: str) -> bool:
    """Return True for Ollama's cloud models, which are used only on explicit request."""
    return name.endswith(("-cloud", ":cloud"))


def _read(name: str, shown: "ShowResponse") -> ServedModel:
    able, details = shown.capabilities, shown.details
    lengths = [n for key, n in (shown.modelinfo or {}).items() if key.endswith(".context_length")]
    embeds = "embed" in name or "bert" in ((details.family if details else None) or "")
    return ServedModel(
        name=name,
        chats="completion" in able if able else not embeds,
        thinks="thinking" in (able or ()),
        system_role=not shown.template or any(mark in shown.template for mark in PLACES_SYSTEM),
        context_length=next((n for n in lengths if isinstance(n, int)), None),
        embeds="embedding" in able if able else embeds,
        parameters=(details.parameter_size if details else None) or "",
        quantization=(details.quantization_level if details else None) or "",
    )


@dataclass(frozen=True)
class OllamaDialect:
    """Ollama's native API through `ChatOllama`.

    The full schema goes into `format`. Ollama converts it to a grammar with llama.cpp's converter,
    so it enforces the same parts of a schema as llama.cpp's server.
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
        the thinking that the server sends even so: it may be the whole reply.
        """
        kept = self.settings.keep_alive
        arguments: dict[str, Any] = {
            "options": {
                "num_ctx": self.num_ctx,
                "num_predict": request.max_tokens,
                "seed": request.server_seed,
                "temperature": request.temperature,
                **self.settings.sampling(),
            },
            # Ollama needs seconds, or -1, as a number.
            "keep_alive": int(kept) if kept.removeprefix("-").isdecimal() else kept,
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
        sync_client_kwargs=client_settings(server.url),
        async_client_kwargs=async_client_settings(server.url, look_inside_async),
    )
    think = thinking_switch(found.name, settings) if found.thinks else None
    parallel = env.get("OLLAMA_NUM_PARALLEL", "")
    return Chat(
        spec=str(spec),
        name=found.name,
        model=model,
        parameters=found.parameters,
        quantization=found.quantization,
        context_length=found.context_length,
        thinks=found.thinks,
        slots=spec.count("slots", max(1, int(parallel)) if parallel.isdecimal() else 1),
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


def thinking_switch(name: str, settings: ModelSettings) -> bool | str:
    """Return the value of Ollama's `think` for a model that can think.

    It is True or False, or a level for a model that cannot switch thinking off.
    """
    if ALWAYS_THINKS in name.lower():
        return "medium" if settings.thinking else "low"
    return settings.thinking
