"""Speculative thoughts, made ahead of time by agents that must wait for others.

An agent waits because others might come near, but mostly nobody comes. So its next thought is made
now, as the world stands, whenever the servers have free slots (`models.slots`). The replies are
kept by `graphs.loop.ahead` until the real thought asks the same; if anything relevant has changed
by then, it asks something else, and the reply is discarded. So the history does not depend on
speculative thoughts.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graphs.surroundings import Surroundings
from world.adapter import World
from world.thinkers import Thinkers

TRIES = 3
"""Maximum number of times that one thought is made ahead: again when something in sight has
changed."""
FAR = 60
"""Number of ticks at which something might happen that are looked at for the next thought."""


@dataclass(kw_only=True)
class _Thought:
    """A thought that is, or was, made ahead of time."""

    tick: int
    around: Surroundings
    task: "asyncio.Task[None]"
    tries: int


@dataclass(kw_only=True)
class ThoughtsAhead:
    """Makes speculative thoughts, at most one for each agent."""

    world: World
    thinkers: Thinkers
    _thoughts: dict[str, _Thought] = field(default_factory=dict)

    def think(self, name: str, tick: int, latest: int) -> None:
        """Make an agent's next thought from a tick on, as if nothing changed until then."""
        old = self._thoughts.get(name)
        at = self._find_thought(name, max(old.tick, tick) if old else tick, latest)
        if at is None:
            return
        around = self.world.surroundings(name, at, self.world.stimuli(at, (name,))[name])
        tries = 1
        if old is not None and old.tick == at:
            if old.around == around or old.tries == TRIES:
                return
            tries = old.tries + 1
        if old is not None:
            old.task.cancel()
        task = asyncio.create_task(self.thinkers.think_ahead(name, around))
        self._thoughts[name] = _Thought(tick=at, around=around, task=task, tries=tries)

    def stop(self, names: Iterable[str]) -> None:
        """Stop speculative calls for these agents, whose real tick begins now."""
        for name in names:
            if name in self._thoughts:
                self._thoughts[name].task.cancel()

    def forget(self, names: Sequence[str], tick: int) -> None:
        """Discard the speculative calls for the thoughts of these agents up to a tick."""
        for name in names:
            if name in self._thoughts and self._thoughts[name].tick <= tick:
                self._thoughts.pop(name).task.cancel()
            self.thinkers.forget_ahead(name, tick)

    async def close(self) -> None:
        """Stop all speculative thoughts, and discard their replies."""
        tasks = [each.task for each in self._thoughts.values()]
        last = max((each.tick for each in self._thoughts.values()), default=-1)
        self.forget(tuple(self._thoughts), last)
        await asyncio.gather(*tasks, return_exceptions=True)

    def _find_thought(self, name: str, tick: int, latest: int) -> int | None:
        """Return the first tick at which an agent would think; None if it is too far away."""
        for _ in range(FAR):
            if tick > latest:
                break
            if self.world.stimuli(tick, (name,)):
                return tick
            tick = self.world.next_tick(tick, (name,))
        return None
