"""What to watch without any run of one's own: a recorded day, and a day with the stand-in."""

import asyncio

from nicegui import ui

from agents.errors import SmolvilleError
from history.folder import make_name
from history.sample import SAMPLE
from reports.recording import STANDIN_TOLD, recording_told
from viewer.controls import StatusLine, button, sentence
from viewer.frame import run_address
from viewer.house import AppRuns
from viewer.starting.form import USUAL, Begin
from viewer.starting.models import STANDIN
from viewer.starting.wanted_run import WantedRun
from world.town.town import Town, shipped_town


class FirstLook:
    """Two days to watch without any choices, each saying which model thinks in it."""

    def __init__(self, house: AppRuns, begin: Begin) -> None:
        """Draw both offers; `begin` starts a run and raises its errors."""
        self._house = house
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
                button("Let them live a day", self._go)
                self.told = StatusLine()

    def _draw_recording(self) -> None:
        """Draw the recording's description, and the link to it."""
        try:
            ui.label(recording_told(self._house.folder(SAMPLE)))
        except SmolvilleError as error:
            ui.label(sentence(error)).classes("told is-trouble")
        else:
            ui.link("Watch it", run_address(SAMPLE)).classes("button")

    async def _go(self) -> None:
        """Begin a day with the stand-in; errors are shown."""
        if self._is_going:
            return
        self._is_going = True
        self.told.say("Beginning …")
        with self.told.watching():
            town = await asyncio.to_thread(Town.load, shipped_town())
            people = town.casts.get(USUAL, tuple(town.personas)[:USUAL])
            name = make_name(STANDIN, self._house.names())
            await self._begin(WantedRun(name=name, people=people, model=STANDIN))
        self._is_going = False


def _offer(title: str) -> ui.element:
    """Return one offer with its title."""
    offer = ui.element("section").classes("card start-offer")
    with offer, ui.element("h2"):
        ui.label(title)
    return offer
