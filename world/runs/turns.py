"""Visitors' turns in talks: what the town asks a person, and what the person answers."""

import sqlite3
from dataclasses import dataclass
from json import dumps, loads
from time import time

from world.runs.trouble import INBOX, told

TURNS = """
CREATE TABLE IF NOT EXISTS turns (
    talk TEXT NOT NULL, n INTEGER NOT NULL, visitor TEXT NOT NULL, agent TEXT NOT NULL,
    place TEXT NOT NULL, lines TEXT NOT NULL, at INTEGER NOT NULL, asked REAL NOT NULL,
    patience REAL NOT NULL, until REAL NOT NULL, text TEXT, ends INTEGER NOT NULL DEFAULT 0,
    is_over INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (talk, n)
);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A visitor's turn: a talk waits for the line."""

    talk: str
    n: int
    """The number of the line, from 0."""
    visitor: str
    agent: str
    """To whom it is said."""
    place: str
    lines: tuple[tuple[str, str], ...]
    """(speaker, text) so far."""
    at: int
    """Town second at which the talk was begun."""
    asked: float
    """Wall clock, epoch seconds."""
    until: float
    """Wall clock at which patience ends."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person says in a turn."""

    text: str
    ends: bool = False


class Turns:
    """The turns in a run's inbox: the owner asks, any process answers.

    A turn is answered once. It stays answerable while nobody owns the run: a town that was killed
    while it waited finds the answer when it goes on.
    """

    def __init__(self, connection: sqlite3.Connection, run: str) -> None:
        self._connection = connection
        self._run = run

    def ask(self, turn: Turn) -> None:
        """Ask for a line; an answer that is there already stays."""
        with told(self._run, INBOX):
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

    def answer(self, talk: str, n: int) -> Answer | None:
        """Return what was said in a turn; None while nothing is."""
        with told(self._run, INBOX):
            row = self._connection.execute(
                "SELECT text, ends FROM turns WHERE talk = ? AND n = ?", (talk, n)
            ).fetchone()
        return None if row is None or row[0] is None else Answer(row[0], bool(row[1]))

    def until(self, talk: str, n: int) -> float:
        """Return the wall-clock second at which patience with a turn ends."""
        with told(self._run, INBOX):
            row = self._connection.execute(
                "SELECT until FROM turns WHERE talk = ? AND n = ?", (talk, n)
            ).fetchone()
        return 0.0 if row is None else float(row[0])

    def say(self, talk: str, n: int, answer: Answer) -> bool:
        """Answer a turn; False when it is over, or answered already."""
        with told(self._run, INBOX):
            done = self._connection.execute(
                "UPDATE turns SET text = ?, ends = ? "
                "WHERE talk = ? AND n = ? AND text IS NULL AND is_over = 0",
                (answer.text, answer.ends, talk, n),
            )
        return done.rowcount == 1

    def wait_longer(self, talk: str, n: int) -> None:
        """Let patience with a turn begin anew."""
        with told(self._run, INBOX):
            self._connection.execute(
                "UPDATE turns SET until = ? + patience WHERE talk = ? AND n = ?", (time(), talk, n)
            )

    def open(self) -> list[Turn]:
        """Return the turns in which nothing was said yet, the oldest first."""
        with told(self._run, INBOX):
            rows = self._connection.execute(
                "SELECT talk, n, visitor, agent, place, lines, at, asked, until FROM turns "
                "WHERE text IS NULL AND is_over = 0 ORDER BY asked, talk"
            ).fetchall()
        names = ("talk", "n", "visitor", "agent", "place", "lines", "at", "asked", "until")
        return [
            Turn(**{**dict(zip(names, row, strict=True)), "lines": _pairs(row[5])}) for row in rows
        ]

    def close(self, talk: str, n: int) -> None:
        """Note that a turn is over, whatever comes later."""
        with told(self._run, INBOX):
            self._connection.execute(
                "UPDATE turns SET is_over = 1 WHERE talk = ? AND n = ?", (talk, n)
            )

    def forget(self) -> None:
        """Forget all turns: the history they belong to was cut away."""
        with told(self._run, INBOX):
            self._connection.execute("DELETE FROM turns")


def _pairs(lines: str) -> tuple[tuple[str, str], ...]:
    """Return lines as they were asked with."""
    return tuple((speaker, text) for speaker, text in loads(lines))
