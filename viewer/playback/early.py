"""The replay data of the run shown first, read by another process while the app starts.

A page asks for this data as soon as it opens. Importing the modules that read the data takes half a
second, and reading takes another half. The other process does both while this one imports the app.
This is only an optimisation: missing data is read on request, and later events arrive by the live
stream.
"""

import os
import signal
import tempfile
import threading
import time
from typing import IO

from smolville.history.folder import RunFolder

FRESH = 30.0
"""Seconds after which a replay that nobody has asked for is not used any more."""
PARTS = ("head", "tracks")
_BEGUN, _READ = b"b", b"r"
_SIZE = 8
"""Number of bytes for the length of a part, which precedes the part."""


class EarlyReplay:
    """The replay data that a separate process reads ahead; each part is handed out once."""

    def __init__(self, folder: RunFolder) -> None:
        """Begin to read; must be called while this process has only one thread."""
        self.run = folder.name
        self._since = time.monotonic()
        self._lock = threading.Lock()
        self._file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        self._said, saying = os.pipe()
        self._parts: dict[str, bytes] | None = None
        self._heard = b""
        self._child = os.fork()
        if self._child == 0:
            os.close(self._said)
            _read_and_exit(folder, self._file, saying)
        os.close(saying)

    def is_begun(self, run: str) -> bool:
        """Return True if this data belongs to run `run`, and the run has something to show."""
        with self._lock:
            return run == self.run and self._hears(_BEGUN)

    def take(self, run: str, part: str) -> bytes | None:
        """Return a part as compressed JSON; None if it is missing, already taken, or too old."""
        with self._lock:
            if run != self.run or time.monotonic() - self._since > FRESH:
                return None
            if self._parts is None:
                self._parts = self._read_parts() if self._hears(_READ) else {}
                self._end()
            return self._parts.pop(part, None)

    def close(self) -> None:
        """End the process, if it is still running."""
        with self._lock:
            self._end()
            os.close(self._said)
            self._file.close()

    def _end(self) -> None:
        if self._child:
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
            self._child = 0

    def _hears(self, word: bytes) -> bool:
        """Wait for a message from the process; return whether it came before the process ended."""
        while word not in self._heard:
            said = os.read(self._said, 1)
            if not said:
                return False
            self._heard += said
        return True

    def _read_parts(self) -> dict[str, bytes]:
        found = {}
        self._file.seek(0)
        for name in PARTS:
            size = int.from_bytes(self._file.read(_SIZE), "big")
            found[name] = self._file.read(size)
        return found


def _read_and_exit(folder: RunFolder, file: IO[bytes], saying: int) -> None:
    """Read the replay into a file, then end this process, even after an error.

    An error is not reported here. The page reports it when it reads the replay itself.
    """
    try:
        # Ctrl-C ends the app, which ends this.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        from smolville.viewer.playback.reader import ReplayReader
        from smolville.viewer.playback.replay_json import compressed, plain_json

        with ReplayReader(folder) as reader:
            if reader.has_rows:
                os.write(saying, _BEGUN)
            for part in (reader.head, reader.tracks):
                body = compressed(plain_json(part()))
                file.write(len(body).to_bytes(_SIZE, "big") + body)
        file.flush()
        os.write(saying, _READ)
    finally:
        os._exit(0)
