"""The history as its owner writes it.

Each cluster of agents has one atomic commit per tick. Each call is stored as soon as it ends.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from json import loads
from time import time
from typing import TYPE_CHECKING

import orjson

from smolville.agents.action import Talk
from smolville.agents.errors import InternalError
from smolville.agents.memory import Memory
from smolville.graphs.loop.ledger import Call, CallKey
from smolville.history.calls import Packer, calls_of, find_call, keep_call, keep_given_up
from smolville.history.folder import RunFolder
from smolville.history.moments import AgentState, MemoryRows, body_at, memories_of_all, watermark_of
from smolville.history.reader import RunReader
from smolville.history.records import (
    INTERVENTIONS,
    LINES,
    PLAIN,
    STEPS,
    TALKS,
    CommitBatch,
    Intervention,
    MindRow,
    write_list,
)
from smolville.history.schema import open_writer, reading
from smolville.history.trouble import explain_storage_errors, roll_back

if TYPE_CHECKING:
    from smolville.graphs.catalogue import Template

_REACH = (
    "INSERT INTO reached (agent, tick) VALUES (?, ?) "
    "ON CONFLICT (agent) DO UPDATE SET tick = max(tick, excluded.tick)"
)


class BatchWriter:
    """Writes batches through one connection; its caches are valid while all commits succeed."""

    def __init__(self, connection: sqlite3.Connection, packer: Packer) -> None:
        self._connection = connection
        self._packer = packer
        self._memories = MemoryRows(connection)
        self._clusters: dict[tuple[str, ...], int] = {}
        self._bodies: dict[str, str] = {}

    def forget(self) -> None:
        """Clear the caches, after the transaction was rolled back."""
        self._memories.forget()
        self._clusters.clear()
        self._bodies.clear()

    def write(self, batch: CommitBatch, watermark: int) -> None:
        """Write all rows of a batch, and the commit row that completes them."""
        for table in PLAIN:
            rows = getattr(batch, table.name)
            self._connection.executemany(table.insert, map(table.cells, rows))
        for n, step in enumerate(batch.steps):
            self._connection.execute(STEPS.insert, STEPS.cells(step, n))
        self._write_bodies(batch)
        for talk in batch.talks:
            self._write_talk(talk, batch.tick)
        self._memories.add(batch.memories)
        self._memories.change(batch.changes)
        for mind in batch.minds:
            self._write_mind(mind)
        self._connection.executemany(_REACH, batch.reached.items())
        self._connection.execute(
            "INSERT INTO commits (tick, at, cluster, watermark, wall) VALUES (?, ?, ?, ?, ?)",
            (batch.tick, batch.at, self._cluster(batch.agents), watermark, time()),
        )

    def _write_bodies(self, batch: CommitBatch) -> None:
        """Write the bodies that have changed; the number of commits then has no effect on rows."""
        for agent, state in batch.bodies.items():
            if agent not in self._bodies:
                self._bodies[agent] = body_at(self._connection, agent) or ""
            if self._bodies[agent] == state:
                continue
            self._connection.execute(
                "INSERT OR REPLACE INTO bodies (agent, tick, state) VALUES (?, ?, ?)",
                (agent, batch.tick, state),
            )
            self._bodies[agent] = state

    def _write_talk(self, talk: Talk, tick: int) -> None:
        self._connection.execute(TALKS.insert, TALKS.cells(talk, tick))
        for n, line in enumerate(talk.lines):
            self._connection.execute(LINES.insert, LINES.cells(line, talk.id, n, tick))

    def _write_mind(self, mind: MindRow) -> None:
        packed = self._packer.pack(f"mind {mind.agent}", mind.blob)
        self._connection.execute(
            "INSERT OR REPLACE INTO minds (agent, tick, checkpoint_id, blob) VALUES (?, ?, '', ?)",
            (mind.agent, mind.tick, packed),
        )

    def _cluster(self, agents: tuple[str, ...]) -> int:
        known = self._clusters.get(agents)
        if known is None:
            names = write_list(agents)
            insert = "INSERT OR IGNORE INTO clusters (agents) VALUES (?)"
            self._connection.execute(insert, (names,))
            row = self._connection.execute("SELECT id FROM clusters WHERE agents = ?", (names,))
            known = self._clusters[agents] = int(row.fetchone()[0])
        return known


class History(RunReader):
    """The owner's connection to a run's history, which is also the journal of its calls."""

    def __init__(self, folder: RunFolder) -> None:
        self.name = folder.name
        self._begin(folder, open_writer(folder.history_path, self.name))
        self._packer = Packer(self._connection)
        self._writer = BatchWriter(self._connection, self._packer)
        with reading(folder):
            self._watermark = watermark_of(self._connection)

    def watermark(self) -> int | None:
        """Return the tick up to which everybody's history is complete; None before any commit."""
        return self._watermark

    def commit(self, batch: CommitBatch) -> None:
        """Write a batch, all or nothing; once this returns, it survives any crash."""
        own = batch.tick if batch.watermark is None else batch.watermark
        watermark = own if self._watermark is None else max(self._watermark, own)
        with self._transaction():
            self._writer.write(batch, watermark)
        self._watermark = watermark

    def store(self, call: Call) -> None:
        """Store a finished call in a transaction of its own."""
        with self._transaction():
            keep_call(self._connection, self._packer, call)

    def give_up(self, call: Call) -> None:
        """Store the errors of a call that no server answered."""
        with self._transaction():
            keep_given_up(self._connection, call)

    def find_stored(self, key: CallKey, messages_hash: str) -> Call | None:
        """Return the call stored under `key` if its messages have this hash, else None."""
        with reading(self.folder):
            call = find_call(self._connection, self._unpacker, key)
        return call if call is not None and call.messages_hash == messages_hash else None

    def calls_of(self, owner: str, tick: int) -> list[Call]:
        """Return the calls of a thought or talk that are stored already."""
        with reading(self.folder):
            return calls_of(self._connection, self._unpacker, owner, tick)

    def state_of(self, agents: Sequence[str]) -> dict[str, AgentState]:
        """Return the last recorded state of each of these agents, by name."""
        with reading(self.folder), self.snapshot():
            done = dict(self._connection.execute("SELECT agent, tick FROM reached"))
            commits = self._connection.execute(
                "SELECT agents, MAX(tick) FROM commits JOIN clusters ON clusters.id = cluster "
                "GROUP BY cluster"
            )
            for names, tick in commits:
                for name in loads(names):
                    done[name] = max(tick, done.get(name, tick))
            return {
                agent: AgentState(
                    body=self.body(agent), mind=self.mind(agent), done=done.get(agent)
                )
                for agent in agents
            }

    def memories_of_all(self) -> list[Memory]:
        """Return everybody's memories with every change applied, in the order of their commits."""
        with reading(self.folder):
            return memories_of_all(self._connection)

    def intervention_ids(self) -> frozenset[str]:
        """Return the ids of all recorded interventions."""
        with reading(self.folder):
            return frozenset(i for (i,) in self._connection.execute("SELECT id FROM interventions"))

    def record(self, *made: Intervention) -> None:
        """Record all interventions in one transaction, before their tick is simulated."""
        with self._transaction():
            for each in made:
                self._connection.execute(INTERVENTIONS.insert, INTERVENTIONS.cells(each))

    def intervention(self, wish_id: str) -> str | None:
        """Return the text of the recorded intervention with this id, else None."""
        text = self._value("SELECT text FROM interventions WHERE id = ?", wish_id)
        return None if text is None else str(text)

    def visitors(self) -> dict[str, str]:
        """Return the latest recorded body (JSON) of every visitor and of everybody who called."""
        bodies = {visit.name: self.body(visit.name) for visit in self.visits()}
        return {name: body for name, body in bodies.items() if body is not None}

    def set_goal(self, at: int, tick: int) -> None:
        """Record that the run was asked, after `tick`, to go on until town second `at`."""
        with self._transaction():
            self._connection.execute("INSERT INTO goals (at, tick) VALUES (?, ?)", (at, tick))

    def keep_templates(self, templates: "Mapping[str, Template]") -> None:
        """Store templates by name and version; templates already stored stay unchanged."""
        with self._transaction():
            self._insert_templates(templates)

    def edit_templates(self, made: Intervention, *templates: "Mapping[str, Template]") -> None:
        """Record an intervention that changes templates, together with the new templates."""
        with self._transaction():
            for each in templates:
                self._insert_templates(each)
            self._connection.execute(INTERVENTIONS.insert, INTERVENTIONS.cells(made))

    def _insert_templates(self, templates: "Mapping[str, Template]") -> None:
        self._connection.executemany(
            "INSERT OR IGNORE INTO templates (name, hash, text) VALUES (?, ?, ?)",
            [
                (name, each.version, orjson.dumps(each.files).decode())
                for name, each in templates.items()
            ],
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Carry out the block in one transaction: completely or not at all."""
        try:
            with explain_storage_errors(self.name):
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                self._connection.execute("COMMIT")
        except BaseException as error:
            self._packer.forget()
            self._writer.forget()
            roll_back(self._connection)
            if isinstance(error, sqlite3.IntegrityError):
                raise InternalError(
                    f"a row of run {self.name!r} was written twice: {error}"
                ) from error
            raise
