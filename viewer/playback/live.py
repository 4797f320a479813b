"""Server-Sent Events about a run while it is watched.

While anybody watches a run, one poller reads it in a thread of its own and sends the same messages
to all watchers. Events: `tracks` (everything since the previous `tracks`; its id is the tick),
`pulse`, and `again` if the history was restarted and must be read from the beginning.
"""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import orjson

from smolville.agents.errors import SmolvilleError
from smolville.history.folder import RunFolder, owner_of
from smolville.history.inspection import damage_blamed
from smolville.history.progress_file import read_pulse
from smolville.viewer.playback.reader import ReplayReader
from smolville.viewer.playback.towns import Towns

AGAIN = "again"
NOTHING = -2
"""A value below every tick, which means that nothing was read yet."""
EVERY = 0.2
"""Seconds between two polls of a run; longer when one poll takes long."""
REST = 4
"""The pause after a poll is at least this many times the poll's duration."""
LONGEST_REST = 2.0
"""Longest pause in seconds; a poll may have taken long only because it waited for a lock."""
HEART_BEAT = 15.0
"""Seconds of silence after which a comment is sent to keep the connection open."""
MOST_WAITING = 100
"""Maximum number of queued messages; a slower watcher is cut off, and reconnects by itself."""
_ALIVE = b": still here\n\n"
_BEGIN = b"retry: 1000\n\n"


@dataclass(frozen=True, slots=True)
class ServerSentEvent:
    """One Server-Sent Event."""

    text: bytes
    until: int = NOTHING
    """The tick up to which the event reports; NOTHING if it is not about ticks."""
    since: int = NOTHING
    is_again: bool = False
    """True if everything sent before it has become invalid."""

    def is_for(self, known: int) -> bool:
        """Return whether the event is news for a watcher informed up to the tick `known`."""
        return self.until > known or self.since >= known or self.until == NOTHING

    def known_after(self, known: int) -> int:
        """Return the tick up to which a watcher is informed after this event."""
        return NOTHING if self.is_again else max(known, self.until)


def event(name: str, told: Any, until: int = NOTHING) -> ServerSentEvent:
    """Return an event with its data as JSON, which contains no line breaks."""
    mark = f"id: {until}\n" if until >= 0 else ""
    text = f"{mark}event: {name}\ndata: ".encode() + orjson.dumps(told) + b"\n\n"
    since = NOTHING if until == NOTHING else int(told["since"])
    return ServerSentEvent(text, until, since, name == AGAIN)


class RunPoller:
    """Polls a run; apart from construction, everything happens in one thread."""

    def __init__(self, folder: RunFolder, towns: Towns) -> None:
        self._folder = folder
        self._towns = towns
        self._reader: ReplayReader | None = None
        self._file: tuple[int, int] | None = None
        self._seen: tuple[int, str | None, str] | None = None
        self._until = NOTHING
        self._state = ""
        self._pulse: Any = None

    def close(self) -> None:
        """Close the history."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def first(self, since: int) -> list[ServerSentEvent]:
        """Return the messages for a new watcher who knows everything up to tick `since`.

        They end at the tick up to which the other watchers are informed. Later events are sent to
        all watchers together.
        """
        try:
            with damage_blamed(self._folder):
                return self._first(since)
        except SmolvilleError:
            # Whoever watches has been told by the head of the replay.
            return []

    def _first(self, since: int) -> list[ServerSentEvent]:
        if self._reader is None:
            self._catch_up()
        assert self._reader is not None
        told = self._reader.tracks(since, max(since, self._until))
        messages = []
        if told["until"] < since:
            messages = [event(AGAIN, {})]
            told = self._reader.tracks(-1, self._until)
        return [*messages, event("tracks", told, told["until"]), event("pulse", self._pulse)]

    def look(self) -> list[ServerSentEvent]:
        """Return the changes since the last poll."""
        try:
            with damage_blamed(self._folder):
                return self._catch_up()
        except (SmolvilleError, sqlite3.Error):
            # The history is locked or damaged; the next poll tries again.
            return []

    def _catch_up(self) -> list[ServerSentEvent]:
        """Read the history up to the present, and return messages about what is new."""
        messages = self._open_history()
        pulse = read_pulse(self._folder)
        seen = self._sight(pulse)
        if seen != self._seen:
            messages += self._news()
            self._seen = seen
        if pulse != self._pulse:
            self._pulse = pulse
            messages.append(event("pulse", pulse))
        return messages

    def _sight(self, pulse: Any) -> tuple[int, str | None, str]:
        """Return a value that changes with every commit, and with the run's owner or state."""
        assert self._reader is not None
        state = str(pulse.get("state", "")) if pulse else ""
        return (self._reader.version(), owner_of(self._folder), state)

    def _news(self) -> list[ServerSentEvent]:
        """Return a message with the ticks completed since the last poll, or with only a new state.

        The result is empty if neither has changed.
        """
        assert self._reader is not None
        told = self._reader.tracks(max(self._until, -1))
        if told["until"] <= self._until and told["state"] == self._state:
            return []
        self._until, self._state = max(told["until"], self._until), told["state"]
        return [event("tracks", told, self._until)]

    def _open_history(self) -> list[ServerSentEvent]:
        """Open the current history if it is not the one that is already open."""
        file = self._find_file_identity()
        if self._reader is not None and self._reader.is_begun and file == self._file:
            return []
        is_another = self._file is not None and file != self._file
        self.close()
        # A version number of one connection is meaningless for another.
        self._reader, self._file, self._seen = ReplayReader(self._folder, self._towns), file, None
        if not is_another:
            return []
        self._until, self._state = NOTHING, ""
        return [event(AGAIN, {})]

    def _find_file_identity(self) -> tuple[int, int] | None:
        """Return the identity of the history's file, None if there is no file."""
        try:
            found = self._folder.history_path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino


Line = asyncio.Queue[ServerSentEvent | None]
"""Queue of messages for one watcher; None marks the end."""


@dataclass
class WatchedRun:
    """A run that is being watched."""

    poll: RunPoller
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
        watch = self._open.get(folder.name) or self._begin_poll(folder)
        line: Line = asyncio.Queue(MOST_WAITING)
        watch.lines.add(line)
        try:
            yield _BEGIN
            known = since
            loop = asyncio.get_running_loop()
            for message in await loop.run_in_executor(watch.thread, watch.poll.first, since):
                known = message.known_after(known)
                yield message.text
            async for each in _stream_messages(line):
                if each is None:
                    yield _ALIVE
                elif each.is_for(known):
                    known = each.known_after(known)
                    yield each.text
        finally:
            watch.lines.discard(line)
            if not watch.lines:
                self._end(folder.name, watch)

    def _begin_poll(self, folder: RunFolder) -> WatchedRun:
        """Start polling a run."""
        thread = ThreadPoolExecutor(1, thread_name_prefix="replay")
        poll = RunPoller(folder, self._towns)
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


async def _stream_messages(line: Line) -> AsyncIterator[ServerSentEvent | None]:
    """Yield a watcher's messages, and None after each long silence, until the queue is ended."""
    while True:
        try:
            message = await asyncio.wait_for(line.get(), HEART_BEAT)
        except TimeoutError:
            yield None
            continue
        if message is None:
            return
        yield message


async def _look_after(poll: RunPoller, thread: ThreadPoolExecutor, lines: set[Line]) -> None:
    """Poll a run repeatedly, and send what is new to all its watchers."""
    loop = asyncio.get_running_loop()
    while True:
        started = loop.time()
        messages = await loop.run_in_executor(thread, poll.look)
        took = loop.time() - started
        for message in messages:
            for line in tuple(lines):
                _queue_message(line, message)
        await asyncio.sleep(rest(took))


def rest(took: float) -> float:
    """Return the seconds to pause after a poll that took `took` seconds."""
    return min(LONGEST_REST, max(EVERY, REST * took))


def _queue_message(line: Line, message: ServerSentEvent) -> None:
    """Put a message into a watcher's queue; end the queue when it is full."""
    if not line.full():
        line.put_nowait(message)
        return
    while not line.empty():
        line.get_nowait()
    line.put_nowait(None)
