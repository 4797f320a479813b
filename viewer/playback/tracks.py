"""The tracks of a replay: all walks, deeds, changes of objects, talks and notes after a tick."""

from itertools import groupby, pairwise
from json import dumps, loads
from typing import Any

from smolville.agents.places import object_of
from smolville.viewer.playback.damaged_history import HistoryQuery, within
from smolville.viewer.playback.entries import person_entries
from smolville.viewer.playback.notes import notes
from smolville.viewer.playback.oddities import odd_deeds, odd_lines, take_next
from smolville.viewer.playback.reused import followed_routines
from smolville.viewer.playback.run_state import RunState, state_of

Json = dict[str, Any]
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

_WITHIN = "WHERE tick > ? AND tick <= ?"
_MOVES = "SELECT agent, tick, end_tick, path FROM moves {within} ORDER BY tick, agent, rowid"
_DEEDS = (
    'SELECT agent, tick, kind, activity, place, "start", "end", emoji, object_state, '
    "object_emoji, partners, fallback, nowhere, outcome, reason FROM deeds {within} "
    "ORDER BY tick, agent, rowid"
)
_OBJECTS = (
    'SELECT address, tick, state, emoji, "by" FROM objects {within} ORDER BY tick, address, rowid'
)
_TALKS = (
    'SELECT id, tick, participants, place, "start", "end", ended_by FROM talks '  # noqa: S608
    f"{_WITHIN} ORDER BY tick, id"
)
_LINES = "SELECT talk, speaker, at, text, fallback FROM lines {within} ORDER BY talk, n"


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
    if any(guest.stirs_after(since) for guest in showing.people.guests.values()):
        found["people"] = person_entries(showing, range(len(showing.people.names)))
    if showing.faults:
        found["faults"] = list(showing.faults)
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
    """Return the walks that began after `since`."""

    def read(agent: str, tick: int, end_tick: int, path: str) -> Row:
        return [showing.people.numbers[agent], tick, end_tick, *steps(path)]

    return _read_new(showing, since, "moves", _MOVES, read)


def _deeds(showing: RunState, since: int) -> list[Row]:
    """Return people's intended actions, with the town's decision on each."""
    number = showing.people.number
    odd, is_reused = odd_deeds(showing, since), followed_routines(showing, since)

    def read(agent: str, *cells: Any) -> Row:
        tick, kind, activity, place, start, end, emoji, *rest = cells
        state, sign, partners, fallback, nowhere, outcome, reason = rest
        thing = place if object_of(place) else ""
        flags = FALLBACK if fallback else 0
        flags |= REFUSED if outcome != "accepted" else 0
        flags |= NOWHERE if nowhere else 0
        flags |= REUSED if kind == "do" and is_reused(agent, tick, activity, start) else 0
        senseless = odd.get((agent, tick), [])
        flags |= ODD if senseless else 0
        whom = [number(name) for name in loads(partners)]
        head = [showing.people.numbers[agent], tick, kind, activity, place, start, end, emoji]
        row = [*head, thing, state, sign, whom, flags, reason]
        return [*row, senseless] if senseless else row

    return _read_new(showing, since, "deeds", _DEEDS, read)


def _objects(showing: RunState, since: int) -> list[Row]:
    """Return the changes of objects; objects that are not on the map are left out."""

    def read(address: str, tick: int, state: str, emoji: str, by: str) -> Row:
        return [showing.object(address), tick, state, emoji, showing.people.number(by)]

    known = list(showing.drawn.objects) if showing.drawn else []
    query = _OBJECTS.format(within=within(since, "address"))
    given = (dumps(known),) if since >= 0 else ()
    rows = _read_rows_since(showing, since, "objects", query, read, *given)
    return [row for row in rows if row[0] is not None]


def _talks(showing: RunState, since: int) -> list[Json]:
    """Return the talks that took place, with their lines."""
    number = showing.people.number
    said: dict[str, list[Row]] = {}
    odd = odd_lines(showing, since)

    def line(talk: str, speaker: str, at: int, text: str, fallback: int) -> None:
        row: Row = [number(speaker), at, text, 1 if fallback else 0]
        senseless = take_next(odd, talk, speaker)
        said.setdefault(talk, []).append([*row, senseless] if senseless else row)

    def talk(key: str, tick: int, names: str, place: str, start: int, end: int, by: str) -> Json:
        who = [number(name) for name in loads(names)]
        lines = said.setdefault(key, [])
        times = {"start": start, "end": end, "ended": number(by)}
        return {"id": key, "tick": tick, "who": who, "place": place, **times, "lines": lines}

    found = _read_rows_since(showing, since, "talks", _TALKS, talk)
    given = (dumps(list(said)),) if since >= 0 else ()
    query = _LINES.format(within=within(since, "talk"))
    _read_rows_since(showing, since, "lines", query, line, *given)
    return found


def _read_new(showing: RunState, since: int, what: str, query: str, read: Any) -> list[Any]:
    """Return the readable rows of the ticks after `since`, if `agent` is a person of the run."""
    given = (dumps(showing.people.names),) if since >= 0 else ()
    asked = query.format(within=within(since, "agent"))
    return _read_rows_since(showing, since, what, asked, read, *given)


def _read_rows_since(
    showing: RunState, since: int, what: str, query: str, read: Any, *more: str
) -> list[Any]:
    """Return the readable rows of the ticks after `since`."""
    given = (since, showing.until, *more)
    return showing.faults.read_rows(what, HistoryQuery(showing.connection, query, given), read)
