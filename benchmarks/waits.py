"""What people wait for under the free schedule: seconds of the model, by what holds them up.

Whoever may not live their next tick waits for somebody who is behind. That one thinks, or talks, or
waits in turn; so each wait is told by the one at the end of the chain, and by whether the waiting
person's next thought then perceived the one they waited for: only then was the wait needed.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from world.free_schedule import FreeSchedule

if TYPE_CHECKING:
    from benchmarks.oracle import Node
    from world.adapter import Grant
    from world.simulation import Simulation
    from world.thought_outcome import ThoughtOutcome


@dataclass(frozen=True)
class Wait:
    """A time during which somebody waited for the same person."""

    name: str
    step: int
    """The tick that it was to live next."""
    limited_by: str
    root: str
    """Whom the chain of waits leads to."""
    doing: str
    """What that one did: `thinks`, `talks`, or `nothing` where it only came after others."""
    seconds: float


class WaitWatch:
    """Notes all waits of a simulation under the free schedule, from now on."""

    def __init__(self, simulation: "Simulation") -> None:
        self.waits: list[Wait] = []
        self._begun: dict[str, tuple[float, int, str, str, str]] = {}
        self._talking: Counter[str] = Counter()
        thinkers = simulation.engine.runner.thinkers
        self._talk, self._live = thinkers.talk, FreeSchedule._live
        thinkers.talk = self.talk  # type: ignore[method-assign]
        watch = self

        def live(schedule: FreeSchedule, name: str, step: int) -> bool:
            return watch.live(schedule, name, step)

        FreeSchedule._live = live  # type: ignore[method-assign]

    def close(self) -> None:
        """Watch no longer."""
        FreeSchedule._live = self._live  # type: ignore[method-assign]

    async def talk(self, grant: "Grant", tick: int) -> "ThoughtOutcome":
        """Hold a talk, and note who is in it."""
        self._talking.update(grant.participants)
        try:
            return await self._talk(grant, tick)
        finally:
            self._talking.subtract(grant.participants)

    def live(self, schedule: FreeSchedule, name: str, step: int) -> bool:
        """Let somebody live their next tick, and note whether they must wait."""
        now = asyncio.get_running_loop().time()
        is_quiet = self._live(schedule, name, step)
        holders = {who: by for by, names in schedule._waiting.items() for who in names}
        if name in self._begun:
            began, at, by, root, doing = self._begun.pop(name)
            self.waits.append(Wait(name, at, by, root, doing, now - began))
        if name in holders and name not in schedule._busy:
            root = _follow(name, holders)
            doing = "nothing"
            if root in schedule._busy:
                doing = "talks" if self._talking[root] else "thinks"
            self._begun[name] = (now, step, holders[name], root, doing)
        return is_quiet


def _follow(name: str, holders: dict[str, str]) -> str:
    """Return whom a chain of waits leads to."""
    seen = {name}
    while name in holders and holders[name] not in seen:
        name = holders[name]
        seen.add(name)
    return name


def waited(waits: Iterable[Wait], nodes: "Sequence[Node]") -> dict[str, dict[str, float]]:
    """Return the seconds waited, by what the root did, and by whether the wait was needed."""
    thoughts: dict[str, list[Node]] = {}
    for node in sorted(nodes, key=lambda node: node.tick):
        for owner in node.owners:
            thoughts.setdefault(owner, []).append(node)
    found: dict[str, dict[str, float]] = {}
    for wait in waits:
        following = next((n for n in thoughts.get(wait.name, ()) if n.tick >= wait.step), None)
        met = following is not None and wait.limited_by in {*following.read, *following.owners}
        kind = "met in the next thought" if met else "not met"
        row = found.setdefault(wait.doing, {})
        row[kind] = row.get(kind, 0.0) + wait.seconds
    return found
