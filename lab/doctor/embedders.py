"""Probe: what can turn memories into vectors here, and how long they are."""

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from lab.doctor.bounded import aside, tried
from lab.doctor.findings import EmbedderFound, ServerSeen
from models.embedding.embedder import BUILT_IN, open_embedder
from models.keys import Named

BATCH = [f"Rosa Marin sees Milo Varga at the market, for the {each}th time." for each in range(16)]


async def probe_embedder(
    servers: Sequence[ServerSeen], env: Mapping[str, str], seconds: float
) -> EmbedderFound:
    """Return the first embedder that works: a server's, one on disk, one that is built in.

    A server's may take half of the time that is left of the seconds, so that some is left for
    what is built in.
    """
    until = time.perf_counter() + seconds
    problems: list[str] = []
    for spec in candidates(servers):
        left = until - time.perf_counter()
        measure = partial(_measured, spec, env)
        found = await tried(partial(aside, measure), left / 2)
        if isinstance(found, EmbedderFound):
            return found
        problems.append(f"{spec}: {found.why}")
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
