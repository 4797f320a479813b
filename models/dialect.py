"""How a model is asked: the keyword arguments of one call.

Servers that are asked natively have dialects of their own beside their connection, in
`models.connecting`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from models.request import Request
from models.settings import Settings


class Dialect(Protocol):
    """What one kind of model understands beyond the messages."""

    def arguments(self, request: Request) -> dict[str, Any]:
        """Return the keyword arguments for `model.ainvoke`."""
        ...


def held_to(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return OpenAI's `response_format` for a schema."""
    held = {"name": "answer", "strict": True, "schema": dict(schema)}
    return {"type": "json_schema", "json_schema": held}


@dataclass(frozen=True)
class PlainDialect:
    """Any LangChain chat model: it is told what its class has a field for.

    Hosted models differ in what of a JSON schema they accept, and refuse the call for the rest; the
    prompt's format instructions and the tolerant reader serve all of them. A schema goes out only
    where the operator insists on it, and the model's class is one of OpenAI's.
    """

    known: frozenset[str] = frozenset()
    """Which of temperature, seed, max_tokens, top_p and min_p the model's class knows."""
    settings: Settings = field(default_factory=Settings)

    def arguments(self, request: Request) -> dict[str, Any]:
        """Return the sampling arguments that the model knows, and the stop strings."""
        sampling: Mapping[str, Any] = {
            "temperature": request.temperature,
            "seed": request.server_seed,
            "max_tokens": request.max_tokens,
            "top_p": self.settings.top_p,
            "min_p": self.settings.min_p,
        }
        told = {
            name: value
            for name, value in sampling.items()
            if name in self.known and value is not None
        }
        if self.settings.stop:
            told["stop"] = list(self.settings.stop)
        if request.schema is not None and self.settings.constrain == "schema":
            told["extra_body"] = {"response_format": held_to(request.schema)}
        return told


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
