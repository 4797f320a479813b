"""Reads a history file: the whispers about their past that agents hear before the first day.

The format is that of the original: a header `Name,Whisper`, then a row for each agent whose second
column holds whispers separated by semicolons. Reading is tolerant, and every repair is reported.
"""

import csv
import io
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from smolville.agents.errors import TownError
from smolville.agents.text_files import read_text
from smolville.world.town.townfiles import nearest

HEADER = ["name", "whisper"]


@dataclass(slots=True)
class WhisperFile:
    """A history file's whispers by full name, in the file's order."""

    whispers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    """One sentence for each repair or omission."""
    faults: list[str] = field(default_factory=list)
    """One sentence for each fault of the file."""


def load_history(
    path: Path, names: Collection[str]
) -> tuple[Mapping[str, tuple[str, ...]], list[str]]:
    """Return the whispers of a history file by name, and notes on repairs.

    Raises TownError with the first fault and the number of faults. A fault is an unknown name, or a
    row without whispers.
    """
    history = read_history(path, names)
    if history.faults:
        more = len(history.faults) - 1
        raise TownError(history.faults[0] + (f" (and {more} more)" if more else ""))
    return history.whispers, history.notes


def read_history(path: Path, names: Collection[str]) -> WhisperFile:
    """Return the whispers in a history file for the people called `names`."""
    history = WhisperFile()
    try:
        text = read_text(path)
    except OSError as error:
        history.faults.append(f"{path.name} cannot be read: {error.strerror}.")
        return history
    rows = list(_rows(text, path.name, history))
    if not rows:
        history.faults.append(f"{path.name}: it is empty; begin with the line Name,Whisper.")
        return history
    line, header = rows[0]
    if [cell.casefold() for cell in header[:2]] != HEADER:
        sentence = f"the header must be Name,Whisper, not {','.join(header)[:60]!r}."
        history.faults.append(f"{path.name}, line {line}: {sentence}")
        return history
    for line, row in rows[1:]:
        _add_row(f"{path.name}, line {line}", row, names, history)
    return history


def _rows(text: str, file: str, history: WhisperFile) -> Iterator[tuple[int, list[str]]]:
    """Yield (first line, cells) of every row that is not empty."""
    reader = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
    line = 1
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        history.faults.append(f"{file}, line {reader.line_num}: not CSV ({error}).")


def _add_row(where: str, row: list[str], names: Collection[str], history: WhisperFile) -> None:
    name, *columns = row
    if name not in names:
        history.faults.append(f"{where}: nobody here is called {name!r}.{nearest(name, names)}")
        return
    if len(columns) > 1 and any(columns[1:]):
        history.notes.append(
            f"{where}: {len(columns) - 1} surplus column(s) joined with a comma; "
            "put whispers that hold commas in quotes."
        )
    text = ", ".join(column for column in columns if column)
    whispers = tuple(part.strip() for part in text.split(";") if part.strip())
    if not whispers:
        history.faults.append(f"{where}: {name} has no whisper; write some, parted by semicolons.")
        return
    history.whispers[name] = (*history.whispers.get(name, ()), *whispers)
