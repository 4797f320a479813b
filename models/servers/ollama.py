"""What an Ollama server says about itself and its models, through the official client."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from models.errors import SpecError, UnknownModel
from models.servers.address import is_loopback, ollama_url
from models.servers.transport import Translated

if TYPE_CHECKING:
    from ollama import Client, ShowResponse

PLACES_SYSTEM = (".System", ".Messages", ".Role", "system")
"""A template with none of these drops the system text."""
PROBE_SECONDS = 2.0
"""How long a server may take to show that it is there."""
PULL_SECONDS = 120.0
"""How long a download may stand still before it is given up."""


@dataclass(frozen=True, kw_only=True)
class OllamaModel:
    """One installed model."""

    name: str
    chats: bool
    """False for models that only embed."""
    thinks: bool
    system_role: bool
    context_length: int | None
    """What the model was trained for, in tokens."""
    embeds: bool = False
    parameters: str = ""
    """As Ollama writes it: `3.2B`."""
    quantization: str = ""
    """As Ollama writes it: `Q4_K_M`."""
    size: int | None = None
    """Bytes of its files, where the list of models tells."""


@dataclass(frozen=True, kw_only=True)
class OllamaLoaded:
    """A model as the server holds it in memory at the moment."""

    context_length: int | None
    """In tokens, as it is loaded."""
    gpu_share: float | None
    """Which part of it lies in the memory of a GPU, 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class Pulling:
    """How far a download is."""

    status: str
    """What is being done, in Ollama's words."""
    done: int
    total: int
    """In bytes of the piece that is under way; 0 where it is not known."""


class OllamaServer:
    """One Ollama server, asked with short timeouts."""

    def __init__(self, url: str, *, timeout: float = 5.0) -> None:
        """Remember the address; nothing is asked yet."""
        self.url = url
        self.timeout = timeout
        self.name = f"Ollama at {url}"

    @classmethod
    def of(cls, env: Mapping[str, str], *, timeout: float = 5.0) -> "OllamaServer":
        """Return the server that `OLLAMA_HOST` names, else the usual one."""
        return cls(ollama_url(env.get("OLLAMA_HOST")), timeout=timeout)

    def installed(self) -> list[str]:
        """Return the names of all installed models, the newest first."""
        with Translated(self.name), self._client() as client:
            return [model.model for model in client.list().models if model.model]

    def find(self, name: str) -> OllamaModel | None:
        """Return what the server says about a model, None if it is not installed."""
        try:
            with Translated(self.name), self._client() as client:
                return _read(name, client.show(name))
        except UnknownModel:
            return None

    def chat_model(self, name: str) -> OllamaModel:
        """Return an installed chat model; otherwise say what is installed and what to pull."""
        found = self.find(name)
        if found is None:
            raise UnknownModel(
                f"{self.name} has no model {name!r}. {self._choice()} To get it: ollama pull {name}"
            )
        if not found.chats:
            raise SpecError(f"{name!r} is a model for embeddings and cannot chat. {self._choice()}")
        return found

    def chat_models(self) -> list[OllamaModel]:
        """Return the installed models that chat, the newest first."""
        return [model for model in self.models() if model.chats]

    def embedding_models(self) -> list[str]:
        """Return the names of the installed embedding models, the newest first; no remote ones."""
        return [one.name for one in self.models() if one.embeds and not is_remote(one.name)]

    def models(self) -> list[OllamaModel]:
        """Return every installed model, the newest first."""
        with Translated(self.name), self._client() as client:
            listed = client.list().models
        found = ((self.find(row.model), row.size) for row in listed if row.model)
        return [
            replace(model, size=int(size) if size else None)
            for model, size in found
            if model is not None
        ]

    def version(self) -> str:
        """Return the server's version, empty where it does not say."""
        from httpx import Client

        apart = not is_loopback(self.url)
        with Translated(self.name), Client(timeout=self.timeout, trust_env=apart) as client:
            answer = client.get(f"{self.url}/api/version")
            told = answer.json() if answer.is_success else None
        return str(told.get("version", "")) if isinstance(told, dict) else ""

    def loaded(self, name: str) -> OllamaLoaded | None:
        """Return how a model is loaded at the moment, None when it is not."""
        with Translated(self.name), self._client() as client:
            for model in client.ps().models:
                if name in (model.name, model.model, f"{model.model}".removesuffix(":latest")):
                    size, in_gpu = model.size, model.size_vram
                    share = in_gpu / size if size and in_gpu is not None else None
                    return OllamaLoaded(context_length=model.context_length, gpu_share=share)
        return None

    def pull(self, name: str) -> Iterator[Pulling]:
        """Download a model; gives how far it is. Raises ModelError when it cannot be had."""
        with Translated(self.name), self._client(timeout=PULL_SECONDS) as client:
            for part in client.pull(name, stream=True):
                yield Pulling(
                    status=part.status or "", done=part.completed or 0, total=part.total or 0
                )

    def _choice(self) -> str:
        """Return the sentence that lists the installed chat models."""
        names = [model.name for model in self.chat_models()]
        return f"Installed: {', '.join(names)}." if names else "No chat model is installed."

    def _client(self, timeout: float | None = None) -> "Client":
        """Return a client; a proxy of the environment does not stand before this machine."""
        from ollama import Client

        apart = not is_loopback(self.url)
        return Client(host=self.url, timeout=timeout or self.timeout, trust_env=apart)


def is_remote(name: str) -> bool:
    """Return True for Ollama's cloud models, which nobody should meet without asking for them."""
    return name.endswith(("-cloud", ":cloud"))


def _read(name: str, shown: "ShowResponse") -> OllamaModel:
    """Return the facts in an answer of `/api/show`."""
    able = shown.capabilities
    facts = shown.modelinfo or {}
    lengths = [n for key, n in facts.items() if key.endswith(".context_length")]
    details = shown.details
    family = (details.family if details else None) or ""
    return OllamaModel(
        name=name,
        chats="completion" in able if able else "bert" not in family and "embed" not in name,
        thinks="thinking" in (able or ()),
        system_role=not shown.template or any(mark in shown.template for mark in PLACES_SYSTEM),
        context_length=next((n for n in lengths if isinstance(n, int)), None),
        embeds="embedding" in able if able else "bert" in family or "embed" in name,
        parameters=(details.parameter_size if details else None) or "",
        quantization=(details.quantization_level if details else None) or "",
    )
