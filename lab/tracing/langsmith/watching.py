"""Traces a run while it lives, and posts what a history holds."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from lab.tracing.langsmith.building import tree_of
from lab.tracing.langsmith.choosing import Choice, Mode
from lab.tracing.langsmith.line import Line, NotSent
from lab.tracing.langsmith.sender import BATCH, Sender, Sent
from lab.tracing.langsmith.target import Target
from world.records import Batch
from world.runs.folder import RunFolder
from world.runs.memory_rows import FOREVER
from world.runs.reader import RunReader
from world.watch import Watch

LOG = logging.getLogger("smolville")


class Traces(Watch):
    """Hands what was committed to a sender; costs the run no more than the choice."""

    def __init__(self, folder: RunFolder, target: Target, mode: Mode) -> None:
        self.target = target
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
    sent, line = 0, Line(target)
    with quiet():
        try:
            for first in range(0, len(wanted), BATCH):
                found = [tree_of(reader, each) for each in wanted[first : first + BATCH]]
                trees = [tree for tree in found if tree is not None]
                line.send(trees)
                sent += len(trees)
        except NotSent as error:
            return Sent(sent=sent, missed=len(wanted) - sent, why=str(error))
        finally:
            line.close()
    return Sent(sent=sent)


@contextmanager
def quiet() -> Iterator[None]:
    """Let the client's own words go into the program's log alone while the block runs."""
    logger, handler = logging.getLogger("langsmith"), _Aside()
    before = logger.propagate
    logger.propagate = False
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.propagate = before


class _Aside(logging.Handler):
    """Writes first lines into the program's log: beneath them the client tells of its key."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one."""
        LOG.info("%s: %s", record.name, record.getMessage().partition("\n")[0])


def told(sent: Sent, project: str) -> str:
    """Return what became of the traces, in a sentence; nothing when there were none."""
    many = "trace" if sent.sent == 1 else "traces"
    there = f"{sent.sent:,} {many} sent to LangSmith, project {project}"
    if not sent.missed:
        return f"{there}." if sent.sent else ""
    return f"{there}; {sent.missed:,} not sent: {sent.why.rstrip('.')}."
