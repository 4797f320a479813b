"""Choice of the model: the models on this machine, the duration of a day, the doctor's findings."""

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from nicegui import ui

from smolville.lab.doctor.examine import examine
from smolville.lab.doctor.findings import Findings, Mark
from smolville.lab.doctor.servers import (
    LocalModel,
    ServerSeen,
    can_open_files,
    find_local_models,
    look_at_llamacpp,
    look_at_ollama,
    model_folders,
)
from smolville.lab.duration import format_estimate, remember_seconds, remembered_seconds
from smolville.models.open import machine_memory
from smolville.models.request import ModelSettings
from smolville.models.servers.address import LLAMACPP_URL
from smolville.models.servers.ollama import ServedModel
from smolville.models.size import warn_if_small
from smolville.viewer.config import AppConfig
from smolville.viewer.controls import TROUBLE, StatusLine, button, sentence
from smolville.viewer.elements import box, make_folded_section, words
from smolville.viewer.starting.cards import Cards

WORDS: dict[Mark, str] = {"good": "✓", "note": "·", "bad": "✗", "unknown": "?"}
STANDIN = "standin"
STANDIN_SECONDS = 0.02
"""Seconds that a call of the stand-in takes, including the engine's own work."""


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A model that can be chosen."""

    spec: str
    name: str
    told: str
    """The model's size, and the program that serves it."""
    warning: str = ""
    """That the model is too small to speak for itself, and what to take instead."""


def feel(spec: str, calls: float, stretch: str) -> str:
    """Return how long `calls` calls take with a model on this machine, in words.

    `stretch` names the town time that the calls cover, such as `this day`. The time of one call was
    measured by the doctor.
    """
    a_call = remembered_seconds(spec)
    if spec.partition(":")[0] == STANDIN:
        a_call = STANDIN_SECONDS
    if a_call is None:
        return "not measured on this machine yet"
    return f"{format_estimate(calls * a_call)} for {stretch}"


class ModelChoice:
    """The models on this machine as cards, with the doctor's findings on the chosen one."""

    def __init__(self, config: AppConfig, on_change: Callable[[], None]) -> None:
        """Draw the stand-in; `look` adds the other models. `on_change` is called after a choice."""
        self._config = config
        self._on_change = on_change
        self._is_looking = False
        self._feels: dict[str, ui.label] = {}
        self._offers: dict[str, Offer] = {}
        self._calls, self._stretch = 0.0, "this day"
        with box("div", "start-models"):
            self.cards = Cards("model", "Models", lambda _: self._chosen())
        self.seen = ui.label("Looking for models on this machine …").classes("soft")
        self._draw([_standin()])
        with make_folded_section("Another model"):
            self.other = ui.input("Its spec: ollama:<name>, llamacpp:<url>, gguf:<file> …")
            self.other.on_value_change(lambda _: self._chosen())
        with box("div", "row"):
            self.measure = button("Measure how fast it is here", self.examine)
            self.told = StatusLine()
        self.findings = ui.element("ul").classes("findings")

    @property
    def spec(self) -> str:
        """The spec of the chosen model."""
        return str(self.other.value or "").strip() or self.cards.value

    @property
    def is_standin(self) -> bool:
        """True if the stand-in is chosen, or no model at all."""
        return self.spec.partition(":")[0] == STANDIN

    @property
    def name(self) -> str:
        """The chosen model's name."""
        offer = self._offers.get(self.spec)
        return self.spec if offer is None else offer.name

    @property
    def feel(self) -> str:
        """The duration of a day with the chosen model, in words."""
        return feel(self.spec, self._calls, self._stretch)

    async def look(self) -> None:
        """Look for model servers, their models, and model files; list them, best first."""
        found, seen = await asyncio.to_thread(offers, self._config)
        self.seen.set_text(" ".join(seen))
        self._draw(found)
        self._chosen()

    def weigh(self, calls: float, stretch: str) -> None:
        """Show how long a day with `calls` calls takes with each model."""
        self._calls, self._stretch = calls, stretch
        for spec, label in self._feels.items():
            label.set_text(feel(spec, calls, stretch))

    async def examine(self) -> None:
        """Let the doctor examine the chosen model; show the findings, and store the speed."""
        if self._is_looking:
            return
        self._is_looking = True
        self.findings.clear()
        try:
            found = await _examine_model(
                self._config, self.spec, lambda doing: self.told.say(f"{doing} …")
            )
        except TROUBLE as error:
            self.told.complain(sentence(error))
        else:
            remember_seconds(found.spec, found.seconds_a_call)
            self._show(found)
            self.weigh(self._calls, self._stretch)
            self._on_change()
        finally:
            self._is_looking = False

    def _draw(self, found: list[Offer]) -> None:
        """Draw a card for each offer; the first that is not a model file is chosen."""
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
                self._feels[offer.spec] = ui.label(feel(offer.spec, self._calls, self._stretch))
                self._feels[offer.spec].classes("choice-feel")

    def _chosen(self) -> None:
        self.measure.set_visibility(not self.is_standin)
        self._on_change()

    def _show(self, found: Findings) -> None:
        if found.usable:
            self.told.say("This model can be used.")
        else:
            self.told.complain("This model cannot be used.")
        with self.findings:
            for each in found.findings:
                with ui.element("li").classes(f"finding is-{each.mark}"):
                    ui.label(f"{WORDS[each.mark]} {each.probe}: {each.text}")
            for advice in found.advice:
                with ui.element("li").classes("finding"):
                    ui.label(advice.text)
                    if advice.command:
                        ui.label(advice.command).classes("command")


def _standin() -> Offer:
    return Offer(spec=STANDIN, name="Built-in stand-in", told="rules, no model: to look around")


def offers(config: AppConfig) -> tuple[list[Offer], list[str]]:
    """Return the models to choose from, and sentences about where they were looked for.

    The first are models of servers, in the order in which `smolville run` prefers them; then comes
    the stand-in; then files. Servers that do not answer delay the result by a few seconds at most.
    """
    env = surroundings(config)
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


def _offer(model: LocalModel | ServedModel, name: str, spec: str, where: str) -> Offer:
    told = ", ".join(filter(None, (model.parameters, model.quantization, where)))
    warning = warn_if_small(model.parameters, machine_memory())
    return Offer(spec=spec, name=name, told=told, warning=warning)


def surroundings(config: AppConfig) -> Mapping[str, str]:
    """Return the environment in which servers are looked for."""
    return config.env or os.environ


async def _examine_model(config: AppConfig, spec: str, progress: Callable[[str], None]) -> Findings:
    """Return the doctor's findings about a model; takes up to 90 seconds with a real one."""
    loop = asyncio.get_running_loop()

    def report(doing: str) -> None:
        loop.call_soon_threadsafe(progress, doing)

    looked = examine(spec, surroundings(config), ModelSettings(), progress=report)
    return await asyncio.to_thread(asyncio.run, looked)


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
    return f"{name} {server.version} answers at {server.url} with {models} chat model(s)."
