"""What cannot be read of a run, in sentences; what is whole is read all the same."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from agents.errors import DamagedError, SmolvilleError
from viewer.film.rescue import Cells, Question, rescued
from world.runs.folder import RunFolder
from world.runs.trouble import told
from world.town.town import folder_of

Row = TypeVar("Row")


def sentence(error: Exception, folder: RunFolder) -> str:
    """Return an error as a page shows it: without the paths of this machine."""
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
        """Take note of sentences."""
        self += [each for each in dict.fromkeys(sentences) if each not in self]

    @contextmanager
    def told(self, what: str) -> Iterator[None]:
        """Take note when `what` cannot be read in the block, and go on after it."""
        try:
            with told(self.folder.name):
                yield
        except DamagedError as error:
            # What is to be done about it is the same whatever is damaged, and is said once.
            self.add(sentence(error, self.folder))
            if not any(each.startswith(f"{what}: damaged") for each in self):
                self.add(f"{what}: damaged")
        except SmolvilleError as error:
            self.add(f"{what}: {sentence(error, self.folder)}")
        except (sqlite3.Error, ValueError, LookupError) as error:
            self.add(f"{what} cannot be read: {error}")

    def whole(self, what: str, question: Question, read: Callable[..., Row]) -> list[Row]:
        """Return the rows that can be read, around a damage, without those that make no sense.

        `read` is given a row's cells one by one.
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

    def _cells(self, what: str, question: Question) -> list[Cells]:
        """Return the rows as they are asked for; of a damaged table those around the damage."""
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
