"""Re-embeds all memories of a run with another embedder.

First all vectors are made; until then nothing changes. Then `run.json` gets the name of the new
embedder, by one rename; the history records the change; and the vectors are stored. A process that
is killed in between leaves vectors that another embedder made than the one in `run.json`: the
remaining steps are done when the run is opened again (`world.simulation`).
"""

import json
import os
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from smolville.agents.errors import RunError
from smolville.history.drafting import sync_folder
from smolville.history.folder import RunFolder, read_file
from smolville.history.history import History
from smolville.history.memory_store import MadeBy, MemoryStore, Vectors
from smolville.history.records import CommitBatch, Intervention
from smolville.history.spec import LARGEST, SPEC_FILE
from smolville.history.trouble import explain_storage_errors
from smolville.models.embedding.embedder import Embedder
from smolville.models.pacing import OnRetry, ask_blocking

PART = 20
"""Number of texts between two progress reports."""
REEMBEDDED: Literal["reembedded"] = "reembedded"
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

    Raises RunError if the run is in use, or already has this embedder.
    """
    with folder.lock():
        folder = RunFolder.open(folder.path.parent, folder.name)
        with History(folder) as history:
            rows = history.memories_of_all()
            store = MemoryStore(folder, embedder.name, embedder.dimension)
            try:
                made = store.former()
                if folder.spec.models.embedder == embedder.name and made is None:
                    raise RunError(
                        f"the memories of run {folder.name!r} are embedded by {embedder.name} "
                        f"already; to embed them with it again, remove {folder.memories_path} and "
                        "go on with the run"
                    )
                texts = [memory.text for memory in rows]
                vectors = dict(zip(texts, _embed(embedder, texts, heard, on_retry), strict=True))
                was = made or MadeBy(folder.spec.models.embedder, 0)
                name_embedder(folder, embedder.name)
                folder = RunFolder.open(folder.path.parent, folder.name)
                record_reembedding(folder, history, was, embedder)
                store.reconcile(rows, lambda missing: np.stack([vectors[one] for one in missing]))
            finally:
                store.close()
    return ReembeddingResult(folder=folder, was=was.name, memories=len(rows))


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


def _embed(
    embedder: Embedder, texts: Sequence[str], heard: OnProgress, on_retry: OnRetry | None
) -> Vectors:
    parts = [np.zeros((0, embedder.dimension), np.float32)]
    for start in range(0, len(texts), PART):
        part = texts[start : start + PART]
        parts.append(ask_blocking(partial(embedder.embed, part), on_retry=on_retry))
        heard(start + len(part), len(texts))
    return np.concatenate(parts)


def record_reembedding(folder: RunFolder, history: History, was: MadeBy, embedder: Embedder) -> str:
    """Record a re-embedding at the first tick that nobody has completed, and describe it.

    Nothing is recorded in a run without any tick, or if it was recorded before a crash.
    """
    size = f" ({embedder.dimension} numbers a text now)" if was.name == embedder.name else ""
    text, watermark = f"{was.name} -> {embedder.name}{size}", history.watermark()
    known = [each for each in history.interventions() if each.kind == REEMBEDDED]
    if watermark is None or (known and known[-1].text == text):
        return text
    states = history.state_of(folder.spec.cast).values()
    done = max([watermark, *(state.done for state in states if state.done is not None)])
    made = Intervention(
        id=secrets.token_hex(8),
        tick=done + 1,
        kind=REEMBEDDED,
        target=folder.spec.models.embedder,
        text=text,
    )
    at = watermark * folder.spec.tick_seconds
    history.commit(CommitBatch(tick=watermark, at=at, agents=(), interventions=[made]))
    return text
