"""Send the request of a form to the town, and show its outcome."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

from nicegui import ui

from smolville.viewer.controls import StatusLine, button
from smolville.viewer.taking_part.acts import AcceptedRequest, RunActions, SentRequest
from smolville.viewer.taking_part.fate import QUIET, FateLinks, note_request
from smolville.viewer.taking_part.moments import (
    MomentChoice,
    fork_with,
    free_name,
    go_on_options,
    join_visitor,
    show_fork,
)
from smolville.viewer.taking_part.panel import CardContext

SHOW_BUTTON = """(event) => event.target.closest(".form")
    .querySelector("button.is-main, .row button").scrollIntoView({block: "nearest"})"""
"""Focus handler: scrolls the button that sends the form into view, as on a low screen."""
EVERY = 0.5
"""Seconds between two checks of a request's result."""
Wish = Callable[[RunActions], SentRequest]
"""Function that leaves a request with a run; raises the error of an invalid request."""
Heed = Callable[[SentRequest], object]


def _ignore(_: SentRequest) -> None:
    """Do nothing."""


class RequestSender:
    """Sends requests, and watches the last one."""

    def __init__(
        self,
        scene: CardContext,
        wishes: Mapping[str, Wish],
        *,
        goes_on: bool = False,
        who: Callable[[], str] = str,
        when: MomentChoice | None = None,
    ) -> None:
        """Draw a button for each request.

        With `goes_on`, sending a request also resumes a run that is not in progress. `who` returns
        the person whom the page of a new fork shows at first. `when` is given if several forms
        share one choice of a moment.
        """
        self._scene = scene
        self._goes_on = goes_on
        self._who = who
        self._left: SentRequest | None = None
        self._sent: Heed = _ignore
        self._taken: Heed = _ignore
        self._is_busy = False
        self._when = when or MomentChoice(scene)
        with ui.element("div").classes("row"):
            for text, wish in wishes.items():
                button(text, partial(self.leave, wish), is_main=len(wishes) == 1)
        self.told = StatusLine()
        self._links = FateLinks(scene.acts)
        self._waits = button("Let the run go on now", self._let_go_on)
        self._waits.set_visibility(False)
        self._timer = ui.timer(EVERY, self._look, active=False)

    def sends_with(self, text: ui.textarea, wish: Wish) -> None:
        """Make Enter in a field send the request, and clear errors when the field changes."""
        text.on("focus", js_handler=SHOW_BUTTON)
        text.on("keydown.enter.exact.prevent", partial(self.leave, wish))
        text.on_value_change(self.told.forgive)
        self.on_sent(lambda _: text.set_value(""))

    def on_sent(self, heed: Heed) -> None:
        """Call a function once a request is sent."""
        self._sent = heed

    def on_taken(self, heed: Heed) -> None:
        """Call a function once the town has taken a request in."""
        self._taken = heed

    async def leave(self, wish: Wish) -> None:
        """Send a request; while it is being sent, further clicks have no effect."""
        if self._is_busy:
            return
        self._is_busy = True
        self._links.show(None)
        self.told.say("Sending …")
        self.told.show()
        try:
            with self.told.watching():
                at = await self._when.chosen()
                if at is None:
                    await self._leave_here(wish)
                else:
                    await self._leave_in_fork(wish, at)
        finally:
            self._is_busy = False
            self.told.show()

    async def _leave_here(self, wish: Wish) -> None:
        """Send a request to this run."""
        sent = self._left = await asyncio.to_thread(wish, self._scene.acts)
        self._sent(sent)
        if sent.visitor:
            join_visitor(sent.visitor)
        self._timer.activate()
        if sent.waits and self._goes_on:
            self.told.say("The run goes on …")
            await self._scene.go_on({})
            return
        self.told.say(sent.told)
        self._waits.set_visibility(sent.waits)

    async def _leave_in_fork(self, wish: Wish, at: int) -> None:
        """Fork the run at a moment, send the request to the fork, and open its page."""
        acts = self._scene.acts
        name = await asyncio.to_thread(free_name, acts, at)
        self.told.say(f"The run {name} begins here, with the same past …")
        sent = await fork_with(acts, at, name, wish, go_on_options)
        show_fork(name, at, sent, self._who())

    async def _let_go_on(self) -> None:
        """Resume the run, so that the request is carried out."""
        with self.told.watching():
            self._waits.set_visibility(False)
            await self._scene.go_on({})

    async def _look(self) -> None:
        """Show the result of the request once it is known."""
        left = self._left
        if left is None:
            self._timer.deactivate()
            return
        acts = self._scene.acts
        fate = await asyncio.to_thread(acts.outcome, left.id)
        if fate.state == "waiting":
            return
        self._timer.deactivate()
        if fate.state == "refused":
            self.told.complain(f"The town did not let it happen: {fate.why.rstrip('.')}.")
            await asyncio.to_thread(acts.keep_pace, 0, 0)
            return
        landed = await asyncio.to_thread(acts.landed, left.id)
        self.told.say(taken_sentence(left, landed))
        self._links.show(landed)
        if landed is not None and landed.kind in QUIET:
            note_request(left.id)
        self._taken(left)


def taken_sentence(sent: SentRequest, landed: AcceptedRequest | None) -> str:
    """Return the sentence that the town has taken a request in, with its time if known."""
    when = f", {landed.when}" if landed is not None else ""
    return f"It has reached the town: {sent.done}{when}."
