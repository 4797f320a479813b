"""Forks of a run: made with a request in them, or as they are by a dialog."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import quote_plus

from nicegui import ui

from smolville.agents.times import moment
from smolville.history.drafting import remove_run
from smolville.history.folder import make_name
from smolville.viewer.elements import TROUBLE, StatusLine, button
from smolville.viewer.frame import run_address
from smolville.viewer.serving.children import ANOTHER_DAY, TO_ITS_GOAL, children_of, let_go_on
from smolville.viewer.taking_part.acts import RunActions, SentRequest


async def fork_with(
    acts: RunActions,
    at: int,
    name: str,
    ask: Callable[[RunActions], SentRequest],
) -> SentRequest:
    """Fork a run, let `ask` leave a request, and continue the fork; return the result of `ask`.

    If one of these fails, raises its error, and no fork remains.
    """
    await asyncio.to_thread(acts.fork, at, name)
    forked = replace(acts, run=name)
    try:
        is_over = (await asyncio.to_thread(forked.lived)).state == "finished"
        sent = await asyncio.to_thread(ask, forked)
        await asyncio.to_thread(forked.send_visitors_away, sent.visitor)
        goal = ANOTHER_DAY if is_over else TO_ITS_GOAL
        await let_go_on(children_of(acts.config), name, goal)
    except TROUBLE:
        await asyncio.to_thread(remove_run, acts.config.folder(name))
        raise
    return sent


def show_fork(name: str, at: int, sent: SentRequest | None, who: str) -> None:
    """Open a fork's page at its first moment, and select its visitor or the person `who`."""
    way = f"?at={moment(at).replace(' ', '-')}&play={int(sent is not None)}"
    way += f"&asked={sent.id}" if sent else ""
    way += f"&visitor={quote_plus(sent.visitor)}" if sent and sent.visitor else ""
    way += f"&who={quote_plus(who)}" if who else ""
    ui.navigate.to(run_address(name) + way)


class ForkDialog:
    """Asks for a fork's name."""

    def __init__(self, acts: RunActions, at: int, when: str, who: str) -> None:
        """Open the dialog for town second `at`, in words `when`; `who` is selected on the page."""
        self._acts = acts
        self._at = at
        self._who = who
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
        with self.told.watching():
            await asyncio.to_thread(self._acts.fork, self._at, name)
            show_fork(name, self._at, None, self._who)
        self._is_going = False
