"""Look for Ollama and llama.cpp's server, and at the models they have."""

from collections.abc import Mapping

from lab.doctor.findings import ModelSeen, ServerSeen
from models.errors import ModelError
from models.servers.hiding import key_for
from models.servers.llamacpp import LlamaCppServer
from models.servers.ollama import OllamaModel, OllamaServer

SECONDS = 3.0
"""How long a server may take to show that it is there."""
ODD = (ModelError, ValueError, TypeError, AttributeError)
"""What clients raise about a server that answers oddly, beside their own errors."""


def look_at_ollama(env: Mapping[str, str]) -> ServerSeen:
    """Return what Ollama says of itself, at the address that the environment names."""
    server = OllamaServer.of(env, timeout=SECONDS)
    try:
        models = tuple(_seen(model) for model in server.models())
    except ODD as error:
        return ServerSeen(kind="ollama", url=server.url, answers=False, problem=str(error))
    try:
        version = server.version()
    except ODD:
        version = ""
    return ServerSeen(kind="ollama", url=server.url, answers=True, version=version, models=models)


def look_at_llamacpp(url: str, env: Mapping[str, str]) -> ServerSeen:
    """Return what llama.cpp's server says of itself and of the one model it has loaded."""
    server = LlamaCppServer(url, timeout=SECONDS, key=key_for("LLAMA_API_KEY", env))
    try:
        facts = server.facts()
        card = server.card()
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
