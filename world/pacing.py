"""Limit a town's speed to what a person who takes part can follow, and let it wait for them."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from history.inbox import Inbox

LOOK_SECONDS = 0.1
"""Longest time between two looks at what the person wants."""


@dataclass(kw_only=True)
class Pacing:
    """Limits a run to the pace that its inbox asks for; does nothing without one.

    A pace only decides when a tick is run in real time. What happens at it stays the same.
    """

    inbox: Inbox
    tick_seconds: int
    is_asked: Callable[[], bool]
    """Whether an operator wants something that no tick has looked at yet."""
    say_how_far: Callable[[int], None]
    """Records that everybody has lived up to a tick."""
    _since: float = field(default=0.0, init=False)
    """When the last wait ended: the time that thoughts have taken since counts as waited."""

    async def wait(self, tick: int, after: int) -> int:
        """Wait until the tick `after` may begin in real time; return the next tick to run.

        Nothing happens between `tick` and `after`. It is an earlier tick where an operator's
        request came meanwhile, or the run is paused.
        """
        reached, last = float(tick), self._since
        while (rate := self.inbox.pace()) is not None:
            now = time.monotonic()
            # From the moment on at which the pace was asked for, at the earliest.
            reached += (now - (last or now)) * rate / self.tick_seconds
            last = now
            if reached >= after:
                break
            here = max(tick + 1, int(reached))
            if self.is_asked() or self.inbox.is_paused():
                after = here
                break
            self.say_how_far(int(reached) - 1)
            await asyncio.sleep(LOOK_SECONDS)
        self._since = 0.0 if rate is None else time.monotonic()
        return after
