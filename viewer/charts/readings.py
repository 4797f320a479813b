"""What the charts show: a run's counts, all of one state of its history."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.errors import SmolvilleError
from world.runs.counts import Counts, steps_by_template
from world.runs.folder import RunFolder
from world.runs.memory_rows import FOREVER
from world.runs.reader import RunReader
from world.telling.analysis import analyse
from world.telling.health import Health, health
from world.telling.hours import Hour, hours
from world.telling.reasons import Reason

Stamp = tuple[tuple[int, int], ...]
"""Changes whenever somebody commits to a history."""


@dataclass(frozen=True, kw_only=True)
class Readings:
    """The counts of a run until now."""

    health: Health
    hours: Sequence[Hour]
    reasons: Sequence[Reason]
    templates: Mapping[tuple[str, str], Counts]
    """(step, version) to how uses ended."""


def readings(reader: RunReader) -> Readings:
    """Return everything recorded until now, calls of unfinished thoughts included."""
    with reader.snapshot():
        return Readings(
            health=health(reader),
            hours=hours(reader, FOREVER),
            reasons=analyse(reader),
            templates=steps_by_template(reader.connection),
        )


def stamp(folder: RunFolder) -> Stamp:
    """Return sizes and times of a history's files: as long as they stay, there is nothing new."""
    found = []
    for path in (folder.history_path, folder.history_path.with_name("town.sqlite-wal")):
        try:
            told = path.stat()
        except OSError:
            continue
        found.append((told.st_size, told.st_mtime_ns))
    return tuple(found)


def reread(folder: RunFolder) -> Readings | None:
    """Return the readings again; None while they cannot be had."""
    try:
        with RunReader(folder) as reader:
            return readings(reader)
    except SmolvilleError:
        return None
