"""Begin another run from the moment shown, and let it go on at once where that is wanted."""

import asyncio
from urllib.parse import quote_plus

from nicegui import ui

from agents.times import moment
from viewer.controls import TROUBLE, Told, button, sentence
from viewer.frame import run_address
from viewer.taking_part.acts import Acts
from world.runs.folder import make_name


def ask_fork(acts: Acts, at: int, who: str = "") -> None:
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
        told = Told()

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
