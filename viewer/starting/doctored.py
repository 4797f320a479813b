"""Choosing a model, with what the doctor has to say of it."""

import asyncio

from nicegui import ui

from lab.doctor.findings import Findings, Mark
from viewer.controls import TROUBLE, Told, button, sentence
from viewer.house import House
from viewer.starting.models import STANDIN, examined, offers

WORDS: dict[Mark, str] = {"good": "✓", "note": "·", "bad": "✗", "unknown": "?"}


class ModelChoice:
    """A list of the models that this machine offers, and the doctor's findings on one."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._is_looking = False
        self.seen = ui.label("Looking for models on this machine …").classes("soft")
        self.choice = ui.radio({STANDIN: "the built-in stand-in"}, value=STANDIN)
        self.other = ui.input(
            "Another one, as a spec: ollama:<name>, llamacpp:<url>, gguf:<file> …"
        )
        with ui.element("div").classes("row"):
            button("Let the doctor look at it", self.examine)
        self.told = Told()
        self.findings = ui.element("ul").classes("findings")

    @property
    def spec(self) -> str:
        """The model that is chosen."""
        return str(self.other.value or "").strip() or str(self.choice.value)

    async def look(self) -> None:
        """Look for servers and their models, and offer them, the best one first."""
        found, seen = await asyncio.to_thread(offers, self._house)
        self.seen.set_text(" ".join(seen))
        self.choice.set_options(
            {offer.spec: f"{offer.spec}: {offer.told}" for offer in found}, value=found[0].spec
        )

    async def examine(self) -> None:
        """Let the doctor examine the model, and show what it finds."""
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
        """Say what the doctor does."""
        self.told.say(f"The doctor is {doing} …")
