"""`/start`: the existing runs, and a guided start of a new one."""

import asyncio
import time

from nicegui import background_tasks, ui

from agents.errors import RunError, SmolvilleError
from history.folder import is_broken_off
from viewer.frame import frame, run_address
from viewer.house import AppRuns
from viewer.serving.children import StartedProcesses, children_of
from viewer.starting.first_look import FirstLook
from viewer.starting.form import StartForm
from viewer.starting.going_on import why
from viewer.starting.table import RunTable
from viewer.starting.wanted_run import WantedRun
from viewer.styles import style
from viewer.town_page import not_begun

SECONDS = 60.0
"""Seconds to wait for a run to begin; after that it continues by itself."""


def add(house: AppRuns) -> None:
    """Add the page."""
    children = children_of(house)

    @ui.page("/start")
    async def start() -> None:
        style("dialogs")
        style("start")
        names = house.names()

        async def begin(wanted: WantedRun) -> None:
            await begun(house, children, wanted)
            ui.navigate.to(run_address(wanted.name))

        with frame("Runs" if names else "Welcome to Smolville"):
            if names:
                RunTable(house, children)
                with ui.element("h2").classes("start-head"):
                    ui.label("Begin another town")
            else:
                FirstLook(house, begin)
                with ui.element("h2").classes("start-head"):
                    ui.label("Begin a town of your own")
                ui.label(
                    "Choose a town and who lives in it; everything below is answered already."
                ).classes("soft")
            form = StartForm(house, begin)
        background_tasks.create(_loaded(form), name="the guided start")


async def _loaded(form: StartForm) -> None:
    """Fill in a form after its page has been sent."""
    with form.told.line:
        await form.load()


async def begun(house: AppRuns, children: StartedProcesses, wanted: WantedRun) -> None:
    """Begin a run, and wait until there is something to show.

    Raises RunError with the output of the command when it ended before that.
    """
    options = wanted.options()
    if wanted.name in house.names() and not is_broken_off(house.runs / wanted.name):
        raise RunError(f"The name {wanted.name!r} is taken; choose another one.")
    child = children.begin(wanted.name, *options)
    ends = time.monotonic() + SECONDS
    while not _is_there(house, wanted.name) and time.monotonic() < ends:
        if not child.lives:
            await asyncio.to_thread(child.wait)
            raise RunError(why(child))
        await asyncio.sleep(0.05)


def _is_there(house: AppRuns, name: str) -> bool:
    """Return whether a run is in progress or has something to show."""
    try:
        return name in house.names() and not not_begun(house.folder(name))
    except SmolvilleError:
        # It is being created at this moment.
        return False
