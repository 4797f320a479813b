"""Forms that send requests to a run, now or in a fork, and show what became of them."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from json import dumps

from nicegui import ui

from smolville.history.folder import make_name
from smolville.viewer.elements import StatusLine, button
from smolville.viewer.frame import run_address
from smolville.viewer.taking_part.acts import AcceptedRequest, RunActions, SentRequest
from smolville.viewer.taking_part.card import CardContext
from smolville.viewer.taking_part.forking import fork_with, show_fork

NOBODY = "nobody in particular"
NAME = "Rosa Lind"
ABOUT = "a reporter from the county paper"
CALLER = "Max Adler"
"""Example name of a caller; it differs from `NAME`, which a visitor in town may bear."""
TO_ITS_END = "({target}) => target.setSelectionRange(target.value.length, target.value.length)"
"""Focus handler: puts the cursor at the end of the field's text."""
SHOW_BUTTON = """(event) => event.target.closest(".form")
    .querySelector("button.is-main, .row button").scrollIntoView({block: "nearest"})"""
"""Focus handler: scrolls the button that sends the form into view, as on a low screen."""
SHOWN_AT = "window.stage && !stage.clock.live ? stage.clock.at : null"
"""The town second that the map shows, in the browser; null at the live edge."""
SHOWN, END = "shown", "end"
MOMENTS = {
    SHOWN: "at the moment on the map, in a fork of this run",
    END: "now: at the latest moment of this run",
}
NEAR = 900
"""If a run is in progress, the map counts as showing its end within this many town seconds of it.
"""
EVERY = 0.5
"""Seconds between two checks of what became of a request."""
Wish = Callable[[RunActions], SentRequest]
"""Function that leaves a request with a run; raises the error of an invalid request."""


class MomentChoice:
    """A choice of when a request is to happen."""

    def __init__(self, scene: CardContext, since: int = 0) -> None:
        """Draw the choice; moments before the town second `since` are in no fork of it."""
        self._scene = scene
        self._since = since
        at, lived = scene.at, scene.lived
        is_near = at is None or lived.at - at < (NEAR if lived.state == "running" else 1)
        with ui.element("div").classes("form-when"):
            ui.label("When?").classes("form-question")
            self._choice = ui.radio(MOMENTS, value=END if is_near else SHOWN)
            self._choice.props('dense aria-label="When?"')

    async def chosen(self) -> int | None:
        """Return the chosen moment as a town second; None for the run's end."""
        if self._choice.value == END:
            return None
        # The map may have moved on since it was looked at.
        at = await ui.run_javascript(SHOWN_AT)
        lived = await asyncio.to_thread(self._scene.acts.lived)
        is_past = isinstance(at, int | float) and self._since <= at < lived.at
        return int(at) if is_past else None


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
        on_taken: Callable[[SentRequest], object] | None = None,
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
        self._links = ui.element("div").classes("row")
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
        self._links.clear()
        self.told.say("Sending …")
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
        self.told.say(sent.told)
        if sent.waits and self._goes_on:
            await self._scene.go_on({})
        else:
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
        left = self._left
        fate = await asyncio.to_thread(self._scene.acts.settled, left.id) if left else None
        if left is None or fate is None or left is not self._left:
            return
        refused, landed = fate
        if refused:
            self._timer.deactivate()
            self.told.complain(refused)
            return
        when = f", {landed.when}" if landed is not None else ""
        self.told.say(f"It has reached the town: {left.done}{when}.")
        if landed is None or landed.kind != "whisper" or landed.thought is not None:
            self._timer.deactivate()
        self._draw_links(landed)
        if self._taken is not None:
            self._taken(left)

    def _draw_links(self, landed: AcceptedRequest | None) -> None:
        self._links.clear()
        if landed is None:
            return
        detail = dumps({"at": landed.at, "target": landed.target, "tab": "Memories"})
        with self._links:
            button(
                "Show it on the map",
                lambda: ui.run_javascript(f"window.stage?.reveal({detail})"),
            )
            if landed.thought is not None:
                address = run_address(self._scene.acts.run, f"why/{landed.target}/{landed.thought}")
                ui.link("What they made of it", address).classes("button")


def _hint(text: str) -> None:
    ui.label(text).classes("soft")


def _read(field: ui.input | ui.textarea | ui.select) -> str:
    return str(field.value or "")


def draw_whisper(scene: CardContext) -> None:
    """Draw the form for a whisper."""
    _hint("They take it for a thought of their own, and act as they see fit.")
    who = ui.select(list(scene.names), value=scene.whom, label="Who hears it?")
    text = ui.textarea("What does the inner voice say?").props("autogrow")

    def whisper(acts: RunActions) -> SentRequest:
        return acts.whisper(_read(who), _read(text))

    RequestSender(scene, {"Whisper": whisper}, who=lambda: _read(who)).sends_with(text, whisper)


def draw_change(scene: CardContext) -> None:
    """Draw the form for an object's new state, described in plain words."""
    _hint("In plain words: the stove is on fire. Whoever is near sees it.")
    text = ui.textarea("What is changed?", value=f"{scene.thing} is " if scene.thing else "")
    text.props("autogrow")
    near: ui.select | None = None
    if scene.thing:
        text.props("autofocus").on("focus", js_handler=TO_ITS_END)
    else:
        near = ui.select([NOBODY, *scene.names], value=scene.who or NOBODY)
        near.props('label="If there are several such objects: near whom?"')

    def whom() -> str:
        return (scene.who if near is None else _read(near)).removeprefix(NOBODY)

    def change(acts: RunActions) -> SentRequest:
        return acts.change(_read(text), whom())

    RequestSender(scene, {"Change it": change}, who=whom).sends_with(text, change)


def draw_announcement(scene: CardContext) -> None:
    """Draw the form for an announcement to the whole town."""
    _hint("Everybody hears it: at once, or when they wake or end a talk.")
    text = ui.textarea("What is announced?").props("autogrow")

    def announce(acts: RunActions) -> SentRequest:
        return acts.announce(_read(text))

    RequestSender(scene, {"Announce": announce}).sends_with(text, announce)


def draw_visit(scene: CardContext) -> None:
    """Draw the form for a visitor to walk in, or the actions of a visitor who is in town."""
    place = ui.element("div").classes("form")

    def draw(visitor: str) -> None:
        place.clear()
        with place:
            if visitor:
                _draw_stay(scene, visitor)
            else:
                _draw_entrance(scene, draw)

    draw(scene.visitor)


def _draw_entrance(scene: CardContext, draw: Callable[[str], None]) -> None:
    _hint(
        "People see you, may speak to you, and remember you. Meanwhile the town lives at the "
        "speed below the map, and waits while you pause."
    )
    name = ui.input("Your name in the town", value=NAME)
    about = ui.input("Who you are", value=ABOUT)
    place = ui.input("Where? A house or a room", value=scene.place)
    RequestSender(
        scene,
        {"Walk in": lambda acts: acts.enter(_read(name), _read(about), _read(place))},
        goes_on=True,
        who=lambda: scene.who,
        on_taken=lambda sent: draw(sent.visitor),
    )


def _draw_stay(scene: CardContext, visitor: str) -> None:
    with ui.element("h3"):
        ui.label(f"You are in town as {visitor}")
    _hint("Or on the map: click a place to go there, or somebody to speak to them.")
    when = MomentChoice(scene, since=scene.came)
    whom = ui.select(list(scene.names), value=scene.whom, label="Whom do you speak to?")
    talking = {"Speak to them": lambda acts: acts.talk(visitor, _read(whom))}
    RequestSender(scene, talking, goes_on=True, when=when)
    place = ui.input("Where do you go? A house or a room", value=scene.place)
    walking = {"Go there": lambda acts: acts.walk(visitor, _read(place))}
    RequestSender(scene, walking, goes_on=True, when=when)
    doing = ui.input("What do you do? Others see it", value="looking around")
    being = {
        "Do that": lambda acts: acts.do(visitor, _read(doing)),
        "Leave the town": lambda acts: acts.leave(visitor),
    }
    RequestSender(scene, being, goes_on=True, when=when)


def draw_call(scene: CardContext) -> None:
    """Draw the form for a telephone call from outside."""
    _hint("They talk to you where they are, as on the telephone, and remember it.")
    whom = ui.select(list(scene.names), value=scene.whom, label="With whom?")
    name = ui.input("Your name", value=CALLER if scene.visitor else NAME)
    about = ui.input("Who you are", value=ABOUT)
    ring = {"Ring them up": lambda acts: acts.call(_read(name), _read(about), _read(whom))}
    RequestSender(scene, ring, goes_on=True, who=lambda: _read(whom))
    _hint("When it is your turn, a card asks for your line. The town waits for you.")
