"""Table of which servers answered or lost a call, for models with several servers.

It is not part of the digest: which server was free depends on timing, and changes nothing in the
town.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from smolville.graphs.loop.ledger import Call, CallKey
from smolville.history.tables import has_table

SERVERS = "call_servers"
SERVERS_TABLE = f"""
CREATE TABLE IF NOT EXISTS {SERVERS} (
    owner TEXT NOT NULL, tick INTEGER NOT NULL, step TEXT NOT NULL, ordinal INTEGER NOT NULL,
    attempt INTEGER NOT NULL, agent TEXT NOT NULL, model TEXT NOT NULL, server TEXT NOT NULL,
    answered INTEGER NOT NULL, lost INTEGER NOT NULL,
    PRIMARY KEY (owner, tick, step, ordinal, attempt, server)
) WITHOUT ROWID
"""
"""`answered` is 1 for the server whose reply is kept; `lost` is how often this server lost the
call."""

_NOT_ANSWERED = f"""
UPDATE {SERVERS} SET answered = 0
WHERE owner = ? AND tick = ? AND step = ? AND ordinal = ? AND attempt = ?
"""  # noqa: S608
_KEEP = f"""
INSERT INTO {SERVERS} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (owner, tick, step, ordinal, attempt, server)
DO UPDATE SET answered = excluded.answered, lost = lost + excluded.lost
"""  # noqa: S608


def keep_servers(connection: sqlite3.Connection, call: Call) -> None:
    """Write which servers lost a call and which one answered, inside the caller's transaction.

    If a call is answered again, the answering server is replaced; earlier losses still count.
    """
    key = call.key
    place = (key.owner, key.tick, key.step, key.ordinal, key.attempt)
    connection.execute(_NOT_ANSWERED, place)
    lost = Counter(call.lost_by)
    for server in dict.fromkeys((*call.lost_by, call.server)):
        if server:
            is_answer = server == call.server
            row = (*place, call.agent, call.model, server, is_answer, lost[server])
            connection.execute(_KEEP, row)


class Losses(NamedTuple):
    """The number of times that one server lost one call."""

    agent: str
    owner: str
    """The agent, or the id of the talk."""
    tick: int
    step: str
    model: str
    server: str
    is_kept: int
    """1 if the call belongs to a committed step, else 0."""
    lost: int


_LOSSES = f"""
SELECT {SERVERS}.agent, owner, tick, step, model, server,
    COALESCE({SERVERS}.attempt < steps.attempts, 0), lost
FROM {SERVERS} LEFT JOIN steps USING (owner, tick, step, ordinal)
WHERE lost > 0 AND tick <= ? ORDER BY owner, tick, step, ordinal, attempt, server
"""  # noqa: S608


def losses_until(connection: sqlite3.Connection, until: int) -> Iterator[Losses]:
    """Yield each server's lost calls up to a tick; nothing for models with only one server."""
    if has_table(connection, SERVERS):
        yield from map(Losses._make, connection.execute(_LOSSES, (until,)))


def answered_calls(connection: sqlite3.Connection) -> str:
    """Return SQL for a table `answered`: a call's key, and the server that answered it."""
    columns = "owner, tick, step, ordinal, attempt, server"
    if has_table(connection, SERVERS):
        return f"(SELECT {columns} FROM {SERVERS} WHERE answered) AS answered"  # noqa: S608
    empty = ", ".join(f"NULL AS {column}" for column in columns.split(", "))
    return f"(SELECT {empty} WHERE 0) AS answered"


def servers_of(connection: sqlite3.Connection, owner: str, tick: int) -> dict[CallKey, str]:
    """Return the server that answered each call of a thought or talk; empty for a single server."""
    if not has_table(connection, SERVERS):
        return {}
    query = (
        f"SELECT step, ordinal, attempt, server FROM {SERVERS} "  # noqa: S608
        "WHERE owner = ? AND tick = ? AND answered"
    )
    return {
        CallKey(owner=owner, tick=tick, step=step, ordinal=ordinal, attempt=attempt): server
        for step, ordinal, attempt, server in connection.execute(query, (owner, tick))
    }
