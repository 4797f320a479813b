"""What others want of a running town: wishes that its owner takes in, and interviews."""

import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cached_property
from time import time
from typing import Literal

from agents.errors import RunError
from world.records import Intervention, WishKind
from world.runs.folder import RunFolder
from world.runs.history import History
from world.runs.trouble import INBOX, roll_back, told
from world.runs.turns import TURNS, Answer, Turn, Turns

__all__ = ["Fate", "Inbox", "Interview", "Turn", "Wish", "pause", "resume"]

_TABLES = """
CREATE TABLE IF NOT EXISTS wishes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    target TEXT NOT NULL, text TEXT NOT NULL, settled INTEGER NOT NULL, wall REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS interviews (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, asker TEXT NOT NULL, agent TEXT NOT NULL,
    question TEXT NOT NULL, answer TEXT NOT NULL, at INTEGER NOT NULL, wall REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS refusals (id TEXT PRIMARY KEY, why TEXT NOT NULL, wall REAL NOT NULL);
CREATE TABLE IF NOT EXISTS holds (one INTEGER PRIMARY KEY CHECK (one = 1), wall REAL NOT NULL);
"""
_OURS = "SELECT id, kind, target, text, settled FROM wishes LIMIT 0"
"""Fails where a sound database lies in the inbox's place that has nothing to do with a town."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What an operator wants to happen in a town, whenever its owner can let it."""

    kind: WishKind
    target: str
    """An agent's or a visitor's name, an object's address, or nothing for what all hear."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What became of a wish."""

    state: Literal["waiting", "taken", "refused"]
    why: str = ""
    """Why it was refused, as a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interview:
    """One question to an agent and its answer; it never becomes part of the history."""

    asker: str
    agent: str
    question: str
    answer: str
    at: int
    """The town second as of which the agent answered."""


class Inbox(AbstractContextManager["Inbox"]):
    """A run's inbox: any process puts wishes in, the owner alone takes them.

    A wish is in force when the commit that holds its intervention is written. Until then every
    `take` gives it again, afterwards none does: a crash neither loses nor doubles it.
    """

    def __init__(self, folder: RunFolder) -> None:
        folder.check_own()
        self.name = folder.name
        path = folder.inbox_path
        if os.path.lexists(path) and not path.is_file():
            raise RunError(
                f"the inbox of run {self.name!r} cannot be opened: {path.name} is no file; "
                "move it out of the run's folder, and a new one is made"
            )
        with told(self.name, INBOX):
            self._connection = sqlite3.connect(path, isolation_level=None, timeout=10.0)
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.executescript(_TABLES + TURNS)
                self._connection.execute(_OURS)
            except sqlite3.Error:
                self._connection.close()
                raise

    @cached_property
    def talks(self) -> Turns:
        """The turns of visitors in talks."""
        return Turns(self._connection, self.name)

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def put(self, wish: Wish) -> str:
        """Leave a wish for the owner and return its id."""
        wish_id = secrets.token_hex(8)
        with told(self.name, INBOX):
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
        with told(self.name, INBOX):
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

    def refuse(self, wish_id: str, why: str) -> None:
        """Note that a wish is not taken in, and why."""
        with self._transaction():
            self._connection.execute("UPDATE wishes SET settled = 1 WHERE id = ?", (wish_id,))
            self._connection.execute(
                "INSERT OR REPLACE INTO refusals VALUES (?, ?, ?)", (wish_id, why, time())
            )

    def fate(self, wish_id: str) -> Fate:
        """Return what became of a wish, as far as its owner has said."""
        with told(self.name, INBOX):
            row = self._connection.execute(
                "SELECT settled, why FROM wishes LEFT JOIN refusals USING (id) WHERE id = ?",
                (wish_id,),
            ).fetchone()
        if row is None or not row[0]:
            return Fate(state="waiting")
        return Fate(state="taken") if row[1] is None else Fate(state="refused", why=row[1])

    def wants(self, kind: WishKind, target: str) -> bool:
        """True when a wish of this kind is waiting."""
        return any(wish.kind == kind and wish.target == target for wish in self.waiting())

    def turns(self) -> list[Turn]:
        """Return the turns in which a talk waits for a visitor's line."""
        return self.talks.open()

    def say(self, talk: str, n: int, text: str, *, ends: bool = False) -> bool:
        """Say a visitor's line; False when that turn is over."""
        return self.talks.say(talk, n, Answer(text=text, ends=ends))

    def typing(self, talk: str, n: int) -> None:
        """Note that somebody is writing the line, so that it is waited for anew."""
        self.talks.wait_longer(talk, n)

    def waiting(self) -> list[Wish]:
        """Return the wishes that are not known to be taken in, oldest first."""
        with told(self.name, INBOX):
            return [wish for _, wish in self._waiting()]

    def hold(self, *, is_held: bool) -> None:
        """Ask the owner to wait before its next tick, or to go on."""
        with told(self.name, INBOX):
            if is_held:
                self._connection.execute("INSERT OR IGNORE INTO holds VALUES (1, ?)", (time(),))
            else:
                self._connection.execute("DELETE FROM holds")

    def is_paused(self) -> bool:
        """True while somebody asks the owner to wait."""
        with told(self.name, INBOX):
            return self._connection.execute("SELECT 1 FROM holds").fetchone() is not None

    def put_interview(self, interview: Interview) -> None:
        """Keep a question and its answer."""
        with told(self.name, INBOX):
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
        with told(self.name, INBOX):
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
        with told(self.name, INBOX):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except sqlite3.Error:
                roll_back(self._connection)
                raise


def pause(folder: RunFolder) -> None:
    """Hold a run before its next tick, whoever lives it; `resume` lets it go on."""
    with Inbox(folder) as inbox:
        inbox.hold(is_held=True)


def resume(folder: RunFolder) -> None:
    """Let a held run go on; nothing happens to one that is not held."""
    with Inbox(folder) as inbox:
        inbox.hold(is_held=False)
