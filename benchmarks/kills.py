"""Kills runs at critical points, lets them continue, and compares them with undisturbed runs.

    python -m benchmarks.kills [--kills N] [--points A,B] [--casts 3,5] [--seed N]
        [--sabotage rename|journal|recovery]

A life is a morning of a town, requests from its operator, calls from outside, a fork, and its
memories embedded anew. It is lived twice: undisturbed, and killed about fifteen times. The process
kills itself when it reaches a named point of Smolville's own code, or at a random moment: by
SIGKILL, SIGTERM or SIGINT. Then the same command is run again, until it succeeds. In the end every
table of both runs, and every memory with its vector, must be the same as in the undisturbed life. A
process that was asked to end must say so without a traceback, and a reply that was stored must
still be there. `--sabotage` removes one of the things that make this work; the test must then fail.
"""

import argparse
import os
import random
import signal
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from hashlib import blake2b
from importlib import import_module
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import smolville.history.cut as history_cut
import smolville.history.drafting as history_drafting
import smolville.history.history as history_history
import smolville.history.inbox as history_inbox
import smolville.history.memory_store as history_memory_store
import smolville.world.cluster_runner as world_cluster_runner
import smolville.world.engine as world_engine
import smolville.world.inbox_reader as world_inbox_reader
import smolville.world.reembedding as world_reembedding
import smolville.world.run_request as world_run_request
from benchmarks.table import machine, print_figures, print_table
from smolville.agents.errors import InternalError, SmolvilleError
from smolville.agents.times import Clock, read_moment
from smolville.cli.main import main as smolville
from smolville.history.digest import digest_parts
from smolville.history.folder import RunFolder, list_runs
from smolville.history.history import BatchWriter, History
from smolville.history.inbox import Inbox, OperatorRequest
from smolville.history.memory_store import MemoryStore
from smolville.history.reader import RunReader
from smolville.history.records import CommitBatch
from smolville.history.spec import SPEC_FILE, RunSpec
from smolville.models.embedding.embedder import open_embedder
from smolville.world import wishes
from smolville.world.town.town import town_of

SCHEDULES = ("free", "lockstep", "serial")
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
"""The signals that are sent; half of them are SIGKILL, to which a process cannot react."""
INTERRUPTED, HANGING = 130, 300.0
"""The exit code of a command that was asked to end; seconds after which a process hangs."""
LOADED = ("chromadb.api.rust", "smolville.cli.run.execute", "smolville.cli.run.prepare")
"""Modules that the commands need, imported once for all processes; none of them opens Chroma."""
NAME, FORKED, EMBEDDER = "amber", "birch", "words"
LINES = ("Good morning! May I ask you something?", "What is new in town?", "Thank you. Goodbye!")


class When(Enum):
    """The position of a point relative to the function that it belongs to."""

    BEFORE = "before"
    AFTER = "after"
    WITHIN = "within"
    """Part of the function has been done, and part has not."""


@dataclass(frozen=True)
class KillPoint:
    """A point, and what has just happened there."""

    what: str
    owner: Any
    """Module or class that has the function."""
    function: str
    when: When
    stage: str
    """The stage of a life in which the point is reached."""


RUN, REQUESTS, VISIT, FORK, REEMBED = "run", "requests", "visit", "fork", "reembed"
_B, _A, _W = When.BEFORE, When.AFTER, When.WITHIN
_DRAFTING, _HISTORY = history_drafting, history_history.History
_STORE, _INBOX = history_memory_store.MemoryStore, history_inbox.Inbox
_INTAKE = world_inbox_reader.InboxReader

POINTS: dict[str, KillPoint] = {
    "start-drafted": KillPoint("run.json is written", world_run_request, "History", _B, RUN),
    "start-hidden": KillPoint("complete, and hidden", _DRAFTING, "_replace", _B, RUN),
    "start-named": KillPoint("the folder has its name", _DRAFTING, "_replace", _A, RUN),
    "start-opened": KillPoint("opened, nothing lived", world_engine.Engine, "run", _B, RUN),
    "commit-before": KillPoint("lived, not written", _HISTORY, "commit", _B, RUN),
    "commit-within": KillPoint("half of the rows written", BatchWriter, "write", _W, RUN),
    "commit-after": KillPoint("written, not followed", _HISTORY, "commit", _A, RUN),
    "chroma-before": KillPoint("memories only in the history", _STORE, "_write", _B, RUN),
    "chroma-within": KillPoint("Chroma is writing", _STORE, "_write", _W, RUN),
    "chroma-after": KillPoint("Chroma has written", _STORE, "_write", _A, RUN),
    "mind-written": KillPoint("a mind is written", world_cluster_runner, "write_mind", _A, RUN),
    "journal-before": KillPoint("a reply is not kept yet", _HISTORY, "store", _B, RUN),
    "journal-within": KillPoint("its row is written", history_history, "keep_call", _A, RUN),
    "journal-after": KillPoint("a reply is kept", _HISTORY, "store", _A, RUN),
    "inbox-taken": KillPoint("carried out, not written", _INTAKE, "_deliver", _A, REQUESTS),
    "inbox-recorded": KillPoint("one is recorded, not settled", _HISTORY, "record", _A, REQUESTS),
    "inbox-settled": KillPoint("one is settled", _INBOX, "settle", _A, REQUESTS),
    "turn-asked": KillPoint("a visitor's line is asked for", _INBOX, "ask_turn", _A, VISIT),
    "turn-recorded": KillPoint("the line is recorded", _HISTORY, "record", _A, VISIT),
    "turn-closed": KillPoint("the turn is over", _INBOX, "close_turn", _A, VISIT),
    "fork-copied": KillPoint("the history is copied", history_cut, "_copy_memories", _B, FORK),
    "fork-memories": KillPoint("the memories are copied", history_cut, "_copy_memories", _A, FORK),
    "fork-hidden": KillPoint("complete, and hidden", _DRAFTING, "_replace", _B, FORK),
    "fork-named": KillPoint("the fork has its name", _DRAFTING, "_replace", _A, FORK),
    "reembed-all": KillPoint("all are new", world_reembedding, "name_embedder", _B, REEMBED),
    "reembed-unnamed": KillPoint("run.json is about to change", Path, "replace", _B, REEMBED),
    "reembed-named": KillPoint(
        "run.json is changed", world_reembedding, "sync_folder", _B, REEMBED
    ),
    "reembed-recorded": KillPoint("old vectors are there", _STORE, "reconcile", _B, REEMBED),
    "reembed-some": KillPoint("some vectors are new", _STORE, "_write", _A, REEMBED),
}

RANDOM = "random"
"""A moment that is no point: any time after the process has begun to live."""
ON = "on"
"""The stage in which the fork continues."""
STAGES = (RUN, REQUESTS, VISIT, FORK, REEMBED, ON)
UNTIL = {RUN: "1 09:00", REQUESTS: "1 10:00", VISIT: "1 11:30", ON: "1 13:00"}
"""Day and time at which a stage ends."""
PER_STAGE = {RUN: 6, REQUESTS: 2, VISIT: 2, FORK: 2, REEMBED: 2}
"""Maximum number of kills at named points in each stage of a life."""
OF_A_START = ("start-drafted", "start-hidden", "start-named")
"""Points that are passed only while the run's folder is being made."""
OFTEN = ("commit", "journal", "chroma")
"""The beginnings of the names of points that a morning passes many times."""


def watch_point(point: KillPoint, reached: Callable[[], None]) -> None:
    """From now on, call `reached` whenever this process is at a point.

    Chroma writes outside of Python, so for its writes `reached` is called when a write begins.
    """
    real = getattr(point.owner, point.function)

    def watched(*given: Any, **named: Any) -> Any:
        if point.when is not When.AFTER:
            reached()
        done = real(*given, **named)
        if point.when is When.AFTER:
            reached()
        return done

    def written(self: BatchWriter, batch: CommitBatch, watermark: int) -> None:
        rows = 2 + (len(batch.bodies) + len(batch.thoughts) + len(batch.steps)) // 2

        def count(_: str) -> None:
            nonlocal rows
            rows -= 1
            if rows == 0:
                reached()

        self._connection.set_trace_callback(count)
        real(self, batch, watermark)
        self._connection.set_trace_callback(None)

    setattr(point.owner, point.function, written if point.owner is BatchWriter else watched)


def write_memories_often() -> None:
    """Make memories be written to Chroma in batches of 20.

    With batches of 500, a short day would have only one write.
    """
    history_memory_store.BATCH = 20


@dataclass(frozen=True, kw_only=True)
class Kill:
    """A plan to end a process: at a point, the count-th time, or after some seconds."""

    where: str
    signal: signal.Signals
    count: int = 1
    after: float = 0.0

    @property
    def right_codes(self) -> set[int]:
        """The exit codes with which a killed process may end."""
        return {-self.signal} if self.signal == signal.SIGKILL else {INTERRUPTED, -self.signal}

    def lie_in_wait(self, struck: Path) -> None:
        """Make this process kill itself as planned; it leaves the file `struck` when it does."""

        def strike() -> None:
            struck.touch()
            os.kill(os.getpid(), self.signal)

        if self.where == RANDOM:
            timer = threading.Timer(self.after, strike)
            timer.daemon = True
            timer.start()
            return
        left, is_outside = self.count, self.where == "chroma-within"

        def reached() -> None:
            nonlocal left
            left -= 1
            if left == 0 and is_outside:
                # Chroma writes outside of Python: the signal comes while it does.
                threading.Timer(0.002, strike).start()
            elif left == 0:
                strike()

        watch_point(POINTS[self.where], reached)


class Ended(NamedTuple):
    """How a process ended: its exit code, whether it was hit before, and what it said."""

    code: int
    is_hit: bool
    said: str


def run_command(
    words: Sequence[str],
    log: Path,
    kill: Kill | None = None,
    sabotage: str | None = None,
    meanwhile: Callable[[], object] = lambda: None,
) -> Ended:
    """Run `smolville WORDS` in a fork of this process, which is killed as planned."""
    struck, began = log.with_suffix(".struck"), time.monotonic()
    struck.unlink(missing_ok=True)
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        _be_smolville(words, log, struck, kill, sabotage)
    while (ended := os.waitpid(process, os.WNOHANG)) == (0, 0):
        meanwhile()
        time.sleep(0.02)
        if time.monotonic() > began + HANGING:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            raise TimeoutError("a process did not end")
    code = os.waitstatus_to_exitcode(ended[1])
    said = log.read_text(encoding="utf-8", errors="replace")
    return Ended(code, struck.exists() and code != 0, said)


def _be_smolville(
    words: Sequence[str], log: Path, struck: Path, kill: Kill | None, sabotage: str | None
) -> None:
    code = 1
    try:
        with log.open("wb") as file, Path(os.devnull).open("rb") as nothing:
            os.dup2(nothing.fileno(), 0)
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        write_memories_often()
        if sabotage is not None:
            SABOTAGE[sabotage]()
        if kill is not None:
            kill.lie_in_wait(struck)
        sys.argv = ["smolville", *words]
        smolville()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except KeyboardInterrupt:
        # It came before the command had begun.
        code = INTERRUPTED
    finally:
        if sys.exc_info()[0] is not None:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def answer_in_fork(act: Callable[[], str], answer: Path) -> str:
    """Return the result of `act` in a fork of this process, so that this one never opens Chroma."""
    process = os.fork()
    if process == 0:
        code = 1
        try:
            answer.write_text(act(), encoding="utf-8")
            code = 0
        finally:
            os._exit(code)
    if os.waitpid(process, 0)[1]:
        raise InternalError(f"{answer.stem} cannot be read in a fork of this process")
    return answer.read_text("utf-8")


class Life(NamedTuple):
    """The options that distinguish one life from another."""

    cast: int
    seed: int
    schedule: str

    def words(self) -> list[str]:
        """Return the command-line options of the life's run."""
        return [
            word for name, value in self._asdict().items() for word in (f"--{name}", f"{value}")
        ]


@dataclass
class LifeRunner:
    """One life in a folder of runs, with processes killed as planned, and what came of it."""

    runs: Path
    life: Life
    kills: dict[str, list[Kill]] = field(default_factory=dict)
    sabotage: str | None = None
    digests: dict[str, str] = field(default_factory=dict)
    """Digest of every table of each run, and of its memories with their vectors in Chroma."""
    hits: list[Kill] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """What a killed process should not have printed, or left behind."""
    paid: list[str] = field(default_factory=list)
    """Hashes of the replies that are stored."""

    def live(self, stages: Sequence[str]) -> None:
        """Execute the life; a stage that cannot be completed is a fault, and ends it."""
        self.runs.mkdir(parents=True)
        try:
            for stage in stages:
                self._before(stage)
                if not self._pass(stage):
                    return
            for name in list_runs(self.runs):
                self._sum_up(RunFolder.open(self.runs, name))
        except (SmolvilleError, TimeoutError) as error:
            self.faults.append(f"{type(error).__name__}: {error}")

    def _sum_up(self, folder: RunFolder) -> None:
        with RunReader(folder) as reader:
            parts = digest_parts(reader)
        answer = self.runs.parent / f"{self.runs.name}-{folder.name}.txt"
        parts["Chroma"] = answer_in_fork(lambda: memories_of(folder), answer)
        self.digests |= {f"{part} of {folder.name}": value for part, value in parts.items()}

    def _before(self, stage: str) -> None:
        if stage not in (REQUESTS, VISIT):
            return
        folder = RunFolder.open(self.runs, NAME)
        one, other = folder.spec.cast[:2]
        town = town_of(folder)
        found = [
            wishes.announcement("The library opens at noon today."),
            OperatorRequest(kind="whisper", target=one, text="Water the plants today."),
        ]
        if stage == VISIT:
            people = zip(("Nils Berg", "Rosa Lind"), (one, other), strict=True)
            found = [wishes.call(who, "from the bank", agent, town=town) for who, agent in people]
        with Inbox(folder) as inbox:
            for wish in found:
                inbox.put(wish)

    def _pass(self, stage: str) -> bool:
        for kill in [*self.kills.get(stage, ()), None]:
            if kill and kill.where in OF_A_START and NAME in list_runs(self.runs):
                continue
            words = self._command(stage)
            if words is None:
                return True
            log = self.runs.parent / f"{self.runs.name}.log"
            meanwhile = self._answer if stage == VISIT else lambda: None
            ended = run_command(words, log, kill, self.sabotage, meanwhile)
            self._note(stage, kill, ended)
            if ended.code == 0:
                return True
            if not ended.is_hit:
                self._blame(stage, kill, f"ended with {ended.code}", ended)
            if self.faults:
                return False
        return True

    def _command(self, stage: str) -> list[str] | None:
        runs = ["--runs", str(self.runs)]
        shown = list_runs(self.runs)
        if stage == FORK:
            return None if FORKED in shown else [*runs, "fork", NAME, FORKED]
        if stage == REEMBED:
            spec = RunFolder.open(self.runs, FORKED).spec
            is_done = spec.models.embedder == EMBEDDER
            return None if is_done else [*runs, "reembed", FORKED, "--embedder", EMBEDDER]
        name = FORKED if stage == ON else NAME
        if name in shown and self._has_reached(name, UNTIL[stage]):
            return None
        begun = ["--resume"] if name in shown else ["--model", "standin", *self.life.words()]
        return [*runs, "run", name, *begun, "--until", UNTIL[stage], "--headless", "--quiet"]

    def _has_reached(self, name: str, until: str) -> bool:
        folder = RunFolder.open(self.runs, name)
        with RunReader(folder) as reader:
            done = reader.watermark() or 0
        return done + 1 >= Clock(folder.spec.tick_seconds).tick_at(read_moment(until))

    def _note(self, stage: str, kill: Kill | None, ended: Ended) -> None:
        if kill is not None and ended.is_hit:
            self.hits.append(kill)
            if ended.code not in kill.right_codes:
                self._blame(stage, kill, f"ended with {ended.code}", ended)
            if "Traceback" in ended.said:
                self._blame(stage, kill, "printed a traceback", ended)
        if NAME not in list_runs(self.runs):
            return
        paid: list[str] = []
        try:
            with RunReader(RunFolder.open(self.runs, NAME)) as reader:
                faults, paid = reader.faults(), hashes_of(reader)
        except SmolvilleError as error:
            faults = [f"left what cannot be read: {error}"]
        for fault in faults:
            self._blame(stage, kill, fault, ended)
        if paid[: len(self.paid)] != self.paid:
            self._blame(stage, kill, "replies that were kept are no longer there", ended)
        self.paid = paid

    def _blame(self, stage: str, kill: Kill | None, what: str, ended: Ended) -> None:
        where = f"{kill.where} {kill.count}, {kill.signal.name}" if kill else "undisturbed"
        last = ended.said.strip().splitlines()[-1:] or ["nothing"]
        self.faults.append(f"{self.life}, {stage}, {where}: {what}; it said: {last[0]}")

    def _answer(self) -> None:
        with Inbox(RunFolder.open(self.runs, NAME)) as inbox:
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
        memories = sorted(history.memories_of_all(), key=lambda each: each.id)
        notes = store.reconcile(memories, embedder.embed)
        vectors, count = store.load([each.id for each in memories]), store.count()
        store.close()
    state = blake2b(f"{count} records".encode(), digest_size=16)
    for memory, vector in zip(memories, vectors, strict=True):
        state.update(repr((memory, vector.tolist())).encode())
    return "; ".join([*notes, state.hexdigest()])


@contextmanager
def _in_place(runs_dir: Path, spec: RunSpec, *, overwrite: bool = False) -> Iterator[RunFolder]:
    folder = runs_dir / spec.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SPEC_FILE).write_text(spec.model_dump_json(), encoding="utf-8")
    yield RunFolder(folder, spec)


def _without_rename() -> None:
    world_run_request.draft_run = _in_place


def _without_journal() -> None:
    _HISTORY.find_stored = lambda *_: None  # type: ignore[method-assign]


def _without_recovery() -> None:
    _STORE.reconcile = lambda *_: []  # type: ignore[method-assign]


SABOTAGE: dict[str, Callable[[], None]] = {
    "rename": _without_rename,
    "journal": _without_journal,
    "recovery": _without_recovery,
}
"""What can be removed, by name.

`rename`: folders appear in one step. `journal`: replies are found again instead of being requested
twice. `recovery`: the vector store is brought to the last commit when a run is opened.
"""


def planned(turns: dict[str, list[str]], draw: random.Random) -> dict[str, list[Kill]]:
    """Return the kills of a life by stage; points take turns, in the order of `turns`."""
    kills: dict[str, list[Kill]] = {}
    for stage, waiting in turns.items():
        chosen = waiting[: PER_STAGE[stage]]
        turns[stage] = waiting[PER_STAGE[stage] :] + chosen
        kills[stage] = [
            Kill(
                where=name,
                signal=draw.choice(SIGNALS),
                count=draw.randint(1, 3) if name.startswith(OFTEN) else 1,
                after=draw.uniform(0.0, 2.0),
            )
            for name in sorted(chosen, key=[*POINTS, RANDOM].index)
        ]
    return kills


def main(words: Sequence[str] | None = None) -> int:
    """Run the kill test as requested, and print the results; return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--points", default="", help="comma-separated (default: all)")
    parser.add_argument("--casts", default="3,5")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sabotage", choices=[*SABOTAGE])
    asked = parser.parse_args(words)
    points = asked.points.split(",") if asked.points else [*POINTS, RANDOM]
    unknown = sorted({*points} - {*POINTS, RANDOM})
    if unknown:
        parser.error(f"there is no point {unknown[0]!r}; there are: {', '.join([*POINTS, RANDOM])}")
    turns: dict[str, list[str]] = {stage: [] for stage in PER_STAGE}
    for name in points:
        turns[POINTS[name].stage if name in POINTS else RUN].append(name)
    wanted = [at for at, stage in enumerate(STAGES) if turns.get(stage)]
    stages = STAGES if not asked.points else STAGES[: max(wanted) + 1]
    casts = [int(each) for each in asked.casts.split(",")]
    for module in LOADED:
        import_module(module)
    hits, faults, lives, same = Counter[str](), list[str](), 0, 0
    with TemporaryDirectory(prefix="smolville-kills-") as folder:
        for number in count():
            if hits.total() >= asked.kills or faults:
                break
            rest, schedule = divmod(number, len(SCHEDULES))
            more, cast = divmod(rest, len(casts))
            life = Life(cast=casts[cast], seed=asked.seed + more, schedule=SCHEDULES[schedule])
            place, draw = Path(folder) / str(number), random.Random(f"{asked.seed}/{number}")
            whole = LifeRunner(place / "undisturbed", life)
            whole.live(stages)
            killed = LifeRunner(place / "killed", life, planned(turns, draw), asked.sabotage)
            killed.live(stages)
            other = [part for part, found in killed.digests.items() if whole.digests[part] != found]
            faults += whole.faults + killed.faults
            faults += [f"{life}: differs in {', '.join(other)}"] * bool(other)
            hits.update(kill.where for kill in killed.hits)
            lives, same = lives + 1, same + (not other and not killed.faults)
            if not killed.hits:
                faults.append(f"{life}: no point was reached")
            print(f"{life}: killed {len(killed.hits)} times ({hits.total()} so far)", flush=True)
    rows = [(name, POINTS[name].what if name in POINTS else "", hits[name]) for name in points]
    print_table("Kills", ("point", "what has happened", "kills"), rows)
    print(f"\n{same} of {lives} lives are the same as undisturbed.")
    print("\n".join(f"  {fault}" for fault in faults))
    figures = {"kills": hits.total(), "lives": lives, "same": same, "faults": len(faults)}
    missed = [name for name in points if not hits[name]]
    print_figures(figures | {"never_hit": missed, "machine": machine()})
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
