"""Send the request of a form to the town, now or in a fork, and show its outcome."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from json import dumps

from nicegui import ui

from smolville.history.folder import make_name
from smolville.viewer.controls import StatusLine, button
from smolville.viewer.taking_part.acts import RunActions, SentRequest
from smolville.viewer.taking_part.fate import QUIET, FateLinks, note_request
from smolville.viewer.taking_part.forking import fork_with, show_fork
from smolville.viewer.taking_part.panel import SHOWN_AT, CardContext

SHOWN, END = "shown", "end"
AT_SHOWN = "at the moment on the map, in a fork of this run"
FORK_TOLD = (
    "A fork is a copy of this run that goes its own way from there; this run stays as it is."
)
AT_LATEST = "now: at the latest moment of this run"
NEAR = 900
"""If a run is in progress, the map counts as showing its end within this many town seconds of it.
"""
SHOW_BUTTON = """(event) => event.target.closest(".form")
    .querySelector("button.is-main, .row button").scrollIntoView({block: "nearest"})"""
"""Focus handler: scrolls the button that sends the form into view, as on a low screen."""
EVERY = 0.5
"""Seconds between two checks of a request's result."""
Wish = Callable[[RunActions], SentRequest]
"""Function that leaves a request with a run; raises the error of an invalid request."""
Heed = Callable[[SentRequest], object]


class MomentChoice:
    """A choice of when a request is to happen; it is shown only if it makes a difference."""

    def __init__(self, scene: CardContext, since: int = 0) -> None:
        """Draw the choice; moments before the town second `since` cannot be chosen."""
        self._scene = scene
        self._since = since
        self._is_chosen = False
        """True once somebody has chosen; until then the moment follows the map and the run."""
        with ui.element("div").classes("form-when") as self._whole:
            ui.label("When?").classes("form-question")
            self._choice = ui.radio(self._options(), value=self._proposed())
            self._choice.props('dense aria-label="When?"')
            ui.label(FORK_TOLD).classes("soft")
        # Only a click sends this event; a value that the page sets does not.
        self._choice.on("update:model-value", lambda: setattr(self, "_is_chosen", True))
        self._renew()
        scene.on_moved(self._renew)

    def _options(self) -> dict[str, str]:
        lived = self._scene.lived
        is_lived = lived.state == "running"
        return {
            SHOWN: AT_SHOWN,
            END: AT_LATEST if is_lived else f"where the run ends: {lived.told}",
        }

    def _proposed(self) -> str:
        """Return the default moment: the one shown, or the end of the run.

        It is the end if the run is in progress and the map shows its end, or almost its end.
        """
        at, lived = self._scene.at, self._scene.lived
        return END if lived.state == "running" and (at is None or lived.at - at < NEAR) else SHOWN

    def _renew(self) -> None:
        """Show the choice only if it makes a difference; what the user has chosen stays chosen."""
        at = self._scene.at
        self._whole.set_visibility(at is not None and self._since <= at < self._scene.lived.at)
        value = self._choice.value if self._is_chosen else self._proposed()
        if (value, self._options()) != (self._choice.value, self._choice.options):
            self._choice.set_options(self._options(), value=value)

    async def chosen(self) -> int | None:
        """Return the chosen moment as a town second; None for the run's end."""
        if not self._whole.visible or self._choice.value == END:
            return None
        # The map may have moved on since it was looked at.
        shown = await ui.run_javascript(SHOWN_AT)
        at = int(shown) if isinstance(shown, int | float) else self._scene.at
        return None if at is None or at >= self._scene.lived.at else at


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
        on_taken: Heed | None = None,
    ) -> None:
        """Draw a button for each request.

        With `goes_on`, sending a request also resumes a run that is not in progress. `who` returns
        the person whom the page of a new fork shows at first. `when` is given if several forms
        share one choice of a moment. `on_taken` is called once the town has taken a request in.
        """
        self._scene = scene
        self._goes_on = goes_on
        self._who = who
        self._left: SentRequest | None = None
        self._text: ui.textarea | None = None
        self._taken = on_taken
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
        self._text = text

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
        sent = self._left = await asyncio.to_thread(wish, self._scene.acts)
        if self._text is not None:
            self._text.set_value("")
        if sent.visitor:
            # As long as the page follows a visitor, it sets the town's pace.
            ui.run_javascript(f"window.stage?.company.join({dumps(sent.visitor)})")
        self._timer.activate()
        if sent.waits and self._goes_on:
            self.told.say("The run goes on …")
            await self._scene.go_on({})
            return
        self.told.say(sent.told)
        self._waits.set_visibility(sent.waits)

    async def _leave_in_fork(self, wish: Wish, at: int) -> None:
        acts = self._scene.acts
        name = await asyncio.to_thread(make_name, f"{acts.run} {at}", acts.config.names())
        self.told.say(f"The run {name} begins here, with the same past …")
        show_fork(name, at, await fork_with(acts, at, name, wish), self._who())

    async def _let_go_on(self) -> None:
        with self.told.watching():
            self._waits.set_visibility(False)
            await self._scene.go_on({})

    async def _look(self) -> None:
        """Show the result of the request once it is known."""
        left = self._left
        fate = await asyncio.to_thread(self._scene.acts.settled, left.id) if left else None
        if left is None or fate is None:
            return
        self._timer.deactivate()
        refused, landed = fate
        if refused:
            self.told.complain(refused)
            return
        when = f", {landed.when}" if landed is not None else ""
        self.told.say(f"It has reached the town: {left.done}{when}.")
        self._links.show(landed)
        if landed is not None and landed.kind in QUIET:
            note_request(left.id)
        if self._taken is not None:
            self._taken(left)
