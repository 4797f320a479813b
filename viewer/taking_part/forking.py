"""Forks of a run: made with a request in them, or by the dialog that asks what is different."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import quote_plus

from nicegui import ui

from smolville.agents.errors import RunError
from smolville.agents.times import moment
from smolville.history.drafting import remove_run
from smolville.history.folder import make_name
from smolville.prompts.folder import shipped_overlays
from smolville.viewer.elements import TROUBLE, StatusLine, button
from smolville.viewer.frame import run_address
from smolville.viewer.serving.children import ANOTHER_DAY, TO_ITS_GOAL, children_of, let_go_on
from smolville.viewer.starting.choices import offers
from smolville.viewer.taking_part.acts import RunActions, SentRequest

NOTHING, MODEL, TEMPLATES = "", "--model", "--prompts"
CHANGES = {
    NOTHING: "nothing yet: I look around first",
    MODEL: "another model thinks",
    TEMPLATES: "the models get other templates",
}
"""What may be different in a fork: options of the command with which it goes on, with labels."""
LABELS = {
    MODEL: "The model: ollama:<name>, llamacpp:<url>, gguf:<file>, standin …",
    TEMPLATES: "The folder, as the lab or `smolville prompt eject` writes it",
}


async def fork_with(
    acts: RunActions,
    at: int,
    name: str,
    options: Sequence[str] = (),
    ask: Callable[[RunActions], SentRequest] | None = None,
) -> SentRequest | None:
    """Fork a run, let `ask` leave a request, and continue the fork; return the result of `ask`.

    If one of these fails, raises its error, and no fork remains.
    """
    await asyncio.to_thread(acts.fork, at, name)
    forked = replace(acts, run=name)
    try:
        is_over = (await asyncio.to_thread(forked.lived)).state == "finished"
        sent = await asyncio.to_thread(ask, forked) if ask else None
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


class ForkDialog:
    """Asks for a fork's name, and which model or templates it goes on with."""

    def __init__(self, acts: RunActions, at: int, when: str, who: str) -> None:
        """Open the dialog for town second `at`, in words `when`; `who` is selected on the page."""
        self._acts = acts
        self._at = at
        self._who = who
        self._text: ui.input | None = None
        self._is_going = False
        dialog = ui.dialog(value=True).props('aria-label="Fork"')
        with dialog, ui.element("div").classes("side-card is-small"):
            with ui.element("h2"):
                ui.label(f"Fork at {when}")
            ui.label(
                f"Another run that shares the past of {acts.run} up to this moment. "
                "What happens afterwards is its own. To whisper, change or announce something "
                "there, take part: the card asks when it is to happen."
            )
            suggested = make_name(f"{acts.run} {at}", acts.config.names())
            self.name = ui.input("Its name", value=suggested).props("autofocus")
            ui.label("What is different there?").classes("form-question")
            self.change = ui.radio(CHANGES, value=NOTHING, on_change=self._draw_field)
            self.change.props('aria-label="What is different there?"')
            self.field = ui.element("div").classes("form")
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
        name = "-".join(str(self.name.value or "").split())
        option, text = str(self.change.value), str(self._text.value or "") if self._text else ""
        with self.told.watching():
            if option == NOTHING:
                await asyncio.to_thread(self._acts.fork, self._at, name)
            elif not text.strip():
                raise RunError("Say which one: the field is empty.")
            else:
                await fork_with(self._acts, self._at, name, (option, text.strip()))
            show_fork(name, self._at, None, self._who, plays=option != NOTHING)
        self._is_going = False

    async def _draw_field(self) -> None:
        option = str(self.change.value)
        self.field.clear()
        self._text = None
        if option == NOTHING:
            return
        with self.field:
            self._text = text = ui.input(LABELS[option])
            known = {f"{name} (shipped)": name for name in shipped_overlays()}
            if option == MODEL:
                found, _ = await asyncio.to_thread(offers, self._acts.config)
                known = {f"{offer.spec}: {offer.told}": offer.spec for offer in found}
        with self.field:
            for label, value in known.items():
                button(label, partial(text.set_value, value))
