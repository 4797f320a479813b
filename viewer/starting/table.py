"""The table of runs, with the actions available for each."""

import asyncio
from functools import partial

from nicegui import ui

from agents.numbers import percent
from history.inbox import pause, resume
from reports.listing import RunRow, read_rows
from viewer.controls import StatusLine, button
from viewer.frame import run_address
from viewer.house import AppRuns
from viewer.serving.children import StartedProcesses
from viewer.starting.going_on import let_go_on
from viewer.starting.wanted_run import ANOTHER_DAY, TO_ITS_GOAL

HEADS = ("Run", "People", "Reached", "Goal", "Model", "Sensible", "Fallbacks", "State", "")
EVERY = 2.0
"""Seconds between two updates of the table."""


class RunTable:
    """All runs of the house, updated regularly while the page is open."""

    def __init__(self, house: AppRuns, children: StartedProcesses) -> None:
        self._house = house
        self._children = children
        self._rows: list[RunRow] = []
        self._compared: list[str] = []
        with ui.element("div").classes("card start-runs"):
            self.table = ui.element("table").classes("runs")
        with ui.element("div").classes("row"):
            button("Compare the two that are ticked", self._compare)
        self.told = StatusLine()
        ui.timer(0.01, self.look, once=True)
        ui.timer(EVERY, self.look)

    async def look(self) -> None:
        """Read the runs, and redraw the table if something has changed."""
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

    def _draw(self, row: RunRow) -> None:
        """Draw the row of one run."""
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
                # Also for a damaged run: its page shows what is left, and says what is missing.
                ui.link(row.name, run_address(row.name))
            for text in texts:
                with ui.element("td"):
                    ui.label(text)
            with ui.element("td"):
                ui.label(row.problem or row.state).classes(f"state is-{row.state}")
            with ui.element("td"), ui.element("div").classes("row"):
                if not row.problem:
                    self._draw_acts(row)

    def _draw_acts(self, row: RunRow) -> None:
        """Draw the actions available for a run."""
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
        """Pause an active run."""
        with self.told.watching():
            await asyncio.to_thread(pause, self._house.folder(name))
            self.told.say(f"{name} pauses at its next tick.")

    async def _resume(self, name: str) -> None:
        """Let a paused run continue."""
        with self.told.watching():
            await asyncio.to_thread(resume, self._house.folder(name))
            self.told.say(f"{name} goes on.")

    async def _go_on(self, name: str, options: tuple[str, ...]) -> None:
        """Resume a finished or interrupted run in a process of its own."""
        with self.told.watching():
            self.told.say(await let_go_on(self._children, name, options))

    def _tick(self, name: str) -> None:
        """Add a run to the comparison, or remove it."""
        if name in self._compared:
            self._compared.remove(name)
        else:
            self._compared.append(name)

    def _compare(self) -> None:
        """Open the comparison of the two chosen runs."""
        if len(self._compared) != 2:
            self.told.complain("Tick two runs to compare them.")
            return
        one, other = self._compared
        ui.navigate.to(f"/compare?a={one}&b={other}")
