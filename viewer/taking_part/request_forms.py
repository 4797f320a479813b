"""Forms that send requests to the run: from outside, in person, and by telephone."""

import asyncio
from collections.abc import Callable
from functools import partial

from nicegui import ui

from viewer.controls import StatusLine, button
from viewer.taking_part.acts import SentRequest
from viewer.taking_part.panel import CardContext

EVERY = 0.5
"""Seconds between two checks of a request's result."""
WHEN = "It happens where the run has got to; to change the past, fork."
"""Tells whoever looks at an earlier moment when a request takes effect."""
NOBODY = "nobody in particular"
NAME = "Rosa Lind"
ABOUT = "a reporter from the county paper"
CALLER = "Max Adler"
"""Name of who rings, where `NAME` may be in town."""


class RequestSender:
    """Sends requests, and watches the last one."""

    def __init__(self, scene: CardContext, wishes: dict[str, Callable[[], SentRequest]]) -> None:
        """Draw a button for each request; its function sends it or raises what is wrong."""
        self._acts = scene.acts
        self._go_on = scene.go_on
        self._left: SentRequest | None = None
        with ui.element("div").classes("row"):
            for text, wish in wishes.items():
                button(text, partial(self.leave, wish), is_main=len(wishes) == 1)
        self.told = StatusLine()
        self._waits = button("Let the run go on now", self._let_go_on)
        self._waits.set_visibility(False)
        self._timer = ui.timer(EVERY, self._look, active=False)

    async def leave(self, wish: Callable[[], SentRequest]) -> None:
        """Send a request."""
        with self.told.watching():
            self._left = await asyncio.to_thread(wish)
            self.told.say(self._left.told)
            self._waits.set_visibility(self._left.waits)
            self._timer.activate()

    async def _let_go_on(self) -> None:
        """Let the run continue, so that the request is carried out."""
        with self.told.watching():
            self._waits.set_visibility(False)
            await self._go_on({})

    async def _look(self) -> None:
        """Show the result of the request once it is known."""
        if self._left is None:
            self._timer.deactivate()
            return
        fate = await asyncio.to_thread(self._acts.outcome, self._left.id)
        if fate.state == "waiting":
            return
        self._timer.deactivate()
        if fate.state == "refused":
            self.told.complain(f"The town did not let it happen: {fate.why.rstrip('.')}.")
        else:
            self.told.say("It has reached the town.")


def draw_whisper(scene: CardContext) -> None:
    """Draw the form for a whisper."""
    with ui.element("div").classes("form"):
        _hint(f"They take it for a thought of their own, and act as they see fit. {WHEN}")
        who = ui.select(list(scene.names), value=scene.whom, label="Who hears it?")
        text = ui.textarea("What does the inner voice say?").props("autogrow")

        def whisper() -> SentRequest:
            return scene.acts.whisper(str(who.value), str(text.value or ""))

        RequestSender(scene, {"Whisper": whisper})


def draw_change(scene: CardContext) -> None:
    """Draw the form for an object's new state, described in plain words."""
    with ui.element("div").classes("form"):
        _hint(f"In plain words: the stove is on fire. Whoever is near sees it. {WHEN}")
        text = ui.textarea("What is changed?", value=f"{scene.thing} is " if scene.thing else "")
        text.props("autogrow")
        near = ui.select([NOBODY, *scene.names], value=scene.who or NOBODY)
        near.props('label="Where several fit: near whom?"')

        def change() -> SentRequest:
            whom = "" if near.value == NOBODY else str(near.value)
            return scene.acts.change(str(text.value or ""), whom)

        RequestSender(scene, {"Change it": change})


def draw_announcement(scene: CardContext) -> None:
    """Draw the form for an announcement to the whole town."""
    with ui.element("div").classes("form"):
        _hint(f"Everybody hears it: at once, or when they wake or end a talk. {WHEN}")
        text = ui.textarea("What is announced?").props("autogrow")
        RequestSender(scene, {"Announce": lambda: scene.acts.announce(str(text.value or ""))})


def _hint(text: str) -> None:
    ui.label(text).classes("soft")


def draw_visit(scene: CardContext) -> None:
    """Draw the forms for a visitor: entering, walking, acting, talking and leaving."""
    acts = scene.acts
    with ui.element("div").classes("form"):
        _hint("A visitor stands in the town: people see them, may speak to them, and remember.")
        _hint(f"{WHEN} Walk in and say whom you speak to first, then let the run go on.")
        name = ui.input("Your name in the town", value=scene.visitor or NAME)
        about = ui.input("Who you are", value=ABOUT)
        place = ui.input("Where? A house or a room", value=scene.place)
        doing = ui.input("Doing what? Others see it", value="looking around")
        coming = {
            "Walk in": lambda: acts.enter(
                _read_field(name), _read_field(about), _read_field(place), _read_field(doing)
            )
        }
        RequestSender(scene, coming)
        with ui.element("h3"):
            ui.label("Once you are there")
        whom = ui.select(list(scene.names), value=scene.whom, label="Whom do you speak to?")
        being_there = {
            "Speak to them": lambda: acts.talk(_read_field(name), str(whom.value)),
            "Go to that place": lambda: acts.walk(_read_field(name), _read_field(place)),
            "Do that": lambda: acts.do(_read_field(name), _read_field(doing)),
            "Leave the town": lambda: acts.leave(_read_field(name)),
        }
        RequestSender(scene, being_there)
        _hint("Or on the map: click a place to go there, or somebody to speak to them.")


def draw_call(scene: CardContext) -> None:
    """Draw the form for a telephone call from outside."""
    acts = scene.acts
    with ui.element("div").classes("form"):
        _hint("They talk to you where they are, as on the telephone, and remember it.")
        whom = ui.select(list(scene.names), value=scene.whom, label="With whom?")
        name = ui.input("Your name", value=CALLER if scene.visitor else NAME)
        about = ui.input("Who you are", value=ABOUT)
        ringing = {
            "Ring them up": lambda: acts.call(
                _read_field(name), _read_field(about), str(whom.value)
            )
        }
        RequestSender(scene, ringing)
        _hint("When it is your turn, a card asks for your line. The town waits for you.")


def _read_field(field: ui.input) -> str:
    return str(field.value or "")
