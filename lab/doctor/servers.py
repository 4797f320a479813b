"""Detection of Ollama and llama.cpp's server, and of the model behind a chat."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from smolville.lab.doctor.bounded import TimeLeft, may_pass, run_bounded, run_in_thread
from smolville.lab.doctor.findings import ModelSeen, ServerKind, ServerSeen
from smolville.models.errors import ModelError
from smolville.models.keys import key_for
from smolville.models.open import FoundModel, find_model
from smolville.models.pacing import ask_blocking
from smolville.models.servers.llamacpp import LlamaCppServer
from smolville.models.servers.ollama import OllamaModel, OllamaServer
from smolville.models.spec import Spec, parse_spec

if TYPE_CHECKING:
    from smolville.models.chat import Chat

T = TypeVar("T")

LOOK_SECONDS = 3.0
"""Seconds to retry a server that answers with a transient error."""
SECONDS = 3.0
"""Seconds within which a server must respond to be detected."""
ODD = (ModelError, ValueError, TypeError, AttributeError)
"""Errors that clients may raise when a server sends an unexpected answer."""


@dataclass(frozen=True)
class ServerSearch:
    """The places to look for servers, and how long to retry."""

    env: Mapping[str, str]
    llamacpp_url: str
    time_left: TimeLeft

    @property
    def patience(self) -> float:
        """Seconds to retry a server that answers with a transient error."""
        return min(LOOK_SECONDS, self.time_left.probes.patience)

    async def at_servers(self) -> tuple[ServerSeen, ServerSeen]:
        """Return what both servers report about themselves."""
        return await asyncio.gather(
            self._look_at_server("ollama", lambda: look_at_ollama(self.env, self.patience)),
            self._look_at_server(
                "llamacpp", lambda: look_at_llamacpp(self.llamacpp_url, self.env, self.patience)
            ),
        )

    async def for_a_model(self) -> Spec:
        """Return the spec of the model that this machine offers, by default the stand-in's."""
        found = await run_bounded(
            lambda: run_in_thread(
                lambda: find_model(self.env, self.llamacpp_url, patience=self.patience)
            ),
            self.time_left.of("servers"),
            lambda why: FoundModel(Spec("standin"), why),
        )
        return found.spec

    async def _look_at_server(self, kind: ServerKind, look: Callable[[], ServerSeen]) -> ServerSeen:
        """Return what one server reports about itself, or the problem when it takes too long."""
        url = OllamaServer.of(self.env).url if kind == "ollama" else self.llamacpp_url
        return await run_bounded(
            lambda: run_in_thread(look),
            self.time_left.of("servers"),
            lambda why: ServerSeen(kind=kind, url=url, answers=False, problem=why, may_pass=True),
        )


def look_at_ollama(env: Mapping[str, str], patience: float = 0.0) -> ServerSeen:
    """Return what Ollama reports about itself, at the address given by the environment.

    A server that answers with a transient error is retried for `patience` seconds.
    """
    server = OllamaServer.of(env, timeout=SECONDS)
    try:
        models = tuple(map(_to_model_seen, _ask_server(server.models, patience)))
    except ODD as error:
        return _not_seen("ollama", server.url, error)
    try:
        version = server.version()
    except ODD:
        version = ""
    return ServerSeen(kind="ollama", url=server.url, answers=True, version=version, models=models)


def look_at_llamacpp(url: str, env: Mapping[str, str], patience: float = 0.0) -> ServerSeen:
    """Return what llama.cpp's server reports about itself and the one model it has loaded.

    A server that answers with a transient error is retried for `patience` seconds.
    """
    server = LlamaCppServer(url, timeout=SECONDS, key=key_for("LLAMA_API_KEY", env))
    try:
        facts = _ask_server(server.facts, patience)
        card = _ask_server(server.card, patience)
    except ODD as error:
        return _not_seen("llamacpp", url, error)
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


def _ask_server(ask: Callable[[], T], patience: float) -> T:
    """Return the answer of a server; do not wait for a server that is not there."""
    return ask_blocking(ask, patience_seconds=patience, refused_seconds=0.0)


def _not_seen(kind: ServerKind, url: str, error: Exception) -> ServerSeen:
    """Return the entry for a server that could not be read, with the reason."""
    return ServerSeen(
        kind=kind, url=url, answers=False, problem=str(error), may_pass=may_pass(error)
    )


def _to_model_seen(model: OllamaModel) -> ModelSeen:
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
    server, seen = _seen_of(spec, env)
    return Identity(
        name=chat.name,
        kind=spec.kind,
        server=SERVERS.get(spec.kind, spec.kind),
        version=server.version if server is not None else "",
        parameters=seen.parameters if seen is not None else chat.parameters,
        quantization=seen.quantization if seen is not None else chat.quantization,
    )


def _seen_of(spec: Spec, env: Mapping[str, str]) -> tuple[ServerSeen | None, ModelSeen | None]:
    """Return the server and the model of a spec; None for each that is unknown."""
    if spec.kind == "ollama":
        own = {**env, "OLLAMA_HOST": spec.host} if spec.host else env
        return model_of(look_at_ollama(own), spec)
    if spec.kind == "llamacpp":
        return model_of(look_at_llamacpp(spec.target, env), spec)
    return None, None


def model_of(server: ServerSeen | None, spec: Spec) -> tuple[ServerSeen | None, ModelSeen | None]:
    """Return a server that answers, and its model for a spec; None for each that is missing."""
    if server is None or not server.answers or server.kind != spec.kind:
        return None, None
    if spec.kind == "llamacpp":
        return server, server.models[0]
    names = (spec.target, f"{spec.target}:latest")
    return server, next((model for model in server.models if model.name in names), None)
