"""Recorded thoughts and talks: their steps, the calls, and the parse result of each reply."""

import sqlite3
from collections import defaultdict
from dataclasses import dataclass, replace

from agents.action import Talk
from graphs.loop.ledger import Call, CallReading, StepRecord
from history.calls import LISTING, Unpacker, read_call
from history.records import ThoughtRow
from history.tables import LINES, READINGS, STEPS, TALKS, THOUGHTS

StepKey = tuple[str, int]
"""Step and ordinal, within one thought or talk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedAttempt:
    """One call of a step, and the parse result of its reply."""

    call: Call
    reading: CallReading | None
    """None when the step ended before the reply was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """One step: how it ended, and its attempts in order."""

    record: StepRecord
    attempts: tuple[RecordedAttempt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """One run of the mind graph with its steps."""

    row: ThoughtRow
    steps: tuple[StepView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkView:
    """One talk with its steps."""

    talk: Talk
    tick: int
    """Tick at which the talk was granted and held."""
    steps: tuple[StepView, ...]


def thought_rows(
    connection: sqlite3.Connection, agent: str | None, since: int, until: int
) -> list[ThoughtRow]:
    """Return the thoughts of an agent (None: everybody's) from tick `since` to tick `until`."""
    whose, given = _whose("agent = ?", agent)
    rows = connection.execute(
        f"{THOUGHTS.select} WHERE tick BETWEEN ? AND ?{whose} ORDER BY tick, agent",
        (since, until, *given),
    )
    return [THOUGHTS.row(cells) for cells in rows]


def thought_at(
    connection: sqlite3.Connection, unpacker: Unpacker, agent: str, tick: int
) -> Thought | None:
    """Return the thought of an agent at a tick, else None."""
    query = f"{THOUGHTS.select} WHERE agent = ? AND tick = ?"
    cells = connection.execute(query, (agent, tick)).fetchone()
    if cells is None:
        return None
    return Thought(row=THOUGHTS.row(cells), steps=steps_of(connection, unpacker, agent, tick))


def steps_of(
    connection: sqlite3.Connection, unpacker: Unpacker, owner: str, tick: int
) -> tuple[StepView, ...]:
    """Return the steps of a thought or talk, in the order in which they ended."""
    given = (owner, tick)
    where = "WHERE owner = ? AND tick = ?"
    readings = {
        reading.key: reading
        for reading in map(READINGS.row, connection.execute(f"{READINGS.select} {where}", given))
    }
    attempts: dict[StepKey, list[RecordedAttempt]] = defaultdict(list)
    calls = f"SELECT {LISTING} FROM committed_calls {where} ORDER BY step, ordinal, attempt"  # noqa: S608
    for cells in connection.execute(calls, given):
        call = read_call(cells, unpacker)
        attempts[call.key.step, call.key.ordinal].append(
            RecordedAttempt(call=call, reading=readings.get(call.key))
        )
    rows = connection.execute(f"{STEPS.select} {where} ORDER BY n", given)
    return tuple(
        StepView(record=record, attempts=tuple(attempts[record.step, record.ordinal]))
        for record in map(STEPS.row, rows)
    )


def step_rows(
    connection: sqlite3.Connection, agent: str | None, since: int, until: int
) -> list[StepRecord]:
    """Return how steps ended, without their calls."""
    whose, given = _whose("agent = ?", agent)
    rows = connection.execute(
        f"{STEPS.select} WHERE tick BETWEEN ? AND ?{whose} ORDER BY tick, owner, n",
        (since, until, *given),
    )
    return [STEPS.row(cells) for cells in rows]


def talks_between(
    connection: sqlite3.Connection, agent: str | None, since: int, until: int
) -> list[Talk]:
    """Return the talks, with their lines, that were granted from tick `since` to `until`."""
    whose, given = _whose("? IN (SELECT value FROM json_each(participants))", agent)
    rows = connection.execute(
        f"{TALKS.select} WHERE tick BETWEEN ? AND ?{whose} ORDER BY tick, id",
        (since, until, *given),
    )
    return [_with_lines(connection, TALKS.row(cells)) for cells in rows]


def talk_view(connection: sqlite3.Connection, unpacker: Unpacker, talk: str) -> TalkView | None:
    """Return the talk with this id and its steps, else None."""
    query = f"SELECT tick, {TALKS.listing} FROM talks WHERE id = ?"  # noqa: S608
    cells = connection.execute(query, (talk,)).fetchone()
    if cells is None:
        return None
    return TalkView(
        talk=_with_lines(connection, TALKS.row(cells[1:])),
        tick=cells[0],
        steps=steps_of(connection, unpacker, talk, cells[0]),
    )


def _with_lines(connection: sqlite3.Connection, talk: Talk) -> Talk:
    rows = connection.execute(f"{LINES.select} WHERE talk = ? ORDER BY n", (talk.id,))
    return replace(talk, lines=tuple(map(LINES.row, rows)))


def _whose(condition: str, name: str | None) -> tuple[str, tuple[str, ...]]:
    return ("", ()) if name is None else (f" AND {condition}", (name,))
