"""What people wait for under the free schedule, in seconds of the model by reason.

A person who may not run their next tick waits for somebody who is behind. That other person thinks,
or is in a cluster in which a talk is held, or waits too. So the person at the end of this chain is
the reason for a wait. A wait was needed only if the waiting person's next thought then perceived
the one they waited for.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from smolville.world.free_schedule import FreeSchedule

if TYPE_CHECKING:
    from benchmarks.oracle import Node
    from smolville.world.adapter import Grant
    from smolville.world.simulation import Simulation
    from smolville.world.thought_runner import ThoughtOutcome

KINDS = ("thoughts", "talks")
MET, NOT_MET = "met in the next thought", "not met"


@dataclass(frozen=True)
class Wait:
    """A time during which somebody waited for the same person."""

    name: str
    step: int
    """The next tick of the waiting person."""
    limited_by: str
    cluster: frozenset[str]
    """The cluster of the person at the end of the chain of waits."""
    begins: float
    ends: float = 0.0


@dataclass(frozen=True)
class Held:
    """A talk, with the time at which it was held."""

    people: frozenset[str]
    begins: float
    ends: float


class WaitWatch:
    """Records all waits of a simulation under the free schedule, from now on."""

    def __init__(self, simulation: "Simulation") -> None:
        self.waits: list[Wait] = []
        self.talks: list[Held] = []
        self._begun: dict[str, Wait] = {}
        thinkers = simulation.engine.runner.thinkers
        self._talk, self._live = thinkers.talk, FreeSchedule._live
        thinkers.talk = self.talk  # type: ignore[method-assign]
        watch = self

        def live(schedule: FreeSchedule, name: str, step: int) -> bool:
            return watch.live(schedule, name, step)

        FreeSchedule._live = live  # type: ignore[method-assign, assignment]

    def close(self) -> None:
        """Stop recording."""
        FreeSchedule._live = self._live  # type: ignore[method-assign]

    async def talk(self, grant: "Grant", tick: int) -> "ThoughtOutcome":
        """Hold a talk, and record when."""
        loop = asyncio.get_running_loop()
        begins = loop.time()
        found = await self._talk(grant, tick)
        self.talks.append(Held(frozenset(grant.participants), begins, loop.time()))
        return found

    def live(self, schedule: FreeSchedule, name: str, step: int) -> bool:
        """Let somebody run their next tick, and record whether they must wait."""
        now = asyncio.get_running_loop().time()
        is_quiet = self._live(schedule, name, step)
        holders = {who: by for by, names in schedule._waiting.items() for who in names}
        if (wait := self._begun.pop(name, None)) is not None:
            self.waits.append(Wait(**{**vars(wait), "ends": now}))
        if name in holders and name not in schedule._busy:
            root = _follow(name, holders)
            beside = (each.members for each in schedule._running.values() if root in each.members)
            cluster = frozenset(next(beside, (root,)))
            self._begun[name] = Wait(name, step, holders[name], cluster, now)
        return is_quiet


def _follow(name: str, holders: dict[str, str]) -> str:
    """Return the person at the end of a chain of waits."""
    seen = {name}
    while name in holders and holders[name] not in seen:
        name = holders[name]
        seen.add(name)
    return name


def waited(
    waits: Iterable[Wait], talks: Sequence[Held], nodes: "Sequence[Node]"
) -> dict[str, dict[str, float]]:
    """Return the seconds waited for thoughts and for talks, by whether the wait was needed."""
    thoughts: dict[str, list[Node]] = {}
    for node in sorted(nodes, key=lambda node: node.tick):
        for owner in node.owners:
            thoughts.setdefault(owner, []).append(node)
    found: dict[str, dict[str, float]] = {kind: {MET: 0.0, NOT_MET: 0.0} for kind in KINDS}
    for wait in waits:
        following = next((n for n in thoughts.get(wait.name, ()) if n.tick >= wait.step), None)
        met = following is not None and wait.limited_by in {*following.read, *following.owners}
        held = _talked(wait, talks)
        found["talks"][MET if met else NOT_MET] += held
        found["thoughts"][MET if met else NOT_MET] += wait.ends - wait.begins - held
    return found


def _talked(wait: Wait, talks: Sequence[Held]) -> float:
    """Return for how many seconds of a wait a talk was held in the cluster waited for."""
    spans = sorted(
        (max(each.begins, wait.begins), min(each.ends, wait.ends))
        for each in talks
        if each.people & wait.cluster and each.begins < wait.ends and each.ends > wait.begins
    )
    seconds, last = 0.0, wait.begins
    for begins, ends in spans:
        seconds += max(0.0, ends - max(begins, last))
        last = max(last, ends)
    return seconds
