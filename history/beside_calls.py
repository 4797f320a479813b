"""Table of which servers answered or lost a call, for models with several servers.

It is not part of the digest: which server was free depends on timing, and changes nothing in the
town.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from smolville.graphs.loop.ledger import Call, CallKey

SERVERS = "call_servers"
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
    yield from map(Losses._make, connection.execute(_LOSSES, (until,)))


ANSWERED = f"(SELECT * FROM {SERVERS} WHERE answered) AS answered"  # noqa: S608
"""SQL for a table `answered`: a call's key, and the server that answered it."""


def servers_of(
    connection: sqlite3.Connection, where: str, given: Iterable[object]
) -> dict[CallKey, str]:
    """Return the servers that answered calls; none for a model with a single server."""
    columns = "owner, tick, step, ordinal, attempt, server"
    query = f"SELECT {columns} FROM {SERVERS} {where} AND answered"  # noqa: S608
    return {
        CallKey(owner=owner, tick=tick, step=step, ordinal=ordinal, attempt=attempt): server
        for owner, tick, step, ordinal, attempt, server in connection.execute(query, tuple(given))
    }
