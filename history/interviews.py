"""Interviews, which are kept in a run's inbox and never become part of its history."""

import os
from contextlib import closing
from dataclasses import dataclass

from history.folder import RunFolder
from history.schema import connect_to_look
from history.trouble import INBOX, explain_storage_errors

INTERVIEWS = """
CREATE TABLE IF NOT EXISTS interviews (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, asker TEXT NOT NULL, agent TEXT NOT NULL,
    question TEXT NOT NULL, answer TEXT NOT NULL, at INTEGER NOT NULL, wall REAL NOT NULL
);
"""


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
