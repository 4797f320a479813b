"""Tables of the inbox: requests (wishes), visitors' turns in talks, and interviews."""

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from json import dumps, loads
from time import time

from smolville.history.folder import RunFolder
from smolville.history.schema import connect_to_look
from smolville.history.trouble import INBOX, explain_storage_errors

WISHES = """
CREATE TABLE IF NOT EXISTS wishes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    target TEXT NOT NULL, text TEXT NOT NULL, settled INTEGER NOT NULL, wall REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS refusals (id TEXT PRIMARY KEY, why TEXT NOT NULL, wall REAL NOT NULL);
CREATE TABLE IF NOT EXISTS holds (one INTEGER PRIMARY KEY CHECK (one = 1), wall REAL NOT NULL);
CREATE TABLE IF NOT EXISTS paces (
    one INTEGER PRIMARY KEY CHECK (one = 1), rate REAL NOT NULL, until REAL NOT NULL
);
"""

TURNS = """
CREATE TABLE IF NOT EXISTS turns (
    talk TEXT NOT NULL, n INTEGER NOT NULL, visitor TEXT NOT NULL, agent TEXT NOT NULL,
    place TEXT NOT NULL, lines TEXT NOT NULL, at INTEGER NOT NULL, asked REAL NOT NULL,
    patience REAL NOT NULL, until REAL NOT NULL, text TEXT, ends INTEGER NOT NULL DEFAULT 0,
    is_over INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (talk, n)
);
"""

INTERVIEWS = """
CREATE TABLE IF NOT EXISTS interviews (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, asker TEXT NOT NULL, agent TEXT NOT NULL,
    question TEXT NOT NULL, answer TEXT NOT NULL, at INTEGER NOT NULL, wall REAL NOT NULL
);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitorTurn:
    """A visitor's turn: a talk is waiting for the visitor's line."""

    talk: str
    n: int
    """The number of the line, from 0."""
    visitor: str
    agent: str
    """The agent to whom the line is said."""
    place: str
    lines: tuple[tuple[str, str], ...]
    """The lines of the talk so far, as (speaker, text)."""
    at: int
    """Town second at which the talk was begun."""
    asked: float
    """When the line was asked for; wall clock, epoch seconds."""
    until: float
    """When the waiting ends; wall clock, epoch seconds."""


@dataclass(frozen=True, slots=True)
class VisitorAnswer:
    """A person's line in a turn, and whether it ends the talk."""

    text: str
    ends: bool = False


class Turns:
    """The turns in a run's inbox: the owner asks, any process answers.

    A turn is answered once. It can be answered even while no process owns the run: a run that was
    killed while it waited finds the answer when it is resumed.
    """

    def __init__(self, connection: sqlite3.Connection, run: str) -> None:
        self._connection = connection
        self._run = run

    def ask(self, turn: VisitorTurn) -> None:
        """Ask for a line; an existing answer is kept."""
        with explain_storage_errors(self._run, INBOX):
            self._connection.execute(
                "INSERT INTO turns (talk, n, visitor, agent, place, lines, at, asked, patience, "
                "until) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
                "asked = excluded.asked, patience = excluded.patience, until = excluded.until",
                (
                    *(turn.talk, turn.n, turn.visitor, turn.agent, turn.place),
                    *(dumps(turn.lines), turn.at, turn.asked),
                    *(turn.until - turn.asked, turn.until),
                ),
            )

    def answer(self, talk: str, n: int) -> VisitorAnswer | None:
        """Return the answer in a turn; None while there is none."""
        with explain_storage_errors(self._run, INBOX):
            row = self._connection.execute(
                "SELECT text, ends FROM turns WHERE talk = ? AND n = ?", (talk, n)
            ).fetchone()
        return None if row is None or row[0] is None else VisitorAnswer(row[0], bool(row[1]))

    def until(self, talk: str, n: int) -> float:
        """Return when the waiting for a turn ends, in epoch seconds; 0 for an unknown turn."""
        with explain_storage_errors(self._run, INBOX):
            row = self._connection.execute(
                "SELECT until FROM turns WHERE talk = ? AND n = ?", (talk, n)
            ).fetchone()
        return 0.0 if row is None else float(row[0])

    def say(self, talk: str, n: int, answer: VisitorAnswer) -> bool:
        """Answer a turn; return False when it is over, or answered already."""
        with explain_storage_errors(self._run, INBOX):
            done = self._connection.execute(
                "UPDATE turns SET text = ?, ends = ? "
                "WHERE talk = ? AND n = ? AND text IS NULL AND is_over = 0",
                (answer.text, answer.ends, talk, n),
            )
        return done.rowcount == 1

    def wait_longer(self, talk: str, n: int) -> None:
        """Restart the waiting time of a turn."""
        with explain_storage_errors(self._run, INBOX):
            self._connection.execute(
                "UPDATE turns SET until = ? + patience WHERE talk = ? AND n = ?", (time(), talk, n)
            )

    def open(self) -> list[VisitorTurn]:
        """Return the unanswered turns, oldest first."""
        with explain_storage_errors(self._run, INBOX):
            rows = self._connection.execute(
                "SELECT talk, n, visitor, agent, place, lines, at, asked, until FROM turns "
                "WHERE text IS NULL AND is_over = 0 ORDER BY asked, talk"
            ).fetchall()
        names = ("talk", "n", "visitor", "agent", "place", "lines", "at", "asked", "until")
        return [
            VisitorTurn(**{**dict(zip(names, row, strict=True)), "lines": _pairs(row[5])})
            for row in rows
        ]

    def close(self, talk: str, n: int) -> None:
        """Mark a turn as over; later answers are refused."""
        with explain_storage_errors(self._run, INBOX):
            self._connection.execute(
                "UPDATE turns SET is_over = 1 WHERE talk = ? AND n = ?", (talk, n)
            )

    def forget(self) -> None:
        """Delete all turns, because the part of the history they belong to was removed."""
        with explain_storage_errors(self._run, INBOX):
            self._connection.execute("DELETE FROM turns")


def _pairs(lines: str) -> tuple[tuple[str, str], ...]:
    """Return the (speaker, text) pairs in a turn's lines, which are stored as JSON."""
    return tuple((speaker, text) for speaker, text in loads(lines))


@dataclass(frozen=True, slots=True, kw_only=True)
class InterviewRecord:
    """One question to an agent and its answer."""

    asker: str
    agent: str
    question: str
    answer: str
    at: int
    """The town second at which the agent was interviewed."""


def read_interviews(folder: RunFolder, agent: str | None = None) -> list[InterviewRecord]:
    """Return the interviews of an agent, or of everybody, oldest first."""
    path = folder.inbox_path
    if not os.path.lexists(path):
        return []
    query = "SELECT asker, agent, question, answer, at FROM interviews"
    with explain_storage_errors(folder.name, INBOX), closing(connect_to_look(path)) as connection:
        rows = connection.execute(
            f"{query} WHERE ?1 IS NULL OR agent = ?1 ORDER BY seq", (agent,)
        ).fetchall()
    names = ("asker", "agent", "question", "answer", "at")
    return [InterviewRecord(**dict(zip(names, row, strict=True))) for row in rows]
