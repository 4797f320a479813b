"""Check vectors from a server, and convert them into rows."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models.errors import ModelError


def rows_of(
    vectors: Sequence[Sequence[float]], count: int, dimension: int | None, server: str
) -> NDArray[np.float32]:
    """Return the vectors of `count` texts as rows. Raises ModelError if they are not as requested.

    `dimension` is the length they must have; None if it is not known yet.
    """
    try:
        rows = np.asarray(vectors, dtype=np.float32)
    except (TypeError, ValueError):
        rows = np.zeros(0, np.float32)
    if rows.ndim != 2 or len(rows) != count or rows.shape[1] == 0:
        raise ModelError(f"{server} did not send one vector of one length for each text.")
    if dimension is not None and rows.shape[1] != dimension:
        raise ModelError(
            f"{server} sends vectors of {rows.shape[1]} numbers now, and sent {dimension} before: "
            "its model was changed; give it the former one again, or have every memory embedded "
            "again with `smolville reembed RUN --embedder SPEC`."
        )
    if not np.isfinite(rows).all():
        raise ModelError(f"{server} sent a vector with something other than numbers in it.")
    return rows
