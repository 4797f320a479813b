"""Deeds of a replay that followed a routine, from a history that may be damaged."""

from collections import defaultdict
from collections.abc import Callable
from json import loads
from typing import Any

from smolville.agents.routines import Reuse
from smolville.history.later_tables import REUSES
from smolville.history.tables import has_table
from smolville.reports.reused import covers
from smolville.viewer.playback.damaged_history import HistoryQuery
from smolville.viewer.playback.run_state import RunState

_QUERY = f"{REUSES.select} WHERE tick <= ? AND until > ? ORDER BY tick, agent, rowid"


def followed_routines(showing: RunState, since: int) -> Callable[[str, int, str, int], bool]:
    """Return a function that says whether a deed after tick `since` follows a routine.

    Its arguments are the deed's agent, tick, activity and start.
    """
    found: defaultdict[str, list[Reuse]] = defaultdict(list)

    def read(*cells: Any) -> None:
        *rest, tasks = cells
        names = list(REUSES.columns)[:-1]
        reuse = Reuse(**dict(zip(names, rest, strict=True)), tasks=tuple(loads(tasks)))
        found[reuse.agent].append(reuse)

    with showing.faults.record_faults("reuses"):
        if has_table(showing.connection, REUSES.name):
            given = (showing.until, since * showing.folder.spec.tick_seconds)
            query = HistoryQuery(showing.connection, _QUERY, given)
            showing.faults.read_rows("reuses", query, read)
    return lambda agent, tick, activity, start: any(
        covers(each, tick, activity, start) for each in found[agent]
    )
