"""What cannot be read of a run, in sentences; what is whole is read all the same."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from agents.errors import SmolvilleError
from world.runs.folder import RunFolder
from world.runs.trouble import told
from world.town.town_folder import folder_of

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
        except SmolvilleError as error:
            self.add(f"{what}: {sentence(error, self.folder)}")
        except (sqlite3.Error, ValueError, LookupError) as error:
            self.add(f"{what} cannot be read: {error}")

    def whole(
        self, what: str, rows: Callable[[], sqlite3.Cursor], read: Callable[..., Row]
    ) -> list[Row]:
        """Return the rows that can be read: up to a damage, and without those that make no sense.

        `read` is given a row's cells one by one.
        """
        found: list[Row] = []
        broken = 0
        with self.told(what):
            for cells in rows():
                try:
                    found.append(read(*cells))
                except (ValueError, TypeError, LookupError, AttributeError):
                    broken += 1
        if broken:
            rows_make = "row makes" if broken == 1 else "rows make"
            self.add(f"{what}: {broken} {rows_make} no sense, and nothing of it is shown")
        return found


def column(rows: sqlite3.Cursor) -> list[Any]:
    """Return the cells of a query's only column."""
    return [cell for (cell,) in rows]
