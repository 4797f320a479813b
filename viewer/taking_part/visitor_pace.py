"""Keeps a run at the pace of a visitor's page, and lets the town wait when that page closes."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from nicegui import background_tasks

from smolville.reports.runs import visitors_in_town
from smolville.viewer.taking_part.acts import RunActions
from smolville.world import wishes

KEPT = 90.0
"""Seconds for which a pace is kept. The page renews it every two, or once a minute while hidden."""
FASTEST = 640.0
"""Town seconds per real second at the page's highest speed."""
RETURN = 300.0
"""Seconds for which the town waits for a visitor whose page has closed."""
SLACK = 1.0
"""Seconds added to RETURN, after which that time is certainly over."""


@dataclass
class VisitorPace:
    """Keeps a run at the pace of a visitor's page, and makes the visitor leave after it closes."""

    acts: RunActions
    patience: float = RETURN
    _visitor: str = field(default="", init=False)
    """The visitor of this page; empty for none."""

    async def keep(self, detail: dict[str, Any]) -> None:
        """Keep the run at the pace that the page asks for.

        If it names no pace, its visitor has left, and the run is no longer slowed down.
        """
        rate = detail.get("rate")
        if isinstance(rate, int | float) and not isinstance(rate, bool):
            self._visitor = str(detail.get("visitor", ""))
            await asyncio.to_thread(self.acts.keep_pace, min(max(0.0, rate), FASTEST), KEPT)
        elif rate is None and self._visitor:
            self._visitor = ""
            await asyncio.to_thread(self.acts.keep_pace, 0, 0)

    def close(self) -> None:
        """Let the town wait for the visitor, because their page has closed."""
        if self._visitor:
            background_tasks.create(self.see_off(), name="a visitor's page has closed")

    async def see_off(self) -> None:
        """Wait for another page to take over the visitor; if none does, make the visitor leave."""
        await asyncio.to_thread(self.acts.keep_pace, 0, self.patience)
        await asyncio.sleep(self.patience + SLACK)
        await asyncio.to_thread(self.leave)

    def leave(self) -> None:
        """Make the visitor leave, if the run is in progress and no page sets its pace any more."""
        with self.acts.open_run() as run, self.acts.inbox() as inbox:
            is_alone = run.state() == "running" and inbox.pace() is None
            is_going = inbox.wants("visitor_leaves", self._visitor)
            if is_alone and not is_going and self._visitor in visitors_in_town(run):
                inbox.put(wishes.leave(self._visitor))
