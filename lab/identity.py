"""Identification of the model and server behind a chat, to be reported with a measurement."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lab.doctor.findings import ModelSeen, ServerSeen
from lab.doctor.looking import look_at_llamacpp, look_at_ollama
from models.spec import Spec, parse_spec

if TYPE_CHECKING:
    from models.chat import Chat

SERVERS = {
    "ollama": "Ollama",
    "llamacpp": "llama.cpp server",
    "gguf": "llama.cpp (xllamacpp)",
    "openai": "OpenAI-compatible server",
    "langchain": "LangChain",
    "community": "LangChain community",
    "standin": "built in",
}


@dataclass(frozen=True, kw_only=True)
class Identity:
    """A model's name, size and server, without any address, so that it can be published."""

    name: str
    kind: str
    """Kind of the model's spec: `ollama`, `llamacpp`."""
    server: str
    version: str = ""
    """Version of the server."""
    parameters: str = ""
    quantization: str = ""


def identify(chat: "Chat", env: Mapping[str, str]) -> Identity:
    """Return what the server reports about a chat's model; unknown values are empty."""
    spec = parse_spec(chat.spec)
    server, seen = seen_of(spec, env)
    return Identity(
        name=chat.name,
        kind=spec.kind,
        server=SERVERS.get(spec.kind, spec.kind),
        version=server.version if server is not None else "",
        parameters=seen.parameters if seen is not None else chat.parameters,
        quantization=seen.quantization if seen is not None else chat.quantization,
    )


def seen_of(spec: Spec, env: Mapping[str, str]) -> tuple[ServerSeen | None, ModelSeen | None]:
    """Return the server and the model of a spec, as far as they are known; otherwise None."""
    if spec.kind == "ollama":
        return model_of(look_at_ollama(env), spec)
    if spec.kind == "llamacpp":
        return model_of(look_at_llamacpp(spec.target, env), spec)
    return None, None


def model_of(server: ServerSeen | None, spec: Spec) -> tuple[ServerSeen | None, ModelSeen | None]:
    """Return a server that answers and its model for a spec; None for whatever is missing."""
    if server is None or not server.answers or server.kind != spec.kind:
        return None, None
    if spec.kind == "llamacpp":
        return server, server.models[0]
    names = (spec.target, f"{spec.target}:latest")
    return server, next((model for model in server.models if model.name in names), None)
