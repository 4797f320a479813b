"""Detection of Ollama and llama.cpp's server, and of the models they offer."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from lab.doctor.bounded import TimeLeft, aside, bounded, may_pass
from lab.doctor.findings import ModelSeen, ServerKind, ServerSeen
from models.errors import ModelError
from models.keys import key_for
from models.open import FoundModel, find_model
from models.pacing import ask_blocking
from models.servers.llamacpp import LlamaCppServer
from models.servers.ollama import OllamaModel, OllamaServer
from models.spec import Spec

T = TypeVar("T")

LOOK_SECONDS = 3.0
"""Seconds to retry a server that answers with a transient error."""
SECONDS = 3.0
"""Seconds within which a server must respond to be detected."""
ODD = (ModelError, ValueError, TypeError, AttributeError)
"""Errors that clients may raise when a server sends an unexpected answer: their own, and others."""


@dataclass(frozen=True)
class ServerSearch:
    """Where to look for servers, and how long to retry."""

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
            self._at("ollama", lambda: look_at_ollama(self.env, self.patience)),
            self._at(
                "llamacpp", lambda: look_at_llamacpp(self.llamacpp_url, self.env, self.patience)
            ),
        )

    async def for_a_model(self) -> Spec:
        """Return the spec of the model that this machine offers, by default the stand-in's."""
        found = await bounded(
            lambda: aside(lambda: find_model(self.env, self.llamacpp_url, patience=self.patience)),
            self.time_left.of("servers"),
            lambda why: FoundModel(Spec("standin"), why),
        )
        return found.spec

    async def _at(self, kind: ServerKind, look: Callable[[], ServerSeen]) -> ServerSeen:
        """Return what one server reports about itself, or the problem when it takes too long."""
        url = OllamaServer.of(self.env).url if kind == "ollama" else self.llamacpp_url
        return await bounded(
            lambda: aside(look),
            self.time_left.of("servers"),
            lambda why: ServerSeen(kind=kind, url=url, answers=False, problem=why, may_pass=True),
        )


def look_at_ollama(env: Mapping[str, str], patience: float = 0.0) -> ServerSeen:
    """Return what Ollama reports about itself, at the address given by the environment.

    A server that answers with a transient error is retried for `patience` seconds.
    """
    server = OllamaServer.of(env, timeout=SECONDS)
    try:
        models = tuple(map(_seen, _asked(server.models, patience)))
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
        facts = _asked(server.facts, patience)
        card = _asked(server.card, patience)
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


def _asked(ask: Callable[[], T], patience: float) -> T:
    """Return the answer of a server; do not wait for one that is not there."""
    return ask_blocking(ask, patience_seconds=patience, refused_seconds=0.0)


def _not_seen(kind: ServerKind, url: str, error: Exception) -> ServerSeen:
    """Return the entry for a server that could not be read, with the reason."""
    return ServerSeen(
        kind=kind, url=url, answers=False, problem=str(error), may_pass=may_pass(error)
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
