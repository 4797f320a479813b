"""Ways to take part from outside: an inner voice, a changed object, an announcement."""

from nicegui import ui

from viewer.taking_part.acts import SentRequest
from viewer.taking_part.leaving import RequestSender
from viewer.taking_part.scene import CardContext

NOBODY = "nobody in particular"


def draw_whisper(scene: CardContext) -> None:
    """Draw the form for a whisper."""
    with ui.element("div").classes("form"):
        _hint("They take it for a thought of their own, and act as they see fit.")
        who = ui.select(list(scene.names), value=scene.whom, label="Who hears it?")
        text = ui.textarea("What does the inner voice say?").props("autogrow")

        def whisper() -> SentRequest:
            return scene.acts.whisper(str(who.value), str(text.value or ""))

        RequestSender(scene, {"Whisper": whisper})


def draw_change(scene: CardContext) -> None:
    """Draw the form for an object's new state, described in plain words."""
    with ui.element("div").classes("form"):
        _hint("In plain words: the stove is on fire. Whoever is near sees it.")
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
        _hint("Everybody hears it: at once, or when they wake, or when their talk is over.")
        text = ui.textarea("What is announced?").props("autogrow")
        RequestSender(scene, {"Announce": lambda: scene.acts.announce(str(text.value or ""))})


def _hint(text: str) -> None:
    ui.label(text).classes("soft")
