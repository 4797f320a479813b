"""Sentences on why accepted answers make no sense, by the deed, line or memory they concern.

The checks of answers wrote these sentences. A sentence about an answer belongs to what the answer
became: a deed, a line of a talk, or a memory.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from json import loads

from smolville.reports.oddities import DECIDING
from smolville.viewer.playback.damaged_history import HistoryQuery
from smolville.viewer.playback.run_state import RunState

Told = list[str]
"""The checks' sentences about one answer."""

_DECIDING = ", ".join(f"'{step}'" for step in DECIDING)
_DEEDS = (
    "SELECT owner, tick, odd FROM steps WHERE tick > ? AND tick <= ? AND odd_kinds != '[]' "  # noqa: S608
    f"AND step IN ({_DECIDING}) ORDER BY tick, owner, n"
)
_LINES = (
    "SELECT owner, agent, odd FROM steps WHERE tick > ? AND tick <= ? AND step = 'say' "
    "ORDER BY owner, ordinal, n"
)
_MEMORIES = (
    "SELECT tick, step, odd FROM steps WHERE owner = ? AND tick <= ? AND odd_kinds != '[]' "
    "ORDER BY tick, n"
)
_ITEM = re.compile(r"\bitem (\d+)\b")


def odd_deeds(showing: RunState, since: int) -> dict[tuple[str, int], Told]:
    """Return the sentences about odd deeds of the ticks after `since`, by agent and tick."""
    found: defaultdict[tuple[str, int], Told] = defaultdict(list)

    def read(agent: str, tick: int, odd: str) -> None:
        found[agent, tick] += loads(odd)

    _read(showing, _DEEDS, (since, showing.until), read)
    return found


def odd_lines(showing: RunState, since: int) -> dict[tuple[str, str], list[Told]]:
    """Return the sentences about each line that a model wrote, by talk and speaker, in order.

    Each step of a speaker writes one line; a line to which no check objects has none.
    """
    found: defaultdict[tuple[str, str], list[Told]] = defaultdict(list)

    def read(talk: str, agent: str, odd: str) -> None:
        found[talk, agent].append(loads(odd))

    _read(showing, _LINES, (since, showing.until), read)
    return found


class OddMemories:
    """The sentences about what one person remembers."""

    def __init__(self, showing: RunState, name: str) -> None:
        self._found: defaultdict[tuple[int, str], Told] = defaultdict(list)

        def read(tick: int, step: str, odd: str) -> None:
            self._found[tick, step] += loads(odd)

        _read(showing, _MEMORIES, (name, showing.until), read)

    def of(self, key: str, tick: int) -> Told:
        """Return the sentences about the memory with an id such as `Ada/90/reflect_insights/0/2`.

        A sentence about an item belongs to the memory of that item. Any other sentence belongs to
        the first memory.
        """
        _, _, step, _, number = (["", "", "", "", "", *key.rsplit("/", 4)])[-5:]
        if not number.isdecimal():
            return []
        return _of_item(self._found.get((tick, step), ()), int(number))


def _of_item(sentences: Iterable[str], number: int) -> Told:
    """Return the sentences about item number `number`, counted from 0."""
    items = {each: _ITEM.search(each) for each in sentences}
    return [each for each, found in items.items() if (int(found[1]) - 1 if found else 0) == number]


def take_next(lines: Mapping[tuple[str, str], list[Told]], talk: str, speaker: str) -> Told:
    """Remove a speaker's next line from the result of `odd_lines`, and return its sentences."""
    left = lines.get((talk, speaker))
    return left.pop(0) if left else []


def _read(
    showing: RunState, query: str, given: tuple[object, ...], read: Callable[..., None]
) -> None:
    showing.faults.read_rows("steps", HistoryQuery(showing.connection, query, given), read)
