"""Sends traces behind a run's back: a thread with a queue of its own, and an end that is bounded.

The queue holds keys, never trees: those are built from the history when their turn comes. What does
not arrive is kept and tried again, less and less often; when the queue is full what comes next is
not sent. The run never waits for any of it.
"""

import logging
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from agents.errors import SmolvilleError
from lab.tracing.langsmith.building import tree_of
from lab.tracing.langsmith.choosing import Wanted
from lab.tracing.langsmith.line import Line, NotSent
from world.runs.folder import RunFolder
from world.runs.reader import RunReader

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


class Sender:
    """Takes keys of traces from the run's thread, and sends the traces from its own."""

    def __init__(self, folder: RunFolder, line: Line, most: int = MOST) -> None:
        self._folder = folder
        self._line = line
        self._most = most
        self._waiting: deque[Wanted] = deque()
        self._changed = threading.Condition()
        self._is_ending = False
        self._sent = self._missed = 0
        self._why = ""
        self._is_refused = False
        self._thread: threading.Thread | None = None

    def put(self, wanted: Wanted) -> None:
        """Take a trace in; returns at once."""
        with self._changed:
            if self._is_refused or len(self._waiting) >= self._most:
                self._missed += 1
                self._why = self._why or "the queue was full"
                return
            self._waiting.append(wanted)
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._work, name="smolville-traces", daemon=True
                )
                self._thread.start()
            self._changed.notify()

    def finish(self, patience: float | None = None) -> Sent:
        """Wait for what is left, PATIENCE unless told otherwise, and say what became of all."""
        patience = PATIENCE if patience is None else patience
        if self._thread is not None:
            ends = time.monotonic() + patience
            # The last request ends before this thread stops waiting, so that it can tell why.
            self._line.end_at(ends - patience / 10)
            with self._changed:
                self._is_ending = True
                self._changed.notify()
            self._thread.join(timeout=patience)
        with self._changed:
            left = len(self._waiting)
            why = self._why or ("there was no time left" if left else "")
            return Sent(sent=self._sent, missed=self._missed + left, why=why)

    def _work(self) -> None:
        """Send batches until the run has ended and nothing is left, or nothing more can be done."""
        pause = 0.0
        try:
            with RunReader(self._folder) as reader:
                while batch := self._next(pause):
                    pause = self._send(reader, batch, pause)
        except SmolvilleError as error:
            self._give_up(str(error))
        finally:
            self._line.close()

    def _next(self, pause: float) -> list[Wanted]:
        """Return the traces to send next, after a pause; nothing when the end has come."""
        with self._changed:
            if pause:
                self._changed.wait_for(lambda: self._is_ending, timeout=pause)
            self._changed.wait_for(lambda: self._waiting or self._is_ending)
            if not self._is_ending:
                self._changed.wait_for(
                    lambda: len(self._waiting) >= BATCH or self._is_ending, timeout=GATHER
                )
            return list(self._waiting)[:BATCH]

    def _send(self, reader: RunReader, batch: Sequence[Wanted], pause: float) -> float:
        """Send a batch; return how long to pause before the next.

        A batch that failed when the end had not yet come has its last try after it.
        """
        with self._changed:
            is_last_try = self._is_ending
        found = [tree_of(reader, wanted) for wanted in batch]
        trees = [tree for tree in found if tree is not None]
        try:
            self._line.send(trees)
        except NotSent as error:
            LOG.info("LangSmith: %d traces not sent: %s", len(trees), error)
            with self._changed:
                self._why = str(error)
            if is_last_try or error.is_final:
                self._give_up(str(error))
            return min(LONGEST, max(SHORTEST, pause * 2))
        with self._changed:
            for _ in batch:
                self._waiting.popleft()
            self._sent += len(trees)
            if not self._missed:
                self._why = ""
        return 0.0

    def _give_up(self, why: str) -> None:
        """Send nothing more."""
        with self._changed:
            self._missed += len(self._waiting)
            self._waiting.clear()
            self._why = why
            self._is_refused = True
