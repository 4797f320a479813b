"""The page of charts: how a run's models perform by step and by hour, updated during the run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from shlex import join
from typing import Any

from nicegui import run as threads
from nicegui import ui

from smolville.agents.wording import format_count, percent, thousands
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.history.folder import RunFolder
from smolville.viewer.charts.echarts import ChartData
from smolville.viewer.charts.figures import Readings, Stamp, figures, readings, reread, stamp
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import (
    box,
    make_folded_section,
    nothing,
    set_attributes,
    short,
    words,
)
from smolville.viewer.frame import frame
from smolville.viewer.story.run_links import SECONDS, RunLinks, read
from smolville.viewer.styles import style

EVERY = 2.0
"""Seconds between two checks of an active run."""


def add(config: AppConfig) -> None:
    """Add the page `/run/NAME/charts`."""

    @ui.page("/run/{run}/charts", response_timeout=SECONDS)
    async def charts(run: str) -> None:
        ways, told = await read(config, run, lambda opened: readings(opened.reader))
        folder = config.folder(run)
        style("story", "charts")
        with frame("How the model does", ways.run, "Model"):
            view = _ChartsView(ways=ways, folder=folder, seen=stamp(folder), where=config.where)
            view.draw(told)
            ui.timer(EVERY, view.follow)


@dataclass(kw_only=True)
class _ChartsView:
    """The charts on one open page."""

    ways: RunLinks
    folder: RunFolder
    seen: Stamp
    """Stamp of the history whose figures are shown."""
    where: Sequence[str] = ()
    """Options that name the folder of runs in a command to copy."""
    is_reading: bool = False
    shape: Sequence[object] = ()
    """The structure of the figures; while it is the same, only numbers change."""
    _parts: dict[str, Any] = field(default_factory=dict)

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
            self.draw(told)

    def draw(self, told: Readings) -> None:
        """Show readings; the page is built anew only if its structure has changed."""
        where = f" {join(self.where)}" if self.where else ""
        made = [
            replace(each, commands=[line + where for line in each.commands])
            for each in figures(self.ways.run, told, self.ways.start)
        ]
        shape = [(e.key, e.options is None, bool(e.rows), e.commands) for e in made]
        is_new, self.shape = shape != self.shape, shape
        if is_new and not self._build(told, made):
            return
        self._parts["said"].set_text(_describe(told))
        self._fill("sums", lambda: _sum_rows(told))
        for figure in made:
            chart = self._parts.get(f"{figure.key} chart")
            if chart is not None and figure.options is not None and not is_new:
                chart.options.clear()
                chart.options.update(figure.options)
                chart.style(f"height: {figure.height}px")
                chart.update()
            if figure.rows:
                self._fill(f"{figure.key} table", partial(_table_rows, figure))

    def _build(self, told: Readings, made: Sequence[ChartData]) -> bool:
        """Build the page anew, without numbers; return False if there is nothing to show yet."""
        if "page" not in self._parts:
            self._parts["page"] = box("div", "charts")
        self._parts["page"].clear()
        with self._parts["page"]:
            if not told.health.total.recorded and not told.health.total.steps:
                nothing("Nothing has been asked yet: the run has not started.")
                self.shape = ()
                return False
            with box("section", "card sums-card"):
                self._parts["said"] = words("p", "")
                self._parts["sums"] = box("dl", "sums")
            for fault in told.health.faults:
                words("p", fault, "story-trouble")
            for figure in made:
                self._parts |= _figure_parts(figure)
        return True

    def _fill(self, name: str, draw: Callable[[], None]) -> None:
        """Draw the content of a part anew."""
        self._parts[name].clear()
        with self._parts[name]:
            draw()


def _figure_parts(figure: ChartData) -> dict[str, Any]:
    """Add a figure to the page, and return the elements that are filled or updated."""
    parts: dict[str, Any] = {}
    with set_attributes(box("section", "card figure"), aria_labelledby=f"figure-{figure.key}"):
        set_attributes(words("h2", figure.title), id=f"figure-{figure.key}")
        words("p", figure.note, "soft")
        if figure.options is not None:
            chart = ui.echart(figure.options, renderer="svg").style(f"height: {figure.height}px")
            set_attributes(chart, role="img", aria_label=f"{figure.title}; the table says the same")
            parts[f"{figure.key} chart"] = chart
        if not figure.rows:
            return parts
        with make_folded_section("The same as a table"):
            region = set_attributes(box("div", "scrolls"), tabindex="0", role="region")
            set_attributes(region, aria_label=f"{figure.title}, as a table")
            with region:
                parts[f"{figure.key} table"] = box("table", "figures")
        if figure.commands:
            words("p", "In a terminal, these list the moments behind it:", "soft")
            with box("ul", "commands"):
                for line in figure.commands:
                    with box("li"):
                        words("code", line)
    return parts


def _table_rows(figure: ChartData) -> None:
    """Add the rows of a figure's table."""
    words("caption", figure.title, "unseen")
    with box("thead"), box("tr"):
        for title in figure.head:
            set_attributes(words("th", title), scope="col")
    with box("tbody"):
        for name, *cells in figure.rows:
            with box("tr"):
                set_attributes(short("th", name, longest=120), scope="row")
                for cell in cells:
                    is_number = cell[:1].isdigit() or cell in ("-", "not told")
                    short("td", cell, "number" if is_number else "", longest=300)


def _describe(told: Readings) -> str:
    """Return sentences on how the models performed, and on what the shares are shares of."""
    total = told.health.total
    clean, given_up = (total.outcomes.get(each, 0) for each in ("clean", "fallback"))
    rest = f"In {given_up:,} no answer could be used, and a rule decided. " if given_up else ""
    return (
        f"A step is one question to a model, together with every time it was asked again. Of "
        f"{format_count(total.steps, 'step')}, {clean:,} were accepted at "
        f"once, and a check objects to {total.odd:,} of the accepted answers. {rest}"
        "Every share is one of all steps."
    )


def _sum_rows(told: Readings) -> None:
    """Add the totals of the whole run."""
    total = told.health.total
    shares: dict[str, int] = {each: total.outcomes.get(each, 0) for each in OUTCOMES}
    shares["objected to"] = total.odd
    cached = total.cached_share
    sums = {
        "steps": f"{total.steps:,}",
        **{name: f"{count:,} ({percent(count, total.steps)})" for name, count in shares.items()},
        "calls": f"{total.recorded:,}",
        "prompt tokens": thousands(total.prompt_tokens),
        "completion tokens": thousands(total.completion_tokens),
        "cached": "not told" if cached is None else f"{100 * cached:.1f} %",
        "cut prompts": f"{total.cuts:,}",
    }
    for name, value in sums.items():
        with box("div"):
            words("dt", name)
            words("dd", value)
