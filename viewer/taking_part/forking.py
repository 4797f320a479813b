"""Forks of a run: made with a request in them, or by the dialog that asks what is different."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar
from urllib.parse import quote_plus

from nicegui import ui

from smolville.agents.errors import RunError
from smolville.agents.places import object_of
from smolville.agents.times import moment
from smolville.history.drafting import remove_run
from smolville.history.folder import make_name
from smolville.history.records import Tile
from smolville.prompts.folder import shipped_overlays
from smolville.viewer.controls import TROUBLE, StatusLine, button, sentence
from smolville.viewer.frame import run_address
from smolville.viewer.serving.children import ANOTHER_DAY, TO_ITS_GOAL, children_of, let_go_on
from smolville.viewer.starting.choices import offers
from smolville.viewer.taking_part.acts import RunActions, SentRequest
from smolville.world import wishes
from smolville.world.town.townmap import TownMap

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
FIELDS = {
    WHISPER: "What does the inner voice say?",
    CHANGE: "What is changed?",
    ANNOUNCE: "What is announced?",
}
"""The label of the field for a request."""
EXAMPLES = {
    WHISPER: "I should invite everybody I meet to a lantern party tonight",
    ANNOUNCE: "There is music in the park this evening, for everybody",
}
"""Initial texts of the form. The one for CHANGE depends on the town: see `propose_change`."""
OPTIONS = {MODEL: "--model", TEMPLATES: "--prompts"}
"""The changes that are options of the command with which the fork goes on."""
HOT = ("stove", "oven", "fireplace", "")
"""Parts of object names, in order of preference, for the proposed fire; "" matches every object."""
Sent = TypeVar("Sent", SentRequest, SentRequest | None)


async def fork_with(
    acts: RunActions,
    at: int,
    name: str,
    ask: Callable[[RunActions], Sent],
    options: Sequence[str] = (),
) -> Sent:
    """Fork a run, let `ask` leave a request, and continue the fork; return the result of `ask`.

    If one of these fails, raises its error, and no fork remains.
    """
    await asyncio.to_thread(acts.fork, at, name)
    forked = replace(acts, run=name)
    try:
        is_over = (await asyncio.to_thread(forked.lived)).state == "finished"
        sent = await asyncio.to_thread(ask, forked)
        await asyncio.to_thread(forked.send_visitors_away, sent.visitor if sent else "")
        goal: tuple[str, ...] = ANOTHER_DAY if is_over else TO_ITS_GOAL
        await let_go_on(children_of(acts.config), name, (*goal, *options))
    except TROUBLE:
        await asyncio.to_thread(remove_run, acts.config.folder(name))
        raise
    return sent


def show_fork(
    name: str, at: int, sent: SentRequest | None, who: str, *, plays: bool = True
) -> None:
    """Open a fork's page at its first moment, and select its visitor or the person `who`."""
    way = f"?at={moment(at).replace(' ', '-')}&play={int(plays)}"
    way += f"&asked={sent.id}" if sent else ""
    way += f"&visitor={quote_plus(sent.visitor)}" if sent and sent.visitor else ""
    way += f"&who={quote_plus(who)}" if who else ""
    ui.navigate.to(run_address(name) + way)


@dataclass(frozen=True, kw_only=True)
class WantedFork:
    """The choices for a fork."""

    name: str
    at: int
    """Town second at which the run is forked."""
    change: str = NOTHING
    """One of `CHANGES`."""
    text: str = ""
    """The text of the request; or the model's spec, or the templates' folder."""
    who: str = ""
    """The person who hears the whisper, or the person near the object."""

    def options(self) -> list[str]:
        """Return the fork's own command-line options."""
        if self.change not in OPTIONS:
            return []
        if not self.text.strip():
            raise RunError("Say which one: the field is empty.")
        return [OPTIONS[self.change], self.text.strip()]

    def put(self, forked: RunActions) -> SentRequest | None:
        """Leave the request for the change in the fork's inbox, unless it is an option."""
        if self.change == WHISPER:
            return forked.whisper(self.who, self.text)
        if self.change == CHANGE:
            return forked.change(self.text, self.who)
        return forked.announce(self.text) if self.change == ANNOUNCE else None


async def make_fork(acts: RunActions, wanted: WantedFork) -> SentRequest | None:
    """Fork a run, apply the change and continue the fork; return the request for the change.

    A fork without any change is not continued. If the choices are invalid, an error is raised and
    no fork remains.
    """
    name = wanted.name.strip()
    if wanted.change == NOTHING:
        await asyncio.to_thread(acts.fork, wanted.at, name)
        return None
    return await fork_with(acts, wanted.at, name, wanted.put, wanted.options())


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


@dataclass(frozen=True, kw_only=True)
class ForkedMoment:
    """The moment at which a run is forked, as the dialog shows it."""

    at: int
    """Town second."""
    when: str
    """The moment in words."""
    names: tuple[str, ...]
    """The people of the run."""
    who: str
    """The selected person; empty for nobody."""
    change: str
    """A change of an object, as an example."""


class ForkDialog:
    """Asks for a fork's name and its change."""

    def __init__(self, acts: RunActions, scene: ForkedMoment) -> None:
        self._acts = acts
        self._scene = scene
        self._examples = {**EXAMPLES, CHANGE: scene.change}
        self._text: ui.input | ui.textarea | None = None
        self._person: ui.select | None = None
        self._is_going = False
        dialog = ui.dialog(value=True).props('aria-label="Fork"')
        with dialog, ui.element("div").classes("side-card is-small"):
            with ui.element("h2"):
                ui.label(f"Fork at {scene.when}")
            ui.label(
                f"Another run that shares the past of {acts.run} up to this moment. "
                "What happens afterwards is its own."
            )
            suggested = make_name(f"{acts.run} {scene.at}", acts.config.names())
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
        scene = self._scene
        wanted = WantedFork(
            name=self._read_name(),
            at=scene.at,
            change=str(self.change.value),
            text=str(self._text.value or "") if self._text else "",
            who=str(self._person.value or "") if self._person else "",
        )
        try:
            sent = await make_fork(self._acts, wanted)
        except TROUBLE as error:
            self.told.complain(sentence(error))
        else:
            plays = wanted.change != NOTHING
            show_fork(wanted.name, scene.at, sent, wanted.who or scene.who, plays=plays)
        finally:
            self._is_going = False

    def _read_name(self) -> str:
        """Return the fork's name with hyphens instead of spaces, and show it so in the field."""
        name = "-".join(str(self.name.value or "").split())
        self.name.set_value(name)
        return name

    async def _draw_fields(self) -> None:
        change = str(self.change.value)
        self.fields.clear()
        self._text = self._person = None
        with self.fields:
            if change in FIELDS:
                self._draw_request(change)
            elif change == MODEL:
                label = "The model: ollama:<name>, llamacpp:<url>, gguf:<file>, standin …"
                self._text = spec = ui.input(label)
                found, _ = await asyncio.to_thread(offers, self._acts.config)
                with self.fields:
                    for offer in found:
                        choose = partial(spec.set_value, offer.spec)
                        button(f"{offer.spec}: {offer.told}", choose)
            elif change == TEMPLATES:
                label = "The folder, as the lab or `smolville prompt eject` writes it"
                self._text = folder = ui.input(label)
                for name in shipped_overlays():
                    button(f"{name} (shipped)", partial(folder.set_value, name))

    def _draw_request(self, change: str) -> None:
        """Draw the fields for a whisper, a changed object or an announcement."""
        names, who = list(self._scene.names), self._scene.who
        selected = who if who in names else None
        if change == WHISPER:
            self._person = ui.select(names, value=selected or names[0], label="Who hears it?")
        elif change == CHANGE:
            self._person = ui.select(names, value=selected, clearable=True)
            self._person.props('label="If there are several such objects: near whom?"')
        self._text = ui.textarea(FIELDS[change], value=self._examples[change]).props("autogrow")
        # What is typed replaces the example.
        self._text.on("focus", js_handler="(event) => event.target.select()")
