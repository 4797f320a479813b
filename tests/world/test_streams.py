"""The embedder of a run that lives: asked again while its server is away."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from smolville.models.embedding.words import HashedWords
from smolville.models.errors import TransportError
from smolville.models.pacing import Backoff
from smolville.world.streams import Streams


class Away(HashedWords):
    """An embedder whose server is away for some requests."""

    name = "away"

    def __init__(self, failures: int, *, retryable: bool = True) -> None:
        self.failures = failures
        self.retryable = retryable

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.failures:
            self.failures -= 1
            raise TransportError("The server is away.", retryable=self.retryable)
        return super().embed(texts)


PATIENT = Backoff(first_seconds=0.001)


async def test_a_server_that_comes_back_is_waited_for_and_said_so() -> None:
    heard: list[str] = []
    streams = Streams(["Ada"], Away(2), PATIENT, lambda error, seconds: heard.append(str(error)))
    (row,) = await streams.embed(["bread"])
    assert (row == HashedWords().embed(["bread"])[0]).all()
    assert heard == ["The server is away."] * 2
