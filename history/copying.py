"""Copy a history up to a tick: only the rows that belong there, and all as of one moment."""

import os
import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

from history.schema import address_to_read


def copy_until(old: Path, new: Path, dated: Collection[str], tick: int) -> None:
    """Write a new history with everything in `old` up to `tick`, while its owner may go on.

    Of the tables in `dated`, later rows are left out. The new file is of use only once this
    returns, so nothing of it is journaled, and it waits for the disk a single time.
    """
    with closing(sqlite3.connect(new, isolation_level=None, uri=True)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("ATTACH ? AS old", (address_to_read(old),))
        connection.execute("BEGIN")
        for name, sql in _made(connection, "type = 'table'"):
            connection.execute(sql)
            until = f" WHERE tick <= {tick:d}" if name in dated else ""
            connection.execute(f'INSERT INTO main."{name}" SELECT * FROM old."{name}"{until}')  # noqa: S608
        for _, sql in _made(connection, "type != 'table'"):
            connection.execute(sql)
        (version,) = connection.execute("PRAGMA old.user_version").fetchone()
        connection.execute(f"PRAGMA main.user_version = {version:d}")
        connection.execute("COMMIT")
    with new.open("rb") as file:
        os.fsync(file.fileno())


def _made(connection: sqlite3.Connection, kind: str) -> list[tuple[str, str]]:
    """Return name and statement of everything of a kind in the old history."""
    query = (
        f"SELECT name, sql FROM old.sqlite_master WHERE {kind} AND sql IS NOT NULL "  # noqa: S608
        "AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY rowid"
    )
    return connection.execute(query).fetchall()
