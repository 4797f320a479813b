"""The history as its owner writes it.

Each cluster of agents has one atomic commit per tick. Each call is stored as soon as it ends.
"""

import sqlite3
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from sys import intern

from smolville.agents.entities import Happening
from smolville.agents.errors import InternalError
from smolville.agents.memory import Memory
from smolville.graphs.catalogue import Template
from smolville.graphs.loop.ledger import Call, CallKey
from smolville.history.calls import Packer, Unpacker, calls_of, find_call, keep_call, keep_given_up
from smolville.history.commit_rows import BatchWriter, record_intervention
from smolville.history.folder import RunFolder
from smolville.history.inspection import blame_damage, reading
from smolville.history.later_tables import done_ticks, happenings_between
from smolville.history.memory_rows import memories_at, memories_of_all
from smolville.history.moments import (
    AgentState,
    RunGoal,
    body_at,
    comings,
    interventions_after,
    keep_templates,
    latest_goal,
    mind_at,
    objects_at,
    sets_of,
    watermark_of,
)
from smolville.history.records import CommitBatch, Intervention, ObjectState
from smolville.history.schema import open_writer
from smolville.history.spec import RunSpec
from smolville.history.tables import MEMORIES
from smolville.history.trouble import explain_storage_errors, roll_back
from smolville.prompts.folder import Texts

_NUMBER = "SELECT n FROM memories WHERE id = ?"
_ROW = f"{MEMORIES.select} WHERE n = ?"


class HistorySource:
    """A `MemorySource` that reads the memories of one stream from disk, by position."""

    def __init__(self, connection: sqlite3.Connection, folder: RunFolder) -> None:
        self._connection = connection
        self._folder = folder
        self._numbers = array("I")
        """The row of each memory."""

    def append(self, memory: Memory) -> None:
        """Add the stream's next memory, which must be committed already."""
        with reading(self._folder):
            (number,) = self._connection.execute(_NUMBER, (memory.id,)).fetchone()
        self._numbers.append(number)

    def read(self, places: Sequence[int]) -> list[Memory]:
        """Return the memories at these positions in the stream, as they were made.

        Raises SmolvilleError when they cannot be read.
        """
        with reading(self._folder):
            return [self._read(self._numbers[place]) for place in places]

    def _read(self, number: int) -> Memory:
        """Return the memory in a row; memories with equal names and words share these strings."""
        found = MEMORIES.row(self._connection.execute(_ROW, (number,)).fetchone())
        return replace(
            found,
            agent=intern(found.agent),
            subject=intern(found.subject),
            predicate=intern(found.predicate),
            keywords=tuple(map(intern, found.keywords)),
        )


class History(AbstractContextManager["History"]):
    """The owner's connection to a run's history, which is also the journal of its calls."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self.name = folder.name
        self._connection = open_writer(folder.history_path, self.name)
        self._packer = Packer(self._connection)
        self._unpacker = Unpacker(self._connection)
        self._writer = BatchWriter(self._connection, self._packer)
        with reading(self._folder):
            self._watermark = watermark_of(self._connection)

    @property
    def watermark(self) -> int | None:
        """The tick up to which every agent's history is complete; None before any commit."""
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
        with reading(self._folder):
            call = find_call(self._connection, self._unpacker, key)
        return call if call is not None and call.messages_hash == messages_hash else None

    def calls_of(self, owner: str, tick: int) -> list[Call]:
        """Return the calls of a thought or talk that are stored already."""
        with reading(self._folder):
            return calls_of(self._connection, self._unpacker, owner, tick)

    def state_of(self, agents: Sequence[str]) -> dict[str, AgentState]:
        """Return the last recorded state of each of these agents, by name."""
        with reading(self._folder):
            done = done_ticks(self._connection)
            return {
                agent: AgentState(
                    body=body_at(self._connection, agent),
                    mind=mind_at(self._connection, self._unpacker, agent),
                    done=done.get(agent),
                )
                for agent in agents
            }

    def object_states(self) -> dict[str, ObjectState]:
        """Return the last state of every object that ever changed, by address."""
        with reading(self._folder):
            return objects_at(self._connection)

    def happenings(self) -> list[Happening]:
        """Return all happenings caused by entities other than people, in order."""
        with reading(self._folder):
            return happenings_between(self._connection)

    def memories(self, agent: str) -> list[Memory]:
        """Return an agent's memories with every change applied, oldest first."""
        with reading(self._folder):
            return memories_at(self._connection, agent)

    def memories_of_all(self) -> list[Memory]:
        """Return everybody's memories with every change applied, in the order of their commits."""
        with reading(self._folder):
            return memories_of_all(self._connection)

    def memory_source(self) -> HistorySource:
        """Return the source from which a stream reads the texts of its memories."""
        return HistorySource(self._connection, self._folder)

    def interventions(self, after: int = -1) -> list[Intervention]:
        """Return the recorded interventions that take effect after tick `after`."""
        with reading(self._folder):
            return interventions_after(self._connection, after)

    def intervention_ids(self) -> frozenset[str]:
        """Return the ids of all recorded interventions."""
        with reading(self._folder):
            rows = self._connection.execute("SELECT id FROM interventions").fetchall()
        return frozenset(row[0] for row in rows)

    def record(self, *made: Intervention) -> None:
        """Record all interventions in one transaction, before their tick is simulated."""
        with self._transaction():
            for each in made:
                record_intervention(self._connection, each)

    def intervention(self, wish_id: str) -> str | None:
        """Return the text of the recorded intervention with this id, else None."""
        query = "SELECT text FROM interventions WHERE id = ?"
        with reading(self._folder):
            row = self._connection.execute(query, (wish_id,)).fetchone()
        return None if row is None else str(row[0])

    def visitors(self) -> dict[str, str]:
        """Return the latest recorded body (JSON) of every visitor and of everybody who called."""
        with reading(self._folder):
            names = [name for name, *_ in comings(self._connection)]
            bodies = {name: body_at(self._connection, name) for name in names}
        return {name: body for name, body in bodies.items() if body is not None}

    def set_goal(self, at: int, tick: int) -> None:
        """Record that the run was asked, after `tick`, to go on until town second `at`."""
        with self._transaction():
            self._connection.execute("INSERT INTO goals (at, tick) VALUES (?, ?)", (at, tick))

    def goal(self) -> RunGoal | None:
        """Return the goal that was last set for the run, else None."""
        with reading(self._folder):
            return latest_goal(self._connection)

    def keep_templates(self, templates: Mapping[str, Template]) -> None:
        """Store templates by name and version; templates already stored stay unchanged."""
        with self._transaction():
            keep_templates(self._connection, templates)

    def edit_templates(self, made: Intervention, *templates: Mapping[str, Template]) -> None:
        """Record an intervention that changes templates, together with the new templates."""
        with self._transaction():
            for each in templates:
                keep_templates(self._connection, each)
            record_intervention(self._connection, made)

    def templates_from(self, spec: RunSpec) -> list[tuple[int, Texts]]:
        """Return the run's template sets by file name, each with the tick when its use began."""
        with reading(self._folder):
            return sets_of(self._connection, spec)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.close()
        blame_damage(self._folder, error)

    def close(self) -> None:
        """Close the connection; SQLite merges the write-ahead log into the file."""
        self._connection.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Carry out the block in one transaction: completely or not at all."""
        try:
            with explain_storage_errors(self.name):
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                self._connection.execute("COMMIT")
        except sqlite3.IntegrityError as error:
            self._undo()
            raise InternalError(f"a row of run {self.name!r} was written twice: {error}") from error
        except BaseException:
            self._undo()
            raise

    def _undo(self) -> None:
        self._packer.forget()
        self._writer.forget()
        roll_back(self._connection)
