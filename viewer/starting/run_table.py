"""The table of runs: one row for each run, with its actions, updated while the page is open."""

import asyncio
from collections.abc import Callable
from functools import partial

from nicegui import ui

from smolville.agents.wording import percent
from smolville.history.inbox import pause, resume
from smolville.reports.runs import RunRow, describe_fork, name_model, read_rows, spoken_moment
from smolville.viewer.config import AppConfig
from smolville.viewer.controls import StatusLine, button
from smolville.viewer.elements import set_attributes
from smolville.viewer.frame import run_address
from smolville.viewer.serving.children import ANOTHER_DAY, TO_ITS_GOAL, StartedProcesses, let_go_on

HEADS = ("Run", "People", "Lived", "Model", "Clean", "Fallbacks", "State", "")
EVERY = 2.0
"""Seconds between two updates of the table."""


def _spoken_reach(row: RunRow) -> str:
    """Return how far a run has got, and its goal if that lies ahead."""
    reached, goal = spoken_moment(row.reached), spoken_moment(row.goal)
    return reached if reached == goal or not goal else f"{reached} (goal: {goal})"


def _texts(row: RunRow) -> tuple[str, ...]:
    """Return the texts of the cells between a run's name and its state."""
    return (
        str(row.cast or ""),
        _spoken_reach(row),
        " + ".join(map(name_model, row.model.split(" + "))),
        "" if row.clean is None else percent(row.clean, 1, 0),
        str(row.fallbacks),
    )


class RunTable:
    """All runs in the folder of runs, updated regularly while the page is open.

    A row stays the same element as long as its run exists. So a user who has moved the keyboard
    focus to its box or its buttons keeps that focus when the run advances.
    """

    def __init__(self, config: AppConfig, children: StartedProcesses, rows: list[RunRow]) -> None:
        """Draw the rows that were read for the page."""
        self._config = config
        self._children = children
        self._rows: list[RunRow] = []
        self._drawn: dict[str, _DrawnRun] = {}
        self._compared: list[str] = []
        # Its roles are said, as a narrow screen shows the rows as cards.
        with ui.element("div").classes("card start-runs"):
            table = ui.element("table").classes("runs").props('role="table"')
        with table:
            with ui.element("thead"), ui.element("tr"):
                for head in HEADS:
                    with ui.element("th").props('scope="col"'):
                        ui.label(head or "What to do").classes("" if head else "unseen")
            self._body = ui.element("tbody")
        with ui.element("div").classes("row"):
            button("Compare the two that are ticked", self._compare)
            self.told = StatusLine()
        self._show(rows)

    def follow(self) -> None:
        """Begin to update the table; must be called last on a page.

        A timer waits for the browser, and NiceGUI sends a page as soon as something on it waits for
        the browser. Whatever the page adds after that would appear later and move the rest.
        """
        ui.timer(EVERY, self.look, immediate=False)

    async def look(self) -> None:
        """Read the runs, and update the table."""
        self._show(await asyncio.to_thread(read_rows, self._config.runs))

    def _show(self, rows: list[RunRow]) -> None:
        """Update the table to these rows, without touching what has not changed."""
        if rows == self._rows:
            return
        self._rows = rows
        names = [row.name for row in rows]
        for name in [name for name in self._drawn if name not in names]:
            self._drawn.pop(name).root.delete()
            self._compared = [each for each in self._compared if each != name]
        for row in rows:
            if row.name not in self._drawn:
                with self._body:
                    self._drawn[row.name] = _DrawnRun(row, partial(self._tick, row.name))
            drawn = self._drawn[row.name]
            drawn.show(row, self._draw_acts)
        for place, name in enumerate(names):
            root = self._drawn[name].root
            if self._body.default_slot.children.index(root) != place:
                root.move(self._body, target_index=place)

    def _draw_acts(self, row: RunRow) -> None:
        if row.state == "running":
            button("Pause", partial(self._pause, row.name))
            button("Go on", partial(self._resume, row.name))
        elif row.state == "paused":
            button("Go on to its goal", partial(self._go_on, row.name, TO_ITS_GOAL))
        else:
            button("Another day", partial(self._go_on, row.name, ANOTHER_DAY))

    async def _pause(self, name: str) -> None:
        with self.told.watching():
            await asyncio.to_thread(pause, self._config.folder(name))
            self.told.say(f"{name} pauses at its next tick.")

    async def _resume(self, name: str) -> None:
        with self.told.watching():
            await asyncio.to_thread(resume, self._config.folder(name))
            self.told.say(f"{name} goes on.")

    async def _go_on(self, name: str, options: tuple[str, ...]) -> None:
        """Resume a finished or interrupted run in a process of its own."""
        with self.told.watching():
            self.told.say(await let_go_on(self._children, name, options))

    def _tick(self, name: str) -> None:
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


class _DrawnRun:
    """The row of one run."""

    def __init__(self, row: RunRow, tick: Callable[[], None]) -> None:
        """Draw what does not change; `show` fills in the rest."""
        with ui.element("tr").props('role="row"') as self.root:
            with ui.element("th").props('scope="row" role="rowheader"'):
                # Also for a damaged run: its page shows what is left, and says what is missing.
                ui.link(row.name, run_address(row.name))
                self._fork = ui.label().classes("runs-fork")
            self._cells = [self._draw_cell(head, row) for head in HEADS[1:-2]]
            with ui.element("td").props('role="cell"'):
                self._state = ui.label("").classes("state")
            with ui.element("td").props('role="cell"'), ui.element("div").classes("row"):
                self._acts = ui.element("div").classes("row")
                self._box = ui.checkbox("Compare", on_change=tick)
        self._offered: tuple[str, str] | None = None

    def _draw_cell(self, head: str, row: RunRow) -> ui.label:
        with set_attributes(ui.element("td"), role="cell", data_head=head.lower()):
            label = ui.label("")
            if head == "Model":
                label.classes("runs-model").tooltip(row.model)
        return label

    def show(self, row: RunRow, draw_acts: Callable[[RunRow], None]) -> None:
        """Show the present state of the run; its buttons are drawn again only for a new state."""
        for cell, text in zip(self._cells, _texts(row), strict=True):
            cell.set_text(text)
        self._fork.set_text(describe_fork(row))
        self._state.set_text(row.problem or row.state)
        if self._offered == (row.problem, row.state):
            return
        self._state.classes(replace=f"state is-{row.state}")
        self._offered = (row.problem, row.state)
        self._box.set_visibility(not row.problem)
        self._acts.clear()
        if not row.problem:
            with self._acts:
                draw_acts(row)
