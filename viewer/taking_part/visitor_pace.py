"""Limit the town to the pace of a page's visitor, and make it wait when the page closes."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from nicegui import background_tasks

from history.inbox import Inbox
from reports.visitors import visitors_in_town
from viewer.taking_part.acts import RunActions
from world.visiting import wishes

KEPT = 90.0
"""Seconds for which a pace holds. The page renews it every two, but once a minute while hidden."""
FASTEST = 640.0
"""Town seconds in a second at the page's highest speed."""
RETURN = 300.0
"""Seconds for which the town waits for a visitor whose page has closed."""
SLACK = 1.0
"""Seconds after which that wait is over for certain."""


@dataclass
class VisitorPace:
    """Keeps the town at the pace of a page's visitor, who leaves some time after the page."""

    acts: RunActions
    patience: float = RETURN
    _visitor: str = field(default="", init=False)
    """The visitor of this page; empty for none."""

    async def keep(self, detail: dict[str, Any]) -> None:
        """Keep to the pace that the page asks for; without one, its visitor has left."""
        rate = detail.get("rate")
        if isinstance(rate, int | float) and not isinstance(rate, bool):
            self._visitor = str(detail.get("visitor", ""))
            await asyncio.to_thread(self.acts.keep_pace, min(max(0.0, rate), FASTEST), KEPT)
        elif rate is None and self._visitor:
            self._visitor = ""
            await asyncio.to_thread(self.acts.keep_pace, 0, 0)

    def close(self) -> None:
        """Let the town wait for the visitor, as their page has closed."""
        if self._visitor:
            background_tasks.create(self.see_off(), name="a visitor's page has closed")

    async def see_off(self) -> None:
        """Wait for another page to take over the visitor; if none does, the visitor leaves."""
        await asyncio.to_thread(self.acts.keep_pace, 0, self.patience)
        await asyncio.sleep(self.patience + SLACK)
        await asyncio.to_thread(self.leave)

    def leave(self) -> None:
        """Make the visitor leave, if the run is in progress and waits for nobody any more."""
        with self.acts.open_run() as run, Inbox(run.folder) as inbox:
            is_alone = run.state() == "running" and inbox.pace() is None
            is_going = inbox.wants("visitor_leaves", self._visitor)
            if is_alone and not is_going and self._visitor in visitors_in_town(run):
                inbox.put(wishes.leave(self._visitor))
