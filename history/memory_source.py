"""Reads the memories of a stream from the history when a mind needs their texts."""

import sqlite3
from array import array
from collections.abc import Sequence
from dataclasses import replace
from sys import intern

from agents.memory import Memory
from history.tables import MEMORIES
from history.trouble import explain_storage_errors

_NUMBER = "SELECT n FROM memories WHERE id = ?"
_ROW = f"{MEMORIES.select} WHERE n = ?"


class HistorySource:
    """One stream's memories in a history, by their place in the stream (`MemorySource`)."""

    def __init__(self, connection: sqlite3.Connection, run: str) -> None:
        self._connection = connection
        self._run = run
        self._numbers = array("I")
        """The row of each memory."""

    def append(self, memory: Memory) -> None:
        """Note the stream's next memory, whose row is committed."""
        with explain_storage_errors(self._run):
            (number,) = self._connection.execute(_NUMBER, (memory.id,)).fetchone()
        self._numbers.append(number)

    def read(self, places: Sequence[int]) -> list[Memory]:
        """Return memories as they were made. Raises SmolvilleError when they cannot be read."""
        with explain_storage_errors(self._run):
            return [self._read(self._numbers[place]) for place in places]

    def _read(self, number: int) -> Memory:
        """Return the memory of a row; its names and words are shared with all others."""
        found = MEMORIES.row(self._connection.execute(_ROW, (number,)).fetchone())
        return replace(
            found,
            agent=intern(found.agent),
            subject=intern(found.subject),
            predicate=intern(found.predicate),
            keywords=tuple(map(intern, found.keywords)),
        )
