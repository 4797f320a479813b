"""Takes operators' requests from the inbox, and sorts them by the cluster that commits them.

A request takes effect from one tick on for everybody it concerns.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from smolville.agents.errors import RunError
from smolville.history.history import History
from smolville.history.inbox import Inbox
from smolville.history.records import Intervention
from smolville.world.adapter import Changes, World
from smolville.world.wishes import made_plain

LOG = logging.getLogger("smolville")

FAR = (
    "announcement",
    "visitor_enters",
    "visitor_walks",
    "visitor_acts",
    "visitor_talks",
    "visitor_calls",
    "visitor_leaves",
)
"""Interventions that several clusters may see.

They are recorded before their tick, which must not have begun for anybody.
"""
MOST_WALKS = 5
"""Number of walks after a person who moves on, before the visitor's request to talk is refused."""


@dataclass(kw_only=True)
class ClusterCommit:
    """The interventions of operators that one cluster's commit contains."""

    interventions: list[Intervention] = field(default_factory=list)
    """Interventions to record with the commit."""
    changes: Changes = field(default_factory=Changes)
    visitors: set[str] = field(default_factory=set)
    """Visitors whose bodies the commit writes."""


@dataclass(kw_only=True)
class InboxReader:
    """Takes operators' requests out of the inbox of a run in progress."""

    world: World
    history: History
    inbox: Inbox
    pending: list[Intervention] = field(default_factory=list)
    """Recorded interventions whose tick is still to come for at least one agent."""
    _looked_at: set[str] = field(default_factory=set)
    """The ids of the requests found by the last `take` for all agents."""

    def has_fresh(self, waiting: Collection[str] = FAR) -> bool:
        """Return True if the inbox has a new request, or one of the `waiting` kinds."""
        found = self.inbox.take(self.history.intervention_ids, 0)
        return any(each.kind in waiting or each.id not in self._looked_at for each in found)

    def take(self, tick: int, waiting: Sequence[str]) -> dict[str, ClusterCommit]:
        """Return the requests that take effect from this tick on, by the agent who commits them.

        `waiting` are the agents that have not completed the tick. A request of a kind in `FAR` is
        accepted only if `waiting` has all agents, so that all of them see it at the same tick.
        """
        fresh = self.inbox.take(self.history.intervention_ids, tick)
        if len(waiting) == len(self.world.names):
            self._looked_at = {each.id for each in fresh}
        due = [each for each in self.pending if each.tick <= tick]
        self.pending = [each for each in self.pending if each.tick > tick]
        is_untouched = len(waiting) == len(self.world.names) and not self._is_begun(tick, fresh)
        taken: dict[str, ClusterCommit] = {}
        held: set[str] = set()
        let_in: list[Intervention] = []
        for each in due:
            self._deliver(each, waiting, taken)
        for each in fresh:
            if each.kind in FAR:
                plain = self._checked(each, held) if is_untouched else None
                if plain is not None:
                    self._deliver(plain, waiting, taken)
                    let_in.append(plain)
            else:
                self._deliver(each, waiting, taken, is_fresh=True)
        if let_in:
            # Together: after a crash between two, the second would have to wait for a tick.
            self.history.record(*let_in)
            self.inbox.settle(each.id for each in let_in)
        return taken

    def _is_begun(self, tick: int, fresh: Sequence[Intervention]) -> bool:
        """Return True if `fresh` has requests in `FAR`, but an earlier process began this tick.

        This is known from interventions that are recorded for the tick or later ones.
        """
        if not any(each.kind in FAR for each in fresh):
            return False
        recorded = self.history.interventions(after=tick - 1)
        return any(each.kind in (*FAR, "visitor_says") for each in recorded)

    def next_tick(self, tick: int) -> int:
        """Return the earliest tick of all pending interventions; `tick` if there are none."""
        return min((each.tick for each in self.pending), default=tick)

    def _checked(self, each: Intervention, held: set[str]) -> Intervention | None:
        """Return a request in `FAR` with cleaned texts; None if it must wait or is impossible.

        A visitor's requests keep their order: if one must wait, the later ones wait too. A request
        to talk to somebody elsewhere waits until the visitor has walked there. In that case, the
        request for the walk is returned.
        """
        try:
            plain = made_plain(each)
            if each.target in held:
                return None
            walk = self._walk_before(plain)
            if walk is not None:
                held.add(each.target)
                return walk
            if self.world.must_wait(plain):
                held.add(each.target)
                return None
            why = self.world.why_not(plain)
        except RunError as error:
            why = str(error)
        if why:
            LOG.warning("not taken in (%s): %s", each.kind, why)
            self.inbox.refuse(each.id, why)
            return None
        return plain

    def _walk_before(self, wish: Intervention) -> Intervention | None:
        """Return a request for the walk that a visitor needs before `wish` can be carried out.

        None if no walk is needed, or if there were already `MOST_WALKS` walks for `wish`.
        """
        walk = self.world.walk_before(wish)
        if walk is None:
            return None
        begun = f"{wish.id}/"
        walks = sum(known.startswith(begun) for known in self.history.intervention_ids())
        return replace(walk, id=f"{begun}{walks}") if walks < MOST_WALKS else None

    def _deliver(
        self,
        each: Intervention,
        waiting: Sequence[str],
        taken: dict[str, ClusterCommit],
        *,
        is_fresh: bool = False,
    ) -> None:
        if each.kind == "announcement":
            for name in waiting:
                changes = self.world.deliver(replace(each, target=name))
                taken.setdefault(name, ClusterCommit()).changes.add(changes)
            return
        if each.kind in FAR:
            changes = self.world.deliver(each)
            holder = self.world.holder(each, waiting)
            taken.setdefault(holder, ClusterCommit()).visitors.add(each.target)
            taken[holder].changes.add(changes)
            return
        holder = next(iter(waiting), "") if each.kind == "object_state" else each.target
        if holder not in waiting:
            return
        mine = taken.setdefault(holder, ClusterCommit())
        mine.changes.add(self.world.deliver(each))
        if is_fresh:
            mine.interventions.append(each)
