"""The facts that a llama.cpp server reports about itself and its model."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from smolville.models.errors import ModelError, ModelLoading, SpecError
from smolville.models.keys import KEYS, NO_KEY
from smolville.models.servers.http_client import client_settings
from smolville.models.servers.ollama import ServedModel
from smolville.models.servers.transport import TranslatedErrors, refuse_keyless

if TYPE_CHECKING:
    from httpx import Client

MARK = "the rules of the town"
"""System text sent as a test whether the chat template includes it."""
THINKS = ("enable_thinking", "<think>", "reasoning_content")
"""Texts in the templates of models that can think."""
NO_SUCH_PAGE = frozenset({404, 405, 501})
"""Statuses of a server of another kind."""
QUANTIZED = re.compile(r"(?i)\b(?:I?Q\d(?:_[0-9A-Z]+)*|BF16|F16|F32|MXFP4)(?=[.\-]|$)")


@dataclass(frozen=True, kw_only=True)
class LlamaCppFacts:
    """Facts about a server and the model that it has loaded."""

    alias: str
    """The server's name for its model: often the path of the file."""
    model: ServedModel
    slots: int
    num_ctx: int | None
    """Context size of one slot, in tokens."""
    build: str = ""


class LlamaCppServer:
    """One llama.cpp server, asked with short timeouts."""

    def __init__(self, url: str, *, timeout: float = 5.0, key: str = NO_KEY) -> None:
        """Store the address and the key; nothing is requested yet."""
        self.url = url
        self.timeout = timeout
        self.key = key
        self.name = f"llama.cpp's server at {url}"

    def facts(self) -> LlamaCppFacts:
        """Return what the server reports. Raises ModelError if another kind of server answers."""
        with TranslatedErrors(self.name, key=self.key), self._client() as client:
            props = self._props(client)
            listed = client.get("/v1/models")
            row = next(iter(_rows(listed.json())), {}) if listed.is_success else {}
            meta = _read_object(row, "meta")
            alias = str(props.get("model_alias") or props.get("model_path") or "model")
            model = ServedModel(
                name=re.split(r"[\\/]", alias)[-1] or alias,
                chats=True,
                thinks=any(mark in str(props.get("chat_template")) for mark in THINKS),
                system_role=_has_system_role(client, props),
                context_length=_positive(meta.get("n_ctx_train")),
                parameters=_in_words(_positive(meta.get("n_params"))),
                quantization=quantization_of(str(props.get("model_path") or ""))
                or str(props.get("model_ftype") or ""),
            )
            return LlamaCppFacts(
                alias=alias,
                model=model,
                slots=_positive(props.get("total_slots")) or 1,
                num_ctx=_positive(_read_object(props, "default_generation_settings").get("n_ctx")),
                build=str(props.get("build_info") or ""),
            )

    def embeds(self) -> bool:
        """Return whether the server was started for embeddings."""
        with TranslatedErrors(self.name, key=self.key), self._client() as client:
            answer = client.post("/v1/embeddings", json={"input": "town", "model": "any"})
            return answer.is_success and bool(_rows(answer.json()))

    def _props(self, client: "Client") -> dict[str, Any]:
        """Return `/props`; the server answers 503 while it loads the model."""
        answer = client.get("/props")
        if answer.status_code == 503:
            raise ModelLoading(f"{self.name} is still loading its model: try again in a moment.")
        refuse_keyless(answer, self.name, self.key, KEYS["llamacpp"])
        if answer.is_error and answer.status_code not in NO_SUCH_PAGE:
            answer.raise_for_status()
        kind = answer.headers.get("content-type", "")
        props = answer.json() if answer.is_success and "json" in kind else None
        if not isinstance(props, dict) or "default_generation_settings" not in props:
            raise ModelError(
                f"What answers at {self.url} is not llama.cpp's server. A server with OpenAI's "
                f"protocol is openai:{self.url}/v1#<name>, Ollama's models are ollama:<name>."
            )
        if props.get("role") == "router":
            listed = client.get("/v1/models")
            names = (
                [str(row.get("id")) for row in _rows(listed.json())] if listed.is_success else []
            )
            raise SpecError(
                f"{self.name} serves several models ({', '.join(names) or 'none'}): write "
                f"openai:{self.url}/v1#<name>."
            )
        return props

    def _client(self) -> "Client":
        from httpx import Client

        return Client(
            base_url=self.url,
            timeout=self.timeout,
            headers={"Authorization": f"Bearer {self.key}"},
            **client_settings(self.url),
        )


def _has_system_role(client: "Client", props: dict[str, Any]) -> bool:
    """Return False when the chat template refuses or drops the system text."""
    if _read_object(props, "chat_template_caps").get("supports_system_role") is False:
        return False
    messages = [{"role": "system", "content": MARK}, {"role": "user", "content": "Hello."}]
    answer = client.post("/apply-template", json={"messages": messages})
    return answer.status_code == 404 or (answer.is_success and MARK in answer.text)


def quantization_of(path: str) -> str:
    """Return the quantisation in a GGUF file's name, `Q4_K_M`; empty if there is none."""
    found = QUANTIZED.search(re.split(r"[\\/]", path)[-1])
    return found[0].upper() if found else ""


def _rows(listed: Any) -> list[dict[str, Any]]:
    rows = listed.get("data") if isinstance(listed, dict) else None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _in_words(parameters: int | None) -> str:
    if parameters is None:
        return ""
    return f"{parameters / 1e9:.1f}B" if parameters >= 1e9 else f"{parameters / 1e6:.1f}M"


def _read_object(props: dict[str, Any], name: str) -> dict[str, Any]:
    found = props.get(name)
    return found if isinstance(found, dict) else {}


def _positive(value: object) -> int | None:
    return value if isinstance(value, int) and value > 0 else None
