"""`/start`: the existing runs, and a guided start of a new one."""

import asyncio
import time
from functools import partial

from nicegui import ui

from agents.errors import RunError, SmolvilleError
from agents.wording import percent
from history.folder import is_broken_off, make_name
from history.inbox import pause, resume
from history.sample import SAMPLE
from reports.runs import STANDIN_TOLD, RunRow, describe_recording, name_model, read_rows
from viewer.config import AppConfig
from viewer.controls import StatusLine, button, sentence
from viewer.elements import set_attributes
from viewer.frame import frame, run_address
from viewer.serving.children import (
    ANOTHER_DAY,
    TO_ITS_GOAL,
    StartedProcesses,
    children_of,
    let_go_on,
    why_ended,
)
from viewer.serving.stage_files import WHOLE
from viewer.starting.form import Begin, StartForm, WantedRun
from viewer.starting.model_choice import STANDIN
from viewer.starting.people_choice import USUAL, usual_people
from viewer.styles import style
from viewer.town_page import has_begun
from world.town.town import Town, shipped_town

SECONDS = 2.0
"""Seconds in which a run that cannot begin says why; after that its page shows what it waits for.
"""
PATIENCE = 30.0
"""Seconds to read all runs before the page is given up."""
HEADS = ("Run", "People", "Lived", "Model", "Sensible", "Fallbacks", "State", "")
EVERY = 2.0
"""Seconds between two updates of the table."""


def add(config: AppConfig) -> None:
    """Add the page."""
    children = children_of(config)

    @ui.page("/start", response_timeout=PATIENCE)
    async def start() -> None:
        style("dialogs", "start")
        ui.add_body_html(f'<script type="module" async src="/stage/{WHOLE}faces.js"></script>')
        names = config.names()

        async def begin(wanted: WantedRun) -> None:
            await begin_run(config, children, wanted)
            ui.navigate.to(run_address(wanted.name))

        with frame("Runs" if names else "Welcome to Smolville", here="Runs"):
            if names:
                # The page is sent whole, so that nothing on it moves while one looks.
                table = RunTable(config, children, await asyncio.to_thread(read_rows, config.runs))
                with ui.element("p").classes("soft in-line"):
                    ui.link("A recorded day", run_address(SAMPLE))
                    ui.label(", in which a small model thinks, is always there to be watched.")
                with ui.element("h2").classes("start-head"):
                    ui.label("Begin another town")
            else:
                FirstLook(config, begin)
                with ui.element("h2").classes("start-head"):
                    ui.label("Begin a town of your own")
                ui.label(
                    "Choose who lives in it; all else is answered already and can be changed below."
                ).classes("soft")
            form = StartForm(config, begin)
            await form.load()
            if names:
                table.follow()


async def begin_run(config: AppConfig, children: StartedProcesses, wanted: WantedRun) -> None:
    """Begin a run; return as soon as there is something to show, or after some seconds.

    Raises RunError with the output of the command when it ended before that.
    """
    options = wanted.options()
    if wanted.name in config.names() and not is_broken_off(config.runs / wanted.name):
        raise RunError(f"The name {wanted.name!r} is taken; choose another one.")
    child = children.begin(wanted.name, *options)
    ends = time.monotonic() + SECONDS
    while not has_begun(config, wanted.name) and time.monotonic() < ends:
        if not child.lives:
            await asyncio.to_thread(child.wait)
            raise RunError(why_ended(child))
        await asyncio.sleep(0.05)


class FirstLook:
    """Two days that can be watched at once, without any choices; each names the model it uses."""

    def __init__(self, config: AppConfig, begin: Begin) -> None:
        """Draw both offers; `begin` starts a run and raises its errors."""
        self._config = config
        self._begin = begin
        self._is_going = False
        ui.label("To look around first, neither a model nor a run is needed.").classes("soft")
        with ui.element("div").classes("start-row"):
            with _offer("Watch a recorded day"):
                self._draw_recording()
            with _offer("Let the stand-in live a day"):
                ui.label(
                    f"A new day of {USUAL} people; {STANDIN_TOLD} thinks for them, in seconds."
                )
                button("Let them live a day", self._begin_day)
                self.told = StatusLine()

    def _draw_recording(self) -> None:
        """Draw the recording's description, and the link to it."""
        try:
            ui.label(describe_recording(self._config.folder(SAMPLE)))
        except SmolvilleError as error:
            ui.label(sentence(error)).classes("told is-trouble")
        else:
            ui.link("Watch it", run_address(SAMPLE)).classes("button")

    async def _begin_day(self) -> None:
        """Begin a day with the stand-in; errors are shown."""
        if self._is_going:
            return
        self._is_going = True
        self.told.say("Beginning …")
        with self.told.watching():
            town = await asyncio.to_thread(Town.load, shipped_town())
            people = usual_people(town)
            name = make_name(STANDIN, self._config.names())
            await self._begin(WantedRun(name=name, people=people, model=STANDIN))
        self._is_going = False


def _offer(title: str) -> ui.element:
    """Return one offer with its title."""
    offer = ui.element("section").classes("card start-offer")
    with offer, ui.element("h2"):
        ui.label(title)
    return offer


def spoken_moment(moment: str) -> str:
    """Return a moment such as `1 14:30` as `day 1, 14:30`; a midnight is the end of its day."""
    day, _, clock = moment.partition(" ")
    if not clock:
        return moment
    is_end = clock == "00:00" and day != "1"
    return f"end of day {int(day) - 1}" if is_end else f"day {day}, {clock}"


def _spoken_reach(row: RunRow) -> str:
    """Return how far a run has come, and its goal where that is farther."""
    reached, goal = spoken_moment(row.reached), spoken_moment(row.goal)
    return reached if reached == goal or not goal else f"{reached} (goal: {goal})"


class RunTable:
    """All runs of the house, updated regularly while the page is open."""

    def __init__(self, config: AppConfig, children: StartedProcesses, rows: list[RunRow]) -> None:
        """Draw the rows that were read for the page."""
        self._config = config
        self._children = children
        self._rows: list[RunRow] = []
        self._compared: list[str] = []
        self._boxes: dict[str, ui.checkbox] = {}
        with ui.element("div").classes("card start-runs"):
            # Its roles are said, as a narrow screen shows the rows as cards.
            self.table = ui.element("table").classes("runs").props('role="table"')
            self._aside = ui.element("div").props("hidden")
        with ui.element("div").classes("row"):
            button("Compare the two that are ticked", self._compare)
            self.told = StatusLine()
        self._show(rows)

    def follow(self) -> None:
        """Begin to update the table, as the last thing on a page.

        A timer waits for the browser, and NiceGUI sends a page as soon as something on it does:
        whatever is awaited afterwards would appear later and move the rest.
        """
        ui.timer(EVERY, self.look, immediate=False)

    async def look(self) -> None:
        """Read the runs, and redraw the table if something has changed."""
        self._show(await asyncio.to_thread(read_rows, self._config.runs))

    def _show(self, rows: list[RunRow]) -> None:
        """Draw the table with these rows, if it does not show them already."""
        if rows == self._rows:
            return
        self._rows = rows
        # A tick that is set while the table is redrawn must not get lost with its old row.
        left = {row.name for row in rows if not row.problem}
        for name in [*self._boxes]:
            self._boxes[name].move(self._aside)
            if name not in left:
                self._boxes.pop(name).delete()
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
            _spoken_reach(row),
            " + ".join(map(name_model, row.model.split(" + "))),
            sensible,
            str(row.fallbacks),
        )
        with ui.element("tr").props('role="row"'):
            with ui.element("th").props('scope="row" role="rowheader"'):
                # Also for a damaged run: its page shows what is left, and says what is missing.
                ui.link(row.name, run_address(row.name))
                if row.forked_from:
                    when = spoken_moment(row.forked_at)
                    ui.label(f"fork of {row.forked_from} at {when}").classes("runs-fork")
            for head, text in zip(HEADS[1:], texts, strict=False):
                with set_attributes(ui.element("td"), role="cell", data_head=head.lower()):
                    label = ui.label(text)
                    if head == "Model":
                        label.classes("runs-model").tooltip(row.model)
            with ui.element("td").props('role="cell"'):
                ui.label(row.problem or row.state).classes(f"state is-{row.state}")
            with (
                ui.element("td").props('role="cell"'),
                ui.element("div").classes("row") as acts,
            ):
                if not row.problem:
                    self._draw_acts(row, acts)

    def _draw_acts(self, row: RunRow, acts: ui.element) -> None:
        """Draw the actions available for a run."""
        if row.state == "running":
            button("Pause", partial(self._pause, row.name))
            button("Go on", partial(self._resume, row.name))
        elif row.state == "paused":
            button("Go on to its goal", partial(self._go_on, row.name, TO_ITS_GOAL))
        else:
            button("Another day", partial(self._go_on, row.name, ANOTHER_DAY))
        if row.name in self._boxes:
            self._boxes[row.name].move(acts)
            return
        box = self._boxes[row.name] = ui.checkbox("Compare", value=row.name in self._compared)
        box.on_value_change(partial(self._tick, row.name))

    async def _pause(self, name: str) -> None:
        """Pause an active run."""
        with self.told.watching():
            await asyncio.to_thread(pause, self._config.folder(name))
            self.told.say(f"{name} pauses at its next tick.")

    async def _resume(self, name: str) -> None:
        """Let a paused run continue."""
        with self.told.watching():
            await asyncio.to_thread(resume, self._config.folder(name))
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
