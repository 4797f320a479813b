"""Server-Sent Events about a run while it is watched.

While anybody watches a run, one poller reads it in a thread of its own and sends the same messages
to all of its watchers. Events: `tracks` (everything since the last one; its id is the tick),
`pulse`, and `again` when the history was restarted and must be read from the beginning.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from history.folder import RunFolder
from viewer.playback.poll import Poll, ServerSentEvent
from viewer.playback.towns import Towns

EVERY = 0.2
"""Seconds between two polls of a run; longer when one poll takes long."""
REST = 4
"""The pause after a poll is at least this many times the poll's duration."""
LONGEST_REST = 2.0
"""Longest pause in seconds; a poll may have taken long only because of a lock."""
HEART_BEAT = 15.0
"""Seconds of silence after which a comment is sent to keep the connection open."""
MOST_WAITING = 100
"""Maximum number of queued messages; a slower watcher is cut off, and reconnects by itself."""
_ALIVE = b": still here\n\n"
_BEGIN = b"retry: 1000\n\n"

Line = asyncio.Queue[ServerSentEvent | None]
"""Queue of messages for one watcher; None marks the end."""


@dataclass
class WatchedRun:
    """A run that is being watched."""

    poll: Poll
    thread: ThreadPoolExecutor
    lines: set[Line]
    task: asyncio.Task[None]


class WatchedRuns:
    """All runs that are being watched."""

    def __init__(self, towns: Towns) -> None:
        self._towns = towns
        self._open: dict[str, WatchedRun] = {}

    def __len__(self) -> int:
        return len(self._open)

    async def follow(self, folder: RunFolder, since: int) -> AsyncGenerator[bytes, None]:
        """Yield the events after a tick, until the watcher disconnects."""
        watch = self._open.get(folder.name) or self._begin(folder)
        line: Line = asyncio.Queue(MOST_WAITING)
        watch.lines.add(line)
        try:
            yield _BEGIN
            known = since
            loop = asyncio.get_running_loop()
            for message in await loop.run_in_executor(watch.thread, watch.poll.first, since):
                known = message.known_after(known)
                yield message.text
            async for each in _heard(line):
                if each is None:
                    yield _ALIVE
                elif each.is_for(known):
                    known = each.known_after(known)
                    yield each.text
        finally:
            watch.lines.discard(line)
            if not watch.lines:
                self._end(folder.name, watch)

    def _begin(self, folder: RunFolder) -> WatchedRun:
        """Start polling a run."""
        thread = ThreadPoolExecutor(1, thread_name_prefix="film")
        poll = Poll(folder, self._towns)
        lines: set[Line] = set()
        task = asyncio.create_task(_look_after(poll, thread, lines))
        watch = self._open[folder.name] = WatchedRun(poll, thread, lines, task)
        return watch

    def _end(self, name: str, watch: WatchedRun) -> None:
        """Stop polling a run."""
        if self._open.get(name) is watch:
            del self._open[name]
        watch.task.cancel()
        watch.thread.submit(watch.poll.close)
        watch.thread.shutdown(wait=False)


async def _heard(line: Line) -> AsyncIterator[ServerSentEvent | None]:
    """Yield a watcher's messages, and None after each long silence; ends with the queue."""
    while True:
        try:
            message = await asyncio.wait_for(line.get(), HEART_BEAT)
        except TimeoutError:
            yield None
            continue
        if message is None:
            return
        yield message


async def _look_after(poll: Poll, thread: ThreadPoolExecutor, lines: set[Line]) -> None:
    """Poll a run repeatedly, and send what is new to all its watchers."""
    loop = asyncio.get_running_loop()
    while True:
        started = loop.time()
        messages = await loop.run_in_executor(thread, poll.look)
        took = loop.time() - started
        for message in messages:
            for line in tuple(lines):
                _tell(line, message)
        await asyncio.sleep(rest(took))


def rest(took: float) -> float:
    """Return the seconds to pause after a poll that took `took` seconds."""
    return min(LONGEST_REST, max(EVERY, REST * took))


def _tell(line: Line, message: ServerSentEvent) -> None:
    """Put a message into a watcher's queue; end the queue when it is full."""
    if not line.full():
        line.put_nowait(message)
        return
    while not line.empty():
        line.get_nowait()
    line.put_nowait(None)
