"""What an Ollama server says about itself and its models, through the official client."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from models.errors import SpecError, UnknownModel
from models.servers.address import is_loopback, ollama_url
from models.servers.transport import Translated

if TYPE_CHECKING:
    from ollama import Client, ShowResponse

PLACES_SYSTEM = (".System", ".Messages", ".Role", "system")
"""A template with none of these drops the system text."""


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
        found = (self.find(name) for name in self.installed())
        return [model for model in found if model is not None and model.chats]

    def _choice(self) -> str:
        """Return the sentence that lists the installed chat models."""
        names = [model.name for model in self.chat_models()]
        return f"Installed: {', '.join(names)}." if names else "No chat model is installed."

    def _client(self) -> "Client":
        """Return a client; a proxy of the environment does not stand before this machine."""
        from ollama import Client

        return Client(host=self.url, timeout=self.timeout, trust_env=not is_loopback(self.url))


def _read(name: str, shown: "ShowResponse") -> OllamaModel:
    """Return the facts in an answer of `/api/show`."""
    able = shown.capabilities
    facts = shown.modelinfo or {}
    lengths = [n for key, n in facts.items() if key.endswith(".context_length")]
    family = (shown.details.family if shown.details else None) or ""
    return OllamaModel(
        name=name,
        chats="completion" in able if able else "bert" not in family and "embed" not in name,
        thinks="thinking" in (able or ()),
        system_role=not shown.template or any(mark in shown.template for mark in PLACES_SYSTEM),
        context_length=next((n for n in lengths if isinstance(n, int)), None),
    )
