"""The counts shown in the charts, all read from the same state of a run's history."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from smolville.agents.errors import SmolvilleError
from smolville.history.counts import Counts, steps_by_template
from smolville.history.folder import RunFolder
from smolville.history.memory_rows import FOREVER
from smolville.history.reader import RunReader
from smolville.reports.analysis import analyse
from smolville.reports.health import Health, health
from smolville.reports.reasons import Reason
from smolville.reports.tally import Hour, hours

Stamp = tuple[tuple[int, int], ...]
"""Sizes and modification times of the history's files; they change with every commit."""


@dataclass(frozen=True, kw_only=True)
class Readings:
    """The counts of a run up to now."""

    health: Health
    hours: Sequence[Hour]
    reasons: Sequence[Reason]
    templates: Mapping[tuple[str, str], Counts]
    """Outcomes of executed steps, by (step, template version)."""


def readings(reader: RunReader) -> Readings:
    """Return the counts of everything recorded so far, including calls of unfinished thoughts."""
    with reader.snapshot():
        return Readings(
            health=health(reader),
            hours=hours(reader, FOREVER),
            reasons=analyse(reader),
            templates=steps_by_template(reader.connection),
        )


def stamp(folder: RunFolder) -> Stamp:
    """Return sizes and modification times of a history's files; if unchanged, nothing is new."""
    found = []
    for path in (folder.history_path, folder.history_path.with_name("town.sqlite-wal")):
        try:
            told = path.stat()
        except OSError:
            continue
        found.append((told.st_size, told.st_mtime_ns))
    return tuple(found)


def reread(folder: RunFolder) -> Readings | None:
    """Read the counts again; None while the history cannot be read."""
    try:
        with RunReader(folder) as reader:
            return readings(reader)
    except SmolvilleError:
        return None
