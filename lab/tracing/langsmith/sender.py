"""Send traces in the background of a run, or post a stored history; shutdown time is limited.

The queue holds keys, never trees: a tree is built from the history when its turn comes. Failed
batches are retried with increasing pauses; when the queue is full, new traces are not sent. The run
itself never waits for traces.
"""

import logging
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Queue

from tenacity import Retrying, before_sleep_log, sleep_using_event, wait_exponential
from tenacity.retry import retry_if_exception

from smolville.agents.errors import SmolvilleError
from smolville.history.folder import RunFolder
from smolville.history.memory_rows import FOREVER
from smolville.history.observers import RunObserver
from smolville.history.reader import RunReader
from smolville.history.records import CommitBatch
from smolville.lab.tracing.langsmith.target import LangSmithTarget
from smolville.lab.tracing.langsmith.tree_sender import NotSent, TreeSender
from smolville.lab.tracing.listing import Key, Mode, TraceRow, TraceSelector, list_traces, listed_of
from smolville.lab.tracing.span import Span
from smolville.lab.tracing.tree import tree_of

LOG = logging.getLogger("smolville")

MOST = 20_000
"""Maximum number of queued traces; a day of 25 agents has 3,000."""
BATCH = 50
"""Maximum number of traces sent together."""
GATHER = 1.0
"""Seconds to wait for a batch to fill up."""
SHORTEST, LONGEST = 1.0, 60.0
"""The first and the longest pause between retries, in seconds."""
PATIENCE = 5.0
"""Seconds that the end of a run waits for the remaining traces."""


@dataclass(frozen=True, kw_only=True)
class UploadResult:
    """The number of traces sent and missed, with reasons."""

    sent: int = 0
    missed: int = 0
    why: str = ""
    """Why some traces were not sent."""
    note: str = ""
    """A remark about the traces that were sent."""

    def describe(self, project: str) -> str:
        """Return the result as a sentence; empty when there were no traces."""
        there = f"{self.sent:,} {'trace' if self.sent == 1 else 'traces'} sent to LangSmith"
        there += f", project {project}" + (f" ({self.note})" if self.note else "")
        if self.missed:
            return f"{there}; {self.missed:,} not sent: {self.why.rstrip('.')}."
        return f"{there}." if self.sent else ""


class TraceSender(RunObserver):
    """Selects traces from a run's commits, and sends them from a thread of its own.

    Only the selection takes time from the run itself.
    """

    def __init__(self, folder: RunFolder, line: TreeSender, mode: Mode, most: int = MOST) -> None:
        self.ending = threading.Event()
        self.is_over = False
        """True when nothing more will be sent."""
        self._folder, self._line, self._most = folder, line, most
        self._choice = TraceSelector(run=folder.spec.name, mode=mode, rate=line.target.rate)
        self._waiting: Queue[Key | None] = Queue()
        self.fault: Exception | None = None
        """An unexpected error that ended the sending."""
        self._is_last = False
        self._taken = self._done = self._sent = 0
        self._why = ""
        self._thread = threading.Thread(target=self._work, name="smolville-traces", daemon=True)

    def on_commit(self, batch: CommitBatch) -> None:
        """Queue the selected thoughts and talks of a commit."""
        seconds = self._folder.spec.tick_seconds
        self.take(listed_of(batch.thoughts, batch.talks, batch.steps, seconds))

    def on_tick(self, tick: int) -> None:
        """Queue the selected hours that are complete."""
        self._queue_keys(self._choice.finished_hours((tick + 1) * self._folder.spec.tick_seconds))

    def take(self, some: Iterable[TraceRow]) -> None:
        """Queue the selected thoughts and talks; return at once."""
        self._queue_keys(self._choice.select_traces(some))

    def finish(self, patience: float | None = None) -> UploadResult:
        """Wait up to `patience` seconds (default PATIENCE) for queued traces; return the result."""
        self._queue_keys(self._choice.finished_hours())
        patience = PATIENCE if patience is None else patience
        if self._thread.ident is not None:
            # The last request ends before this thread stops waiting, so that its result is known.
            self._line.ends = time.monotonic() + 0.9 * patience
            self.ending.set()
            self._waiting.put(None)
            self._thread.join(timeout=patience)
        missed = self._taken - self._done
        why = (self._why or "there was no time left") if missed else ""
        return UploadResult(sent=self._sent, missed=missed, why=why, note=self._line.note)

    def _queue_keys(self, keys: Iterable[Key]) -> None:
        """Put keys into the queue, unless it is full."""
        for each in keys:
            self._taken += 1
            if self.is_over or self._waiting.qsize() >= self._most:
                self._why = self._why or "the queue was full"
                continue
            self._waiting.put(each)
            if self._thread.ident is None:
                self._thread.start()

    def _work(self) -> None:
        """Send batches until the run has ended and the queue is empty, or sending is impossible."""
        retrying = Retrying(
            retry=retry_if_exception(lambda it: isinstance(it, NotSent) and not it.is_final),
            wait=wait_exponential(multiplier=SHORTEST, max=LONGEST),
            # A batch that fails while the run ends is tried once more.
            stop=lambda _: self._is_last,
            sleep=sleep_using_event(self.ending),
            before_sleep=before_sleep_log(LOG, logging.INFO),
            reraise=True,
        )
        try:
            with RunReader(self._folder) as reader:
                for batch in self._batches():
                    trees = [tree for key in batch if (tree := tree_of(reader, key))]
                    retrying(self._send, trees, _people(reader))
                    self._done += len(batch)
                    self._sent += len(trees)
        except (NotSent, SmolvilleError) as error:
            self._why = str(error)
        except Exception as error:
            LOG.exception("traces could not be built")
            self.fault = error
            self._why = f"a fault of this program, {type(error).__name__}: {error}"
        finally:
            self.is_over = True
            self._line.close()

    def _batches(self) -> Iterator[list[Key]]:
        """Yield batches of keys to send, until the end is signalled."""
        is_over = False
        while not is_over:
            batch = [self._waiting.get()]
            if self._waiting.qsize() < BATCH:
                self.ending.wait(GATHER)
            while batch[-1] is not None and len(batch) < BATCH and not self._waiting.empty():
                batch.append(self._waiting.get())
            is_over = batch[-1] is None
            if keys := [key for key in batch if key is not None]:
                yield keys

    def _send(self, trees: list[Span], people: tuple[str, ...]) -> None:
        """Send a batch.

        If it fails and this attempt began after the end of the run, the batch is not sent again.
        """
        self._is_last = self.ending.is_set()
        self._line.send(trees, people)


def post_run(
    folder: RunFolder, target: LangSmithTarget, mode: Mode = "thoughts", until: int = FOREVER
) -> UploadResult:
    """Post a history up to a tick; traces posted before are not duplicated.

    Stops at the first batch that does not arrive.
    """
    with RunReader(folder) as reader:
        found = list_traces(reader, until=until)
    traces = TraceSender(folder, TreeSender(target), mode, len(found))
    with quiet():
        traces.take(found)
        sent = traces.finish(threading.TIMEOUT_MAX)
    if traces.fault is not None:
        raise traces.fault
    return sent


def _people(reader: RunReader) -> tuple[str, ...]:
    """Return the names of all people in the town, visitors last."""
    return tuple(dict.fromkeys((*reader.agents(), *(visit.name for visit in reader.visits()))))


@contextmanager
def quiet() -> Iterator[None]:
    """Redirect the client's log messages to the program's own log while the block runs.

    Only the first line of each message is logged, because the lines below contain the API key.
    """

    def log_record(record: logging.LogRecord) -> None:
        LOG.info("%s: %s", record.name, record.getMessage().partition("\n")[0])

    logger, handler = logging.getLogger("langsmith"), logging.Handler()
    handler.emit = log_record  # type: ignore[method-assign]
    before, logger.propagate = logger.propagate, False
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.propagate = before
