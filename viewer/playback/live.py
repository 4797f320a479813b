"""Server-Sent Events about a run while it is watched.

Events: `tracks` (everything since the previous `tracks`; its id is the tick), `pulse`, and `again`
if the history was restarted and must be read from the beginning.
"""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import orjson

from smolville.agents.errors import SmolvilleError
from smolville.history.folder import RunFolder, owner_of
from smolville.history.progress_file import read_pulse
from smolville.history.schema import reading
from smolville.viewer.playback.reader import ReplayReader
from smolville.viewer.playback.towns import Towns

EVERY = 0.2
"""Seconds between two polls of a run; longer when one poll takes long."""
REST = 4
"""The pause after a poll is at least this many times the poll's duration."""
LONGEST_REST = 2.0
"""Longest pause in seconds; a poll may have taken long only because it waited for a lock."""
HEART_BEAT = 15.0
"""Seconds of silence after which a comment is sent to keep the connection open."""
_ALIVE = b": still here\n\n"
_BEGIN = b"retry: 1000\n\n"


async def follow(folder: RunFolder, towns: Towns, since: int) -> AsyncGenerator[bytes, None]:
    """Yield the events after tick `since`, until the watcher disconnects."""
    loop = asyncio.get_running_loop()
    poll = RunPoller(folder, towns, since)
    # SQLite's connections stay in the thread in which they were opened.
    thread = ThreadPoolExecutor(1, thread_name_prefix="replay")
    try:
        yield _BEGIN
        spoken = loop.time()
        while True:
            began = loop.time()
            for message in await loop.run_in_executor(thread, poll.look):
                spoken = loop.time()
                yield message
            pause = rest(loop.time() - began)
            if loop.time() - spoken > HEART_BEAT:
                spoken = loop.time()
                yield _ALIVE
            await asyncio.sleep(pause)
    finally:
        thread.submit(poll.close)
        thread.shutdown(wait=False)


def rest(took: float) -> float:
    """Return the seconds to pause after a poll that took `took` seconds."""
    return min(LONGEST_REST, max(EVERY, REST * took))


class RunPoller:
    """Polls a run for one watcher; apart from construction, everything happens in one thread."""

    def __init__(self, folder: RunFolder, towns: Towns, since: int) -> None:
        self._folder = folder
        self._towns = towns
        self._known = since
        self._reader: ReplayReader | None = None
        self._file: tuple[int, int] | None = None
        self._seen: tuple[int, str | None, str] | None = None
        self._told: Any = ()
        """The state and the pulse that were told last; empty before the first time."""

    def close(self) -> None:
        """Close the history."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def look(self) -> list[bytes]:
        """Return the changes since the last poll; the first time, all that is known."""
        try:
            with reading(self._folder):
                return self._look()
        except (SmolvilleError, sqlite3.Error):
            # The history is locked or damaged; the next poll tries again. Whoever watches was told
            # by the head of the replay.
            return []

    def _look(self) -> list[bytes]:
        is_another = self._open_history()
        assert self._reader is not None
        pulse = read_pulse(self._folder)
        state = str(pulse.get("state", "")) if pulse else ""
        seen = (self._reader.version(), owner_of(self._folder), state)
        if seen == self._seen and self._told[1:] == (pulse,):
            return []
        messages: list[bytes] = []
        told = self._reader.tracks(self._known)
        if is_another or told["until"] < self._known:
            messages.append(_event("again", {}))
            told = self._reader.tracks(-1)
        if (
            not self._told
            or messages
            or (told["until"], told["state"])
            != (
                self._known,
                self._told[0],
            )
        ):
            messages.append(_event("tracks", told, told["until"]))
        if self._told[1:] != (pulse,):
            messages.append(_event("pulse", pulse))
        self._known, self._seen, self._told = told["until"], seen, (told["state"], pulse)
        return messages

    def _open_history(self) -> bool:
        """Open the current history if it is not open; return whether it is another than before."""
        try:
            found = self._folder.history_path.stat()
            file = (found.st_dev, found.st_ino)
        except OSError:
            file = None
        if self._reader is not None and file == self._file:
            return False
        is_another = self._file is not None and file != self._file
        self.close()
        # A version number of one connection is meaningless for another.
        self._reader, self._file, self._seen = ReplayReader(self._folder, self._towns), file, None
        return is_another


def _event(name: str, told: Any, tick: int = -1) -> bytes:
    """Return an event with its data as JSON, which contains no line breaks."""
    mark = f"id: {tick}\n" if tick >= 0 else ""
    return f"{mark}event: {name}\ndata: ".encode() + orjson.dumps(told) + b"\n\n"
