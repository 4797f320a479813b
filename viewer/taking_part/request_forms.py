"""Forms that send requests to the run: from outside, in person, and by telephone."""

from collections.abc import Callable

from nicegui import ui

from smolville.viewer.taking_part.acts import RunActions, SentRequest
from smolville.viewer.taking_part.moments import MomentChoice
from smolville.viewer.taking_part.panel import CardContext
from smolville.viewer.taking_part.sending import RequestSender

NOBODY = "nobody in particular"
NAME = "Rosa Lind"
ABOUT = "a reporter from the county paper"
CALLER = "Max Adler"
"""Example name of a caller; it differs from `NAME`, which a visitor in town may bear."""

TO_ITS_END = "({target}) => target.setSelectionRange(target.value.length, target.value.length)"
"""Focus handler: puts the cursor at the end of the field's text."""


def draw_whisper(scene: CardContext) -> None:
    """Draw the form for a whisper."""
    with ui.element("div").classes("form"):
        _hint("They take it for a thought of their own, and act as they see fit.")
        who = ui.select(list(scene.names), value=scene.whom, label="Who hears it?")
        text = ui.textarea("What does the inner voice say?").props("autogrow")

        def whisper(acts: RunActions) -> SentRequest:
            return acts.whisper(str(who.value), str(text.value or ""))

        sender = RequestSender(scene, {"Whisper": whisper}, who=lambda: str(who.value))
        sender.sends_with(text, whisper)


def draw_change(scene: CardContext) -> None:
    """Draw the form for an object's new state, described in plain words."""
    with ui.element("div").classes("form"):
        _hint(f"In plain words: {scene.example}. Whoever is near sees it.")
        text = ui.textarea("What is changed?", value=f"{scene.thing} is " if scene.thing else "")
        text.props("autogrow")
        near: ui.select | None = None
        if scene.thing:
            text.props("autofocus").on("focus", js_handler=TO_ITS_END)
        else:
            near = ui.select([NOBODY, *scene.names], value=scene.who or NOBODY)
            near.props('label="If there are several such objects: near whom?"')

        def whom() -> str:
            chosen = scene.who if near is None else str(near.value)
            return "" if chosen == NOBODY else chosen

        def change(acts: RunActions) -> SentRequest:
            return acts.change(str(text.value or ""), whom())

        sender = RequestSender(scene, {"Change it": change}, who=whom)
        sender.sends_with(text, change)


def draw_announcement(scene: CardContext) -> None:
    """Draw the form for an announcement to the whole town."""
    with ui.element("div").classes("form"):
        _hint("Everybody hears it: at once, or when they wake or end a talk.")
        text = ui.textarea("What is announced?").props("autogrow")

        def announce(acts: RunActions) -> SentRequest:
            return acts.announce(str(text.value or ""))

        sender = RequestSender(scene, {"Announce": announce})
        sender.sends_with(text, announce)


def draw_visit(scene: CardContext) -> None:
    """Draw the form for a visitor to walk in, or the actions of a visitor who is in town."""
    place = ui.element("div").classes("form")

    def draw(visitor: str) -> None:
        place.clear()
        with place:
            if visitor:
                _draw_stay(scene, visitor, draw)
            else:
                _draw_entrance(scene, draw)

    draw(scene.visitor)


def _draw_entrance(scene: CardContext, draw: Callable[[str], None]) -> None:
    """Draw the fields that describe a visitor who walks in."""
    _hint(
        "People see you, may speak to you, and remember you. Meanwhile the town lives at the "
        "speed below the map, and waits while you pause."
    )
    name = ui.input("Your name in the town", value=NAME)
    about = ui.input("Who you are", value=ABOUT)
    place = ui.input("Where? A house or a room", value=scene.place)

    def enter(acts: RunActions) -> SentRequest:
        return acts.enter(_read_field(name), _read_field(about), _read_field(place))

    sender = RequestSender(scene, {"Walk in": enter}, goes_on=True, who=lambda: scene.who)
    sender.on_taken(lambda sent: draw(sent.visitor))


def _draw_stay(scene: CardContext, visitor: str, draw: Callable[[str], None]) -> None:
    """Draw the actions of a visitor who is in town."""
    with ui.element("h3"):
        ui.label(f"You are in town as {visitor}")
    _hint("Or on the map: click a place to go there, or somebody to speak to them.")
    when = MomentChoice(scene, since=scene.came)
    whom = ui.select(list(scene.names), value=scene.whom, label="Whom do you speak to?")
    talking = {"Speak to them": lambda acts: acts.talk(visitor, str(whom.value))}
    RequestSender(scene, talking, goes_on=True, when=when)
    place = ui.input("Where do you go? A house or a room", value=scene.place)
    walking = {"Go there": lambda acts: acts.walk(visitor, _read_field(place))}
    RequestSender(scene, walking, goes_on=True, when=when)
    doing = ui.input("What do you do? Others see it", value="looking around")
    being = {
        "Do that": lambda acts: acts.do(visitor, _read_field(doing)),
        "Leave the town": lambda acts: acts.leave(visitor),
    }
    RequestSender(scene, being, goes_on=True, when=when)


def draw_call(scene: CardContext) -> None:
    """Draw the form for a telephone call from outside."""
    with ui.element("div").classes("form"):
        _hint("They talk to you where they are, as on the telephone, and remember it.")
        whom = ui.select(list(scene.names), value=scene.whom, label="With whom?")
        name = ui.input("Your name", value=CALLER if scene.visitor else NAME)
        about = ui.input("Who you are", value=ABOUT)

        def ring(acts: RunActions) -> SentRequest:
            return acts.call(_read_field(name), _read_field(about), str(whom.value))

        RequestSender(scene, {"Ring them up": ring}, goes_on=True, who=lambda: str(whom.value))
        _hint("When it is your turn, a card asks for your line. The town waits for you.")


def _hint(text: str) -> None:
    ui.label(text).classes("soft")


def _read_field(field: ui.input) -> str:
    return str(field.value or "")
