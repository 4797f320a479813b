"""What somebody without any run can look at: a recorded day, and a day of the stand-in's."""

import asyncio

from nicegui import ui

from agents.errors import SmolvilleError
from viewer.controls import Told, button, sentence
from viewer.frame import run_address
from viewer.house import House
from viewer.starting.form import USUAL, Begin
from viewer.starting.models import STANDIN
from viewer.starting.wanted import Wanted
from world.runs.folder import make_name
from world.runs.sample import SAMPLE
from world.telling.recording import STANDIN_TOLD, recording_told
from world.town.town import Town, shipped_town


class FirstLook:
    """Two days to watch without choosing anything, each with who thinks in it."""

    def __init__(self, house: House, begin: Begin) -> None:
        """Draw both; `begin` raises what is wrong with a run that is to begin."""
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
                self.told = Told()

    def _draw_recording(self) -> None:
        """Draw what the recording says of itself, and the way to it."""
        try:
            ui.label(recording_told(self._house.folder(SAMPLE)))
        except SmolvilleError as error:
            ui.label(sentence(error)).classes("told is-trouble")
        else:
            ui.link("Watch it", run_address(SAMPLE)).classes("button")

    async def _go(self) -> None:
        """Begin a day with the stand-in; what is wrong is said."""
        if self._is_going:
            return
        self._is_going = True
        self.told.say("Beginning …")
        with self.told.watching():
            town = await asyncio.to_thread(Town.load, shipped_town())
            people = town.casts.get(USUAL, tuple(town.personas)[:USUAL])
            name = make_name(STANDIN, self._house.names())
            await self._begin(Wanted(name=name, people=people, model=STANDIN))
        self._is_going = False


def _offer(title: str) -> ui.element:
    """Return one offer with its title."""
    offer = ui.element("section").classes("card start-offer")
    with offer, ui.element("h2"):
        ui.label(title)
    return offer
