"""Recorded thoughts and talks with their steps and calls, and single uses of steps."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from json import dumps, loads
from typing import Any, NamedTuple

from smolville.agents.action import Talk
from smolville.graphs.loop.ledger import Call, CallReading, StepOutcome, StepRecord
from smolville.graphs.loop.rules import EVERY_KIND
from smolville.history.beside_calls import servers_of
from smolville.history.calls import LISTING, Unpacker, read_call
from smolville.history.records import ThoughtRow
from smolville.history.tables import LINES, READINGS, STEPS, TALKS, THOUGHTS

StepKey = tuple[str, int]
"""Step and ordinal, within one thought or talk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedAttempt:
    """One call of a step, and the parse result of its reply."""

    call: Call
    reading: CallReading | None
    """How the reply was read; None if the step ended before that."""


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
class RecordedTalk:
    """One talk with its steps."""

    talk: Talk
    tick: int
    """Tick at which the talk was granted and held."""
    steps: tuple[StepView, ...]


def thought_rows(
    connection: sqlite3.Connection, agent: str | None, since: int, until: int
) -> list[ThoughtRow]:
    """Return the thoughts of an agent (None: everybody's) from tick `since` to tick `until`."""
    whose, given = _build_name_filter("agent = ?", agent)
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
    servers = servers_of(connection, owner, tick)
    for cells in connection.execute(calls, given):
        call = read_call(cells, unpacker)
        call = replace(call, server=servers.get(call.key, ""))
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
    whose, given = _build_name_filter("agent = ?", agent)
    rows = connection.execute(
        f"{STEPS.select} WHERE tick BETWEEN ? AND ?{whose} ORDER BY tick, owner, n",
        (since, until, *given),
    )
    return [STEPS.row(cells) for cells in rows]


def talks_between(
    connection: sqlite3.Connection, agent: str | None, since: int, until: int
) -> list[Talk]:
    """Return the talks, with their lines, that were granted from tick `since` to `until`."""
    whose, given = _build_name_filter("? IN (SELECT value FROM json_each(participants))", agent)
    rows = connection.execute(
        f"{TALKS.select} WHERE tick BETWEEN ? AND ?{whose} ORDER BY tick, id",
        (since, until, *given),
    )
    return [_with_lines(connection, TALKS.row(cells)) for cells in rows]


def talk_view(connection: sqlite3.Connection, unpacker: Unpacker, talk: str) -> RecordedTalk | None:
    """Return the talk with this id and its steps, else None."""
    query = f"SELECT tick, {TALKS.listing} FROM talks WHERE id = ?"  # noqa: S608
    cells = connection.execute(query, (talk,)).fetchone()
    if cells is None:
        return None
    return RecordedTalk(
        talk=_with_lines(connection, TALKS.row(cells[1:])),
        tick=cells[0],
        steps=steps_of(connection, unpacker, talk, cells[0]),
    )


def _with_lines(connection: sqlite3.Connection, talk: Talk) -> Talk:
    rows = connection.execute(f"{LINES.select} WHERE talk = ? ORDER BY n", (talk.id,))
    return replace(talk, lines=tuple(map(LINES.row, rows)))


def _build_name_filter(condition: str, name: str | None) -> tuple[str, tuple[str, ...]]:
    return ("", ()) if name is None else (f" AND {condition}", (name,))


class UseKey(NamedTuple):
    """The key of a use of a step within its run."""

    owner: str
    """The agent whose thought it belongs to, or the id of the talk."""
    tick: int
    step: str
    ordinal: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StepUse:
    """One use of a step, with the fields shown in lists."""

    key: UseKey
    agent: str
    outcome: StepOutcome
    attempts: int
    model: str
    """The model that was asked first."""
    template: str
    """Version of the prompt template that was used."""
    problems: tuple[str, ...]
    """What was wrong with the first reply."""
    mends: tuple[str, ...]
    """What was mended in the first reply."""
    odd: tuple[str, ...] = ()
    """Sentences on what in the accepted answer makes no sense."""
    odd_kinds: tuple[str, ...] = ()
    """The kind of each oddity in `odd` (`parsers.problem.SENSE_KINDS`)."""


_OF_KEY = "WHERE owner = ? AND tick = ? AND step = ? AND ordinal = ?"
_LISTED = """
SELECT owner, tick, step, ordinal, steps.agent, outcome, attempts, calls.model, calls.template,
    readings.problems, readings.mends, odd, odd_kinds
FROM steps JOIN calls USING (owner, tick, step, ordinal)
    LEFT JOIN readings USING (owner, tick, step, ordinal, attempt)
WHERE calls.attempt = 0 AND tick <= ?
"""


def uses_of(
    connection: sqlite3.Connection,
    *,
    step: str | None,
    agent: str | None,
    outcome: str | None,
    odd: str | None,
    until: int,
    limit: int | None,
) -> list[StepUse]:
    """Return the last `limit` uses of steps that match, oldest first.

    `odd` is a kind of oddity in the answer, or `EVERY_KIND`.
    """
    criteria = {"step": step, "steps.agent": agent, "outcome": outcome}
    given = {name: value for name, value in criteria.items() if value is not None}
    which = "".join(f" AND {name} = ?" for name in given)
    if odd is not None:
        kinds = "SELECT value FROM json_each(odd_kinds)"
        which += " AND odd_kinds != '[]'" if odd == EVERY_KIND else f" AND ? IN ({kinds})"
        given |= {} if odd == EVERY_KIND else {"odd": odd}
    query = f"{_LISTED}{which} ORDER BY tick DESC, owner DESC, n DESC LIMIT ?"
    most = -1 if limit is None else limit
    rows = connection.execute(query, (until, *given.values(), most)).fetchall()
    return [_use(cells) for cells in reversed(rows)]


def use_keys(connection: sqlite3.Connection, until: int) -> list[UseKey]:
    """Return the keys of all uses of steps up to a tick, oldest first."""
    query = "SELECT owner, tick, step, ordinal FROM steps WHERE tick <= ? ORDER BY tick, owner, n"
    return [UseKey(*cells) for cells in connection.execute(query, (until,))]


def step_names(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the names of the steps that were ever used."""
    rows = connection.execute("SELECT DISTINCT step FROM steps ORDER BY step")
    return tuple(name for (name,) in rows)


def step_view(connection: sqlite3.Connection, unpacker: Unpacker, key: UseKey) -> StepView | None:
    """Return one use of a step with its calls, else None."""
    cells = connection.execute(f"{STEPS.select} {_OF_KEY}", key).fetchone()
    if cells is None:
        return None
    rows = connection.execute(f"{READINGS.select} {_OF_KEY}", key)
    readings = {reading.key: reading for reading in map(READINGS.row, rows)}
    query = f"SELECT {LISTING} FROM committed_calls {_OF_KEY} ORDER BY attempt"  # noqa: S608
    calls = [read_call(each, unpacker) for each in connection.execute(query, key)]
    attempts = (RecordedAttempt(call=call, reading=readings.get(call.key)) for call in calls)
    return StepView(record=STEPS.row(cells), attempts=tuple(attempts))


def memory_texts(connection: sqlite3.Connection, ids: Iterable[str]) -> dict[str, str]:
    """Return the texts of memories by their ids; unknown ids are left out."""
    distinct = list(dict.fromkeys(ids))
    query = "SELECT id, text FROM memories WHERE id IN (SELECT value FROM json_each(?))"
    found = dict(connection.execute(query, (dumps(distinct),)).fetchall())
    return {id_: found[id_] for id_ in distinct if id_ in found}


def _use(cells: tuple[Any, ...]) -> StepUse:
    *key, agent, outcome, attempts, model, template, problems, mends, odd, odd_kinds = cells
    return StepUse(
        key=UseKey(*key),
        agent=agent,
        outcome=outcome,
        attempts=attempts,
        model=model,
        template=template,
        problems=tuple(loads(problems or "[]")),
        mends=tuple(loads(mends or "[]")),
        odd=tuple(loads(odd)),
        odd_kinds=tuple(loads(odd_kinds)),
    )
