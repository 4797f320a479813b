"""What a llama.cpp server says about itself."""

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from models.errors import ModelError, SpecError, TransportError
from models.servers.address import is_loopback
from models.servers.transport import Translated

if TYPE_CHECKING:
    from httpx import Client

MARK = "the rules of the town"
"""Sent as system text to see whether the chat template passes it on."""


@dataclass(frozen=True, kw_only=True)
class LlamaCppFacts:
    """What holds for the one model that the server has loaded."""

    alias: str
    """What the server calls its model: often the path of the file."""
    slots: int
    num_ctx: int | None
    """Context of one slot, in tokens."""
    system_role: bool

    @property
    def name(self) -> str:
        """The alias without folders."""
        return re.split(r"[\\/]", self.alias)[-1] or self.alias


class LlamaCppServer:
    """One llama.cpp server, asked with short timeouts."""

    def __init__(self, url: str, *, timeout: float = 5.0) -> None:
        """Remember the address; nothing is asked yet."""
        self.url = url
        self.timeout = timeout
        self.name = f"llama.cpp's server at {url}"

    def facts(self) -> LlamaCppFacts:
        """Return slots, context and template; raise when another kind of server answers."""
        with Translated(self.name), self._client() as client:
            props = self._props(client)
            return LlamaCppFacts(
                alias=str(props.get("model_alias") or props.get("model_path") or "model"),
                slots=_positive(props.get("total_slots")) or 1,
                num_ctx=_positive(_inner(props, "default_generation_settings").get("n_ctx")),
                system_role=_has_system_role(client, props),
            )

    def _props(self, client: "Client") -> dict[str, Any]:
        """Return `/props`; it answers 503 while the model is being loaded."""
        answer = client.get("/props")
        if answer.status_code == 503:
            raise TransportError(f"{self.name} is still loading its model: try again in a moment.")
        if answer.status_code == 401:
            raise SpecError(f"{self.name} wants a key: set LLAMA_API_KEY.")
        kind = answer.headers.get("content-type", "")
        props = answer.json() if answer.is_success and "json" in kind else None
        if not isinstance(props, dict) or "default_generation_settings" not in props:
            raise ModelError(f"What answers at {self.url} is not llama.cpp's server.")
        return props

    def _client(self) -> "Client":
        """Return a client; a proxy of the environment does not stand before this machine."""
        from httpx import Client

        return Client(
            base_url=self.url,
            timeout=self.timeout,
            headers={"Authorization": f"Bearer {api_key()}"},
            trust_env=not is_loopback(self.url),
        )


def api_key() -> str:
    """Return the server's key from the environment; one without a key takes any."""
    return os.environ.get("LLAMA_API_KEY") or "none"


def _has_system_role(client: "Client", props: dict[str, Any]) -> bool:
    """Return False when the chat template refuses or drops the system text."""
    if _inner(props, "chat_template_caps").get("supports_system_role") is False:
        return False
    messages = [{"role": "system", "content": MARK}, {"role": "user", "content": "Hello."}]
    answer = client.post("/apply-template", json={"messages": messages})
    if answer.status_code == 404:
        return True
    return answer.is_success and MARK in answer.text


def _inner(props: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the object under `name`, empty where there is none."""
    found = props.get(name)
    return found if isinstance(found, dict) else {}


def _positive(value: object) -> int | None:
    """Return a count above zero, None for anything else."""
    return value if isinstance(value, int) and value > 0 else None
