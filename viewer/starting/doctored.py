"""Model selection, with the doctor's findings."""

import asyncio

from nicegui import ui

from lab.doctor.findings import Findings, Mark
from viewer.controls import TROUBLE, StatusLine, button, sentence
from viewer.house import AppRuns
from viewer.starting.models import STANDIN, examined, offers

WORDS: dict[Mark, str] = {"good": "✓", "note": "·", "bad": "✗", "unknown": "?"}


class ModelChoice:
    """A list of the models on this machine, with the doctor's findings on the chosen one."""

    def __init__(self, house: AppRuns) -> None:
        self._house = house
        self._is_looking = False
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
            found = await examined(
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

    def _say(self, doing: str) -> None:
        """Show what the doctor is doing."""
        self.told.say(f"The doctor is {doing} …")
