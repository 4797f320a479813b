"""llama.cpp's server: what it reports, how it counts tokens, and the chat model on it."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from smolville.models.chat import Chat, held_to, plain_messages
from smolville.models.errors import ModelError, ModelLoading, SpecError
from smolville.models.keys import KEYS, NO_KEY, key_for
from smolville.models.request import CONNECT_SECONDS, ModelSettings, Request
from smolville.models.servers.http_client import async_client_settings, client_settings
from smolville.models.servers.ollama import ServedModel
from smolville.models.servers.transport import TranslatedErrors, look_inside_async, refuse_keyless
from smolville.models.spec import Spec
from smolville.models.tokens import PromptTokens, estimate_prompt

if TYPE_CHECKING:
    from httpx import AsyncClient, Client
    from langchain_core.messages import BaseMessage

    from smolville.models.servers.llamacpp_chat import LlamaCppChat

MARK = "the rules of the town"
"""System text sent as a test whether the chat template includes it."""
THINKS = ("enable_thinking", "<think>", "reasoning_content")
"""Texts in the templates of models that can think."""
QUANTIZED = re.compile(r"(?i)\b(?:I?Q\d(?:_[0-9A-Z]+)*|BF16|F16|F32|MXFP4)(?=[.\-]|$)")
LEAST_THINKING = 1
"""Thinking budget in tokens. With 0 the server misses the end of the thinking if the closing tag is
more than one token, and takes the answer for thinking."""
COUNTING_SECONDS = 30.0
"""Seconds that llama.cpp's server may take to count; it does so between two tokens of a reply."""
UNTELLING = frozenset({400, 404, 405, 500, 501})
"""HTTP statuses of a server that has no such route, or whose template refuses the messages."""
Close = Callable[[], Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class LlamaCppFacts:
    """Facts about a server and the model that it has loaded."""

    alias: str
    """The server's name for its model: often the path of the file."""
    model: ServedModel
    slots: int
    num_ctx: int | None
    """Context size of one slot, in tokens."""


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
            meta = _object(row, "meta")
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
                num_ctx=_positive(_object(props, "default_generation_settings").get("n_ctx")),
            )

    def _props(self, client: "Client") -> dict[str, Any]:
        """Return `/props`; the server answers 503 while it loads the model."""
        answer = client.get("/props")
        if answer.status_code == 503:
            raise ModelLoading(f"{self.name} is still loading its model: try again in a moment.")
        refuse_keyless(answer, self.name, self.key, KEYS["llamacpp"])
        if answer.is_error and answer.status_code not in (404, 405, 501):
            answer.raise_for_status()
        kind = answer.headers.get("content-type", "")
        props = answer.json() if answer.is_success and "json" in kind else None
        if not isinstance(props, dict) or "default_generation_settings" not in props:
            raise ModelError(
                f"What answers at {self.url} is not llama.cpp's server. A server with OpenAI's "
                f"protocol is openai:{self.url}/v1#<name>, Ollama's models are ollama:<name>."
            )
        if props.get("role") == "router":
            raise SpecError(
                f"{self.name} serves several models: write openai:{self.url}/v1#<name>."
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
    if _object(props, "chat_template_caps").get("supports_system_role") is False:
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


def _object(props: dict[str, Any], name: str) -> dict[str, Any]:
    found = props.get(name)
    return found if isinstance(found, dict) else {}


def _positive(value: object) -> int | None:
    return value if isinstance(value, int) and value > 0 else None


@dataclass(frozen=True)
class LlamaCppDialect:
    """llama.cpp's server through `ChatOpenAI`.

    The schema is sent as `response_format`; the server converts it to a grammar. Enums, bounds of
    integers, lengths of texts and lists, `$ref` and `anyOf` are enforced; `uniqueItems` and bounds
    of fractions are not, and a lone surrogate escape is let through.
    """

    settings: ModelSettings
    thinks: bool = False
    """Whether the chat template supports thinking."""

    @property
    def template(self) -> dict[str, Any]:
        """The arguments of the chat template."""
        return {"enable_thinking": self.settings.thinking}

    def arguments(self, request: Request) -> dict[str, Any]:
        """Return sampling arguments and the extra body.

        `response_format` is in the extra body: as an argument of its own it would make the client
        parse the reply, which raises an error for a cut reply instead of returning it. The server
        reports its progress while it reads a long prompt; without that, the client would take the
        wait for silence. A budget ends the thinking of a model whose template cannot switch
        thinking off.
        """
        body: dict[str, Any] = {
            "cache_prompt": True,
            "return_progress": True,
            "chat_template_kwargs": self.template,
            **self.settings.sampling(),
        }
        if self.thinks:
            spare = self.settings.thinking_tokens if self.settings.thinking else LEAST_THINKING
            body["thinking_budget_tokens"] = spare
        if request.schema is not None:
            body["response_format"] = held_to(request.schema)
        return {
            "temperature": request.temperature,
            "seed": request.server_seed,
            "max_tokens": request.max_tokens,
            "extra_body": body,
        }


class LlamaCppCounter:
    """Counts tokens exactly, with llama.cpp's own template and tokenizer."""

    def __init__(self, server: LlamaCppServer, template: Mapping[str, Any]) -> None:
        """Store the server and the arguments of its chat template; nothing is requested yet."""
        self.server = server
        self.template = dict(template)
        self._client: AsyncClient | None = None

    async def __call__(self, messages: "Sequence[BaseMessage]") -> PromptTokens:
        """Return the count; an estimate if the server cannot count."""
        asked = {"messages": plain_messages(messages), "chat_template_kwargs": self.template}
        text = (await self._post("/apply-template", asked)).get("prompt")
        tokens = await self.tokens(text) if isinstance(text, str) else None
        if tokens is None:
            return PromptTokens(estimate_prompt(messages), is_exact=False)
        return PromptTokens(len(tokens), is_exact=True)

    async def tokens(self, text: str) -> list[int] | None:
        """Return a prompt's tokens; None if the server does not return them."""
        asked = {"content": text, "add_special": True, "parse_special": True}
        tokens = (await self._post("/tokenize", asked)).get("tokens")
        return tokens if isinstance(tokens, list) else None

    async def _post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the server's answer; empty if it does not support the request.

        The client belongs to the event loop of the first count.
        """
        if self._client is None:
            from httpx import AsyncClient

            self._client = AsyncClient(
                base_url=self.server.url,
                timeout=COUNTING_SECONDS,
                headers={"Authorization": f"Bearer {self.server.key}"},
                **async_client_settings(self.server.url),
            )
        answer = await self._client.post(path, json=body)
        told = {} if answer.status_code in UNTELLING else answer.raise_for_status().json()
        return told if isinstance(told, dict) else {}

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()


def connect_llamacpp(spec: Spec, settings: ModelSettings, env: Mapping[str, str]) -> Chat:
    """Return the chat model that a llama.cpp server has loaded."""
    server = LlamaCppServer(spec.target, key=key_for(KEYS["llamacpp"], env))
    return chat_with(server, spec=str(spec), settings=settings)


def chat_with(server: LlamaCppServer, *, spec: str, settings: ModelSettings) -> Chat:
    """Return the chat model of a reachable server."""
    facts = server.facts()
    found = facts.model
    model, close_model = client_of(
        f"{server.url}/v1", facts.alias, server.key, settings, streams=True
    )
    dialect = LlamaCppDialect(settings, found.thinks)
    counter = LlamaCppCounter(server, dialect.template)

    async def close() -> None:
        await close_model()
        await counter.aclose()

    return Chat(
        spec=spec,
        name=found.name,
        model=model,
        parameters=found.parameters,
        quantization=found.quantization,
        context_length=found.context_length,
        thinks=found.thinks,
        slots=facts.slots,
        constrains=settings.constrain != "none",
        num_ctx=facts.num_ctx,
        system_role=settings.keeps_system_role(found.system_role),
        counter=counter,
        streams=True,
        timeout=settings.timeout,
        thinking_tokens=settings.thinking_tokens if settings.thinking and found.thinks else 0,
        dialect=dialect,
        server=server.name,
        key=server.key,
        close=close,
    )


def client_of(
    url: str, name: str, key: str, settings: ModelSettings, *, streams: bool
) -> "tuple[LlamaCppChat, Close]":
    """Return the chat model for an OpenAI-like server, and a function that closes its connections.

    For a streamed reply the timeout limits only the time without data; for other replies it limits
    the whole duration. Time without data is measured on the connection, where the server's progress
    with a prompt counts as data; LangChain's own clock would not see it.
    """
    from pydantic import SecretStr

    from smolville.models.servers.llamacpp_chat import LlamaCppChat

    arguments, close = openai_clients(url, settings)
    model = LlamaCppChat(
        model=name,
        base_url=url,
        api_key=SecretStr(key),
        use_responses_api=False,
        streaming=streams,
        stream_usage=streams,
        stream_chunk_timeout=None,
        # If a connection is reused after a stream, llama.cpp's server now and then closes it at
        # the very moment of the next call.
        default_headers={"connection": "close"} if streams else None,
        **arguments,
    )
    return model, close


def openai_clients(url: str, settings: ModelSettings) -> tuple[dict[str, Any], Close]:
    """Return arguments for OpenAI's chat classes, and the function that closes their connections.

    The connections are our own, because those that LangChain shares outlive their event loop, and
    lost calls are retried by us. `http_socket_options` is empty because it is meant for clients
    that LangChain makes itself, and causes warnings about proxies otherwise.
    """
    from openai import DefaultAsyncHttpxClient, DefaultHttpxClient, Timeout

    http = DefaultAsyncHttpxClient(**async_client_settings(url, look_inside_async))
    arguments = {
        "http_async_client": http,
        # Never used, but LangChain would make one that reads all certificates.
        "http_client": DefaultHttpxClient(**client_settings(url)),
        "http_socket_options": (),
        "timeout": Timeout(settings.timeout, connect=CONNECT_SECONDS),
        "max_retries": 0,
    }
    return arguments, http.aclose
