"""What others want of a running town: wishes that its owner takes in, and interviews."""

import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import time
from typing import Literal

from world.records import Intervention
from world.runs.closing import Closing
from world.runs.folder import RunFolder
from world.runs.history import History
from world.runs.trouble import told

_TABLES = """
CREATE TABLE IF NOT EXISTS wishes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    target TEXT NOT NULL, text TEXT NOT NULL, settled INTEGER NOT NULL, wall REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS interviews (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, asker TEXT NOT NULL, agent TEXT NOT NULL,
    question TEXT NOT NULL, answer TEXT NOT NULL, at INTEGER NOT NULL, wall REAL NOT NULL
);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What an operator wants to happen in a town, whenever its owner can let it."""

    kind: Literal["whisper", "object_state", "history"]
    target: str
    """An agent's name or an object's address."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interview:
    """One question to an agent and its answer; it never becomes part of the history."""

    asker: str
    agent: str
    question: str
    answer: str
    at: int
    """The town second as of which the agent answered."""


class Inbox(Closing):
    """A run's inbox: any process puts wishes in, the owner alone takes them.

    A wish is in force when the commit that holds its intervention is written. Until then every
    `take` gives it again, afterwards none does: a crash neither loses nor doubles it.
    """

    def __init__(self, folder: RunFolder) -> None:
        self.name = folder.name
        with told(self.name):
            path = folder.inbox_path
            self._connection = sqlite3.connect(path, isolation_level=None, timeout=10.0)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.executescript(_TABLES)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def put(self, wish: Wish) -> str:
        """Leave a wish for the owner and return its id."""
        wish_id = secrets.token_hex(8)
        with told(self.name):
            self._connection.execute(
                "INSERT INTO wishes (id, kind, target, text, settled, wall) "
                "VALUES (?, ?, ?, ?, 0, ?)",
                (wish_id, wish.kind, wish.target, wish.text, time()),
            )
        return wish_id

    def take(self, history: History, tick: int) -> list[Intervention]:
        """Return the wishes that no commit holds yet, as interventions in force from `tick` on.

        The caller writes them with its next commit.
        """
        with told(self.name):
            waiting = self._waiting()
            if not waiting:
                return []
            held = history.intervention_ids()
            self.settle(wish_id for wish_id, _ in waiting if wish_id in held)
        return [
            Intervention(id=wish_id, tick=tick, kind=wish.kind, target=wish.target, text=wish.text)
            for wish_id, wish in waiting
            if wish_id not in held
        ]

    def settle(self, wish_ids: Iterable[str]) -> None:
        """Note that these wishes are taken in for good."""
        with self._transaction():
            self._connection.executemany(
                "UPDATE wishes SET settled = 1 WHERE id = ?", [(one,) for one in wish_ids]
            )

    def waiting(self) -> list[Wish]:
        """Return the wishes that are not known to be taken in, oldest first."""
        with told(self.name):
            return [wish for _, wish in self._waiting()]

    def put_interview(self, interview: Interview) -> None:
        """Keep a question and its answer."""
        with told(self.name):
            self._connection.execute(
                "INSERT INTO interviews (asker, agent, question, answer, at, wall) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (
                    *(interview.asker, interview.agent, interview.question, interview.answer),
                    *(interview.at, time()),
                ),
            )

    def interviews(self, agent: str) -> list[Interview]:
        """Return the interviews of an agent, oldest first."""
        with told(self.name):
            rows = self._connection.execute(
                "SELECT asker, agent, question, answer, at FROM interviews WHERE agent = ? "
                "ORDER BY seq",
                (agent,),
            ).fetchall()
        names = ("asker", "agent", "question", "answer", "at")
        return [Interview(**dict(zip(names, row, strict=True))) for row in rows]

    def _waiting(self) -> list[tuple[str, Wish]]:
        rows = self._connection.execute(
            "SELECT id, kind, target, text FROM wishes WHERE settled = 0 ORDER BY seq"
        ).fetchall()
        return [(row[0], Wish(kind=row[1], target=row[2], text=row[3])) for row in rows]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with told(self.name):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except sqlite3.Error:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
