"""Read a run's history, during the run or later: for timeline, viewer, summary and exports.

Ticks given as `since` and `until` are both included. Everything read inside `snapshot` belongs to
one state of the history, however much the owner commits meanwhile.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager

from smolville.agents.action import Talk
from smolville.agents.memory import BY_RULE, Change, Memory
from smolville.agents.routines import Reuse
from smolville.agents.times import Clock
from smolville.graphs.loop.ledger import StepRecord
from smolville.history import moments
from smolville.history.calls import Unpacker
from smolville.history.counts import (
    CountGroup,
    Counts,
    counts_by_agent_and_step,
    counts_of,
    faults_of,
)
from smolville.history.folder import RunFolder
from smolville.history.inspection import blame_damage
from smolville.history.later_tables import reuses_until
from smolville.history.memory_rows import FOREVER, changes_of, memories_at
from smolville.history.moments import Visit, template_files, texts_at, visits_until
from smolville.history.records import (
    Deed,
    Intervention,
    MindRow,
    Move,
    ObjectState,
    ThoughtRow,
    Tile,
)
from smolville.history.schema import open_reader
from smolville.history.spec import RunSpec
from smolville.history.tables import DEEDS, OBJECTS
from smolville.history.thoughts import (
    RecordedTalk,
    StepUse,
    StepView,
    Thought,
    UseKey,
    memory_texts,
    step_names,
    step_rows,
    step_view,
    talk_view,
    talks_between,
    thought_at,
    thought_rows,
    use_keys,
    uses_of,
)
from smolville.history.trouble import explain_storage_errors
from smolville.prompts.folder import Texts


class RunReader(AbstractContextManager["RunReader"]):
    """A read-only connection to a run's history."""

    def __init__(self, folder: RunFolder, *, damaged: bool = False) -> None:
        self.folder = folder
        self.spec: RunSpec = folder.spec
        self._connection = open_reader(folder.history_path, folder.name, damaged=damaged)
        self._unpacker = Unpacker(self._connection)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.close()
        blame_damage(self.folder, error)
        if isinstance(error, sqlite3.DatabaseError):
            with explain_storage_errors(self.spec.name):
                raise error

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    @property
    def connection(self) -> sqlite3.Connection:
        """The read-only connection, for code that reads whole tables (`history.digest`)."""
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

    def version(self) -> int:
        """Return a number that changes whenever another connection has committed."""
        with self.snapshot():
            return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

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

    def visits(self, until: int = FOREVER) -> list[Visit]:
        """Return who came or called from outside up to a tick, earliest first."""
        with self.snapshot():
            return visits_until(self._connection, until)

    def deeds(self, agent: str | None = None, since: int = 0, until: int = FOREVER) -> list[Deed]:
        """Return the deeds of an agent (None: of everybody): intents and their outcomes."""
        whose, given = ("", ()) if agent is None else (" AND agent = ?", (agent,))
        query = f"{DEEDS.select} WHERE tick BETWEEN ? AND ?{whose} ORDER BY tick, agent, rowid"
        with self.snapshot():
            rows = self._connection.execute(query, (since, until, *given))
            return [DEEDS.row(cells) for cells in rows]

    def reuses(self, since: int = 0, until: int = FOREVER) -> list[Reuse]:
        """Return the reuses of routines from tick `since` to tick `until`, in order."""
        with self.snapshot():
            return reuses_until(self._connection, since, until)

    def nowhere(self, until: int = FOREVER) -> int:
        """Return the number of accepted deeds for which the model found no suitable place."""
        query = "SELECT COUNT(*) FROM deeds WHERE nowhere AND outcome = 'accepted' AND tick <= ?"
        with self.snapshot():
            return int(self._connection.execute(query, (until,)).fetchone()[0])

    def whispers_by_rule(self, until: int = FOREVER) -> int:
        """Return how many whispers became thoughts by rule, without a call."""
        query = "SELECT COUNT(*) FROM memories WHERE id LIKE ? AND tick <= ?"
        with self.snapshot():
            return int(self._connection.execute(query, (f"%/{BY_RULE}/%", until)).fetchone()[0])

    def doing(self, agent: str, until: int = FOREVER) -> Deed | None:
        """Return what an agent was doing at the end of tick `until`: its last accepted action."""
        query = (
            f"{DEEDS.select} WHERE agent = ? AND tick <= ? AND outcome = 'accepted' "
            "ORDER BY tick DESC, rowid DESC LIMIT 1"
        )
        with self.snapshot():
            cells = self._connection.execute(query, (agent, until)).fetchone()
        return None if cells is None else DEEDS.row(cells)

    def moves(self, agent: str | None = None, since: int = 0, until: int = FOREVER) -> list[Move]:
        """Return the walks under way from tick `since` to `until`; `agent` None means everybody."""
        with self.snapshot():
            return moments.moves_between(self._connection, agent, since, until)

    def positions(self, tick: int) -> dict[str, Tile]:
        """Return the tile of each agent who ever moved, at the start of `tick`."""
        with self.snapshot():
            found = {
                agent: moments.last_move(self._connection, agent, tick)
                for agent in (*self.agents(), *self._in_town(tick))
            }
        clock = Clock(self.spec.tick_seconds)
        return {agent: moments.tile_at(move, tick, clock) for agent, move in found.items() if move}

    def _in_town(self, tick: int) -> tuple[str, ...]:
        """Return the visitors who are in town, not on the telephone, at the start of a tick."""
        here = (each for each in self.visits(tick) if each.came <= tick and not each.by_telephone)
        return tuple(each.name for each in here if each.left is None or tick < each.left)

    def object_states(self, until: int = FOREVER) -> dict[str, ObjectState]:
        """Return the state of every object that had ever changed, at the end of `until`."""
        with self.snapshot():
            return moments.objects_at(self._connection, until)

    def object_changes(self, since: int = 0, until: int = FOREVER) -> list[ObjectState]:
        """Return the changes of objects in order."""
        query = f"{OBJECTS.select} WHERE tick BETWEEN ? AND ? ORDER BY tick, address, rowid"
        with self.snapshot():
            rows = self._connection.execute(query, (since, until))
            return [OBJECTS.row(cells) for cells in rows]

    def talks(self, agent: str | None = None, since: int = 0, until: int = FOREVER) -> list[Talk]:
        """Return the talks (of an agent) that began from `since` to `until`, with their lines."""
        with self.snapshot():
            return talks_between(self._connection, agent, since, until)

    def talk(self, talk: str) -> RecordedTalk | None:
        """Return a talk with its steps and calls, else None."""
        with self.snapshot():
            return talk_view(self._connection, self._unpacker, talk)

    def thoughts(
        self, agent: str | None = None, since: int = 0, until: int = FOREVER
    ) -> list[ThoughtRow]:
        """Return the thoughts (of an agent), without their steps."""
        with self.snapshot():
            return thought_rows(self._connection, agent, since, until)

    def thought(self, agent: str, tick: int) -> Thought | None:
        """Return a thought with its steps and calls, else None."""
        with self.snapshot():
            return thought_at(self._connection, self._unpacker, agent, tick)

    def steps(
        self, agent: str | None = None, since: int = 0, until: int = FOREVER
    ) -> list[StepRecord]:
        """Return how steps (of an agent) ended, without their calls."""
        with self.snapshot():
            return step_rows(self._connection, agent, since, until)

    def step(self, key: UseKey) -> StepView | None:
        """Return one use of a step with its calls, else None."""
        with self.snapshot():
            return step_view(self._connection, self._unpacker, key)

    def step_names(self) -> tuple[str, ...]:
        """Return the names of the steps that were ever used."""
        with self.snapshot():
            return step_names(self._connection)

    def use_keys(self, until: int = FOREVER) -> list[UseKey]:
        """Return the keys of all uses of steps, oldest first."""
        with self.snapshot():
            return use_keys(self._connection, until)

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
        """Return the last `limit` matching uses of steps, without their calls, oldest first."""
        with self.snapshot():
            return uses_of(
                self._connection,
                step=step,
                agent=agent,
                outcome=outcome,
                odd=odd,
                until=until,
                limit=limit,
            )

    def memory_texts(self, ids: Iterable[str]) -> dict[str, str]:
        """Return the texts of memories by their ids; unknown ids are left out."""
        with self.snapshot():
            return memory_texts(self._connection, ids)

    def memories(self, agent: str, until: int = FOREVER) -> list[Memory]:
        """Return an agent's memories as they were at the end of `until`, oldest first."""
        with self.snapshot():
            return memories_at(self._connection, agent, until)

    def changes(self, agent: str, until: int = FOREVER) -> list[Change]:
        """Return the changes to an agent's memories in order."""
        with self.snapshot():
            return changes_of(self._connection, agent, until)

    def mind(self, agent: str, until: int = FOREVER) -> MindRow | None:
        """Return an agent's last checkpoint as of `until`; `graphs.checkpoints` reads its blob."""
        with self.snapshot():
            return moments.mind_at(self._connection, self._unpacker, agent, until)

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
        with self.snapshot():
            return template_files(self._connection, name, version)

    def templates_at(self, tick: int) -> Texts:
        """Return all templates in force at a tick, by file name."""
        with self.snapshot():
            return texts_at(self._connection, self.spec, tick)

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
