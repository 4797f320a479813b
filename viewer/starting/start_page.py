"""`/start`: the existing runs, and a guided start of a new one."""

import asyncio
import time

from nicegui import ui

from smolville.agents.errors import RunError, SmolvilleError
from smolville.history.folder import make_name
from smolville.history.sample import SAMPLES
from smolville.reports.runs import STANDIN_TOLD, describe_recording, read_rows
from smolville.viewer.config import AppConfig
from smolville.viewer.controls import StatusLine, button, sentence
from smolville.viewer.frame import frame, run_address
from smolville.viewer.serving.children import StartedProcesses, children_of, why_ended
from smolville.viewer.serving.stage_files import WHOLE
from smolville.viewer.starting.form import Begin, StartForm, WantedRun
from smolville.viewer.starting.model_choice import STANDIN
from smolville.viewer.starting.people_choice import USUAL, usual_people
from smolville.viewer.starting.run_table import RunTable
from smolville.viewer.styles import style
from smolville.viewer.town_page import has_begun
from smolville.world.town.town import Town, shipped_town

SECONDS = 2.0
"""Seconds to wait for the error of a run that cannot begin; then its page shows what it waits for.
"""
PATIENCE = 30.0
"""Seconds that reading all runs may take before the page is given up."""


def add(config: AppConfig) -> None:
    """Add the page."""
    children = children_of(config)

    @ui.page("/start", response_timeout=PATIENCE)
    async def start() -> None:
        style("forms", "start")
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
                    ui.label("Recorded days are always there to be watched: ")
                    for number, name in enumerate(SAMPLES):
                        if number:
                            ui.label(" and ")
                        ui.link(name, run_address(name))
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
    """Begin a run; return as soon as there is something to show, or after a few seconds.

    Raises RunError with the output of the command if the command ends before that.
    """
    options = wanted.options()
    if wanted.name in config.names():
        raise RunError(f"The name {wanted.name!r} is taken; choose another one.")
    child = children.begin(wanted.name, *options)
    ends = time.monotonic() + SECONDS
    while not has_begun(config, wanted.name) and time.monotonic() < ends:
        if not child.lives:
            await asyncio.to_thread(child.wait)
            raise RunError(why_ended(child))
        await asyncio.sleep(0.05)


class FirstLook:
    """Two offers to watch a day without any choices; each day names its model."""

    def __init__(self, config: AppConfig, begin: Begin) -> None:
        """Draw both offers; `begin` starts a run, and raises an error if it fails."""
        self._config = config
        self._begin = begin
        self._is_going = False
        ui.label("To look around first, neither a model nor a run is needed.").classes("soft")
        with ui.element("div").classes("start-row"):
            with _offer("Watch a recorded day"):
                for name in SAMPLES:
                    self._draw_recording(name)
            with _offer("Let the stand-in live a day"):
                ui.label(
                    f"A new day of {USUAL} people; {STANDIN_TOLD} thinks for them, in seconds."
                )
                button("Let them live a day", self._begin_day)
                self.told = StatusLine()

    def _draw_recording(self, name: str) -> None:
        try:
            ui.label(describe_recording(self._config.folder(name)))
        except SmolvilleError as error:
            ui.label(sentence(error)).classes("told is-trouble")
        else:
            ui.link(f"Watch {name}", run_address(name)).classes("button")

    async def _begin_day(self) -> None:
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
    offer = ui.element("section").classes("card start-offer")
    with offer, ui.element("h2"):
        ui.label(title)
    return offer
