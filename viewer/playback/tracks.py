"""The tracks of a replay: all walks, deeds, changes of objects, talks and notes after a tick."""

from collections import defaultdict
from collections.abc import Callable
from itertools import groupby, pairwise
from json import loads
from typing import Any

from smolville.agents.places import object_of
from smolville.agents.routines import Reuse
from smolville.history.moments import reuses_until
from smolville.reports.stretches import DECIDING, covers
from smolville.viewer.playback.notes import notes
from smolville.viewer.playback.people import person_entries
from smolville.viewer.playback.run_state import Json, RunState, state_of

Row = list[Any]
FALLBACK, REFUSED, NOWHERE, ODD, REUSED = 1, 2, 4, 8, 16
"""Flags of a deed, added up in its row.

In order: a fallback decided it; the town refused it; the model found no place for it; an answer
that decided it is odd; its task or place came from a routine.
"""

_SIGNS = {
    (1, 0): "R", (-1, 0): "L", (0, -1): "U", (0, 1): "D",
    (1, -1): "NE", (1, 1): "SE", (-1, 1): "SW", (-1, -1): "NW",
}  # fmt: skip
_NEW = "WHERE tick > ? AND tick <= ?"
_MOVES = f"SELECT agent, tick, end_tick, path FROM moves {_NEW} ORDER BY tick, agent, rowid"  # noqa: S608
_DEEDS = (
    'SELECT agent, tick, kind, activity, place, "start", "end", emoji, object_state, '  # noqa: S608
    f"object_emoji, partners, fallback, nowhere, outcome, reason FROM deeds {_NEW} "
    "ORDER BY tick, agent, rowid"
)
_OBJECTS = (
    f'SELECT address, tick, state, emoji, "by" FROM objects {_NEW} ORDER BY tick, address, rowid'  # noqa: S608
)
_TALKS = (
    'SELECT id, tick, participants, place, "start", "end", ended_by FROM talks '  # noqa: S608
    f"{_NEW} ORDER BY tick, id"
)
_LINES = f"SELECT talk, speaker, at, text, fallback FROM lines {_NEW} ORDER BY talk, n"  # noqa: S608
_ODD_DEEDS = (
    f"SELECT owner, tick, odd FROM steps {_NEW} AND odd_kinds != '[]' "  # noqa: S608
    f"AND step IN ({', '.join(repr(step) for step in DECIDING)}) ORDER BY tick, owner, n"
)
_SAID = f"SELECT owner, agent, odd FROM steps {_NEW} AND step = 'say' ORDER BY owner, ordinal, n"  # noqa: S608


def tracks(showing: RunState, since: int) -> Json:
    """Return everything that happened in the ticks after `since`."""
    found: Json = {
        "since": since,
        "until": showing.until,
        "state": state_of(showing),
        "goal": showing.goal_tick,
        "moves": _moves(showing, since),
        "deeds": _deeds(showing, since),
        "objects": _objects(showing, since),
        "talks": _talks(showing, since),
        "notes": notes(showing, since),
    }
    if any(guest.stirs_after(since) for guest in showing.guests.values()):
        found["people"] = person_entries(showing)
    return found


def steps(path: str) -> tuple[int, int, str]:
    """Return the first tile of a path and its steps: 4, 7 and `R2` for `4,7 5,7 6,7`."""
    tiles = [(int(x), int(y)) for x, y in (each.split(",") for each in path.split())]
    walked = [
        _SIGNS[here[0] - there[0], here[1] - there[1]]
        for there, here in pairwise(tiles)
        if here != there
    ]
    return *tiles[0], "".join(f"{sign}{len(list(same))}" for sign, same in groupby(walked))


def _moves(showing: RunState, since: int) -> list[Row]:
    return [
        [showing.number(agent), tick, end_tick, *steps(path)]
        for agent, tick, end_tick, path in showing.rows_since(since, _MOVES)
    ]


def _deeds(showing: RunState, since: int) -> list[Row]:
    odd: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for owner, tick, sentences in showing.rows_since(since, _ODD_DEEDS):
        odd[owner, tick] += loads(sentences)
    is_reused = _followed_routines(showing)
    found = []
    for cells in showing.rows_since(since, _DEEDS):
        agent, tick, kind, activity, place, start, end, emoji, state, sign, *rest = cells
        partners, fallback, nowhere, outcome, reason = rest
        senseless = odd.get((agent, tick), [])
        flags = FALLBACK * bool(fallback) | REFUSED * (outcome != "accepted")
        flags |= NOWHERE * bool(nowhere) | ODD * bool(senseless)
        flags |= REUSED * (kind == "do" and is_reused(agent, tick, activity, start))
        whom = [showing.number(name) for name in loads(partners)]
        head = [showing.number(agent), tick, kind, activity, place, start, end, emoji]
        row = [*head, place if object_of(place) else "", state, sign, whom, flags, reason]
        found.append([*row, senseless] if senseless else row)
    return found


def _followed_routines(showing: RunState) -> Callable[[str, int, str, int], bool]:
    """Return a function that says whether an agent's deed follows a routine."""
    found: defaultdict[str, list[Reuse]] = defaultdict(list)
    for each in reuses_until(showing.connection, 0, showing.until):
        found[each.agent].append(each)
    return lambda agent, tick, activity, start: any(
        covers(each, tick, activity, start) for each in found[agent]
    )


def _objects(showing: RunState, since: int) -> list[Row]:
    """Return the changes of objects; objects that are not on the map are left out."""
    known = showing.drawn.objects
    return [
        [known[address], tick, state, emoji, showing.number(by)]
        for address, tick, state, emoji, by in showing.rows_since(since, _OBJECTS)
        if address in known
    ]


def _talks(showing: RunState, since: int) -> list[Json]:
    odd: defaultdict[tuple[str, str], list[list[str]]] = defaultdict(list)
    for talk, speaker, sentences in showing.rows_since(since, _SAID):
        odd[talk, speaker].append(loads(sentences))
    lines: defaultdict[str, list[Row]] = defaultdict(list)
    for talk, speaker, at, text, fallback in showing.rows_since(since, _LINES):
        # Each step of a speaker wrote one line, in order.
        left = odd[talk, speaker]
        senseless = left.pop(0) if left else []
        row: Row = [showing.number(speaker), at, text, 1 if fallback else 0]
        lines[talk].append([*row, senseless] if senseless else row)
    return [
        {
            "id": key,
            "tick": tick,
            "who": [showing.number(name) for name in loads(names)],
            "place": place,
            "start": start,
            "end": end,
            "ended": showing.number(ended_by),
            "lines": lines[key],
        }
        for key, tick, names, place, start, end, ended_by in showing.rows_since(since, _TALKS)
    ]
