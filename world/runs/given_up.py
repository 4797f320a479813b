"""Calls that were given up: the server went away for good, and there is nothing but what was lost.

They are no calls of any step, and the same question, asked when the run goes on, is one.
"""

import sqlite3
from collections.abc import Iterator
from json import loads
from typing import NamedTuple

from graphs.loop.ledger import Call

_KEEP = "INSERT INTO given_up (agent, owner, tick, step, model, lost) VALUES (?, ?, ?, ?, ?, ?)"
_ALL = "SELECT agent, owner, tick, step, model, lost FROM given_up ORDER BY tick, agent, rowid"


class GivenUp(NamedTuple):
    """One question that a server never answered."""

    agent: str
    owner: str
    """The agent, or the talk."""
    tick: int
    step: str
    model: str
    lost: tuple[str, ...]
    """What went wrong each time it was asked, a sentence each."""


def keep_given_up(connection: sqlite3.Connection, call: Call) -> None:
    """Write a question that was given up, with what was lost on the way."""
    key = call.key
    connection.execute(_KEEP, (call.agent, key.owner, key.tick, key.step, call.model, call.lost))


def given_up(connection: sqlite3.Connection) -> Iterator[GivenUp]:
    """Yield every question that was given up, by tick and agent."""
    for agent, owner, tick, step, model, lost in connection.execute(_ALL):
        sentences = tuple(str(sentence) for sentence in loads(lost))
        yield GivenUp(agent, owner, tick, step, model, sentences)
