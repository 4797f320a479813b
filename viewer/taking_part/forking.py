"""The dialog that forks a run: the fork's name, and what is different in the fork."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote_plus

from nicegui import ui

from smolville.agents.errors import RunError
from smolville.agents.places import object_of
from smolville.agents.times import moment
from smolville.history.folder import make_name
from smolville.history.records import Tile
from smolville.prompts.folder import shipped_overlays
from smolville.viewer.controls import TROUBLE, StatusLine, button, sentence
from smolville.viewer.frame import run_address
from smolville.viewer.starting.model_choice import offers
from smolville.viewer.taking_part.acts import RunActions, SentRequest
from smolville.viewer.taking_part.moments import fork_with, go_on_options
from smolville.world.town.townmap import TownMap
from smolville.world.visiting import wishes

NOTHING, WHISPER, CHANGE, ANNOUNCE = "nothing", "whisper", "change", "announce"
MODEL, TEMPLATES = "model", "templates"
CHANGES = {
    NOTHING: "nothing yet: I look around first",
    WHISPER: "somebody hears an inner voice",
    CHANGE: "an object is changed",
    ANNOUNCE: "everybody hears an announcement",
    MODEL: "another model thinks",
    TEMPLATES: "the models get other templates",
}
"""What may be different in a fork, each kind with its label."""
EXAMPLES = {
    WHISPER: "I should invite everybody I meet to a lantern party tonight",
    ANNOUNCE: "There is music in the park this evening, for everybody",
}
"""Initial texts of the form. The one for CHANGE depends on the town: see `propose_change`."""
HOT = ("stove", "oven", "fireplace", "")
"""Parts of object names, in order of preference, for the proposed fire; "" matches every object."""


@dataclass(frozen=True, kw_only=True)
class WantedFork:
    """The choices for a fork."""

    name: str
    at: int
    """Town second at which the run is forked."""
    change: str = NOTHING
    """One of `CHANGES`."""
    text: str = ""
    """The text of the whisper, change or announcement; or the model's spec, or the templates'
    folder.
    """
    who: str = ""
    """The person who hears the whisper, or the person near the object."""

    def options(self, *, is_over: bool) -> list[str]:
        """Return the fork's command-line options; `is_over` says that its goal is reached."""
        options = list(go_on_options(is_over=is_over))
        if self.change in (MODEL, TEMPLATES):
            if not self.text.strip():
                raise RunError("Say which one: the field is empty.")
            options += [{MODEL: "--model", TEMPLATES: "--prompts"}[self.change], self.text.strip()]
        return options


def propose_change(town_map: TownMap, near: Tile | None = None) -> str:
    """Return an example of a change: that some object of this town is on fire.

    The text names the object so that no other can be meant: by its address, if its name is not
    unique. The object is in the room of the tile `near`, or anywhere in town without `near`. A
    stove is preferred. The text is empty if there is no such object.
    """
    here = [] if near is None else town_map.objects_in(town_map.arena_at(near))
    things = [each.address for each in here] or list(town_map.objects)
    things.sort(key=lambda thing: next(n for n, hot in enumerate(HOT) if hot in thing))
    for thing in things:
        for text in (f"the {object_of(thing)} is on fire", f"{thing} is on fire"):
            with suppress(RunError):
                wish = wishes.object_state(text, town_map=town_map, near=near)
                if (wish.target, wish.text) == (thing, "on fire"):
                    return text
    return ""


async def make_fork(acts: RunActions, wanted: WantedFork) -> SentRequest | None:
    """Fork a run, apply the change and continue the fork; return the request for the change.

    A fork without any change is not continued. If the choices are invalid, an error is raised and
    the fork is removed.
    """
    name = wanted.name.strip()
    if wanted.change == NOTHING:
        await asyncio.to_thread(acts.fork, wanted.at, name)
        return None
    return await fork_with(acts, wanted.at, name, partial(_put_change, wanted), wanted.options)


def _put_change(wanted: WantedFork, forked: RunActions) -> SentRequest | None:
    """Leave the request for the change in the fork's inbox; None if the change needs no request.

    Another model and other templates need none: they are command-line options.
    """
    if wanted.change == WHISPER:
        return forked.whisper(wanted.who, wanted.text)
    if wanted.change == CHANGE:
        return forked.change(wanted.text, wanted.who)
    return forked.announce(wanted.text) if wanted.change == ANNOUNCE else None


@dataclass(frozen=True, kw_only=True)
class ForkedMoment:
    """The moment at which a run is forked, as the dialog shows it."""

    when: str
    """The moment in words."""
    names: tuple[str, ...]
    """The people of the run."""
    change: str
    """A change of an object, as an example."""


class ForkDialog:
    """Asks for a fork's name and its change."""

    def __init__(self, acts: RunActions, at: int, scene: ForkedMoment, who: str = "") -> None:
        """Open the dialog for forking at town second `at`; `who` is the selected person."""
        self._acts = acts
        self._at = at
        self._who = who
        self._names = scene.names
        self._examples = {**EXAMPLES, CHANGE: scene.change}
        self._read: Callable[[], tuple[str, str]] = lambda: ("", "")
        self._is_going = False
        dialog = ui.dialog(value=True).props('aria-label="Fork"')
        with dialog, ui.element("div").classes("side-card is-small"):
            with ui.element("h2"):
                ui.label(f"Fork at {scene.when}")
            ui.label(
                f"Another run that shares the past of {acts.run} up to this moment. "
                "What happens afterwards is its own."
            )
            suggested = make_name(f"{acts.run} {at}", acts.config.names())
            self.name = ui.input("Its name", value=suggested).props("autofocus")
            self.name.on("blur", self._read_name)
            ui.label("What is different there?").classes("form-question")
            self.change = ui.radio(CHANGES, value=NOTHING, on_change=self._draw_fields)
            self.change.props('aria-label="What is different there?"')
            self.fields = ui.element("div").classes("form")
            self.told = StatusLine()
            with ui.element("div").classes("row"):
                button("Fork", self.fork, is_main=True)
                button("Cancel", dialog.close)
        dialog.on("hide", dialog.delete)

    async def fork(self) -> None:
        """Make the fork and show it; errors are shown, and the entries are kept."""
        if self._is_going:
            return
        self._is_going = True
        self.told.say("Copying the past …")
        text, who = self._read()
        wanted = WantedFork(
            name=self._read_name(),
            at=self._at,
            change=str(self.change.value),
            text=text,
            who=who,
        )
        try:
            sent = await make_fork(self._acts, wanted)
        except TROUBLE as error:
            self.told.complain(sentence(error))
        else:
            self._show(wanted, sent)
        finally:
            self._is_going = False

    def _read_name(self) -> str:
        """Return the fork's name with hyphens instead of spaces, and show it so in the field."""
        name = "-".join(str(self.name.value or "").split())
        self.name.set_value(name)
        return name

    def _show(self, wanted: WantedFork, sent: SentRequest | None) -> None:
        """Open the fork's page at the moment at which it begins."""
        shown = wanted.who or self._who
        way = f"?at={moment(self._at).replace(' ', '-')}"
        way += "&play=0" if wanted.change == NOTHING else "&play=1"
        way += f"&who={quote_plus(shown)}" if shown else ""
        way += f"&asked={sent.id}" if sent is not None else ""
        ui.navigate.to(run_address(wanted.name.strip()) + way)

    async def _draw_fields(self) -> None:
        """Draw the fields that the chosen change needs."""
        change = str(self.change.value)
        self.fields.clear()
        self._read = lambda: ("", "")
        with self.fields:
            if change in self._examples:
                self._draw_request(change)
            elif change == MODEL:
                await self._draw_models()
            elif change == TEMPLATES:
                self._draw_templates()

    def _draw_request(self, change: str) -> None:
        """Draw the fields for a whisper, a changed object or an announcement."""
        labels = {
            WHISPER: "What does the inner voice say?",
            CHANGE: "What is changed?",
            ANNOUNCE: "What is announced?",
        }
        who: ui.select | None = None
        if change == WHISPER:
            whom = self._who if self._who in self._names else self._names[0]
            who = ui.select(list(self._names), value=whom, label="Who hears it?")
        elif change == CHANGE:
            near = self._who if self._who in self._names else None
            who = ui.select(list(self._names), value=near, clearable=True)
            who.props('label="If there are several such objects: near whom?"')
        text = ui.textarea(labels[change], value=self._examples[change]).props("autogrow")
        # What is typed replaces the example.
        text.on("focus", js_handler="(event) => event.target.select()")
        self._read = lambda: (
            str(text.value or ""),
            str(who.value or "") if who is not None else "",
        )

    async def _draw_models(self) -> None:
        """Draw the models of this machine, and a field for another one."""
        spec = ui.input("The model: ollama:<name>, llamacpp:<url>, gguf:<file>, standin …")
        self._read = lambda: (str(spec.value or ""), "")
        found, _ = await asyncio.to_thread(offers, self._acts.config)
        with self.fields:
            for offer in found:
                choose = partial(spec.set_value, offer.spec)
                button(f"{offer.spec}: {offer.told}", choose)

    def _draw_templates(self) -> None:
        """Draw a field for a folder of templates, and the shipped overlays."""
        folder = ui.input("The folder, as the lab or `smolville prompt eject` writes it")
        self._read = lambda: (str(folder.value or ""), "")
        for name in shipped_overlays():
            button(f"{name} (shipped)", partial(folder.set_value, name))
