"""Cut a history at a moment: to go back in a run, or to fork another run from there."""

import os
import shutil
import sqlite3
from collections.abc import Collection
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from smolville.agents.errors import RunError
from smolville.agents.times import moment
from smolville.history.calls import Packer
from smolville.history.commit_rows import BatchWriter
from smolville.history.drafting import draft_run
from smolville.history.folder import RunFolder
from smolville.history.inbox import Inbox
from smolville.history.inspection import damage_blamed
from smolville.history.later_tables import cut_reached
from smolville.history.moments import interventions_after, watermark_of
from smolville.history.records import CommitBatch
from smolville.history.schema import address_to_read, open_reader, open_writer
from smolville.history.spec import RunSpec
from smolville.history.tables import has_table
from smolville.history.trouble import explain_storage_errors, roll_back

_DATED = (
    *("commits", "goals", "bodies", "moves", "deeds", "objects", "talks", "lines", "thoughts"),
    *("steps", "readings", "calls", "given_up", "changes", "memories", "minds", "interventions"),
)
"""Every table whose rows belong to a tick."""
_LATER = ("reuses", "draws", "needs", "call_servers", "happenings")
"""Further tables whose rows belong to a tick; histories of earlier versions lack them."""


def truncate(folder: RunFolder, at_tick: int) -> None:
    """Remove everything after `at_tick`, in one transaction; RunError when the run is in use.

    The vector store of the memories is set back to that moment when the run is next opened.
    """
    with folder.lock(), damage_blamed(folder):
        connection = open_writer(folder.history_path, folder.name)
        try:
            with explain_storage_errors(folder.name):
                _check(connection, folder, at_tick)
                later = [wish.id for wish in interventions_after(connection, at_tick)]
                # First, so that a request whose intervention is removed is not taken in once more.
                with Inbox(folder) as inbox:
                    inbox.settle(later)
                    inbox.talks.forget()
                _remove_after(connection, folder.spec, at_tick)
        finally:
            connection.close()


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
    with damage_blamed(old), draft_run(runs_dir, spec) as draft:
        _copy_history(old, draft, at)
        _copy_memories(old, draft)
        if old.spec.routines:
            shutil.copyfile(old.routines_path, draft.routines_path)
        if old.town_path.is_dir():
            shutil.copytree(old.town_path, draft.town_path)
    return RunFolder(runs_dir / new_name, spec)


def _copy_history(old: RunFolder, draft: RunFolder, at: int) -> None:
    source = open_reader(old.history_path, old.name)
    try:
        _check(source, old, at)
    finally:
        source.close()
    _copy_until(old.history_path, draft.history_path, (*_DATED, *_LATER), at)
    target = sqlite3.connect(draft.history_path, isolation_level=None)
    try:
        target.execute("BEGIN")
        _end_at(target, old.spec, at)
        target.execute("COMMIT")
    finally:
        target.close()


def _copy_until(old: Path, new: Path, dated: Collection[str], tick: int) -> None:
    """Write a new history with everything in `old` up to `tick`; the old run may go on meanwhile.

    Later rows of the tables in `dated` are left out. Nobody uses the new file before it is
    complete, so it is written without a journal, and waits for the disk only once, at the end.
    """
    with closing(sqlite3.connect(new, isolation_level=None, uri=True)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("ATTACH ? AS old", (address_to_read(old),))
        connection.execute("BEGIN")
        for name, sql in _statements_of(connection, "type = 'table'"):
            connection.execute(sql)
            until = f" WHERE tick <= {tick:d}" if name in dated else ""
            connection.execute(f'INSERT INTO main."{name}" SELECT * FROM old."{name}"{until}')  # noqa: S608
        for _, sql in _statements_of(connection, "type != 'table'"):
            connection.execute(sql)
        (version,) = connection.execute("PRAGMA old.user_version").fetchone()
        connection.execute(f"PRAGMA main.user_version = {version:d}")
        connection.execute("COMMIT")
    with new.open("rb") as file:
        os.fsync(file.fileno())


def _statements_of(connection: sqlite3.Connection, kind: str) -> list[tuple[str, str]]:
    """Return name and SQL statement of the old history's tables or indexes, as `kind` selects."""
    query = (
        f"SELECT name, sql FROM old.sqlite_master WHERE {kind} AND sql IS NOT NULL "  # noqa: S608
        "AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY rowid"
    )
    return connection.execute(query).fetchall()


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
    connection.execute("BEGIN IMMEDIATE")
    try:
        later = (table for table in _LATER if has_table(connection, table))
        for table in (*_DATED, *later):
            connection.execute(f"DELETE FROM {table} WHERE tick > ?", (at_tick,))  # noqa: S608
        _end_at(connection, spec, at_tick)
        connection.execute("COMMIT")
    except sqlite3.Error:
        roll_back(connection)
        raise


def _end_at(connection: sqlite3.Connection, spec: RunSpec, at_tick: int) -> None:
    """Record that a history is complete up to exactly a tick; it has no later rows."""
    cut_reached(connection, at_tick)
    if watermark_of(connection) != at_tick:
        quiet = CommitBatch(tick=at_tick, at=at_tick * spec.tick_seconds, agents=spec.cast)
        BatchWriter(connection, Packer(connection)).write(quiet, at_tick)
