"""Sends traces behind a run's back, and what a history holds; the end is bounded.

The queue holds keys, never trees: those are built from the history when their turn comes. What does
not arrive is tried again, less and less often; when the queue is full what comes next is not sent.
The run never waits for any of it.
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

from agents.errors import SmolvilleError
from lab.tracing.langsmith.choosing import Choice, Mode
from lab.tracing.langsmith.line import Line, NotSent
from lab.tracing.langsmith.target import Target
from lab.tracing.listing import Key, Listed, listed, listed_of
from lab.tracing.span import Span
from lab.tracing.tree import tree_of
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


class Traces(Watch):
    """Chooses from what a run commits, and sends it from a thread of its own.

    It costs the run no more than the choice.
    """

    def __init__(self, folder: RunFolder, line: Line, mode: Mode, most: int = MOST) -> None:
        self.ending = threading.Event()
        self.is_over = False
        """True when nothing more will be sent."""
        self._folder, self._line, self._most = folder, line, most
        self._choice = Choice(run=folder.spec.name, mode=mode, rate=line.target.rate)
        self._waiting: Queue[Key | None] = Queue()
        self.fault: Exception | None = None
        """What nobody foresaw, and ended the sending."""
        self._is_last = False
        self._taken = self._done = self._sent = 0
        self._why = ""
        self._thread = threading.Thread(target=self._work, name="smolville-traces", daemon=True)

    def committed(self, batch: Batch) -> None:
        """Take in the thoughts and talks of a commit."""
        seconds = self._folder.spec.tick_seconds
        self.take(listed_of(batch.thoughts, batch.talks, batch.steps, seconds))

    def ticked(self, tick: int) -> None:
        """Take in the hours that are over."""
        self._put(self._choice.over((tick + 1) * self._folder.spec.tick_seconds))

    def take(self, some: Iterable[Listed]) -> None:
        """Take in what is wanted of some ticks' thoughts and talks; returns at once."""
        self._put(self._choice.chosen(some))

    def finish(self, patience: float | None = None) -> Sent:
        """Wait for what is left, PATIENCE unless told otherwise, and say what became of all."""
        self._put(self._choice.over())
        patience = PATIENCE if patience is None else patience
        if self._thread.ident is not None:
            # The last request ends before this thread stops waiting, so that it can tell why.
            self._line.ends = time.monotonic() + 0.9 * patience
            self.ending.set()
            self._waiting.put(None)
            self._thread.join(timeout=patience)
        missed = self._taken - self._done
        why = (self._why or "there was no time left") if missed else ""
        return Sent(sent=self._sent, missed=missed, why=why, note=self._line.note)

    def _put(self, wanted: Iterable[Key]) -> None:
        """Put what is to be sent into the queue."""
        for each in wanted:
            self._taken += 1
            if self.is_over or self._waiting.qsize() >= self._most:
                self._why = self._why or "the queue was full"
                continue
            self._waiting.put(each)
            if self._thread.ident is None:
                self._thread.start()

    def _work(self) -> None:
        """Send batches until the run has ended and nothing is left, or nothing more can be done."""
        retrying = Retrying(
            retry=retry_if_exception(lambda it: isinstance(it, NotSent) and not it.is_final),
            wait=wait_exponential(multiplier=SHORTEST, max=LONGEST),
            # What is lost while the run ends has one more try.
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
        """Give what to send next, until the end has come."""
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
        """Send a batch; its last try is the first that begins after the run has ended."""
        self._is_last = self.ending.is_set()
        self._line.send(trees, people)


def post_run(
    folder: RunFolder, target: Target, mode: Mode = "thoughts", until: int = FOREVER
) -> Sent:
    """Post what a history holds up to a tick; what was posted before stays one.

    Stops at the first batch that does not arrive.
    """
    with RunReader(folder) as reader:
        found = listed(reader, until=until)
    traces = Traces(folder, Line(target), mode, len(found))
    with quiet():
        traces.take(found)
        sent = traces.finish(threading.TIMEOUT_MAX)
    if traces.fault is not None:
        raise traces.fault
    return sent


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
