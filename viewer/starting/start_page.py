"""`/start`: the existing runs as a table, updated while the page is open, and a guided start."""

import asyncio
import time
from functools import partial

from nicegui import ui

from smolville.agents.errors import RunError
from smolville.agents.wording import percent
from smolville.history.folder import SAMPLES
from smolville.history.inbox import pause, resume
from smolville.reports.runs import RunRow, describe_fork, name_model, read_rows, spoken_moment
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import StatusLine, box, button, link, words
from smolville.viewer.frame import frame, run_address, style
from smolville.viewer.serving.children import (
    ANOTHER_DAY,
    TO_ITS_GOAL,
    StartedProcesses,
    children_of,
    let_go_on,
    why_ended,
)
from smolville.viewer.serving.stage_files import WHOLE
from smolville.viewer.starting.form import StartForm, WantedRun
from smolville.viewer.town_page import has_begun

SECONDS = 2.0
"""Seconds to wait for the error of a run that cannot begin; then its page shows what it waits for.
"""
PATIENCE = 30.0
"""Seconds that reading all runs may take before the page is given up."""
EVERY = 2.0
"""Seconds between two updates of the table."""
HEADS = ("Run", "People", "Lived", "Model", "Clean", "Fallbacks", "State", "What to do")


def add(config: AppConfig) -> None:
    """Add the page."""
    children = children_of(config)

    @ui.page("/start", response_timeout=PATIENCE)
    async def start() -> None:
        style("forms", "start")
        ui.add_body_html(f'<script type="module" async src="/stage/{WHOLE}faces.js"></script>')
        rows = await asyncio.to_thread(read_rows, config.runs)

        async def begin(wanted: WantedRun) -> None:
            await begin_run(config, children, wanted)
            ui.navigate.to(run_address(wanted.name))

        with frame("Runs" if rows else "Welcome to Smolville", here="Runs"):
            # The page is sent whole, so that nothing on it moves while one looks.
            table = RunTable(config, children, rows) if rows else None
            with box("p", "soft in-line"):
                words("span", "Recorded days are always there to be watched, and need no model: ")
                for number, name in enumerate(SAMPLES):
                    words("span", " and " * bool(number))
                    link(name, run_address(name))
            words("h2", "Begin another town" if rows else "Begin a town of your own", "start-head")
            form = StartForm(config, begin)
            await form.load()
            if table is not None:
                # Last on the page: NiceGUI sends a page as soon as a timer waits for the browser.
                ui.timer(EVERY, table.look, immediate=False)


async def begin_run(config: AppConfig, children: StartedProcesses, wanted: WantedRun) -> None:
    """Begin a run; return as soon as there is something to show, or after a few seconds.

    Raises RunError with the output of the command if the command ends before that.
    """
    options = wanted.options()
    if wanted.name in config.names():
        raise RunError(f"There is a run {wanted.name!r} already; give this one another name.")
    child = children.begin(wanted.name, *options)
    ends = time.monotonic() + SECONDS
    while not has_begun(config, wanted.name) and time.monotonic() < ends:
        if not child.lives:
            await asyncio.to_thread(child.wait)
            raise RunError(why_ended(child))
        await asyncio.sleep(0.05)


class RunTable:
    """All runs in the folder of runs, one row each, with its actions.

    A row stays the same element as long as its run exists. So a user who has moved the keyboard
    focus to its buttons keeps that focus when the run advances.
    """

    def __init__(self, config: AppConfig, children: StartedProcesses, rows: list[RunRow]) -> None:
        """Draw the rows that were read for the page."""
        self._config = config
        self._children = children
        self._rows: list[RunRow] = []
        self._drawn: dict[str, _DrawnRun] = {}
        # Its roles are said, as a narrow screen shows the rows as cards.
        with box("div", "card start-runs"), box("table", "runs", role="table"):
            with box("thead"), box("tr"):
                for head in HEADS:
                    words("th", head, scope="col")
            self._body = box("tbody")
        self.told = StatusLine()
        self._show(rows)

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
        for place, row in enumerate(rows):
            if row.name not in self._drawn:
                with self._body:
                    self._drawn[row.name] = _DrawnRun(row)
            drawn = self._drawn[row.name]
            if drawn.show(row) and not row.problem:
                with drawn.acts:
                    self._draw_acts(row)
            if self._body.default_slot.children.index(drawn.root) != place:
                drawn.root.move(self._body, target_index=place)

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
        with self.told.watching():
            self.told.say(await let_go_on(self._children, name, options))


class _DrawnRun:
    """The row of one run."""

    def __init__(self, row: RunRow) -> None:
        """Draw what does not change; `show` fills in the rest."""
        with box("tr", role="row") as self.root:
            with box("th", scope="row", role="rowheader"):
                # Also for a damaged run: its page shows what is left, and says what is missing.
                link(row.name, run_address(row.name))
                self._fork = words("span", "", "runs-fork")
            self._cells = [
                words("td", "", role="cell", data_head=head.lower()) for head in HEADS[1:-2]
            ]
            self._cells[2].classes("runs-model").tooltip(row.model)
            with box("td", role="cell"):
                self._state = words("span", "", "state")
            with box("td", role="cell"):
                self.acts = box("div", "row")
        self._offered: tuple[str, str] | None = None

    def show(self, row: RunRow) -> bool:
        """Show the present state of the run; return whether its buttons must be drawn again."""
        reached, goal = spoken_moment(row.reached), spoken_moment(row.goal)
        texts = (
            str(row.cast or ""),
            reached if reached == goal or not goal else f"{reached} (goal: {goal})",
            " + ".join(map(name_model, row.model.split(" + "))),
            "" if row.clean is None else percent(row.clean, 1, 0),
            str(row.fallbacks),
        )
        for cell, text in zip(self._cells, texts, strict=True):
            cell.set_text(text)
        self._fork.set_text(describe_fork(row))
        self._state.set_text(row.problem or row.state)
        is_new = self._offered != (row.problem, row.state)
        if is_new:
            self._state.classes(replace=f"state is-{row.state}")
            self._offered = (row.problem, row.state)
            self.acts.clear()
        return is_new
