"""The page of charts: how a run's models perform by step and by hour, updated during the run."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from nicegui import run as threads
from nicegui import ui

from history.folder import RunFolder
from viewer.charts.drawing import figure_parts, shape, sum_rows, table_rows
from viewer.charts.figures import figures
from viewer.charts.readings import Readings, Stamp, readings, reread, stamp
from viewer.frame import frame
from viewer.house import AppRuns
from viewer.story.empty import nothing
from viewer.story.run_links import SECONDS, RunLinks, read
from viewer.styles import style
from viewer.why.elements import box, words

EVERY = 2.0
"""Seconds between two checks of an active run."""


def add(house: AppRuns) -> None:
    """Add `/run/NAME/charts`."""

    @ui.page("/run/{run}/charts", response_timeout=SECONDS)
    async def charts(run: str) -> None:
        ways, told = await read(house, run, lambda opened: readings(opened.reader))
        folder = house.folder(run)
        style("story", "tables", "charts")
        with frame("How the model does", ways.run, "Model"):
            view = _ChartsView(ways=ways, folder=folder, seen=stamp(folder))
            view.draw(told)
            ui.timer(EVERY, view.follow)


@dataclass(kw_only=True)
class _ChartsView:
    """The charts on one open page."""

    ways: RunLinks
    folder: RunFolder
    seen: Stamp
    """Stamp of the history that is shown."""
    is_reading: bool = False
    keys: Sequence[str] = ()
    _parts: dict[str, Any] = field(default_factory=dict)

    def draw(self, told: Readings) -> None:
        """Fill the page."""
        self._parts["page"] = box("div", "charts")
        self._fill(told)

    async def follow(self) -> None:
        """Read the history again and update the page when something was committed."""
        now = stamp(self.folder)
        if now == self.seen or self.is_reading:
            return
        self.is_reading = True
        try:
            told = await threads.io_bound(reread, self.folder)
        finally:
            self.is_reading = False
        if told is not None:
            self.seen = now
            self._show(told)

    def _fill(self, told: Readings) -> None:
        made = list(figures(self.ways.run, told))
        with self._parts["page"]:
            if not told.health.total.recorded and not told.health.total.steps:
                nothing("Nothing has been asked yet: the run has not lived a moment.")
                self.keys = ()
                return
            self._parts["sums"] = box("dl", "sums card")
            with self._parts["sums"]:
                sum_rows(told)
            for fault in told.health.faults:
                words("p", fault, "story-trouble")
            for figure in made:
                self._parts |= figure_parts(figure)
        self.keys = shape(made)

    def _show(self, told: Readings) -> None:
        """Show new readings; the page is rebuilt only when its structure has changed."""
        made = list(figures(self.ways.run, told))
        if shape(made) != self.keys:
            self._parts["page"].clear()
            self._fill(told)
            return
        self._parts["sums"].clear()
        with self._parts["sums"]:
            sum_rows(told)
        for figure in made:
            chart = self._parts.get(f"{figure.key} chart")
            if chart is not None and figure.options is not None:
                chart.options.clear()
                chart.options.update(figure.options)
                chart.style(f"height: {figure.height}px")
                chart.update()
            self._parts[f"{figure.key} table"].clear()
            with self._parts[f"{figure.key} table"]:
                table_rows(figure)
