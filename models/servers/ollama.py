"""The facts that an Ollama server reports about itself and its models, by the official client."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from smolville.models.errors import SpecError, UnknownModel
from smolville.models.servers.address import ollama_url
from smolville.models.servers.http_client import client_settings
from smolville.models.servers.transport import TranslatedErrors

if TYPE_CHECKING:
    from ollama import Client, ShowResponse

PLACES_SYSTEM = (".System", ".Messages", ".Role", "system")
"""Texts in templates: a template without any of these drops the system text."""
PROBE_SECONDS = 2.0
"""Seconds for checking whether a server is there."""


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
    size: int | None = None
    """Size of its files in bytes, if the server says so."""


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
        found = ((self.find(row.model), row.size) for row in listed if row.model)
        return [replace(model, size=int(size) if size else None) for model, size in found if model]

    def version(self) -> str:
        """Return the server's version; empty if it does not say."""
        from httpx import Client

        settings = {"timeout": self.timeout, **client_settings(self.url)}
        with TranslatedErrors(self.name), Client(**settings) as client:
            answer = client.get(f"{self.url}/api/version")
            told = answer.json() if answer.is_success else None
        return str(told.get("version", "")) if isinstance(told, dict) else ""

    def gpu_share(self, name: str) -> float | None:
        """Return the share of a loaded model in GPU memory, 0 to 1; None if unknown."""
        with TranslatedErrors(self.name), self._client() as client:
            for model in client.ps().models:
                names = (model.name, model.model, f"{model.model}".removesuffix(":latest"))
                if name in names and model.size and model.size_vram is not None:
                    return float(model.size_vram / model.size)
        return None

    def _client(self) -> "Client":
        with importing_ollama():
            from ollama import Client

        return Client(host=self.url, timeout=self.timeout, **client_settings(self.url))


@contextmanager
def importing_ollama() -> Iterator[None]:
    """Import the official client: its module makes a client, which fails at some proxies."""
    before = os.environ.get("no_proxy")
    os.environ["no_proxy"] = "*"
    try:
        yield
    finally:
        if before is None:
            del os.environ["no_proxy"]
        else:
            os.environ["no_proxy"] = before


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
