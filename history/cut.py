"""Fork a run: a new one that shares its history up to a tick."""

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from smolville.agents.errors import RunError
from smolville.agents.times import moment
from smolville.history.calls import Packer
from smolville.history.drafting import draft_run
from smolville.history.folder import RunFolder
from smolville.history.history import BatchWriter
from smolville.history.moments import watermark_of
from smolville.history.records import CommitBatch
from smolville.history.schema import open_reader, reading
from smolville.history.spec import RunSpec

_DATED = (
    *("commits", "goals", "bodies", "moves", "deeds", "objects", "talks", "lines", "thoughts"),
    *("steps", "readings", "calls", "given_up", "changes", "memories", "minds", "interventions"),
    *("reuses", "draws", "needs", "call_servers", "happenings"),
)
"""Every table whose rows belong to a tick."""


def fork(runs_dir: Path, source: str, new_name: str, at: int) -> RunFolder:
    """Return a new run that shares the source's history up to tick `at`.

    Works while the source is running, up to its watermark. The vector store of its memories is
    copied when no process owns the source; else the memories are embedded again when the fork is
    opened.
    """
    old = RunFolder.open(runs_dir, source)
    spec = old.spec.model_copy(
        update={
            "name": new_name,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "forked_from": source,
            "forked_at": at,
        }
    )
    with reading(old), draft_run(runs_dir, spec) as draft:
        with closing(open_reader(old.history_path, old.name)) as connection:
            _check(connection, old, at)
            connection.execute("VACUUM INTO ?", (str(draft.history_path),))
        with closing(sqlite3.connect(draft.history_path, isolation_level=None)) as connection:
            # Nobody uses the new file before it is complete.
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            _remove_after(connection, spec, at)
            connection.execute("VACUUM")
        with draft.history_path.open("rb") as file:
            os.fsync(file.fileno())
        _copy_memories(old, draft)
        if old.spec.routines:
            shutil.copyfile(old.routines_path, draft.routines_path)
        if old.town_path.is_dir():
            shutil.copytree(old.town_path, draft.town_path)
    return RunFolder(runs_dir / new_name, spec)


def _copy_memories(old: RunFolder, draft: RunFolder) -> None:
    if not old.memories_path.is_dir():
        return
    try:
        with old.lock():
            shutil.copytree(old.memories_path, draft.memories_path)
    except (RunError, shutil.Error):
        # In use or damaged: the fork's store is built from its history when it is opened.
        shutil.rmtree(draft.memories_path, ignore_errors=True)


def _check(connection: sqlite3.Connection, folder: RunFolder, at_tick: int) -> None:
    """Raise RunError when the history is not complete up to a tick.

    The message gives the times at which ticks end, in the form in which operators type them.
    """
    done = watermark_of(connection)
    if done is not None and 0 <= at_tick <= done:
        return
    seconds = folder.spec.tick_seconds
    have = (
        "has no committed tick yet" if done is None else f"goes to {moment((done + 1) * seconds)}"
    )
    target = moment((at_tick + 1) * seconds) if at_tick >= 0 else f"tick {at_tick}"
    raise RunError(
        f"run {folder.name!r} {have}; {target} is outside of it: choose a moment it has reached"
    )


def _remove_after(connection: sqlite3.Connection, spec: RunSpec, at_tick: int) -> None:
    """Remove everything after a tick; the history is then complete up to exactly that tick."""
    for table in _DATED:
        connection.execute(f"DELETE FROM {table} WHERE tick > ?", (at_tick,))  # noqa: S608
    connection.execute("UPDATE reached SET tick = min(tick, ?)", (at_tick,))
    if watermark_of(connection) != at_tick:
        quiet = CommitBatch(tick=at_tick, at=at_tick * spec.tick_seconds, agents=spec.cast)
        BatchWriter(connection, Packer(connection)).write(quiet, at_tick)
