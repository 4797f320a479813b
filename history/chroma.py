"""Opening Chroma, and turning its errors into sentences.

Chroma is imported only in this file, and only when needed: the import takes over a second.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

from agents.errors import StoppedError
from history.trouble import fails_to_write, no_space, unwritten

if TYPE_CHECKING:
    from chromadb.api.client import Client as Client
    from chromadb.api.models.Collection import Collection as Collection

_CODE = re.compile(r"\(code: (\d+)\)")


def opened_chroma(path: Path) -> "Client":
    """Return a Chroma client for a folder that no other process has open."""
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    return cast("Client", chromadb.PersistentClient(path=str(path), settings=settings))


def forget_opened() -> None:
    """Clear Chroma's cache, which keeps clients by path and would return a failed one again."""
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient.clear_system_cache()


def chroma_error() -> type[Exception]:
    """Return the base class of Chroma's errors."""
    from chromadb.errors import ChromaError

    return ChromaError


@contextmanager
def saying(run: str) -> Iterator[None]:
    """Turn Chroma's errors inside the block into a StoppedError with a sentence."""
    try:
        yield
    except chroma_error() as error:
        raise stopped_by(run, error) or StoppedError(
            f"the memories of run {run!r} cannot be read or written: {error}; they are rebuilt "
            "from the history when the run is opened again"
        ) from error


def stopped_by(run: str, error: Exception) -> StoppedError | None:
    """Return the error to raise for a disk that accepts no more data; None for other errors.

    Chroma passes on the errors of SQLite as text, `(code: 778) disk I/O error`.
    """
    text = str(error)
    if "disk is full" in text or "No space left" in text:
        return no_space(run)
    code = _CODE.search(text)
    if code is not None and fails_to_write(int(code[1])):
        return unwritten(run, "disk I/O error")
    return None
