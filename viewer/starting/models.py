"""The models available on this machine: quick detection, and a full examination by the doctor."""

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lab.doctor.examine import examine
from lab.doctor.findings import Findings, ServerSeen
from lab.doctor.looking import look_at_llamacpp, look_at_ollama
from models.request import ModelSettings
from models.servers.address import LLAMACPP_URL
from reports.recording import STANDIN_TOLD
from viewer.house import AppRuns

STANDIN = "standin"


@dataclass(frozen=True)
class Offer:
    """A model that can be chosen."""

    spec: str
    told: str
    """A description in words."""


def offers(house: AppRuns) -> tuple[list[Offer], list[str]]:
    """Return the models to choose from, best first, and sentences about the servers found.

    Waits at most some seconds for servers that do not answer.
    """
    env = surroundings(house)
    servers = (look_at_ollama(env), look_at_llamacpp(LLAMACPP_URL, env))
    found = [offer for server in servers for offer in _offered(server)]
    seen = [_seen(server) for server in servers]
    found.append(Offer(STANDIN, f"{STANDIN_TOLD}; shows a town in seconds"))
    return found, seen


def surroundings(house: AppRuns) -> Mapping[str, str]:
    """Return the environment in which servers are looked for."""
    return house.env or os.environ


async def examined(house: AppRuns, spec: str, progress: Callable[[str], None]) -> Findings:
    """Return the doctor's findings about a model; takes up to 90 seconds with a real one."""
    loop = asyncio.get_running_loop()

    def told(doing: str) -> None:
        loop.call_soon_threadsafe(progress, doing)

    def here() -> Findings:
        return asyncio.run(examine(spec, surroundings(house), ModelSettings(), progress=told))

    return await asyncio.to_thread(here)


def _offered(server: ServerSeen) -> list[Offer]:
    """Return the chat models that a server offers."""
    if not server.answers:
        return []
    where = "Ollama" if server.kind == "ollama" else "llama.cpp's server"
    offered = []
    for model in server.models:
        if model.chats:
            size = " ".join(filter(None, (model.parameters, model.quantization)))
            spec = f"ollama:{model.name}" if server.kind == "ollama" else f"llamacpp:{server.url}"
            offered.append(Offer(spec, f"{model.name} {size} on {where}".replace("  ", " ")))
    return offered


def _seen(server: ServerSeen) -> str:
    """Return a sentence about a server."""
    name = "Ollama" if server.kind == "ollama" else "llama.cpp's server"
    if not server.answers:
        return f"{name} does not answer at {server.url}."
    models = len([model for model in server.models if model.chats])
    return f"{name} {server.version} answers at {server.url} with {models} chat model(s)."
