"""Read a run's history, during the run or later: for timeline, viewer, summary and exports.

Ticks given as `since` and `until` are both included. Everything read inside `snapshot` belongs to
one state of the history, however much the owner commits meanwhile.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from json import dumps, loads
from typing import Any, Self

from smolville.agents.action import Talk
from smolville.agents.entities import Happening
from smolville.agents.errors import RunError
from smolville.agents.memory import BY_RULE, Change, Memory
from smolville.agents.routines import Reuse
from smolville.agents.times import Clock
from smolville.graphs.loop.ledger import StepRecord
from smolville.history import moments
from smolville.history.calls import LISTING, Unpacker, read_call, servers_of
from smolville.history.counts import (
    CountGroup,
    Counts,
    counts_by_agent_and_step,
    counts_of,
    faults_of,
)
from smolville.history.folder import RunFolder
from smolville.history.moments import FOREVER, changes_of, memories_at
from smolville.history.records import (
    DEEDS,
    LINES,
    MOVES,
    OBJECTS,
    READINGS,
    STEPS,
    TALKS,
    THOUGHTS,
    Deed,
    Intervention,
    MindRow,
    Move,
    ObjectState,
    RecordedAttempt,
    RecordedTalk,
    Row,
    StepUse,
    StepView,
    Table,
    Thought,
    ThoughtRow,
    Tile,
    UseKey,
)
from smolville.history.schema import UNREADABLE, open_reader, reading
from smolville.history.spec import RunSpec
from smolville.history.trouble import explain_storage_errors
from smolville.prompts.folder import Texts, shipped_texts

_LISTED = """
SELECT owner, tick, step, ordinal, steps.agent, outcome, attempts, calls.model, calls.template,
    readings.problems, readings.mends, odd, odd_kinds
FROM steps JOIN calls USING (owner, tick, step, ordinal)
    LEFT JOIN readings USING (owner, tick, step, ordinal, attempt)
WHERE calls.attempt = 0 AND tick <= ?
"""


class RunReader:
    """A read-only connection to a run's history."""

    def __init__(self, folder: RunFolder) -> None:
        self._begin(folder, open_reader(folder.history_path, folder.name))

    def _begin(self, folder: RunFolder, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self.spec: RunSpec = folder.spec
        self._connection = connection
        self._unpacker = Unpacker(connection)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.close()
        if isinstance(error, UNREADABLE):
            with reading(self.folder):
                raise error

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection, for code that reads whole tables (`history.digest`)."""
        return self._connection

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read one fixed state of the history inside the block; keep such blocks short."""
        with explain_storage_errors(self.spec.name):
            if self._connection.in_transaction:
                yield
                return
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._connection.execute("ROLLBACK")

    def _rows(self, table: Table[Row], rest: str, *given: object) -> list[Row]:
        """Return the rows of a table; `rest` is the part of the query after the table's name."""
        with self.snapshot():
            return table.read(self._connection, rest, *given)

    def _value(self, query: str, *given: object) -> Any:
        with self.snapshot():
            row = self._connection.execute(query, given).fetchone()
        return None if row is None else row[0]

    def version(self) -> int:
        """Return a number that changes whenever another connection has committed."""
        return int(self._value("PRAGMA data_version"))

    def watermark(self) -> int | None:
        """Return the tick up to which everybody's history is complete; None before any commit."""
        with self.snapshot():
            return moments.watermark_of(self._connection)

    def goal(self) -> moments.RunGoal | None:
        """Return the goal that was last set for the run, else None."""
        with self.snapshot():
            return moments.latest_goal(self._connection)

    def agents(self) -> tuple[str, ...]:
        """Return the names of all agents with a mind: the cast, in order."""
        return self.spec.cast

    def visits(self, until: int = FOREVER) -> list[moments.Visit]:
        """Return who came or called from outside up to a tick, earliest first."""
        with self.snapshot():
            return moments.visits_until(self._connection, until)

    def deeds(self, agent: str | None = None, since: int = 0, until: int = FOREVER) -> list[Deed]:
        """Return the deeds of an agent (None: of everybody): intents and their outcomes."""
        where, given = _within(agent, since, until)
        return self._rows(DEEDS, f"{where} ORDER BY tick, agent, rowid", *given)

    def reuses(self, since: int = 0, until: int = FOREVER) -> list[Reuse]:
        """Return the reuses of routines from tick `since` to tick `until`, in order."""
        with self.snapshot():
            return moments.reuses_until(self._connection, since, until)

    def happenings(self, since: int = 0, until: int = FOREVER) -> list[Happening]:
        """Return the happenings caused by entities other than people, in order."""
        with self.snapshot():
            return moments.happenings_between(self._connection, since, until)

    def nowhere(self, until: int = FOREVER) -> int:
        """Return the number of accepted deeds for which the model found no suitable place."""
        query = "SELECT COUNT(*) FROM deeds WHERE nowhere AND outcome = 'accepted' AND tick <= ?"
        return int(self._value(query, until))

    def whispers_by_rule(self, until: int = FOREVER) -> int:
        """Return how many whispers became thoughts by rule, without a call."""
        query = "SELECT COUNT(*) FROM memories WHERE id LIKE ? AND tick <= ?"
        return int(self._value(query, f"%/{BY_RULE}/%", until))

    def doing(self, agent: str, until: int = FOREVER) -> Deed | None:
        """Return what an agent was doing at the end of tick `until`: its last accepted action."""
        rest = (
            "WHERE agent = ? AND tick <= ? AND outcome = 'accepted' "
            "ORDER BY tick DESC, rowid DESC LIMIT 1"
        )
        return next(iter(self._rows(DEEDS, rest, agent, until)), None)

    def moves(self, agent: str | None = None, since: int = 0, until: int = FOREVER) -> list[Move]:
        """Return the walks under way from tick `since` to `until`; `agent` None means everybody."""
        whose, given = ("", ()) if agent is None else (" AND agent = ?", (agent,))
        rest = f"WHERE tick <= ? AND end_tick >= ?{whose} ORDER BY tick, agent, rowid"
        return self._rows(MOVES, rest, until, since, *given)

    def positions(self, tick: int) -> dict[str, Tile]:
        """Return the tile of each agent who ever moved, at the start of `tick`.

        Visitors are included while they are in town.
        """
        with self.snapshot():
            visits = (each for each in self.visits(tick) if each.came <= tick)
            guests = (
                each.name
                for each in visits
                if not each.by_telephone and (each.left is None or tick < each.left)
            )
            rest = "WHERE agent = ? AND tick <= ? ORDER BY tick DESC, rowid DESC LIMIT 1"
            clock = Clock(self.spec.tick_seconds)
            return {
                agent: moments.tile_at(move, tick, clock)
                for agent in (*self.agents(), *guests)
                for move in self._rows(MOVES, rest, agent, tick)
            }

    def object_states(self, until: int = FOREVER) -> dict[str, ObjectState]:
        """Return the state of every object that had ever changed, at the end of `until`."""
        rows = self._rows(OBJECTS, "WHERE tick <= ? ORDER BY address, tick, rowid", until)
        return {row.address: row for row in rows}

    def object_changes(self, since: int = 0, until: int = FOREVER) -> list[ObjectState]:
        """Return the changes of objects in order."""
        rest = "WHERE tick BETWEEN ? AND ? ORDER BY tick, address, rowid"
        return self._rows(OBJECTS, rest, since, until)

    def talks(self, agent: str | None = None, since: int = 0, until: int = FOREVER) -> list[Talk]:
        """Return the talks (of an agent) that began from `since` to `until`, with their lines."""
        where, given = _within(
            agent, since, until, "? IN (SELECT value FROM json_each(participants))"
        )
        with self.snapshot():
            found = self._rows(TALKS, f"{where} ORDER BY tick, id", *given)
            return [self._with_lines(talk) for talk in found]

    def talk(self, talk: str) -> RecordedTalk | None:
        """Return a talk with its steps and calls, else None."""
        with self.snapshot():
            tick = self._value("SELECT tick FROM talks WHERE id = ?", talk)
            if tick is None:
                return None
            (found,) = self._rows(TALKS, "WHERE id = ?", talk)
            steps = self._steps("WHERE owner = ? AND tick = ?", talk, tick)
            return RecordedTalk(talk=self._with_lines(found), tick=tick, steps=steps)

    def _with_lines(self, talk: Talk) -> Talk:
        lines = self._rows(LINES, "WHERE talk = ? ORDER BY n", talk.id)
        return replace(talk, lines=tuple(lines))

    def thoughts(
        self, agent: str | None = None, since: int = 0, until: int = FOREVER
    ) -> list[ThoughtRow]:
        """Return the thoughts (of an agent), without their steps."""
        where, given = _within(agent, since, until)
        return self._rows(THOUGHTS, f"{where} ORDER BY tick, agent", *given)

    def thought(self, agent: str, tick: int) -> Thought | None:
        """Return a thought with its steps and calls, else None."""
        with self.snapshot():
            rows = self._rows(THOUGHTS, "WHERE agent = ? AND tick = ?", agent, tick)
            if not rows:
                return None
            steps = self._steps("WHERE owner = ? AND tick = ?", agent, tick)
            return Thought(row=rows[0], steps=steps)

    def steps(
        self, agent: str | None = None, since: int = 0, until: int = FOREVER
    ) -> list[StepRecord]:
        """Return how steps (of an agent) ended, without their calls."""
        where, given = _within(agent, since, until)
        return self._rows(STEPS, f"{where} ORDER BY tick, owner, n", *given)

    def step(self, key: UseKey) -> StepView | None:
        """Return one use of a step with its calls, else None."""
        where = "WHERE owner = ? AND tick = ? AND step = ? AND ordinal = ?"
        with self.snapshot():
            return next(iter(self._steps(where, *key)), None)

    def _steps(self, where: str, *given: object) -> tuple[StepView, ...]:
        """Return steps with their calls, in the order in which they ended."""
        readings = {reading.key: reading for reading in self._rows(READINGS, where, *given)}
        servers = servers_of(self._connection, where, given)
        attempts: dict[tuple[str, int], list[RecordedAttempt]] = defaultdict(list)
        query = f"SELECT {LISTING} FROM committed_calls {where} ORDER BY step, ordinal, attempt"  # noqa: S608
        for cells in self._connection.execute(query, given):
            call = read_call(cells, self._unpacker)
            attempts[call.key.step, call.key.ordinal].append(
                RecordedAttempt(
                    call=replace(call, server=servers.get(call.key, "")),
                    reading=readings.get(call.key),
                )
            )
        return tuple(
            StepView(record=record, attempts=tuple(attempts[record.step, record.ordinal]))
            for record in self._rows(STEPS, f"{where} ORDER BY n", *given)
        )

    def step_names(self) -> tuple[str, ...]:
        """Return the names of the steps that were ever used."""
        with self.snapshot():
            rows = self._connection.execute("SELECT DISTINCT step FROM steps ORDER BY step")
            return tuple(name for (name,) in rows)

    def use_keys(self, until: int = FOREVER) -> list[UseKey]:
        """Return the keys of all uses of steps, oldest first."""
        query = (
            "SELECT owner, tick, step, ordinal FROM steps WHERE tick <= ? ORDER BY tick, owner, n"
        )
        with self.snapshot():
            return list(map(UseKey._make, self._connection.execute(query, (until,))))

    def uses(
        self,
        *,
        step: str | None = None,
        agent: str | None = None,
        outcome: str | None = None,
        odd: str | None = None,
        until: int = FOREVER,
        limit: int | None = None,
    ) -> list[StepUse]:
        """Return the last `limit` matching uses of steps, without their calls, oldest first.

        `odd` is a kind of oddity in the answer, or `any`.
        """
        criteria = {"step": step, "steps.agent": agent, "outcome": outcome}
        given = {name: value for name, value in criteria.items() if value is not None}
        which = "".join(f" AND {name} = ?" for name in given)
        if odd == "any":
            which += " AND odd_kinds != '[]'"
        elif odd is not None:
            which += " AND ? IN (SELECT value FROM json_each(odd_kinds))"
            given["odd"] = odd
        query = f"{_LISTED}{which} ORDER BY tick DESC, owner DESC, n DESC LIMIT ?"
        most = -1 if limit is None else limit
        with self.snapshot():
            rows = self._connection.execute(query, (until, *given.values(), most)).fetchall()
        return [_use(cells) for cells in reversed(rows)]

    def memory_texts(self, ids: Iterable[str]) -> dict[str, str]:
        """Return the texts of memories by their ids; unknown ids are left out."""
        distinct = list(dict.fromkeys(ids))
        query = "SELECT id, text FROM memories WHERE id IN (SELECT value FROM json_each(?))"
        with self.snapshot():
            found = dict(self._connection.execute(query, (dumps(distinct),)).fetchall())
        return {each: found[each] for each in distinct if each in found}

    def memories(self, agent: str, until: int = FOREVER) -> list[Memory]:
        """Return an agent's memories as they were at the end of `until`, oldest first."""
        with self.snapshot():
            return memories_at(self._connection, agent, until)

    def changes(self, agent: str, until: int = FOREVER) -> list[Change]:
        """Return the changes to an agent's memories in order."""
        with self.snapshot():
            return changes_of(self._connection, agent, until)

    def mind(self, agent: str, until: int = FOREVER) -> MindRow | None:
        """Return an agent's mind as of `until`; `history.records` reads its blob."""
        query = (
            "SELECT tick, blob FROM minds WHERE agent = ? AND tick <= ? ORDER BY tick DESC LIMIT 1"
        )
        with self.snapshot():
            row = self._connection.execute(query, (agent, until)).fetchone()
            if row is None:
                return None
            blob = self._unpacker.unpack(row[1])
        return MindRow(agent=agent, tick=row[0], blob=blob)

    def body(self, agent: str, until: int = FOREVER) -> str | None:
        """Return an agent's body, as JSON, as it was at the end of `until`."""
        with self.snapshot():
            return moments.body_at(self._connection, agent, until)

    def interventions(self, after: int = -1) -> list[Intervention]:
        """Return the recorded interventions that take effect after tick `after`."""
        with self.snapshot():
            return moments.interventions_after(self._connection, after)

    def template(self, name: str, version: str) -> Texts | None:
        """Return one version of a template with its partials, by file name, else None."""
        query = "SELECT text FROM templates WHERE name = ? AND hash = ?"
        text = self._value(query, name, version)
        return None if text is None else loads(text)

    def templates_at(self, tick: int) -> Texts:
        """Return all templates in force at a tick, by file name."""
        return [texts for since, texts in self.template_sets() if since <= tick][-1]

    def template_sets(self) -> list[tuple[int, Texts]]:
        """Return the run's template sets, each with the tick at which its use began.

        The first set was used from tick 0. A step that is newer than the run has its shipped
        template, and one that is gone has none.
        """
        versions = dict(self.spec.prompts)
        with self.snapshot():
            found = [(0, self._texts(versions))]
            for each in self.interventions():
                if each.kind == moments.EDITED:
                    versions |= loads(each.text)
                    found.append((each.tick, self._texts(versions)))
        return found

    def _texts(self, versions: dict[str, str]) -> Texts:
        texts = dict(shipped_texts())
        for name, version in versions.items():
            files = self.template(name, version)
            if files is None:
                raise RunError(
                    f"run {self.spec.name!r} has lost its template {name!r} ({version}): its "
                    "history is damaged"
                )
            if (own := f"{name}.jinja") not in files or own in texts:
                texts |= files
        return texts

    def counts(self, until: int = FOREVER) -> dict[tuple[str, str], Counts]:
        """Return the counts of each agent's uses of each step (see `history.counts`)."""
        with self.snapshot():
            return counts_by_agent_and_step(self._connection, until)

    def ledger(self, until: int = FOREVER) -> dict[CountGroup, Counts]:
        """Return the counts of all steps and calls, including calls that were never committed."""
        with self.snapshot():
            return counts_of(self._connection, until)

    def faults(self) -> list[str]:
        """Return a sentence for every count that does not add up; none for a sound history."""
        with self.snapshot():
            return faults_of(self._connection)


def _within(
    agent: str | None, since: int, until: int, condition: str = "agent = ?"
) -> tuple[str, tuple[object, ...]]:
    """Return the WHERE clause for rows of an agent (None: of everybody) in some ticks."""
    where = "WHERE tick BETWEEN ? AND ?"
    return (
        (where, (since, until))
        if agent is None
        else (f"{where} AND {condition}", (since, until, agent))
    )


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
