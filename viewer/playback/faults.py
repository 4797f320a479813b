"""Sentences about the parts of a run that cannot be read; the undamaged parts are still shown."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from agents.errors import DamagedError, SmolvilleError
from history.folder import RunFolder
from history.trouble import told
from viewer.playback.history_query import Cells, HistoryQuery, rescued
from world.town.town import folder_of

Row = TypeVar("Row")


def sentence(error: Exception, folder: RunFolder) -> str:
    """Return an error message for a page, without the paths of this machine."""
    text = str(error)
    for path in (folder.path, folder.path.parent, folder_of(folder)):
        for each in (path.absolute(), path):
            if len(str(each)) > 1:
                text = text.replace(str(each), path.name)
    return text


class Faults(list[str]):
    """Sentences about what could not be read, each once."""

    def __init__(self, folder: RunFolder) -> None:
        super().__init__()
        self.folder = folder

    def add(self, *sentences: str) -> None:
        """Add sentences that are not in the list yet."""
        self += [each for each in dict.fromkeys(sentences) if each not in self]

    @contextmanager
    def told(self, what: str) -> Iterator[None]:
        """Record a fault when `what` cannot be read in the block, and continue after the block."""
        try:
            with told(self.folder.name):
                yield
        except DamagedError as error:
            # The advice is the same for every damaged part, so it is added only once.
            self.add(sentence(error, self.folder))
            if not any(each.startswith(f"{what}: damaged") for each in self):
                self.add(f"{what}: damaged")
        except SmolvilleError as error:
            self.add(f"{what}: {sentence(error, self.folder)}")
        except (sqlite3.Error, ValueError, LookupError) as error:
            self.add(f"{what} cannot be read: {error}")

    def whole(self, what: str, question: HistoryQuery, read: Callable[..., Row]) -> list[Row]:
        """Return the readable rows, skipping damaged ones and rows with invalid content.

        `read` is called with a row's cells as arguments.
        """
        found: list[Row] = []
        broken = 0
        with self.told(what):
            for cells in self._cells(what, question):
                try:
                    found.append(read(*cells))
                except (ValueError, TypeError, LookupError, AttributeError):
                    broken += 1
        if broken:
            rows_make = "row makes" if broken == 1 else "rows make"
            self.add(f"{what}: {broken} {rows_make} no sense, and nothing of it is shown")
        return found

    def _cells(self, what: str, question: HistoryQuery) -> list[Cells]:
        """Return the rows of a query; of a damaged table, those before and after the damage."""
        found: list[Cells] = []
        is_damaged = False
        with self.told(what):
            try:
                found.extend(question.rows())
            except sqlite3.DatabaseError:
                is_damaged = True
                raise
        around = rescued(question) if is_damaged else None
        if around is None or len(around.rows) < len(found):
            return found
        if around.rows:
            self[:] = [each for each in self if each != f"{what}: damaged"]
            self.add(f"{what}: damaged, {around}")
        return around.rows


def column(rows: sqlite3.Cursor) -> list[Any]:
    """Return the cells of a query's only column."""
    return [cell for (cell,) in rows]
