"""Every memory of a run embedded again, by another embedder, with the old vectors until then.

The order makes it safe to be killed anywhere. The new collection is filled beside the old one,
under a mark; then `run.json` names the new embedder, in one rename; then the history records it,
the old collection goes, and the mark. What is left of that is done when the run is opened again.
"""

import json
import os
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agents.errors import RunError, StoppedError
from models.embedding.embedder import Embedder
from models.pacing import OnRetry, ask_blocking
from world.records import Batch, Intervention
from world.runs.folder import RunFolder
from world.runs.history import History
from world.runs.memory_rows import Mark, Vectors
from world.runs.memory_store import MemoryStore
from world.runs.spec import SPEC_FILE, RunSpec
from world.runs.trouble import told

if TYPE_CHECKING:
    from agents.memory import Memory

PART = 50
"""Texts between two words about how far it is."""

OnProgress = Callable[[int, int], None]
"""Hears how many memories are embedded, of how many."""


@dataclass(frozen=True, kw_only=True)
class Reembedded:
    """What a re-embedding came to."""

    folder: RunFolder
    """With the new embedder in its spec."""
    was: str
    """The embedder that the run had."""
    memories: int


def reembed(
    folder: RunFolder,
    embedder: Embedder,
    heard: OnProgress = lambda done, of: None,
    on_retry: OnRetry | None = None,
) -> Reembedded:
    """Own a run and have every memory's text embedded anew; recall uses the new vectors afterwards.

    RunError when the run is in use, or has this very embedder. Begun before and killed, it goes on
    where it was.
    """
    with folder.lock():
        folder = RunFolder.open(folder.path.parent, folder.name)
        was = folder.spec.models.embedder
        with History(folder) as history:
            rows = history.memories_of_all()
            mark = Mark(id=secrets.token_hex(8), text=_told(was, embedder))
            store = MemoryStore(folder, embedder.name, embedder.dimension, mark)
            try:
                if was == embedder.name and _is_in_force(store):
                    raise RunError(_already(folder, embedder))
                _fill(store, rows, _reporting(embedder, len(rows), heard, on_retry), heard)
                name_embedder(folder, embedder.name)
                folder = RunFolder.open(folder.path.parent, folder.name)
                left = store.unfinished()
                if left is not None:
                    finish(left, store, history, folder.spec)
            finally:
                store.close()
    return Reembedded(folder=folder, was=was, memories=len(rows))


def finish(mark: Mark, store: MemoryStore, history: History, spec: RunSpec) -> str:
    """Do what is left of a re-embedding whose embedder the run has now; say so in a sentence.

    The history records it from the tick on that nobody has done; a run that has not lived yet has
    nothing to record.
    """
    if history.watermark is not None and mark.id not in history.intervention_ids():
        _record(mark, history, history.watermark, spec)
    store.settle()
    return f"finished what was left of embedding the memories anew: {mark.text}"


def name_embedder(folder: RunFolder, name: str) -> None:
    """Write another embedder into `run.json`: wholly, or not at all."""
    path = folder.path / SPEC_FILE
    with told(folder.name):
        asked = json.loads(path.read_text(encoding="utf-8"))
        asked["models"]["embedder"] = name
        fresh = path.with_name(f".{SPEC_FILE}.new")
        with fresh.open("w", encoding="utf-8") as file:
            file.write(json.dumps(asked, indent=2, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        # Runs are listed by when they were begun, which this does not change.
        stood = path.stat()
        os.utime(fresh, ns=(stood.st_atime_ns, stood.st_mtime_ns))
        fresh.replace(path)
        _sync(folder.path)


def _fill(
    store: MemoryStore, rows: "list[Memory]", embed: Callable[..., Vectors], heard: OnProgress
) -> None:
    """Embed what the new store lacks; StoppedError when it then holds less, or more."""
    store.reconcile(rows, embed)
    heard(len(rows), len(rows))
    held = store.count()
    if held != len(rows):
        raise StoppedError(
            f"the new store holds {held:,} of {len(rows):,} memories; the run keeps its embedder. "
            "Run the same command again"
        )


def _is_in_force(store: MemoryStore) -> bool:
    """Return whether this embedder's collection is the run's; a damaged one is made anew."""
    try:
        return store.unfinished() is None
    except StoppedError:
        return False


def _reporting(
    embedder: Embedder, of: int, heard: OnProgress, on_retry: OnRetry | None
) -> Callable[[Sequence[str]], Vectors]:
    """Return what embeds texts part by part, and says how far it is."""
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


def _record(mark: Mark, history: History, watermark: int, spec: RunSpec) -> None:
    """Write the intervention, from the first tick on that nobody has done."""
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
    history.commit(Batch(tick=watermark, at=at, agents=(), interventions=[made]))


def _told(was: str, embedder: Embedder) -> str:
    """Return from which embedder to which."""
    size = f" ({embedder.dimension} numbers a text now)" if was == embedder.name else ""
    return f"{was} -> {embedder.name}{size}"


def _already(folder: RunFolder, embedder: Embedder) -> str:
    """Return that there is nothing to do, and what to do if there is."""
    return (
        f"the memories of run {folder.name!r} are embedded by {embedder.name} already; to have "
        f"them embedded by it anew, remove {folder.memories_path} and go on with the run"
    )


def _sync(path: Path) -> None:
    """Make a folder's own entries last."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
