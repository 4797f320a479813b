"""The guided start: a form for town, people, model and duration."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from nicegui import background_tasks, ui

from agents.errors import RunError
from history.folder import check_name, make_name
from viewer.controls import TROUBLE, StatusLine, button, sentence
from viewer.house import AppRuns
from viewer.starting.model_choice import ModelChoice
from world.town.town import Town, shipped_town

SHIPPED = "Smolville (shipped)"
LENGTHS = {"6h": "a morning (6 hours)", "1d": "a day", "2d": "two days", "7d": "a week"}
PATIENCE = 2.0
"""Seconds that the page waits for model servers before it is sent."""
USUAL = 3
"""Usual number of people in a first town."""


@dataclass(frozen=True, kw_only=True)
class WantedRun:
    """The choices for a new run."""

    name: str
    town: str = ""
    """Folder of the town; empty for the shipped one."""
    people: tuple[str, ...] = ()
    """Full names."""
    model: str = "standin"
    """Spec of the model."""
    length: str = "1d"
    seed: int = 0

    def options(self) -> list[str]:
        """Return the command-line options of the run; RunError for impossible choices."""
        check_name(self.name)
        if not self.people:
            raise RunError("Choose who lives there: nobody is chosen.")
        if self.length not in LENGTHS:
            raise RunError(f"A run cannot begin with a length of {self.length!r}.")
        options = ["--agents", ",".join(self.people), "--model", self.model]
        options += ["--for", self.length, "--seed", str(self.seed)]
        if self.town:
            options += ["--town", str(Path(self.town))]
        return options


Begin = Callable[[WantedRun], Awaitable[None]]


class StartForm:
    """Four questions with default answers, and a button."""

    def __init__(self, house: AppRuns, begin: Begin) -> None:
        """Draw the form; `begin` starts the run and raises errors in the choices."""
        self._house = house
        self._begin = begin
        self._chosen: dict[str, ui.checkbox] = {}
        self._is_going = False
        with ui.element("div").classes("start-form"):
            self._draw_town()
            self._draw_people()
            with _part("3", "Which model thinks?"):
                self.model = ModelChoice(house)
            self._draw_how_long()
            with ui.element("div").classes("row"):
                button("Let them live", self._begin_run, is_main=True)
            self.told = StatusLine()

    def _draw_town(self) -> None:
        """Draw the choice of the town."""
        with _part("1", "Which town?"):
            self.town = ui.input("Its folder; empty for the town that is shipped", value="")
            self.town.props('debounce="600"').on_value_change(self._town_changed)
            self.about = ui.label("").classes("soft")

    def _draw_people(self) -> None:
        """Draw the choice of people: whole casts, and everybody by name."""
        with _part("2", "Who lives in it?"):
            self.casts = ui.element("div").classes("row")
            self.people = ui.element("div").classes("start-people").props('role="group"')
            self.people.props('aria-label="People"')
            self.count = ui.label("").classes("soft").props('role="status"')

    def _draw_how_long(self) -> None:
        """Draw the choice of duration, name and seed."""
        with _part("4", "How long, and what is it called?"), ui.element("div").classes("start-row"):
            self.length = ui.select(LENGTHS, value="1d", label="They live")
            name = make_name(f"{len(self._house.names())} runs", self._house.names())
            self.name = ui.input("The run's name", value=name)
            self.seed = ui.number("Seed: another seed, another day", value=0, precision=0)

    async def load(self) -> None:
        """Fill in the available towns and models; a slow model server is listed later."""
        await self._town_changed()
        looking = background_tasks.create(self.model.look(), name="the models on this machine")
        await asyncio.wait({looking}, timeout=PATIENCE)

    async def _town_changed(self) -> None:
        """Read the chosen town, and show the people who could live in it."""
        folder = Path(str(self.town.value).strip()) if self.town.value else shipped_town()
        try:
            town = await asyncio.to_thread(Town.load, folder)
        except TROUBLE as error:
            self.about.set_text(sentence(error))
            return
        self.about.set_text(f"{town.name if self.town.value else SHIPPED}: {town.description}")
        self.casts.clear()
        with self.casts:
            for size, names in town.casts.items():
                text = f"{size} people" if size != 1 else "1 person"
                button(text, partial(self._choose_people, names))
            button("Everybody", lambda: self._choose_people(tuple(town.personas)))
        self.people.clear()
        self._chosen = {}
        with self.people:
            for persona in town.personas.values():
                box = ui.checkbox(f"{persona.name}, {persona.age}", on_change=self._show_count)
                box.tooltip(persona.innate)
                self._chosen[persona.name] = box
        self._choose_people(town.casts.get(USUAL, tuple(town.personas)[:USUAL]))

    def _choose_people(self, names: tuple[str, ...]) -> None:
        """Choose exactly these people."""
        for name, box in self._chosen.items():
            box.set_value(name in names)
        self._show_count()

    def _show_count(self) -> None:
        """Show how many people are chosen."""
        chosen = sum(bool(box.value) for box in self._chosen.values())
        self.count.set_text(f"{chosen} of {len(self._chosen)} chosen")

    async def _begin_run(self) -> None:
        """Begin the run; errors are shown, and the entries are kept."""
        if self._is_going:
            return
        self._is_going = True
        self.told.say("Beginning …")
        try:
            await self._begin(
                WantedRun(
                    name=str(self.name.value or "").strip(),
                    town=str(self.town.value or "").strip(),
                    people=tuple(name for name, box in self._chosen.items() if box.value),
                    model=self.model.spec,
                    length=str(self.length.value),
                    seed=int(self.seed.value or 0),
                )
            )
        except TROUBLE as error:
            self.told.complain(sentence(error))
        finally:
            self._is_going = False


def _part(number: str, title: str) -> ui.element:
    """Return one numbered part of the form."""
    part = ui.element("section").classes("form-part")
    with part, ui.element("h2"):
        ui.label(f"{number}. {title}")
    return part
