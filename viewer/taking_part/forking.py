"""The dialog that forks a run at the moment shown, and optionally starts the fork at once."""

import asyncio
from urllib.parse import quote_plus

from nicegui import ui

from agents.times import moment
from history.folder import make_name
from viewer.controls import TROUBLE, StatusLine, button, sentence
from viewer.frame import run_address
from viewer.taking_part.acts import RunActions


def ask_fork(acts: RunActions, at: int, who: str = "") -> None:
    """Show the dialog that forks a run at town second `at`."""
    taken = acts.house.names()
    suggested = make_name(f"{acts.run} {at}", taken)
    dialog = ui.dialog(value=True).props('aria-label="Fork"')
    with dialog, ui.element("div").classes("side-card is-small"):
        with ui.element("h2"):
            ui.label(f"Fork at day {moment(at)}")
        ui.label(
            f"Another run that shares the past of {acts.run} up to this moment. "
            "What happens afterwards is its own."
        )
        name = ui.input("Its name", value=suggested).props("autofocus")
        told = StatusLine()

        async def fork() -> None:
            told.say("Copying the past …")
            try:
                await asyncio.to_thread(acts.fork, at, str(name.value or ""))
            except TROUBLE as error:
                told.complain(sentence(error))
                return
            made = str(name.value).strip()
            told.say(f"{made} is there.")
            shown = f"&who={quote_plus(who)}" if who else ""
            ui.navigate.to(f"{run_address(made)}?at={moment(at).replace(' ', '-')}&play=0{shown}")

        with ui.element("div").classes("row"):
            button("Fork", fork, is_main=True)
            button("Leave it", dialog.close)
    dialog.on("hide", dialog.delete)
