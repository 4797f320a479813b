"""One life of a town for the kill test: commands that are each repeated until they succeed.

A town runs for a morning, gets requests from its operator, is called by somebody from outside, and
is forked. The fork's memories are re-embedded, and the fork continues.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from benchmarks.kill_points import FORK, REEMBED, REQUESTS, RUN, VISIT
from benchmarks.killed_process import (
    Ended,
    Kill,
    answer_in_fork,
    run_command,
)
from smolville.agents.errors import SmolvilleError
from smolville.agents.times import Clock, read_moment
from smolville.history.digest import digest_parts
from smolville.history.folder import RunFolder, list_runs
from smolville.history.history import History
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.history.memory_store import MemoryStore
from smolville.history.reader import RunReader
from smolville.models.embedding.embedder import open_embedder
from smolville.world.town.town import town_of
from smolville.world.visiting import wishes

NAME, FORKED, EMBEDDER = "amber", "birch", "words"
LINES = ("Good morning! May I ask you something?", "What is new in town?", "Thank you. Goodbye!")
CALLERS = ("Nils Berg", "Rosa Lind")
ON = "on"
"""The stage in which the fork continues."""
OF_A_START = ("start-drafted", "start-hidden", "start-named")
"""Points that are passed only while the run's folder is being made."""
UNTIL = {RUN: "1 09:00", REQUESTS: "1 10:00", VISIT: "1 11:30", ON: "1 13:00"}
"""Day and time at which a stage ends."""
STAGES = (RUN, REQUESTS, VISIT, FORK, REEMBED, ON)
"""All stages in order; each continues from what the previous ones left."""


@dataclass(frozen=True, kw_only=True)
class Life:
    """The options that distinguish one life from another."""

    cast: int
    seed: int
    schedule: str

    def words(self) -> list[str]:
        """Return the command-line options of the life's run."""
        options = {"cast": self.cast, "seed": self.seed, "schedule": self.schedule}
        return [word for name, value in options.items() for word in (f"--{name}", str(value))]


@dataclass
class Lived:
    """The result of a life."""

    digests: dict[str, str] = field(default_factory=dict)
    """Digest of every table of each run, and of its memories with their vectors in Chroma."""
    passes: dict[str, dict[str, int]] = field(default_factory=dict)
    """How often the process of each stage passed each point."""
    seconds: dict[str, float] = field(default_factory=dict)
    """How long the last process of each stage took."""
    hits: list[Kill] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """What a killed process should not have printed, or left behind."""


class LifeRunner:
    """Executes one life in a folder of runs, with processes killed as planned."""

    def __init__(
        self,
        runs: Path,
        life: Life,
        kills: dict[str, list[Kill]] | None = None,
        *,
        stages: Sequence[str] = STAGES,
        sabotage: str | None = None,
    ) -> None:
        self._runs = runs
        self._life = life
        self._kills = kills or {}
        self._stages = stages
        self._sabotage = sabotage
        self._paid: list[str] = []
        self.lived = Lived()

    def live(self) -> Lived:
        """Execute the life; a stage that cannot be completed is a fault, and ends it."""
        self._runs.mkdir(parents=True)
        try:
            for stage in self._stages:
                self._before(stage)
                if not self._pass(stage):
                    return self.lived
            for name in list_runs(self._runs):
                self._sum_up(RunFolder.open(self._runs, name))
        except (SmolvilleError, TimeoutError) as error:
            self.lived.faults.append(f"{type(error).__name__}: {error}")
        return self.lived

    def _sum_up(self, folder: RunFolder) -> None:
        """Store the digests of a completed run."""
        with RunReader(folder) as reader:
            parts = digest_parts(reader)
        parts["Chroma"] = answer_in_fork(lambda: memories_of(folder))
        self.lived.digests |= {f"{part} of {folder.name}": value for part, value in parts.items()}

    def _before(self, stage: str) -> None:
        """Leave an operator's requests in the inbox, while no process runs the town."""
        if stage not in (REQUESTS, VISIT):
            return
        folder = RunFolder.open(self._runs, NAME)
        one, other = folder.spec.cast[:2]
        town = town_of(folder)
        if stage == REQUESTS:
            found = [
                wishes.announcement("The library opens at noon today."),
                OperatorRequest(kind="whisper", target=one, text="Water the plants today."),
            ]
        else:
            people = zip(CALLERS, (one, other), strict=True)
            found = [wishes.call(who, "from the bank", agent, town=town) for who, agent in people]
        with Inbox(folder) as inbox:
            for wish in found:
                inbox.put(wish)

    def _pass(self, stage: str) -> bool:
        """Repeat a stage's command until it has succeeded; return False if it cannot continue."""
        for kill in [*self._kills.get(stage, ()), None]:
            if kill is not None and kill.where in OF_A_START and NAME in list_runs(self._runs):
                continue
            words = self._command(stage)
            if words is None:
                return True
            log = self._runs.parent / f"{self._runs.name}.log"
            ended = run_command(
                words,
                log,
                kill=kill,
                sabotage=self._sabotage,
                meanwhile=self._answer if stage == VISIT else lambda: None,
            )
            self._note(stage, kill, ended)
            if ended.code == 0:
                self.lived.passes[stage] = ended.passes
                self.lived.seconds[stage] = ended.seconds
                return True
            if not ended.is_hit:
                self._blame(stage, kill, f"ended with {ended.code}", ended)
            if self.lived.faults:
                return False
        return True

    def _command(self, stage: str) -> list[str] | None:
        """Return the next command of an operator in this stage; None if nothing is left to do."""
        runs = ["--runs", str(self._runs)]
        shown = list_runs(self._runs)
        if stage == FORK:
            return None if FORKED in shown else [*runs, "fork", NAME, FORKED]
        if stage == REEMBED:
            spec = RunFolder.open(self._runs, FORKED).spec
            is_done = spec.models.embedder == EMBEDDER
            return None if is_done else [*runs, "reembed", FORKED, "--embedder", EMBEDDER]
        name = FORKED if stage == ON else NAME
        if name in shown and self._has_reached(name, UNTIL[stage]):
            return None
        begun = ["--resume"] if name in shown else ["--model", "standin", *self._life.words()]
        return [*runs, "run", name, *begun, "--until", UNTIL[stage], "--headless", "--quiet"]

    def _has_reached(self, name: str, until: str) -> bool:
        """Return whether a run was killed at its very end, with nothing left to do."""
        folder = RunFolder.open(self._runs, name)
        with RunReader(folder) as reader:
            done = reader.watermark()
        goal = Clock(folder.spec.tick_seconds).tick_at(read_moment(until))
        return done is not None and done + 1 >= goal

    def _note(self, stage: str, kill: Kill | None, ended: Ended) -> None:
        """Check how a killed process ended, and what it left behind."""
        if kill is None or not ended.is_hit:
            return
        self.lived.hits.append(kill)
        if ended.code not in kill.right_codes():
            self._blame(stage, kill, f"ended with {ended.code}", ended)
        if "Traceback" in ended.said:
            self._blame(stage, kill, "printed a traceback", ended)
        if NAME not in list_runs(self._runs):
            return
        try:
            with RunReader(RunFolder.open(self._runs, NAME)) as reader:
                faults, paid = reader.faults(), hashes_of(reader)
        except SmolvilleError as error:
            faults, paid = [f"left what cannot be read: {error}"], []
        for fault in faults:
            self._blame(stage, kill, fault, ended)
        if paid[: len(self._paid)] != self._paid:
            self._blame(stage, kill, "replies that were kept are no longer there", ended)
        self._paid = paid

    def _blame(self, stage: str, kill: Kill | None, what: str, ended: Ended) -> None:
        where = f"{kill.where} {kill.count}, {kill.signal.name}" if kill else "undisturbed"
        last = ended.said.strip().splitlines()[-1:] or ["nothing"]
        self.lived.faults.append(f"{self._life}, {stage}, {where}: {what}; it said: {last[0]}")

    def _answer(self) -> None:
        """Send a visitor's next line if a talk waits for one."""
        with Inbox(RunFolder.open(self._runs, NAME)) as inbox:
            for turn in inbox.turns():
                said = min(turn.n // 2, len(LINES) - 1)
                inbox.say(turn.talk, turn.n, LINES[said], ends=said == len(LINES) - 1)


def hashes_of(reader: RunReader) -> list[str]:
    """Return a hash of every stored reply, in the order in which they were stored."""
    rows = reader.connection.execute("SELECT rowid, * FROM calls ORDER BY rowid")
    return [blake2b(repr(row).encode(), digest_size=8).hexdigest() for row in rows]


def memories_of(folder: RunFolder) -> str:
    """Return a hash of Chroma's content: every memory in its current state, with its vector.

    Memories are taken in the order of their ids, because the order of commits depends on the
    schedule.
    """
    embedder = open_embedder(folder.spec.models.embedder)
    with folder.lock(), History(folder) as history:
        store = MemoryStore(folder, embedder.name, embedder.dimension)
        notes = store.reconcile(history.memories_of_all(), embedder.embed)
        stored = store.load()
        store.close()
    state = blake2b(digest_size=16)
    held = sorted(zip(stored.memories, stored.vectors, strict=True), key=lambda each: each[0].id)
    for memory, vector in held:
        state.update(repr((memory, vector.tolist())).encode())
    return "; ".join([*notes, state.hexdigest()])
