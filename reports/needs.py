"""Somebody's needs over time, and the urgent needs of a thought, in words."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from agents.needs import NeedsRow
from graphs.needs import need_words


def levels_at(rows: Sequence[NeedsRow], at: int) -> dict[str, float]:
    """Return the levels at a town second, interpolated between two computed moments.

    Between them one activity went on, so each level changed linearly, unless it reached 0 on the
    way. After the last moment levels are those of that moment; before the first, empty.
    """
    after = bisect_right(rows, at, key=lambda row: row.at)
    if after == 0:
        return {}
    last = rows[after - 1]
    if after == len(rows) or last.at == at:
        return dict(last.levels)
    following = rows[after]
    share = (at - last.at) / (following.at - last.at)
    return {
        need: level + share * (following.levels.get(need, level) - level)
        for need, level in last.levels.items()
    }


def format_urgent(rows: Iterable[NeedsRow]) -> list[str]:
    """Return a sentence for each need that wanted a decision in a thought."""
    return [
        f"An urgent need: {each.urgent}, {each.levels[each.urgent]:.0f} of 100. "
        f"“{need_words()[each.urgent].urgent}”"
        for each in rows
        if each.urgent
    ]
