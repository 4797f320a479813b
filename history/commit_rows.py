"""Write one batch: all rows of a cluster's tick, inside the caller's transaction."""

import sqlite3
from time import time

from smolville.agents.action import Talk
from smolville.history.calls import Packer
from smolville.history.memory_rows import MemoryRows
from smolville.history.moments import body_at
from smolville.history.records import CommitBatch, Intervention, MindRow
from smolville.history.tables import INTERVENTIONS, LINES, PLAIN, STEPS, TALKS, write_list

_REACH = (
    "INSERT INTO reached (agent, tick) VALUES (?, ?) "
    "ON CONFLICT (agent) DO UPDATE SET tick = max(tick, excluded.tick)"
)


def record_intervention(connection: sqlite3.Connection, made: Intervention) -> None:
    """Write an intervention that is not part of a commit."""
    connection.execute(INTERVENTIONS.insert, INTERVENTIONS.cells(made))


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
