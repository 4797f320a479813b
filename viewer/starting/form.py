"""The guided start of a run: its people, model, length and random seed."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from nicegui import background_tasks, ui

from smolville.agents.errors import RunError
from smolville.agents.times import DAY_SECONDS
from smolville.agents.wording import names_of
from smolville.history.folder import check_name, make_name
from smolville.lab.duration import calls_of_day
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import (
    TROUBLE,
    StatusLine,
    box,
    button,
    command,
    make_folded_section,
    sentence,
    set_attributes,
    words,
)
from smolville.viewer.starting.choices import STANDIN, Cards, ModelChoice, PeopleChoice
from smolville.world.town.town import Town, shipped_town

PATIENCE = 2.0
"""Seconds for which the page waits for model servers before it is sent without them."""
LENGTHS = {
    "12h": ("a morning", DAY_SECONDS // 2),
    "1d": ("a day", DAY_SECONDS),
    "2d": ("two days", 2 * DAY_SECONDS),
    "7d": ("a week", 7 * DAY_SECONDS),
}
"""Lengths of town time that can be chosen: the title of each, and its seconds."""
SAME_DAY = "Another seed, another day; the same seed gives the same day again."
OWN_TOWN = (
    "A town or a person of your own: these commands copy the town into files that you can edit, "
    "and ask a model for a person. Then give the folder here."
)


@dataclass(frozen=True, kw_only=True)
class WantedRun:
    """The choices for a new run."""

    name: str
    town: str = ""
    """Folder of the town; empty for the shipped one."""
    people: tuple[str, ...] = ()
    """Full names of the people."""
    model: str = STANDIN
    """Spec of the model."""
    length: str = "1d"
    seed: int = 0

    def options(self) -> list[str]:
        """Return the command-line options of the run; raises RunError for impossible choices."""
        check_name(self.name)
        if not self.people:
            raise RunError("Choose who lives there: nobody is chosen.")
        if self.length not in LENGTHS:
            raise RunError(f"A run cannot begin with a length of {self.length!r}.")
        options = ["--agents", ",".join(self.people), "--model", self.model]
        options += ["--for", self.length, "--seed", str(self.seed)]
        return [*options, "--town", str(Path(self.town))] if self.town else options


class StartForm:
    """Four questions with default answers, and a button."""

    def __init__(self, config: AppConfig, begin: Callable[[WantedRun], Awaitable[None]]) -> None:
        """Draw the form; `begin` starts the run, and raises an error if the choices are invalid."""
        self._config = config
        self._begin = begin
        self._is_going = False
        self._town: Town | None = None
        with box("div", "start-form"):
            with _part("Who lives there?"):
                self.people = PeopleChoice(self._weigh)
            with _part("Who thinks for them?"):
                self.model = ModelChoice(config, self._weigh)
            with _part("How long?"):
                self.length = Cards("length", "How long they live", lambda _: self._weigh())
                for value, (title, _) in LENGTHS.items():
                    with self.length.add(value, chosen=value == "1d"):
                        words("b", title)
            with _part("Which day?"):
                names = config.names()
                self.name = ui.input("Name", value=make_name(f"{len(names)} runs", names))
                self.name.classes("start-narrow")
                self.seed = ui.number("Seed", value=len(names), min=0, precision=0)
                self.seed.classes("start-narrow")
                words("p", SAME_DAY, "soft")
            self._draw_town()
            with box("div", "start-go"):
                self.summary = words("p", "")
                set_attributes(self.summary, role="status")
                button("Open the town", self._begin_run, is_main=True)
                self.told = StatusLine()

    def _draw_town(self) -> None:
        with make_folded_section("Another town, and one of your own"), box("div", "start-row"):
            self.town = ui.input("Folder of another town", placeholder="empty: Smolville", value="")
            self.town.props('debounce="600"').on_value_change(self._read_town)
            self.about = ui.label("").classes("soft")
            with box("div", "start-own"):
                words("p", OWN_TOWN, "soft")
                command("new", "town", "mine")
                command("new", "persona", "--town", "mine", "--about", "a retired sailor")

    async def load(self) -> None:
        """Fill in the people and the models; models of a slow server are added later."""
        await self._read_town()
        looking = background_tasks.create(self.model.look(), name="the models on this machine")
        await asyncio.wait({looking}, timeout=PATIENCE)

    async def _read_town(self) -> None:
        folder = Path(str(self.town.value).strip()) if self.town.value else shipped_town()
        try:
            town = await asyncio.to_thread(Town.load, folder)
        except TROUBLE as error:
            self.about.set_text(sentence(error))
            return
        rules = "; ".join(rule.text.rstrip(".") for rule in town.norms)
        self.about.set_text(town.description + (f" Its rules: {rules}." if rules else ""))
        self._town = town
        self.people.show(town)

    def _weigh(self) -> None:
        if self._town is None:
            return
        title, seconds = LENGTHS[self.length.value]
        people = self.people.names
        self.model.weigh(calls_of_day(len(people), goal=seconds))
        self.summary.set_text(
            f"{names_of(people)}, {title}. Who thinks: {self.model.name}; {self.model.feel}."
            if people
            else "Choose somebody who lives there."
        )

    async def _begin_run(self) -> None:
        if self._is_going:
            return
        self._is_going = True
        self.told.say("The town is being opened …")
        with self.told.watching():
            await self._begin(
                WantedRun(
                    name="-".join(str(self.name.value or "").split()),
                    town=str(self.town.value or "").strip(),
                    people=self.people.names,
                    model=self.model.spec,
                    length=self.length.value,
                    seed=int(self.seed.value or 0),
                )
            )
        self._is_going = False


def _part(title: str) -> ui.element:
    part = box("section", "form-part")
    with part:
        words("h2", title)
    return part
