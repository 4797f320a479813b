"""Probe: which embedder can be used here, and how long its vectors are."""

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from lab.doctor.bounded import aside, tried
from lab.doctor.findings import EmbedderFound, ServerSeen
from models.embedding.embedder import BUILT_IN, open_embedder
from models.keys import UserSpec

BATCH = [f"Rosa Marin sees Milo Varga at the market, for the {each}th time." for each in range(16)]


async def probe_embedder(
    servers: Sequence[ServerSeen], env: Mapping[str, str], seconds: float
) -> EmbedderFound:
    """Return the first working embedder: one of a server, one on disk, or the built-in one.

    An embedder of a server may take half of the remaining time, so that some is left for the
    built-in one.
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
    """Yield embedder specs in order of preference."""
    for server in servers:
        for model in server.models:
            if model.embeds:
                is_ollama = server.kind == "ollama"
                yield f"ollama:{model.name}" if is_ollama else f"llamacpp:{server.url}"
    yield from ("minilm", BUILT_IN, "words")


def _measured(spec: str, env: Mapping[str, str]) -> EmbedderFound:
    """Return the vector length and speed of an embedder."""
    embedder = open_embedder(UserSpec(spec), env=env)
    started = time.perf_counter()
    rows = embedder.embed(BATCH)
    taken = (time.perf_counter() - started) * 1000
    return EmbedderFound(
        spec=embedder.name, dimension=int(rows.shape[1]), milliseconds=round(taken, 1)
    )
