"""Each agent's progress, and who may continue: the rule of the free schedule.

People far apart need not wait for each other. AI Metropolis (MLSys 2025, section 3) lets an agent
run a tick if nobody who is behind could come near in the meantime, and runs agents near each other
together. Let step(A) be A's next tick. Let ticks(A, B) be the least number of ticks in which B can
come so near to A, who stays, that one of the two can sense or affect the other:

    coupled(A, B):       step(A) = step(B) and ticks(A, B) = 0
    blocked(A by B):     step(A) > step(B) + ticks(A, B) - 1, for anybody not coupled

The agent that is farthest behind is never blocked, so somebody can always go on.

Here a person who sits or sleeps is known to do nothing until the action ends, unless somebody else
comes near. So the rule does not ask at which tick B is, but when B can act at the earliest:

    acts(B)    = min(the tick of B's own next event, acts(C) + ticks(B, C) for every other C)
    blocked(A by B):     step(A) > acts(B) + ticks(A, B) - 1

With acts(B) = step(B) this is the rule above. docs/built/engine.md explains it to a newcomer.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from smolville.agents.errors import RunError
from smolville.history.records import Tile
from smolville.world.adapter import Locality

FOREVER = 1 << 30
"""A tick after all others; twice this number, minus one, still fits into 32 bits."""
MARGIN = 32
"""Extra ticks for the search of people who might limit a cluster."""


def not_free(why: str) -> RunError:
    """Return the error for a world that does not work under the free schedule."""
    return RunError(
        f"{why}, so the schedule `free` could not tell whom that affects: it rests on sights that "
        "never grow and on people who walk. Begin the run again with `--schedule lockstep`."
    )


class Frontier:
    """For each agent its next tick, its tile as that tick begins, and when it can act earliest."""

    def __init__(
        self,
        names: Sequence[str],
        locality: Locality,
        tile_at: Callable[[str, int], Tile],
        next_event: Callable[[str, int], int],
        done: Mapping[str, int],
    ) -> None:
        """Set everybody to the tick after the last one in `done`.

        `next_event` returns the first tick, not before a given one, at which something can happen
        to an agent if nobody else comes near.
        """
        self._locality = locality
        self._tile_at, self._next_event = tile_at, next_event
        self._names = tuple(names)
        self._index = {name: index for index, name in enumerate(self._names)}
        count = len(self._names)
        self._steps = np.zeros(count, np.int32)
        self._events = np.zeros(count, np.int32)
        self._acts = np.zeros(count, np.int32)
        self._steps[:] = [done.get(name, -1) + 1 for name in self._names]
        where = [tile_at(name, int(step)) for name, step in zip(names, self._steps, strict=True)]
        self._tiles = np.array(where, np.int64).reshape(count, 2)
        self._ticks = np.zeros((count, count), np.int32)
        """Row A, column B: the number of ticks that B needs to come near A."""
        for row, name in enumerate(self._names):
            self._place(name, int(self._steps[row]))
            self._measure(row)

    @property
    def lowest(self) -> int:
        """The earliest tick that an agent has not completed."""
        return int(self._steps.min())

    @property
    def highest(self) -> int:
        """The latest of all agents' next ticks."""
        return int(self._steps.max())

    def step(self, name: str) -> int:
        """Return the next tick of an agent."""
        return int(self._steps[self._index[name]])

    def last(self) -> str:
        """Return an agent that is farthest behind."""
        return self._names[int(self._steps.argmin())]

    def move(self, names: Iterable[str], step: int) -> None:
        """Record that these agents have completed every tick before `step`."""
        for name in names:
            self._place(name, step)

    def is_near(self, name: str, other: str) -> bool:
        """Return whether two agents are near enough to sense or affect each other now."""
        one, two = self._index[name], self._index[other]
        return bool(self._ticks[one, two] == 0 or self._ticks[two, one] == 0)

    def cluster(self, name: str) -> tuple[str, ...]:
        """Return everybody coupled with an agent, itself included, sorted by name."""
        first = self._index[name]
        same = self._steps == self._steps[first]
        if np.count_nonzero(same) == 1:
            return (name,)
        found, edge = {first}, [first]
        while edge:
            at = edge.pop()
            near = same & ((self._ticks[at] == 0) | (self._ticks[:, at] == 0))
            fresh = [other for other in np.flatnonzero(near).tolist() if other not in found]
            found.update(fresh)
            edge += fresh
        return tuple(sorted(self._names[index] for index in found))

    def horizon(self, members: Sequence[str], wanted: int) -> tuple[int, str]:
        """Return the last tick that a cluster may run, and the name of the agent that limits it.

        All agents outside the cluster are assumed to stay at their ticks. If the result is before
        the cluster's next tick, the cluster is blocked. A result below `wanted` is exact; a higher
        one may be too early. The name is empty if nobody else exists.
        """
        inside = [self._index[name] for name in members]
        last, who = self._horizon(inside)
        if last < wanted:
            self._look_ahead(inside, wanted)
            last, who = self._horizon(inside)
        return last, self._names[who] if last < FOREVER else ""

    def _place(self, name: str, step: int) -> None:
        index, tile = self._index[name], self._tile_at(name, step)
        x, y = self._tiles[index].tolist()
        why = self._locality.why_wrong(index, (x, y), tile, step - int(self._steps[index]))
        if why:
            raise not_free(why)
        self._steps[index] = step
        self._events[index] = min(self._next_event(name, step), FOREVER)
        self._acts[index] = max(step, self._acts[index])
        if (x, y) != tile:
            self._tiles[index] = tile
            self._measure(index)

    def _measure(self, row: int) -> None:
        """Compute how near an agent is to all others."""
        coming, going = self._locality.ticks_around(row, self._tiles)
        self._ticks[row], self._ticks[:, row] = coming, going
        self._ticks[row, row] = 0

    def _horizon(self, inside: Sequence[int]) -> tuple[int, int]:
        """Return the last tick that a cluster may run, as computed so far, and who limits it."""
        last = (self._ticks[inside] + (self._acts - 1)).min(axis=0)
        last[inside] = FOREVER
        who = int(last.argmin())
        return int(last[who]), who

    def _look_ahead(self, inside: Sequence[int], wanted: int) -> None:
        """Compute the earliest tick at which each agent who could limit a cluster can act.

        All other agents keep their earlier results. These are still safe: nobody can act sooner
        than was computed before, only later. Agents also keep them if they can act only after an
        agent whose own next event limits the cluster anyway. An event may be predicted too early,
        because after any change in town something might happen to everybody.
        """
        ticks = self._ticks[inside]
        latest = (ticks + (np.maximum(self._events, self._acts) - 1)).min(axis=0)
        latest[inside] = FOREVER
        last = (ticks + (self._acts - 1)).min(axis=0)
        near = np.flatnonzero(last < min(wanted, int(latest.min()) + 1) + MARGIN)
        through = self._ticks[near] + self._acts
        through[:, near] = FOREVER + FOREVER - 1
        events = np.minimum(self._events[near], through.min(axis=1))
        acts = self._relax(events, self._ticks[np.ix_(near, near)])
        self._acts[near] = np.maximum(self._acts[near], np.maximum(acts, self._steps[near]))

    def _relax(self, events: NDArray[np.int32], ticks: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the earliest tick at which each agent can act.

        An agent acts at its own next event (`events`), or when another agent who acts comes near.
        `ticks` has the ticks that the agent of a column needs to come near the agent of a row.
        """
        acts: NDArray[np.int32] = np.minimum(events, (events + ticks).min(axis=1))
        sooner = np.flatnonzero(acts < events)
        while len(sooner):
            # Only whoever can act sooner than was known before can come to others sooner.
            before, through = acts, acts[sooner] + ticks[:, sooner]
            acts = np.minimum(acts, through.min(axis=1))
            sooner = np.flatnonzero(acts < before)
        return acts
