"""Choices of a guided start, drawn as cards: a town's casts and people, and this machine's models.

The browser's own radio buttons and checkboxes are inside the cards, for the keyboard.
"""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from nicegui import ui

from smolville.agents.persona import Persona
from smolville.agents.wording import join_words
from smolville.lab.doctor.servers import (
    LocalModel,
    ServerSeen,
    can_open_files,
    find_local_models,
    look_at_llamacpp,
    look_at_ollama,
    model_folders,
)
from smolville.lab.duration import format_estimate
from smolville.models.open import warn_if_small
from smolville.models.servers.address import LLAMACPP_URL
from smolville.models.servers.ollama import ServedModel
from smolville.viewer.config import AppConfig
from smolville.viewer.elements import box, button, make_folded_section, set_attributes, words
from smolville.viewer.playback.people import coat_of, looks_of
from smolville.world.town.town import Town

USUAL = 3
"""Usual number of people in a first town."""
EVERYBODY = "all"
"""Value of the card for everybody, in a town whose largest cast is smaller."""
STANDIN = "standin"
STANDIN_SECONDS = 0.02
"""Seconds that a call of the stand-in takes, including the engine's own work."""


class Cards:
    """A group of cards, of which one is chosen."""

    def __init__(self, name: str, label: str, on_choose: Callable[[str], None]) -> None:
        """Draw an empty group; `name` is unique on the page."""
        self._name = name
        self._on_choose = on_choose
        self.value = ""
        """The chosen card's value; empty for none."""
        self.root = box("div", "choices", role="radiogroup", aria_label=label)

    def clear(self) -> None:
        """Remove all cards."""
        self.value = ""
        self.root.clear()

    def add(self, value: str, *, chosen: bool = False) -> ui.element:
        """Add a card, and return the element for its content."""
        with self.root, box("label", "choice"):
            button = box("input", type="radio", name=self._name, value=value)
            if chosen:
                self.value = value
                set_attributes(button, checked=True)
            button.on("change", partial(self._choose, value))
            return box("span", "choice-body")

    def choose_none(self) -> None:
        """Deselect the chosen card."""
        self.value = ""
        ui.run_javascript(
            f"for (const each of document.getElementsByName({self._name!r})) each.checked = false"
        )

    def _choose(self, value: str, _event: object) -> None:
        self.value = value
        self._on_choose(value)


class PeopleChoice:
    """The casts of a town as cards, and all its people, each of whom can be included or not."""

    def __init__(self, on_change: Callable[[], None]) -> None:
        """Draw an empty choice; `on_change` is called whenever the chosen people change."""
        self._on_change = on_change
        self._people: dict[str, Persona] = {}
        self.names: tuple[str, ...] = ()
        """The chosen people's full names; those of a cast are in the cast's order."""
        self._offered: dict[str, tuple[str, ...]] = {}
        self.casts = Cards("cast", "Casts", lambda value: self._choose(self._offered[value]))
        self.people = box("div", "people", role="group", aria_label="People")
        with box("div", "row"):
            button("Choose one by one", lambda: self.people.classes(add="is-all"))
            self.count = ui.label("").classes("soft").props('role="status"')

    def show(self, town: Town) -> None:
        """Offer the people of a town; at first the cast of usual size is chosen."""
        self._people = dict(town.personas)
        self.casts.clear()
        usual = town.casts.get(USUAL) or tuple(town.personas)[:USUAL]
        self._offered = {str(size): names for size, names in town.casts.items()}
        if not any(len(names) == len(town.personas) for names in self._offered.values()):
            self._offered[EVERYBODY] = tuple(town.personas)
        for value, names in self._offered.items():
            with self.casts.add(value, chosen=names == usual):
                self._draw_cast(names)
        self._choose(usual)

    def _draw_cast(self, names: Sequence[str]) -> None:
        with box("span", "faces"):
            self._draw_faces(names[: 3 * USUAL])
        words("b", f"{len(names)} people" if len(names) > 1 else "1 person")
        firsts = [name.split()[0] for name in names]
        if len(names) > USUAL + 2:
            firsts = [*firsts[:USUAL], f"{len(names) - USUAL} more"]
        words("span", join_words(firsts), "soft")

    def _draw_faces(self, names: Sequence[str], first: int = 0) -> None:
        """Draw faces as on the map (`faces.js`), of people who are numbered from `first` on."""
        for number, (name, look) in enumerate(zip(names, looks_of(names), strict=True), first):
            face = box("town-face", aria_hidden="true", age=str(self._people[name].age))
            set_attributes(face, colour=coat_of(number), look=str(look))

    def _choose(self, names: tuple[str, ...]) -> None:
        self.names = names
        self.people.clear()
        with self.people:
            others = [each for each in self._people if each not in names]
            for number, name in enumerate([*names, *others]):
                self._draw_person(self._people[name], number, chosen=name in names)
        self._tell()

    def _draw_person(self, persona: Persona, number: int, *, chosen: bool) -> None:
        with box("label", "person is-chosen" if chosen else "person") as card:
            tick = box("input", type="checkbox", name=persona.name)
            set_attributes(tick, **{"checked": True} if chosen else {})
            tick.on(
                "change",
                partial(self._take, persona.name, card),
                js_handler="(event) => emit(event.target.checked)",
            )
            self._draw_faces([persona.name], number)
            first = persona.learned.split(". ")[0].strip().rstrip(".")
            with box("span", "person-words"):
                words("b", f"{persona.name}, {persona.age}")
                does = first.removeprefix(persona.name).strip().removeprefix("is ")
                words("span", does, "person-line")

    def _take(self, name: str, card: ui.element, event: object) -> None:
        taken = bool(getattr(event, "args", False))
        card.classes(**{"add" if taken else "remove": "is-chosen"})
        kept = tuple(each for each in self.names if each != name)
        self.names = (*kept, name) if taken else kept
        self.casts.choose_none()
        self._tell()

    def _tell(self) -> None:
        self.count.set_text(f"{len(self.names)} of {len(self._people)} chosen")
        self._on_change()


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A model that can be chosen."""

    spec: str
    name: str
    told: str
    """The model's size, and the program that serves it."""
    warning: str = ""
    """That the model is too small to speak for itself, and what to take instead."""


class ModelChoice:
    """The models on this machine as cards, and a field for any other."""

    def __init__(self, config: AppConfig, on_change: Callable[[], None]) -> None:
        """Draw the stand-in; `look` adds the other models. `on_change` is called after a choice."""
        self._config = config
        self._on_change = on_change
        self._feels: dict[str, ui.label] = {}
        self._offers: dict[str, Offer] = {}
        self._calls = 0.0
        with box("div", "start-models"):
            self.cards = Cards("model", "Models", lambda _: on_change())
        self.seen = ui.label("Looking for models on this machine …").classes("soft")
        self._draw([_standin()])
        with make_folded_section("Another model"):
            self.other = ui.input("Its spec: ollama:<name>, llamacpp:<url>, gguf:<file> …")
            self.other.on_value_change(lambda _: on_change())

    @property
    def spec(self) -> str:
        """The spec of the chosen model."""
        return str(self.other.value or "").strip() or self.cards.value

    @property
    def name(self) -> str:
        """The chosen model's name."""
        offer = self._offers.get(self.spec)
        return self.spec if offer is None else offer.name

    @property
    def feel(self) -> str:
        """How much the town's time asks of the chosen model, in words."""
        return feel(self.spec, self._calls)

    async def look(self) -> None:
        """Look for model servers, their models, and model files; list them, best first."""
        found, seen = await asyncio.to_thread(offers, self._config)
        self.seen.set_text(" ".join(seen))
        self._draw(found)
        self._on_change()

    def weigh(self, calls: float) -> None:
        """Show what a run with `calls` calls asks of each model."""
        self._calls = calls
        for spec, label in self._feels.items():
            label.set_text(feel(spec, calls))

    def _draw(self, found: list[Offer]) -> None:
        self.cards.clear()
        self._feels.clear()
        self._offers = {offer.spec: offer for offer in found}
        usual = next((each for each in found if not each.spec.startswith("gguf:")), found[0])
        for offer in found:
            with self.cards.add(offer.spec, chosen=offer is usual):
                words("b", offer.name)
                words("span", offer.told, "soft")
                if offer.warning:
                    words("span", f"{offer.warning[:1].upper()}{offer.warning[1:]}.", "soft")
                self._feels[offer.spec] = ui.label(feel(offer.spec, self._calls))
                self._feels[offer.spec].classes("choice-feel")


def feel(spec: str, calls: float) -> str:
    """Return how much `calls` calls are for a model: a time for the stand-in, else their number."""
    is_standin = spec.partition(":")[0] == STANDIN
    return format_estimate(calls * STANDIN_SECONDS) if is_standin else f"about {calls:,.0f} calls"


def offers(config: AppConfig) -> tuple[list[Offer], list[str]]:
    """Return the models to choose from, and sentences about where they were looked for.

    The first are models of servers, in the order in which `smolville run` prefers them; then comes
    the stand-in; then files. Servers that do not answer delay the result by a few seconds at most.
    """
    env: Mapping[str, str] = config.env or os.environ
    servers = (look_at_ollama(env), look_at_llamacpp(LLAMACPP_URL, env))
    found = [offer for server in servers for offer in _list_offers(server)]
    seen = [_describe_server(server) for server in servers]
    found.append(_standin())
    files = find_local_models(model_folders(env, Path.cwd()))
    if files and not can_open_files():
        seen.append(
            f"{len(files)} model file(s) are here; to use them, install smolville with its extra "
            "gguf (smolville[gguf])."
        )
        return found, seen
    where = "a file of this machine"
    return [*found, *(_offer(each, each.path.stem, each.spec, where) for each in files)], seen


def _standin() -> Offer:
    return Offer(spec=STANDIN, name="Built-in stand-in", told="rules, no model: to look around")


def _offer(model: LocalModel | ServedModel, name: str, spec: str, where: str) -> Offer:
    told = ", ".join(filter(None, (model.parameters, model.quantization, where)))
    warning = warn_if_small(model.parameters)
    return Offer(spec=spec, name=name, told=told, warning=warning)


def _list_offers(server: ServerSeen) -> list[Offer]:
    if not server.answers:
        return []
    is_ollama = server.kind == "ollama"
    where = "on Ollama" if is_ollama else "on llama.cpp's server"
    return [
        _offer(
            each, each.name, f"ollama:{each.name}" if is_ollama else f"llamacpp:{server.url}", where
        )
        for each in server.models
        if each.chats
    ]


def _describe_server(server: ServerSeen) -> str:
    name = "Ollama" if server.kind == "ollama" else "llama.cpp's server"
    if not server.answers:
        return f"{name} does not answer at {server.url}."
    models = len([model for model in server.models if model.chats])
    return f"{name} answers at {server.url} with {models} chat model(s)."
