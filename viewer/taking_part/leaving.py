"""Buttons that leave a wish each, and the line that says what became of the last one."""

import asyncio
from collections.abc import Callable
from functools import partial

from nicegui import ui

from viewer.controls import Told, button
from viewer.taking_part.acts import Left
from viewer.taking_part.scene import Scene
from world.runs.inbox import Fate, Inbox

EVERY = 0.5
"""Seconds between two looks at what became of a wish."""


class Leaving:
    """Leaves wishes, and watches the last one."""

    def __init__(self, scene: Scene, wishes: dict[str, Callable[[], Left]]) -> None:
        """Draw a button for each wish, which is left by its function or raises what is wrong."""
        self._acts = scene.acts
        self._go_on = scene.go_on
        self._left: Left | None = None
        with ui.element("div").classes("row"):
            for text, wish in wishes.items():
                button(text, partial(self.leave, wish), is_main=len(wishes) == 1)
        self.told = Told()
        self._waits = button("Let the run go on now", self._let_go_on)
        self._waits.set_visibility(False)
        self._timer = ui.timer(EVERY, self._look, active=False)

    async def leave(self, wish: Callable[[], Left]) -> None:
        """Leave a wish."""
        with self.told.watching():
            self._left = await asyncio.to_thread(wish)
            self.told.say(self._left.told)
            self._waits.set_visibility(self._left.waits)
            self._timer.activate()

    async def _let_go_on(self) -> None:
        """Let the run go on, so that the wish is taken in."""
        with self.told.watching():
            self._waits.set_visibility(False)
            await self._go_on({})

    async def _look(self) -> None:
        """Say what became of the wish, once it is known."""
        if self._left is None:
            self._timer.deactivate()
            return
        fate = await asyncio.to_thread(self._fate, self._left.id)
        if fate.state == "waiting":
            return
        self._timer.deactivate()
        if fate.state == "refused":
            self.told.complain(f"The town did not let it happen: {fate.why}.")
        else:
            self.told.say("It has reached the town.")

    def _fate(self, wish: str) -> Fate:
        """Read what became of a wish."""
        with Inbox(self._acts.house.folder(self._acts.run)) as inbox:
            return inbox.fate(wish)
