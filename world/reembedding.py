"""Re-embeds all memories of a run with another embedder; old vectors stay in use until the end.

The order of the steps makes it safe to kill the process at any moment. First a new collection is
filled beside the old one; a mark says that the re-embedding is unfinished. Then `run.json` gets the
name of the new embedder, by one rename. Then the history records the change, and the old collection
and the mark are deleted. Remaining steps are done when the run is opened again.
"""

import json
import os
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from smolville.agents.errors import RunError, StoppedError
from smolville.history.chroma import Vectors
from smolville.history.drafting import sync_folder
from smolville.history.folder import RunFolder, read_file
from smolville.history.history import History
from smolville.history.memory_store import MemoryStore, ReembeddingMark
from smolville.history.records import CommitBatch, Intervention
from smolville.history.spec import LARGEST, SPEC_FILE, RunSpec
from smolville.history.trouble import explain_storage_errors
from smolville.models.embedding.embedder import Embedder
from smolville.models.pacing import OnRetry, ask_blocking

if TYPE_CHECKING:
    from smolville.agents.memory import Memory

PART = 50
"""Number of texts between two progress reports."""

OnProgress = Callable[[int, int], None]
"""Callback with the number of memories embedded so far, and the total number."""


@dataclass(frozen=True, kw_only=True)
class ReembeddingResult:
    """The result of a re-embedding."""

    folder: RunFolder
    """The run's folder, with the new embedder in its spec."""
    was: str
    """The embedder that the run had before."""
    memories: int


def reembed(
    folder: RunFolder,
    embedder: Embedder,
    heard: OnProgress = lambda done, of: None,
    on_retry: OnRetry | None = None,
) -> ReembeddingResult:
    """Re-embed the text of every memory of a run; later recalls use the new vectors.

    Raises RunError if the run is in use, or already has this embedder. A re-embedding that was
    killed earlier is continued.
    """
    with folder.lock():
        folder = RunFolder.open(folder.path.parent, folder.name)
        was = folder.spec.models.embedder
        with History(folder) as history:
            rows = history.memories_of_all()
            mark = ReembeddingMark(id=secrets.token_hex(8), text=_describe_change(was, embedder))
            store = MemoryStore(folder, embedder.name, embedder.dimension, mark)
            try:
                if was == embedder.name and _is_in_force(store):
                    raise RunError(_describe_nothing_to_do(folder, embedder))
                _embed_missing(store, rows, _reporting(embedder, len(rows), heard, on_retry), heard)
                name_embedder(folder, embedder.name)
                folder = RunFolder.open(folder.path.parent, folder.name)
                left = store.unfinished()
                if left is not None:
                    finish(left, store, history, folder.spec)
            finally:
                store.close()
    return ReembeddingResult(folder=folder, was=was, memories=len(rows))


def finish(mark: ReembeddingMark, store: MemoryStore, history: History, spec: RunSpec) -> str:
    """Do the last steps of a re-embedding, and return a sentence for the operator.

    The new embedder must already be named in `run.json`. The history records the re-embedding at
    the first tick that nobody has completed. Nothing is recorded in a run without any tick.
    """
    done = history.watermark()
    if done is not None and mark.id not in history.intervention_ids():
        _record(mark, history, done, spec)
    store.settle()
    return f"finished re-embedding the memories: {mark.text}"


def name_embedder(folder: RunFolder, name: str) -> None:
    """Write another embedder into `run.json`, atomically."""
    path = folder.path / SPEC_FILE
    with explain_storage_errors(folder.name):
        asked = json.loads(read_file(path, LARGEST))
        asked["models"]["embedder"] = name
        fresh = path.with_name(f".{SPEC_FILE}.new")
        with fresh.open("w", encoding="utf-8") as file:
            file.write(json.dumps(asked, indent=2, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        # Keep the file's times: runs are listed by when they were begun.
        stood = path.stat()
        os.utime(fresh, ns=(stood.st_atime_ns, stood.st_mtime_ns))
        fresh.replace(path)
        sync_folder(folder.path)


def _embed_missing(
    store: MemoryStore, rows: "list[Memory]", embed: Callable[..., Vectors], heard: OnProgress
) -> None:
    """Embed the memories that the new store lacks.

    Raises StoppedError if afterwards the store does not have one vector for each memory.
    """
    store.reconcile(rows, embed)
    heard(len(rows), len(rows))
    held = store.count()
    if held != len(rows):
        raise StoppedError(
            f"the new store holds {held:,} of {len(rows):,} memories; the run keeps its embedder. "
            "Run the same command again"
        )


def _is_in_force(store: MemoryStore) -> bool:
    """Return whether a collection is complete and in use; False if it is unfinished or damaged."""
    try:
        return store.unfinished() is None
    except StoppedError:
        return False


def _reporting(
    embedder: Embedder, of: int, heard: OnProgress, on_retry: OnRetry | None
) -> Callable[[Sequence[str]], Vectors]:
    """Return a function that embeds texts in batches and reports its progress."""
    done = 0

    def embed(texts: Sequence[str]) -> Vectors:
        nonlocal done
        rows = []
        for start in range(0, len(texts), PART):
            part = texts[start : start + PART]
            rows.append(ask_blocking(partial(embedder.embed, part), on_retry=on_retry))
            done += len(part)
            heard(done, of)
        return np.concatenate(rows)

    return embed


def _record(mark: ReembeddingMark, history: History, watermark: int, spec: RunSpec) -> None:
    """Record the intervention at the first tick that nobody has completed."""
    states = history.state_of(spec.cast).values()
    done = max([watermark, *(state.done for state in states if state.done is not None)])
    made = Intervention(
        id=mark.id,
        tick=done + 1,
        kind="reembedded",
        target=spec.models.embedder,
        text=mark.text,
    )
    at = watermark * spec.tick_seconds
    history.commit(CommitBatch(tick=watermark, at=at, agents=(), interventions=[made]))


def _describe_change(was: str, embedder: Embedder) -> str:
    """Return the old and the new embedder as text."""
    size = f" ({embedder.dimension} numbers a text now)" if was == embedder.name else ""
    return f"{was} -> {embedder.name}{size}"


def _describe_nothing_to_do(folder: RunFolder, embedder: Embedder) -> str:
    """Return a message that nothing needs to be done, and how to re-embed nevertheless."""
    return (
        f"the memories of run {folder.name!r} are embedded by {embedder.name} already; to embed "
        f"them with it again, remove {folder.memories_path} and go on with the run"
    )
