"""Vectors are made once, whoever asks meanwhile."""

import asyncio
import threading
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from smolville.world.streams import Streams


class Slow:
    """An embedder that works on `waited for` until it is let go."""

    name = "slow"
    dimension = 2

    def __init__(self) -> None:
        self.may_go_on = threading.Event()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text: its length, twice."""
        if "waited for" in texts:
            assert self.may_go_on.wait(10)
        return np.array([[len(text)] * 2 for text in texts], np.float32)


async def test_a_text_forgotten_while_others_are_embedded_still_has_its_vector(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("smolville.world.streams.TEXTS_KEPT", 2)
    embedder = Slow()
    streams = Streams(("Ada Brook",), embedder)
    await streams.embed(["known"])
    asked = asyncio.create_task(streams.embed(["known", "waited for"]))
    await asyncio.sleep(0)
    await streams.embed(["these", "push it out"])
    embedder.may_go_on.set()
    known, other = await asked
    assert (known[0], other[0]) == (5, 10)
