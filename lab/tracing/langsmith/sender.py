"""Sends traces behind a run's back, and what a history holds; the end is bounded.

The queue holds keys, never trees: those are built from the history when their turn comes. What does
not arrive is tried again, less and less often; when the queue is full what comes next is not sent.
The run never waits for any of it.
"""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, Queue

from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception,
    sleep_using_event,
    wait_exponential,
)

from agents.errors import SmolvilleError
from lab.tracing.langsmith.choosing import Choice, Mode, Wanted
from lab.tracing.langsmith.line import Line, NotSent
from lab.tracing.langsmith.target import Target
from world.records import Batch
from world.runs.folder import RunFolder
from world.runs.memory_rows import FOREVER
from world.runs.reader import RunReader
from world.watch import Watch

LOG = logging.getLogger("smolville")

MOST = 20_000
"""Traces that wait; a day of 25 agents has 3,000."""
BATCH = 50
"""Traces that are sent together."""
GATHER = 1.0
"""Seconds for which a batch that is not full waits for more."""
SHORTEST, LONGEST = 1.0, 60.0
"""Seconds of the first pause after trouble, and of the longest."""
PATIENCE = 5.0
"""Seconds that the end of a run waits for what is left."""


@dataclass(frozen=True, kw_only=True)
class Sent:
    """What became of the traces."""

    sent: int = 0
    missed: int = 0
    why: str = ""
    """Why some were not sent."""
    note: str = ""
    """What is to be known of those that were."""

    def told(self, project: str) -> str:
        """Return it as a sentence; nothing when there were none."""
        there = f"{self.sent:,} {'trace' if self.sent == 1 else 'traces'} sent to LangSmith"
        there += f", project {project}" + (f" ({self.note})" if self.note else "")
        if self.missed:
            return f"{there}; {self.missed:,} not sent: {self.why.rstrip('.')}."
        return f"{there}." if self.sent else ""


class Sender:
    """Takes keys of traces from the run's thread, and sends the traces from its own."""

    def __init__(self, folder: RunFolder, line: Line, most: int = MOST) -> None:
        self.ending = threading.Event()
        self._folder, self._line, self._most = folder, line, most
        self._waiting: Queue[Wanted | None] = Queue()
        self._taken = self._done = self._sent = 0
        self._why = ""
        self._is_over = self._is_last_try = False
        self._thread: threading.Thread | None = None

    def put(self, wanted: Wanted) -> None:
        """Take a trace in; returns at once."""
        self._taken += 1
        if self._is_over or self._waiting.qsize() >= self._most:
            self._why = self._why or "the queue was full"
            return
        self._waiting.put(wanted)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="smolville-traces", daemon=True)
            self._thread.start()

    def finish(self, patience: float | None = None) -> Sent:
        """Wait for what is left, PATIENCE unless told otherwise, and say what became of all."""
        patience = PATIENCE if patience is None else patience
        if self._thread is not None:
            # The last request ends before this thread stops waiting, so that it can tell why.
            self._line.ends = time.monotonic() + 0.9 * patience
            self.ending.set()
            self._waiting.put(None)
            self._thread.join(timeout=patience)
        missed = self._taken - self._done
        why = (self._why or "there was no time left") if missed else ""
        return Sent(sent=self._sent, missed=missed, why=why, note=self._line.note)

    def _work(self) -> None:
        """Send batches until the run has ended and nothing is left, or nothing more can be done."""
        retrying = Retrying(
            retry=retry_if_exception(lambda error: isinstance(error, NotSent)),
            wait=wait_exponential(multiplier=SHORTEST, max=LONGEST),
            stop=self._is_hopeless,
            sleep=sleep_using_event(self.ending),
            before=self._begin,
            before_sleep=self._failed,
            reraise=True,
        )
        try:
            with RunReader(self._folder) as reader:
                while batch := self._next():
                    found = [wanted.tree(reader) for wanted in batch]
                    trees = [tree for tree in found if tree is not None]
                    self._line.people = _people(reader)
                    retrying(self._line.send, trees)
                    self._done += len(batch)
                    self._sent += len(trees)
        except (NotSent, SmolvilleError) as error:
            self._why = str(error)
        finally:
            self._is_over = True
            self._line.close()

    def _next(self) -> list[Wanted]:
        """Return the traces to send next; nothing when the end has come."""
        batch: list[Wanted] = []
        while not batch:
            if self.ending.is_set() and self._waiting.empty():
                return []
            batch += filter(None, [self._waiting.get()])
        until = time.monotonic() + GATHER
        with suppress(Empty):
            while len(batch) < BATCH:
                left = 0.0 if self.ending.is_set() else max(0.0, until - time.monotonic())
                batch += filter(None, [self._waiting.get(timeout=left)])
        return batch

    def _begin(self, state: RetryCallState) -> None:
        """Note whether the end had come: a batch that failed before has its last try after it."""
        self._is_last_try = self.ending.is_set()

    def _failed(self, state: RetryCallState) -> None:
        """Note why a batch is tried again."""
        error = state.outcome and state.outcome.exception()
        LOG.info("LangSmith: traces not sent: %s", error)
        self._why = str(error)

    def _is_hopeless(self, state: RetryCallState) -> bool:
        """True when a batch is not to be tried again."""
        error = state.outcome and state.outcome.exception()
        return self._is_last_try or (isinstance(error, NotSent) and error.is_final)


class Traces(Watch):
    """Hands what was committed to a sender; costs the run no more than the choice."""

    def __init__(self, folder: RunFolder, target: Target, mode: Mode) -> None:
        self._seconds = folder.spec.tick_seconds
        self._choice = Choice(run=folder.spec.name, mode=mode, rate=target.rate)
        self._sender = Sender(folder, Line(target))

    def committed(self, batch: Batch) -> None:
        """Take in the thoughts and talks of a commit."""
        for wanted in self._choice.chosen(batch.thoughts, batch.talks, batch.steps):
            self._sender.put(wanted)

    def ticked(self, tick: int) -> None:
        """Take in the hours that are over."""
        for wanted in self._choice.over((tick + 1) * self._seconds):
            self._sender.put(wanted)

    def finish(self, patience: float | None = None) -> Sent:
        """Take in what is left, wait for it a little, and say what became of all."""
        for wanted in self._choice.over():
            self._sender.put(wanted)
        return self._sender.finish(patience)


def post_run(
    reader: RunReader, target: Target, mode: Mode = "thoughts", until: int = FOREVER
) -> Sent:
    """Post what a history holds up to a tick; what was posted before stays one.

    Stops at the first batch that does not arrive.
    """
    choice = Choice(run=reader.spec.name, mode=mode, rate=target.rate)
    with reader.snapshot():
        rows = (reader.thoughts(until=until), reader.talks(until=until), reader.steps(until=until))
    wanted = [*choice.chosen(*rows), *choice.over()]
    sent, line, why = 0, Line(target, _people(reader)), ""
    with quiet():
        try:
            for first in range(0, len(wanted), BATCH):
                found = [each.tree(reader) for each in wanted[first : first + BATCH]]
                trees = [tree for tree in found if tree is not None]
                line.send(trees)
                sent += len(trees)
        except NotSent as error:
            why = str(error)
        finally:
            line.close()
    return Sent(sent=sent, missed=len(wanted) - sent if why else 0, why=why, note=line.note)


def _people(reader: RunReader) -> tuple[str, ...]:
    """Return the names of all in the town, whoever came from outside last."""
    return tuple(dict.fromkeys((*reader.agents(), *(visit.name for visit in reader.visits()))))


@contextmanager
def quiet() -> Iterator[None]:
    """Let the client's own words go into the program's log alone while the block runs.

    Only their first lines: beneath them the client tells of its key.
    """

    def aside(record: logging.LogRecord) -> None:
        LOG.info("%s: %s", record.name, record.getMessage().partition("\n")[0])

    logger, handler = logging.getLogger("langsmith"), logging.Handler()
    handler.emit = aside  # type: ignore[method-assign]
    before, logger.propagate = logger.propagate, False
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.propagate = before
