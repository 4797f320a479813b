"""Says every minute what is waited for, where no bar shows it."""

import threading
from collections.abc import Callable
from types import TracebackType

from cli.screen import say

MINUTE = 60.0


class EveryMinute:
    """Prints a line on standard error every minute while a block runs."""

    def __init__(self, told: Callable[[], str], *, seconds: float = MINUTE) -> None:
        """Take what returns the line; an empty one is not printed. It is called in a thread."""
        self._told = told
        self._seconds = seconds
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "EveryMinute":
        """Begin."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        """End; nothing is printed afterwards."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(self._seconds):
            line = self._told()
            if line:
                say(line, "dim", on_stderr=True)
