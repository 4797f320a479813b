"""A progress line every minute, for waits that no progress bar shows."""

import threading
from collections.abc import Callable
from types import TracebackType

from cli.screen import say

MINUTE = 60.0


class EveryMinute:
    """Prints a line on standard error every minute while a block runs."""

    def __init__(self, told: Callable[[], str], *, seconds: float = MINUTE) -> None:
        """Take a function that returns the line; it is called in a thread. Prints no empty line."""
        self._told = told
        self._seconds = seconds
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "EveryMinute":
        """Start the thread."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        """Stop the thread; nothing is printed afterwards."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(self._seconds):
            line = self._told()
            if line:
                say(line, "dim", on_stderr=True)
