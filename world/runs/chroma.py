"""Chroma: opened, and what it says when something is wrong.

It is imported in this file only, and late: it takes over a second.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

from agents.errors import StoppedError
from world.runs.trouble import fails_to_write, no_space, unwritten

if TYPE_CHECKING:
    from chromadb.api.client import Client as Client
    from chromadb.api.models.Collection import Collection as Collection

_CODE = re.compile(r"\(code: (\d+)\)")


def opened_chroma(path: Path) -> "Client":
    """Return Chroma on a folder that nobody else has open."""
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    return cast("Client", chromadb.PersistentClient(path=str(path), settings=settings))


def forget_opened() -> None:
    """Forget what failed to open: it is kept by its path, and would be given out again."""
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient.clear_system_cache()


def chroma_error() -> type[Exception]:
    """Return the class of all of Chroma's errors."""
    from chromadb.errors import ChromaError

    return ChromaError


@contextmanager
def saying(run: str) -> Iterator[None]:
    """Turn Chroma's errors inside the block into a StoppedError, which is a sentence."""
    try:
        yield
    except chroma_error() as error:
        raise stopped_by(run, error) or StoppedError(
            f"the memories of run {run!r} cannot be read or written: {error}; they are rebuilt "
            "from the history when the run is opened again"
        ) from error


def stopped_by(run: str, error: Exception) -> StoppedError | None:
    """Return what a disk that takes nothing more means to the operator; None for other errors.

    Chroma passes on what SQLite says as text, `(code: 778) disk I/O error`.
    """
    text = str(error)
    if "disk is full" in text or "No space left" in text:
        return no_space(run)
    code = _CODE.search(text)
    if code is not None and fails_to_write(int(code[1])):
        return unwritten(run, "disk I/O error")
    return None
