"""The guided start of a run: its people, model, length and random seed."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from nicegui import background_tasks, ui

from smolville.agents.chance import draw
from smolville.agents.errors import RunError
from smolville.agents.times import DAY_SECONDS
from smolville.agents.wording import names_of
from smolville.history.folder import check_name, make_name
from smolville.lab.duration import calls_of_day, remembered_seconds
from smolville.viewer.config import AppConfig
from smolville.viewer.controls import TROUBLE, StatusLine, button, sentence
from smolville.viewer.elements import box, command, make_folded_section, set_attributes, words
from smolville.viewer.starting.cards import Cards
from smolville.viewer.starting.model_choice import STANDIN, ModelChoice
from smolville.viewer.starting.people_choice import PeopleChoice
from smolville.world.town.town import Town, shipped_town

PATIENCE = 2.0
"""Seconds for which the page waits for model servers before it is sent without them."""
SEEDS = 1_000_000
"""Number of different seeds that words can stand for; small enough that a seed is easily typed."""
LONGEST_SEED = 18
"""Maximum number of digits of a seed that is entered as a number."""
HOUR = 3600


@dataclass(frozen=True)
class Length:
    """A length of town time that can be chosen."""

    title: str
    stretch: str
    """The length in a sentence: `about 50 min for this day`."""
    told: str
    """When a run of this length ends."""
    seconds: int


LENGTHS = {
    "12h": Length("a morning", "this morning", "until noon", 12 * HOUR),
    "1d": Length("a day", "this day", "until midnight", DAY_SECONDS),
    "2d": Length("two days", "these two days", "with a night between", 2 * DAY_SECONDS),
    "7d": Length("a week", "this week", "seven days", 7 * DAY_SECONDS),
}
BUDGETS = {
    "": "as long as it takes",
    "15m": "15 minutes",
    "30m": "half an hour",
    "1h": "an hour",
    "3h": "three hours",
    "8h": "a night (8 hours)",
}
"""Lengths of real time into which a day can be fitted, each with its label."""


OWN_TOWN = (
    "A town or a person of your own: these commands copy the town into files that you can edit, "
    "and ask a model for a person. Then give the folder here."
)
MOST_TOWNS = 20
"""Maximum number of towns of the working folder that are offered."""


def towns_here() -> list[str]:
    """Return the folders of towns that lie in the working folder."""
    return sorted(path.parent.name for path in Path.cwd().glob("*/town.toml"))[:MOST_TOWNS]


def seed_of(word: str) -> int:
    """Return the seed for a word: a hash of it; if the word is a number, that number."""
    plain = " ".join(word.split()).casefold()
    is_number = plain.isdecimal() and len(plain) <= LONGEST_SEED
    return int(plain) if is_number else draw("seed word", plain) % SEEDS


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
    budget: str = ""
    """Real time into which one day is fitted; empty if `length` may take as long as it needs."""
    seed: int = 0

    def options(self) -> list[str]:
        """Return the command-line options of the run; raises RunError for impossible choices."""
        check_name(self.name)
        if not self.people:
            raise RunError("Choose who lives there: nobody is chosen.")
        if self.length not in LENGTHS or self.budget not in BUDGETS:
            raise RunError(f"A run cannot begin with a length of {self.length!r}.")
        options = ["--agents", ",".join(self.people), "--model", self.model]
        options += ["--budget", self.budget] if self.budget else ["--for", self.length]
        options += ["--seed", str(self.seed)]
        if self.town:
            options += ["--town", str(Path(self.town))]
        return options


Begin = Callable[[WantedRun], Awaitable[None]]


class StartForm:
    """Four questions with default answers, and a button."""

    def __init__(self, config: AppConfig, begin: Begin) -> None:
        """Draw the form; `begin` starts the run, and raises an error if the choices are invalid."""
        self._config = config
        self._begin = begin
        self._is_going = False
        self._town: Town | None = None
        self._words = 0
        self._is_drawn = False
        with box("div", "start-form"):
            with _part("Who lives there?"):
                self.people = PeopleChoice(self._weigh)
            with _part("Who thinks for them?"):
                self.model = ModelChoice(config, self._weigh)
            with _part("How long?"):
                self._draw_lengths()
            with _part("Which day?"):
                self._draw_seed()
            self._draw_rest()
            with box("div", "start-go"):
                self.summary = words("p", "")
                set_attributes(self.summary, role="status")
                button("Open the town", self._begin_run, is_main=True)
                self.told = StatusLine()
        self._is_drawn = True

    def _draw_lengths(self) -> None:
        """Draw the choice of town time, and of the real time that it may take."""
        self.length = Cards("length", "How long they live", lambda _: self._weigh())
        for value, length in LENGTHS.items():
            with self.length.add(value, chosen=value == "1d"):
                words("b", length.title)
                words("span", length.told, "soft")
        self.budget = ui.select(BUDGETS, value="", label="It may take, by your own clock")
        self.budget.on_value_change(lambda _: self._weigh()).classes("start-narrow")

    def _draw_seed(self) -> None:
        word = self._draw_word()
        with box("div", "row"):
            self.word = ui.input("Seed word", value=word).classes("start-narrow")
            button("Another word", self._take_another_word)
        self.word.on_value_change(lambda _: self._word_changed())
        self.seed = ui.label("").classes("soft")

    def _draw_rest(self) -> None:
        """Draw the settings that few people change: the run's name and the town's folder."""
        with (
            make_folded_section("Its name, another town, and one of your own"),
            box("div", "start-row"),
        ):
            self.name = ui.input("The run's name")
            self.town = ui.input(
                "Folder of another town",
                placeholder="empty: Smolville",
                value="",
                autocomplete=towns_here(),
            )
            self.town.props('debounce="600"').on_value_change(self._town_changed)
            self.about = ui.label("").classes("soft")
            with box("div", "start-own"):
                words("p", OWN_TOWN, "soft")
                command("new", "town", "mine")
                command("new", "persona", "--town", "mine", "--about", "a retired sailor")
        self._word_changed()

    async def load(self) -> None:
        """Fill in the available towns and models; models of a slow server are added later."""
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
        rules = [rule.text.rstrip(".") for rule in town.norms]
        told = f" Its rules: {'; '.join(rules)}." if rules else ""
        begins = town.description.startswith(town.name)
        name = "" if begins else f"{town.name}: "
        self.about.set_text(f"{name}{town.description}{told}")
        self._town = town
        self.people.show(town)

    def _draw_word(self) -> str:
        """Return the next word for a seed, which depends on how many runs there are."""
        names = self._config.names()
        self._words += 1
        return make_name(f"{len(names)} runs, word {self._words}", names).replace("-", " ")

    def _take_another_word(self) -> None:
        self.word.set_value(self._draw_word())

    def _word_changed(self) -> None:
        word = str(self.word.value or "").strip()
        self.seed.set_text(
            f"Another word, another day; the same word gives the same day again. It stands for "
            f"--seed {seed_of(word)}."
        )
        plain = "-".join("".join(c if c.isalnum() else " " for c in word).split())
        names = self._config.names()
        self.name.set_value(make_name(word, names) if not plain or plain in names else plain)

    def _weigh(self) -> None:
        """Show what the choices mean: how long each model takes, and a summary in a sentence."""
        if self._town is None or not self._is_drawn:
            return
        self.budget.set_visibility(not self.model.is_standin)
        self.length.root.set_visibility(not self._budget)
        length = LENGTHS[self.length.value]
        people = self.people.names
        calls = calls_of_day(len(people), goal=length.seconds)
        self.model.weigh(calls, length.stretch)
        if not people:
            self.summary.set_text("Choose somebody who lives there.")
        elif self._budget:
            self.summary.set_text(
                f"{names_of(people)}: as much of a day as {self.model.name} can think in "
                f"{BUDGETS[self._budget]}."
            )
        else:
            self.summary.set_text(
                f"{names_of(people)}, {length.title}. Who thinks: {self.model.name}; "
                f"{self.model.feel}."
            )

    @property
    def _budget(self) -> str:
        """The chosen budget; empty for the stand-in, which needs none."""
        return "" if self.model.is_standin else str(self.budget.value or "")

    async def _begin_run(self) -> None:
        """Begin the run; errors are shown, and the entries are kept."""
        if self._is_going:
            return
        self._is_going = True
        self.told.say("The town is being opened …")
        try:
            if self._budget and remembered_seconds(self.model.spec) is None:
                raise RunError(
                    f"How fast {self.model.name} is here was never measured, so nothing can be "
                    "fitted into a time: measure it first, or let it take as long as it takes."
                )
            await self._begin(
                WantedRun(
                    name=str(self.name.value or "").strip(),
                    town=str(self.town.value or "").strip(),
                    people=self.people.names,
                    model=self.model.spec,
                    length=self.length.value,
                    budget=self._budget,
                    seed=seed_of(str(self.word.value or "")),
                )
            )
        except TROUBLE as error:
            self.told.complain(sentence(error))
        finally:
            self._is_going = False


def _part(title: str) -> ui.element:
    part = box("section", "form-part")
    with part, box("h2"):
        ui.label(title)
    return part
