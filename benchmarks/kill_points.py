"""Named points in Smolville's own code at which being killed is most harmful.

`watch_point` lets a process report that it has reached a point. `sabotage` removes one of the
things that make a run survive. Both change the process that calls them permanently, so they are
called in a child process.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import smolville.history.cut as history_cut
import smolville.history.drafting as history_drafting
import smolville.history.history as history_history
import smolville.history.inbox as history_inbox
import smolville.history.memory_store as history_memory_store
import smolville.world.cluster_runner as world_cluster_runner
import smolville.world.engine as world_engine
import smolville.world.inbox_reader as world_inbox_reader
import smolville.world.reembedding as world_reembedding
import smolville.world.run_request as world_run_request
from smolville.history.commit_rows import BatchWriter
from smolville.history.folder import RunFolder
from smolville.history.records import CommitBatch
from smolville.history.spec import SPEC_FILE, RunSpec

Reached = Callable[[], None]
"""Function called each time a process is at the point; it may never return."""


class When(Enum):
    """The position of a point relative to the function that it belongs to."""

    BEFORE = "before"
    AFTER = "after"
    WITHIN = "within"
    """Part of the function has been done, and part has not."""


@dataclass(frozen=True)
class KillPoint:
    """A point, and what has just happened there."""

    what: str
    owner: Any
    """Module or class that has the function."""
    function: str
    when: When
    stage: str
    """The stage of a life in which the point is reached; see `benchmarks.killed_life`."""


RUN, REQUESTS, VISIT, FORK, REEMBED = "run", "requests", "visit", "fork", "reembed"
_B, _A, _W = When.BEFORE, When.AFTER, When.WITHIN
_DRAFTING, _HISTORY = history_drafting, history_history.History
_STORE, _INBOX = history_memory_store.MemoryStore, history_inbox.Inbox
_INTAKE = world_inbox_reader.InboxReader

POINTS: dict[str, KillPoint] = {
    "start-drafted": KillPoint("a hidden folder is made", _DRAFTING, "_locked_draft", _A, RUN),
    "start-hidden": KillPoint("complete, and hidden", _DRAFTING, "_replace", _B, RUN),
    "start-named": KillPoint("the folder has its name", _DRAFTING, "_replace", _A, RUN),
    "start-opened": KillPoint("opened, nothing lived", world_engine.Engine, "run", _B, RUN),
    "commit-before": KillPoint("lived, not written", _HISTORY, "commit", _B, RUN),
    "commit-within": KillPoint("half of the rows written", BatchWriter, "write", _W, RUN),
    "commit-after": KillPoint("written, not followed", _HISTORY, "commit", _A, RUN),
    "chroma-before": KillPoint("memories only in the history", _STORE, "_write", _B, RUN),
    "chroma-within": KillPoint("Chroma is writing", _STORE, "_write", _W, RUN),
    "chroma-after": KillPoint("Chroma has written", _STORE, "_write", _A, RUN),
    "mind-written": KillPoint("a mind is written", world_cluster_runner, "write_mind", _A, RUN),
    "journal-before": KillPoint("a reply is not kept yet", _HISTORY, "store", _B, RUN),
    "journal-within": KillPoint("its row is written", history_history, "keep_call", _A, RUN),
    "journal-after": KillPoint("a reply is kept", _HISTORY, "store", _A, RUN),
    "inbox-taken": KillPoint("carried out, not written", _INTAKE, "_deliver", _A, REQUESTS),
    "inbox-recorded": KillPoint("one is recorded, not settled", _HISTORY, "record", _A, REQUESTS),
    "inbox-settled": KillPoint("one is settled", _INBOX, "settle", _A, REQUESTS),
    "turn-asked": KillPoint("a visitor's line is asked for", _INBOX, "ask_turn", _A, VISIT),
    "turn-recorded": KillPoint("the line is recorded", _HISTORY, "record", _A, VISIT),
    "turn-closed": KillPoint("the turn is over", _INBOX, "close_turn", _A, VISIT),
    "fork-copied": KillPoint("the history is copied", history_cut, "_copy_memories", _B, FORK),
    "fork-memories": KillPoint("the memories are copied", history_cut, "_copy_memories", _A, FORK),
    "fork-hidden": KillPoint("complete, and hidden", _DRAFTING, "_replace", _B, FORK),
    "fork-named": KillPoint("the fork has its name", _DRAFTING, "_replace", _A, FORK),
    "reembed-some": KillPoint("some vectors are new", _STORE, "_write", _A, REEMBED),
    "reembed-all": KillPoint("all are new", world_reembedding, "name_embedder", _B, REEMBED),
    "reembed-unnamed": KillPoint("run.json is about to change", Path, "replace", _B, REEMBED),
    "reembed-named": KillPoint(
        "run.json is changed", world_reembedding, "sync_folder", _B, REEMBED
    ),
    "reembed-old": KillPoint("old vectors are there", _STORE, "settle", _B, REEMBED),
    "reembed-settled": KillPoint("old vectors are gone", _STORE, "settle", _A, REEMBED),
}


def watch_point(point: KillPoint, reached: Reached) -> None:
    """From now on, call `reached` whenever this process is at a point.

    Chroma writes outside of Python, so for its writes `reached` is called when a write begins.
    """
    real = getattr(point.owner, point.function)

    def watched(*given: Any, **named: Any) -> Any:
        if point.when is not When.AFTER:
            reached()
        done = real(*given, **named)
        if point.when is When.AFTER:
            reached()
        return done

    def written(self: BatchWriter, batch: CommitBatch, watermark: int) -> None:
        rows = 2 + (len(batch.bodies) + len(batch.thoughts) + len(batch.steps)) // 2

        def count(_: str) -> None:
            nonlocal rows
            rows -= 1
            if rows == 0:
                reached()

        self._connection.set_trace_callback(count)
        real(self, batch, watermark)
        self._connection.set_trace_callback(None)

    setattr(point.owner, point.function, written if point.owner is BatchWriter else watched)


def write_memories_often() -> None:
    """Make memories be written to Chroma in batches of 20.

    With batches of 500, a short day would have only one write.
    """
    history_memory_store.BATCH = 20


@contextmanager
def _in_place(runs_dir: Path, spec: RunSpec, *, overwrite: bool = False) -> Iterator[RunFolder]:
    """Fill a run's folder at its final place, as if interruptions were impossible."""
    folder = runs_dir / spec.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SPEC_FILE).write_text(spec.model_dump_json(), encoding="utf-8")
    yield RunFolder(folder, spec)


def _without_rename() -> None:
    world_run_request.draft_run = _in_place


def _without_journal() -> None:
    _HISTORY.find_stored = lambda *_: None  # type: ignore[method-assign]


def _without_recovery() -> None:
    _STORE.reconcile = lambda *_: []  # type: ignore[method-assign]


SABOTAGE: dict[str, Callable[[], None]] = {
    "rename": _without_rename,
    "journal": _without_journal,
    "recovery": _without_recovery,
}
"""What can be removed, by name.

`rename`: folders appear in one step. `journal`: replies are found again instead of being requested
twice. `recovery`: the vector store is brought to the last commit when a run is opened.
"""
