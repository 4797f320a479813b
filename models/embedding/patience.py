"""Embed texts while a server comes and goes."""

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from models.backoff import Backoff, ask_with_backoff
from models.embedding.embedder import Embedder
from models.errors import TransportError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OnRetry = Callable[[TransportError, float], None]


def embed_patiently(
    embedder: Embedder, texts: Sequence[str], on_retry: OnRetry | None = None
) -> "NDArray[np.float32]":
    """Return one row per text; a lost request is asked again, then its TransportError is raised.

    Blocks, and can be interrupted at any moment: no event loop takes part.
    """

    async def asked() -> "NDArray[np.float32]":
        return embedder.embed(texts)

    async def paused(seconds: float) -> None:
        time.sleep(seconds)

    waiting = ask_with_backoff(asked, backoff=Backoff(sleep=paused), on_retry=on_retry)
    try:
        # Nothing in it ever waits for a loop, so it comes to its end in one step.
        waiting.send(None)
    except StopIteration as done:
        rows: NDArray[np.float32] = done.value
        return rows
    raise AssertionError("a retry waited for an event loop that is not there")
