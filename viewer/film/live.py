"""What happens in a run while it is watched, as Server-Sent Events.

One poller looks after a run while anybody watches it, in a thread of its own, and tells all its
watchers the same. Events: `tracks` (what came since the last one; its id is the tick), `pulse`,
and `again` when the history was begun anew and must be read from the start.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from viewer.film.poll import Message, Poll
from viewer.film.towns import Towns
from world.runs.folder import RunFolder

EVERY = 0.2
"""Seconds between two looks at a run; more where one look takes long."""
REST = 4
"""A look is followed by at least so many times the seconds that it took."""
LONGEST_REST = 2.0
"""Seconds; a look may have taken long only because somebody was in the way."""
HEART_BEAT = 15.0
"""Seconds of silence after which a comment says that the line still holds."""
MOST_WAITING = 100
"""Messages that a slow watcher may be behind; then it is cut off, and comes back by itself."""
_ALIVE = b": still here\n\n"
_BEGIN = b"retry: 1000\n\n"

Line = asyncio.Queue[Message | None]
"""What waits for one watcher; None is the end."""


@dataclass
class Watch:
    """One run that is watched."""

    poll: Poll
    thread: ThreadPoolExecutor
    lines: set[Line]
    task: asyncio.Task[None]


class Watches:
    """All runs that are watched at this moment."""

    def __init__(self, towns: Towns) -> None:
        self._towns = towns
        self._open: dict[str, Watch] = {}

    def __len__(self) -> int:
        return len(self._open)

    async def follow(self, folder: RunFolder, since: int) -> AsyncGenerator[bytes, None]:
        """Yield what happens after a tick, until the watcher leaves."""
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

    def _begin(self, folder: RunFolder) -> Watch:
        """Begin to look after a run."""
        thread = ThreadPoolExecutor(1, thread_name_prefix="film")
        poll = Poll(folder, self._towns)
        lines: set[Line] = set()
        task = asyncio.create_task(_look_after(poll, thread, lines))
        watch = self._open[folder.name] = Watch(poll, thread, lines, task)
        return watch

    def _end(self, name: str, watch: Watch) -> None:
        """Look after a run no longer."""
        if self._open.get(name) is watch:
            del self._open[name]
        watch.task.cancel()
        watch.thread.submit(watch.poll.close)
        watch.thread.shutdown(wait=False)


async def _heard(line: Line) -> AsyncIterator[Message | None]:
    """Yield what comes for a watcher, None after each long silence; ends with the line."""
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
    """Look at a run again and again, and tell all its watchers what is new."""
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
    """Return the seconds between a look that took so many and the next one."""
    return min(LONGEST_REST, max(EVERY, REST * took))


def _tell(line: Line, message: Message) -> None:
    """Put a message on a watcher's line; one that is too far behind is cut off."""
    if not line.full():
        line.put_nowait(message)
        return
    while not line.empty():
        line.get_nowait()
    line.put_nowait(None)
