"""Finds the signs of drift in a run's history, for `health`, the summary and the page."""

from collections.abc import Iterator

from smolville.agents.errors import SmolvilleError
from smolville.agents.times import Clock
from smolville.history.memory_rows import FOREVER
from smolville.history.reader import RunReader
from smolville.history.tables import MEMORIES
from smolville.reports.drift.alarm import TITLES, Alarm
from smolville.reports.drift.doing import (
    find_apart,
    find_failing,
    find_repeated_activities,
    find_stuck,
)
from smolville.reports.drift.growth import (
    MemoryCount,
    PromptSize,
    find_full_prompts,
    find_memory_growth,
)
from smolville.reports.drift.talking import (
    find_politeness_loops,
    find_repeated_phrases,
    find_repeated_thoughts,
)
from smolville.reports.runs import OpenRun
from smolville.world.town.townmap import TownMap

_COUNTS = """
SELECT agent, created / 86400 + 1, kind, COUNT(*) FROM memories WHERE tick <= ?
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""
_SIZES = """
SELECT step, model, tick * ?, COALESCE(prompt_tokens + max_tokens, 0),
    cuts + dropped > 0
FROM calls WHERE tick <= ? ORDER BY tick, rowid
"""


def alarms_of(run: OpenRun) -> list[Alarm]:
    """Return the signs of drift in an opened run, up to its last tick."""
    try:
        town_map: TownMap | None = run.town.map
    except SmolvilleError:
        town_map = None
    return find_alarms(run.reader, town_map, run.tick)


def find_alarms(reader: RunReader, town_map: TownMap | None, until: int = FOREVER) -> list[Alarm]:
    """Return the signs of drift in a run up to a tick, ordered by kind and then by time.

    There is no map if the town can no longer be read. Then there are no alarms about wrong places.
    """
    order = list(TITLES)
    with reader.snapshot():
        found = [
            *_of_days(reader, town_map, until),
            *_of_talks(reader, until),
            *_of_growth(reader, until),
        ]
    return sorted(found, key=lambda alarm: (order.index(alarm.kind), alarm.first, alarm.who))


def _of_days(reader: RunReader, town_map: TownMap | None, until: int) -> Iterator[Alarm]:
    """Yield the alarms about the agents' actions."""
    clock = Clock(reader.spec.tick_seconds)
    for agent in reader.agents():
        deeds = reader.deeds(agent, until=until)
        yield from find_repeated_activities(deeds)
        yield from find_stuck(deeds)
        yield from find_failing(reader.thoughts(agent, until=until))
        if town_map is not None:
            moves = reader.moves(agent, until=until)
            yield from find_apart(deeds, moves, town_map, clock)


def _of_talks(reader: RunReader, until: int) -> Iterator[Alarm]:
    """Yield the alarms about talks and thoughts."""
    talks = reader.talks(until=until)
    yield from find_politeness_loops(talks)
    yield from find_repeated_phrases(talks)
    query = f"{MEMORIES.select} WHERE kind = 'thought' AND tick <= ? ORDER BY n"
    yield from find_repeated_thoughts(map(MEMORIES.row, reader.connection.execute(query, (until,))))


def _of_growth(reader: RunReader, until: int) -> Iterator[Alarm]:
    """Yield the alarms about memories and prompts."""
    counts = reader.connection.execute(_COUNTS, (until,))
    yield from find_memory_growth(
        MemoryCount(agent=agent, day=day, kind=kind, number=number)
        for agent, day, kind, number in counts
    )
    sizes = reader.connection.execute(_SIZES, (reader.spec.tick_seconds, until))
    yield from find_full_prompts(
        (
            PromptSize(step=step, model=model, at=at, tokens=tokens, is_shortened=bool(shortened))
            for step, model, at, tokens, shortened in sizes
        ),
        reader.spec.models.windows,
    )
