"""The runs that are there, with what can be done with each."""

import asyncio
from functools import partial

from nicegui import ui

from viewer.controls import Told, button
from viewer.frame import run_address
from viewer.house import House
from viewer.serving.children import Children
from viewer.starting.going_on import let_go_on
from viewer.starting.wanted import ANOTHER_DAY, TO_ITS_GOAL
from world.runs.inbox import pause, resume
from world.telling.listing import Row, read_rows
from world.telling.shares import percent

HEADS = ("Run", "People", "Reached", "Goal", "Model", "Sensible", "Fallbacks", "State", "")
EVERY = 2.0
"""Seconds between two looks at the runs."""


class RunTable:
    """All runs of the house, looked at again and again while the page is open."""

    def __init__(self, house: House, children: Children) -> None:
        self._house = house
        self._children = children
        self._rows: list[Row] = []
        self._compared: list[str] = []
        with ui.element("div").classes("card start-runs"):
            self.table = ui.element("table").classes("runs")
        with ui.element("div").classes("row"):
            button("Compare the two that are ticked", self._compare)
        self.told = Told()
        ui.timer(0.01, self.look, once=True)
        ui.timer(EVERY, self.look)

    async def look(self) -> None:
        """Read the runs, and draw them anew where something is different."""
        rows = await asyncio.to_thread(read_rows, self._house.runs)
        if rows == self._rows:
            return
        self._rows = rows
        self.table.clear()
        with self.table:
            with ui.element("thead"), ui.element("tr"):
                for head in HEADS:
                    with ui.element("th").props('scope="col"'):
                        ui.label(head or "What to do").classes("" if head else "unseen")
            with ui.element("tbody"):
                for row in rows:
                    self._draw(row)

    def _draw(self, row: Row) -> None:
        """Draw one run."""
        sensible = "" if row.sensible is None else percent(row.sensible, 1, 0)
        texts = (
            str(row.cast or ""),
            row.reached,
            row.goal,
            row.model,
            sensible,
            str(row.fallbacks),
        )
        with ui.element("tr"):
            with ui.element("th").props('scope="row"'):
                # Also of a damaged one: its page shows what is whole, and says what is not.
                ui.link(row.name, run_address(row.name))
            for text in texts:
                with ui.element("td"):
                    ui.label(text)
            with ui.element("td"):
                ui.label(row.problem or row.state).classes(f"state is-{row.state}")
            with ui.element("td"), ui.element("div").classes("row"):
                if not row.problem:
                    self._draw_acts(row)

    def _draw_acts(self, row: Row) -> None:
        """Draw what can be done with a run."""
        if row.state == "running":
            button("Pause", partial(self._pause, row.name))
            button("Go on", partial(self._resume, row.name))
        elif row.state == "paused":
            button("Go on to its goal", partial(self._go_on, row.name, TO_ITS_GOAL))
        else:
            button("Another day", partial(self._go_on, row.name, ANOTHER_DAY))
        box = ui.checkbox("Compare", value=row.name in self._compared)
        box.on_value_change(partial(self._tick, row.name))

    async def _pause(self, name: str) -> None:
        """Let a living run hold its breath."""
        with self.told.watching():
            await asyncio.to_thread(pause, self._house.folder(name))
            self.told.say(f"{name} pauses at its next tick.")

    async def _resume(self, name: str) -> None:
        """Let a run that holds go on."""
        with self.told.watching():
            await asyncio.to_thread(resume, self._house.folder(name))
            self.told.say(f"{name} goes on.")

    async def _go_on(self, name: str, options: tuple[str, ...]) -> None:
        """Let a run that is over, or was left, go on in a process of its own."""
        with self.told.watching():
            self.told.say(await let_go_on(self._children, name, options))

    def _tick(self, name: str) -> None:
        """Take a run into the comparison, or out of it."""
        if name in self._compared:
            self._compared.remove(name)
        else:
            self._compared.append(name)

    def _compare(self) -> None:
        """Lead to the comparison of two runs."""
        if len(self._compared) != 2:
            self.told.complain("Tick two runs to compare them.")
            return
        one, other = self._compared
        ui.navigate.to(f"/compare?a={one}&b={other}")
