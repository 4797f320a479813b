"""Taking in what operators want: each wish holds from one tick on, for all whom it concerns."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agents.errors import RunError
from world.adapter import Changes, World
from world.records import Intervention
from world.runs.history import History
from world.runs.inbox import Inbox
from world.visiting.wishes import made_plain

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
"""What more than one cluster may see: it is recorded before its tick, which nobody has begun."""


@dataclass(kw_only=True)
class Taken:
    """What one cluster's commit holds of it."""

    interventions: list[Intervention] = field(default_factory=list)
    """Not recorded yet."""
    changes: Changes = field(default_factory=Changes)
    visitors: set[str] = field(default_factory=set)
    """Whose bodies it writes."""


@dataclass(kw_only=True)
class Intake:
    """A living run's ear for its operators."""

    world: World
    history: History
    inbox: Inbox
    pending: list[Intervention] = field(default_factory=list)
    """Interventions that were recorded and whose tick is still to come, for some at least."""

    def take(self, tick: int, waiting: Sequence[str]) -> dict[str, Taken]:
        """Return what holds from this tick on, by the agent whose commit holds it.

        `waiting` are those who have not done the tick. What is far to be seen is let in only
        where that is everybody: then all meet it at the same tick.
        """
        fresh = self.inbox.take(self.history, tick)
        due = [each for each in self.pending if each.tick <= tick]
        self.pending = [each for each in self.pending if each.tick > tick]
        is_untouched = len(waiting) == len(self.world.names) and not self._is_begun(tick, fresh)
        taken: dict[str, Taken] = {}
        held: set[str] = set()
        for each in due:
            self._deliver(each, waiting, taken)
        for each in fresh:
            if each.kind in FAR:
                plain = self._let_in(each, held) if is_untouched else None
                if plain is not None:
                    self._deliver(plain, waiting, taken)
            else:
                self._deliver(each, waiting, taken, is_fresh=True)
        return taken

    def _is_begun(self, tick: int, fresh: Sequence[Intervention]) -> bool:
        """True when an earlier life has begun the tick: something far to be seen is recorded."""
        if not any(each.kind in FAR for each in fresh):
            return False
        recorded = self.history.interventions(after=tick - 1)
        return any(each.kind in (*FAR, "visitor_says") for each in recorded)

    def next_tick(self, tick: int) -> int:
        """Return the first tick to come at which something that was recorded holds, else `tick`."""
        return min((each.tick for each in self.pending), default=tick)

    def _let_in(self, each: Intervention, held: set[str]) -> Intervention | None:
        """Record a wish that is far to be seen; None where it cannot be, or not yet.

        A visitor's wishes keep their order: behind one that must wait, all wait.
        """
        try:
            plain = made_plain(each)
            if each.target in held:
                return None
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
        self.history.record(plain)
        self.inbox.settle([each.id])
        return plain

    def _deliver(
        self,
        each: Intervention,
        waiting: Sequence[str],
        taken: dict[str, Taken],
        *,
        is_fresh: bool = False,
    ) -> None:
        """Let the world carry something out, and note whose commit holds it."""
        if each.kind == "announcement":
            for name in waiting:
                changes = self.world.deliver(replace(each, target=name))
                taken.setdefault(name, Taken()).changes.add(changes)
            return
        if each.kind in FAR:
            changes = self.world.deliver(each)
            holder = self.world.holder(each, waiting)
            taken.setdefault(holder, Taken()).visitors.add(each.target)
            taken[holder].changes.add(changes)
            return
        holder = next(iter(waiting), "") if each.kind == "object_state" else each.target
        if holder not in waiting:
            return
        mine = taken.setdefault(holder, Taken())
        mine.changes.add(self.world.deliver(each))
        if is_fresh:
            mine.interventions.append(each)
