"""Forms that send requests to the run: from outside, in person, and by telephone."""

from collections.abc import Callable

from nicegui import ui

from smolville.viewer.taking_part.acts import RunActions, SentRequest
from smolville.viewer.taking_part.panel import CardContext
from smolville.viewer.taking_part.sending import MomentChoice, RequestSender

NOBODY = "nobody in particular"
NAME = "Rosa Lind"
ABOUT = "a reporter from the county paper"
CALLER = "Max Adler"
"""Example name of a caller; it differs from `NAME`, which a visitor in town may bear."""
TO_ITS_END = "({target}) => target.setSelectionRange(target.value.length, target.value.length)"
"""Focus handler: puts the cursor at the end of the field's text."""


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
