"""An event loop without waiting: when all tasks sleep, its clock jumps to the next wake-up time.

A model that takes a second is simulated by a sleep of a second. On this loop, a day with 2,000 such
calls takes only the time of its own computing, and the loop's clock shows how long it would have
taken.
"""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    pass

T = TypeVar("T")


class _JumpingSelector(selectors.DefaultSelector):
    """Reports what is ready; instead of waiting, it sets the clock forward."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready; really wait only if nothing is scheduled."""
        if timeout is None:
            return super().select(None)
        ready = super().select(0)
        if not ready and timeout > 0:
            self.now += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop with a clock of its own."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Return virtual seconds since the loop was made."""
        return self._jumping.now


def run_virtually(work: Coroutine[Any, Any, T]) -> tuple[T, float]:
    """Return the result of `work`, and the virtual seconds that it took."""
    loop = VirtualLoop()
    try:
        found = loop.run_until_complete(work)
        return found, loop.time()
    finally:
        loop.close()
