"""Probe: what can turn memories into vectors here, and how long they are."""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence

from lab.doctor.findings import EmbedderFound, ServerSeen
from models.embedding.embedder import BUILT_IN, open_embedder
from models.errors import ModelError
from models.keys import Named

BATCH = [f"Rosa Marin sees Milo Varga at the market, for the {each}th time." for each in range(16)]


async def probe_embedder(servers: Sequence[ServerSeen], env: Mapping[str, str]) -> EmbedderFound:
    """Return the first embedder that works: a server's, one on disk, one that is built in."""
    problems: list[str] = []
    for spec in candidates(servers):
        try:
            return await asyncio.to_thread(_measured, spec, env)
        except (ModelError, ValueError, OSError) as error:
            problems.append(f"{spec}: {error}")
    return EmbedderFound(problem=" ".join(problems))


def candidates(servers: Sequence[ServerSeen]) -> Iterator[str]:
    """Yield specs of embedders in the order of preference."""
    for server in servers:
        for model in server.models:
            if model.embeds:
                is_ollama = server.kind == "ollama"
                yield f"ollama:{model.name}" if is_ollama else f"llamacpp:{server.url}"
    yield from ("minilm", BUILT_IN, "words")


def _measured(spec: str, env: Mapping[str, str]) -> EmbedderFound:
    """Return an embedder's dimension and speed."""
    embedder = open_embedder(Named(spec), env=env)
    started = time.perf_counter()
    rows = embedder.embed(BATCH)
    taken = (time.perf_counter() - started) * 1000
    return EmbedderFound(
        spec=embedder.name, dimension=int(rows.shape[1]), milliseconds=round(taken, 1)
    )
