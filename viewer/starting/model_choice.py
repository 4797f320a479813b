"""Model selection: the models on this machine, and the doctor's findings on the chosen one."""

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from nicegui import ui

from lab.doctor.examine import examine
from lab.doctor.findings import Findings, Mark, ServerSeen
from lab.doctor.servers import look_at_llamacpp, look_at_ollama
from models.request import ModelSettings
from models.servers.address import LLAMACPP_URL
from reports.runs import STANDIN_TOLD
from viewer.controls import TROUBLE, StatusLine, button, sentence
from viewer.house import AppRuns

WORDS: dict[Mark, str] = {"good": "✓", "note": "·", "bad": "✗", "unknown": "?"}
STANDIN = "standin"


class ModelChoice:
    """A list of the models on this machine, with the doctor's findings on the chosen one."""

    def __init__(self, house: AppRuns) -> None:
        self._house = house
        self._is_looking = False
        with ui.element("div").classes("start-models"):
            self.seen = ui.label("Looking for models on this machine …").classes("soft")
            self.choice = ui.radio({STANDIN: "the built-in stand-in"}, value=STANDIN)
        self.other = ui.input(
            "Another one, as a spec: ollama:<name>, llamacpp:<url>, gguf:<file> …"
        )
        with ui.element("div").classes("row"):
            button("Let the doctor look at it", self.examine)
        self.told = StatusLine()
        self.findings = ui.element("ul").classes("findings")

    @property
    def spec(self) -> str:
        """The spec of the chosen model."""
        return str(self.other.value or "").strip() or str(self.choice.value)

    async def look(self) -> None:
        """Look for servers and their models, and list them, best first."""
        found, seen = await asyncio.to_thread(offers, self._house)
        self.seen.set_text(" ".join(seen))
        self.choice.set_options(
            {offer.spec: f"{offer.spec}: {offer.told}" for offer in found}, value=found[0].spec
        )

    async def examine(self) -> None:
        """Let the doctor examine the chosen model, and show the findings."""
        if self._is_looking:
            return
        self._is_looking = True
        self.findings.clear()
        try:
            found = await _examine_model(
                self._house, self.spec, lambda doing: self.told.say(f"{doing} …")
            )
        except TROUBLE as error:
            self.told.complain(sentence(error))
        else:
            self._show(found)
        finally:
            self._is_looking = False

    def _show(self, found: Findings) -> None:
        """Show findings and advice."""
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


@dataclass(frozen=True)
class Offer:
    """A model that can be chosen."""

    spec: str
    told: str
    """A description in words."""


def offers(house: AppRuns) -> tuple[list[Offer], list[str]]:
    """Return the models to choose from, best first, and sentences about the servers found.

    Waits at most some seconds for servers that do not answer.
    """
    env = surroundings(house)
    servers = (look_at_ollama(env), look_at_llamacpp(LLAMACPP_URL, env))
    found = [offer for server in servers for offer in _list_offers(server)]
    seen = [_describe_server(server) for server in servers]
    found.append(Offer(STANDIN, f"{STANDIN_TOLD}; shows a town in seconds"))
    return found, seen


def surroundings(house: AppRuns) -> Mapping[str, str]:
    """Return the environment in which servers are looked for."""
    return house.env or os.environ


async def _examine_model(house: AppRuns, spec: str, progress: Callable[[str], None]) -> Findings:
    """Return the doctor's findings about a model; takes up to 90 seconds with a real one."""
    loop = asyncio.get_running_loop()

    def report_progress(doing: str) -> None:
        loop.call_soon_threadsafe(progress, doing)

    def run_examination() -> Findings:
        return asyncio.run(
            examine(spec, surroundings(house), ModelSettings(), progress=report_progress)
        )

    return await asyncio.to_thread(run_examination)


def _list_offers(server: ServerSeen) -> list[Offer]:
    """Return the chat models that a server offers."""
    if not server.answers:
        return []
    where = "Ollama" if server.kind == "ollama" else "llama.cpp's server"
    offered = []
    for model in server.models:
        if model.chats:
            size = " ".join(filter(None, (model.parameters, model.quantization)))
            spec = f"ollama:{model.name}" if server.kind == "ollama" else f"llamacpp:{server.url}"
            offered.append(Offer(spec, f"{model.name} {size} on {where}".replace("  ", " ")))
    return offered


def _describe_server(server: ServerSeen) -> str:
    """Return a sentence about a server."""
    name = "Ollama" if server.kind == "ollama" else "llama.cpp's server"
    if not server.answers:
        return f"{name} does not answer at {server.url}."
    models = len([model for model in server.models if model.chats])
    return f"{name} {server.version} answers at {server.url} with {models} chat model(s)."
