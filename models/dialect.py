"""How each kind of server is asked: the keyword arguments of one call."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from models.request import Request
from models.settings import Settings


class Dialect(Protocol):
    """What one kind of model understands beyond the messages."""

    def arguments(self, request: Request) -> dict[str, Any]:
        """Return the keyword arguments for `model.ainvoke`."""
        ...


@dataclass(frozen=True)
class OllamaDialect:
    """Ollama's native API through `ChatOllama`."""

    settings: Settings
    num_ctx: int
    """Sent with every call: without it Ollama uses a default of its own, and cuts in silence."""
    thinks: bool = False
    """Whether the model has a thinking mode to turn off; others are not told about it."""

    def arguments(self, request: Request) -> dict[str, Any]:
        """Return format, options and the thinking switch.

        `reasoning` makes ChatOllama keep the thinking that comes anyway (gpt-oss cannot turn it
        off); `think` is what the server is told. One whole reply instead of one line per token
        saves 1 to 5 ms of client time a call.
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
            "keep_alive": self.settings.keep_alive,
            "stream": False,
        }
        if request.schema is not None:
            arguments["format"] = dict(request.schema)
        if self.thinks:
            arguments |= {"reasoning": True, "think": False}
        return arguments


@dataclass(frozen=True)
class LlamaCppDialect:
    """llama.cpp's server through `ChatOpenAI`."""

    settings: Settings

    def arguments(self, request: Request) -> dict[str, Any]:
        """Return sampling and the body's extras.

        `response_format` travels in the extra body: as an argument of its own it takes the client
        into its parsing path, where a cut reply raises instead of coming back.
        """
        body: dict[str, Any] = {
            "cache_prompt": True,
            "chat_template_kwargs": {"enable_thinking": False},
            **self.settings.sampling(),
        }
        if request.schema is not None:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": dict(request.schema)},
            }
        return {
            "temperature": request.temperature,
            "seed": request.server_seed,
            "max_tokens": request.max_tokens,
            "extra_body": body,
        }


@dataclass(frozen=True)
class PlainDialect:
    """Any LangChain chat model: it is told what its class has a field for, never a schema.

    Hosted models differ in what of a JSON schema they accept, and refuse the call for the rest; the
    prompt's format instructions and the tolerant reader serve all of them.
    """

    known: frozenset[str] = frozenset()
    """Which of temperature, seed and max_tokens the model's class knows."""

    def arguments(self, request: Request) -> dict[str, Any]:
        """Return the sampling arguments that the model knows."""
        sampling: Mapping[str, Any] = {
            "temperature": request.temperature,
            "seed": request.server_seed,
            "max_tokens": request.max_tokens,
        }
        return {name: value for name, value in sampling.items() if name in self.known}


@dataclass(frozen=True)
class InputsDialect:
    """A model that declares `wants_inputs` (the stand-in, scripted models in tests)."""

    def arguments(self, request: Request) -> dict[str, Any]:
        """Return everything that the request says beside its messages."""
        return {
            "step": request.step,
            "inputs": request.inputs,
            "seed": request.seed,
            "temperature": request.temperature,
            "max_tokens": request.max_tokens,
            "schema": request.schema,
        }
