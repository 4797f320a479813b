"""Look for Ollama and llama.cpp's server, and at the models they have."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from lab.doctor.findings import ModelSeen, ServerSeen
from models.errors import ModelError
from models.keys import key_for
from models.pacing import ask_blocking
from models.servers.llamacpp import LlamaCppServer
from models.servers.ollama import OllamaModel, OllamaServer

T = TypeVar("T")

SECONDS = 3.0
"""How long a server may take to show that it is there."""
ODD = (ModelError, ValueError, TypeError, AttributeError)
"""What clients raise about a server that answers oddly, beside their own errors."""


def look_at_ollama(env: Mapping[str, str], patience: float = 0.0) -> ServerSeen:
    """Return what Ollama says of itself, at the address that the environment names.

    A server that answers with a passing fault is asked again for `patience` seconds.
    """
    server = OllamaServer.of(env, timeout=SECONDS)
    try:
        models = tuple(map(_seen, _asked(server.models, patience)))
    except ODD as error:
        return ServerSeen(kind="ollama", url=server.url, answers=False, problem=str(error))
    try:
        version = server.version()
    except ODD:
        version = ""
    return ServerSeen(kind="ollama", url=server.url, answers=True, version=version, models=models)


def look_at_llamacpp(url: str, env: Mapping[str, str], patience: float = 0.0) -> ServerSeen:
    """Return what llama.cpp's server says of itself and of the one model it has loaded.

    A server that answers with a passing fault is asked again for `patience` seconds.
    """
    server = LlamaCppServer(url, timeout=SECONDS, key=key_for("LLAMA_API_KEY", env))
    try:
        facts = _asked(server.facts, patience)
        card = _asked(server.card, patience)
    except ODD as error:
        return ServerSeen(kind="llamacpp", url=url, answers=False, problem=str(error))
    model = ModelSeen(
        name=facts.name,
        chats=True,
        embeds=card.dimension is not None,
        thinks=card.thinks,
        system_role=facts.system_role,
        context_length=card.context_length,
        parameters=card.parameters,
        quantization=card.quantization,
        dimension=card.dimension,
    )
    return ServerSeen(
        kind="llamacpp",
        url=url,
        answers=True,
        version=card.build,
        slots=facts.slots,
        num_ctx=facts.num_ctx,
        alternates=card.alternates,
        models=(model,),
    )


def _asked(ask: Callable[[], T], patience: float) -> T:
    """Return what a server says; one that is not there is not waited for."""
    return ask_blocking(ask, patience_seconds=patience, refused_seconds=0.0)


def _seen(model: OllamaModel) -> ModelSeen:
    return ModelSeen(
        name=model.name,
        chats=model.chats,
        embeds=model.embeds,
        thinks=model.thinks,
        system_role=model.system_role,
        context_length=model.context_length,
        parameters=model.parameters,
        quantization=model.quantization,
    )
