"""Ways to take part in person: enter as a visitor, or call somebody by telephone."""

from nicegui import ui

from viewer.taking_part.leaving import RequestSender
from viewer.taking_part.scene import CardContext

NAME = "Rosa Lind"
ABOUT = "a reporter from the county paper"


def draw_visit(scene: CardContext) -> None:
    """Draw the forms for a visitor: entering, walking, acting, talking and leaving."""
    acts = scene.acts
    with ui.element("div").classes("form"):
        _hint("A visitor stands in the town: people see them, may speak to them, and remember.")
        name = ui.input("Your name in the town", value=scene.visitor or NAME)
        about = ui.input("Who you are", value=ABOUT)
        place = ui.input("Where? A house or a room", value=scene.place)
        doing = ui.input("Doing what? Others see it", value="looking around")
        coming = {"Walk in": lambda: acts.enter(_of(name), _of(about), _of(place), _of(doing))}
        RequestSender(scene, coming)
        with ui.element("h3"):
            ui.label("Once you are there")
        whom = ui.select(list(scene.names), value=scene.whom, label="Whom do you speak to?")
        being_there = {
            "Speak to them": lambda: acts.talk(_of(name), str(whom.value)),
            "Go to that place": lambda: acts.walk(_of(name), _of(place)),
            "Do that": lambda: acts.do(_of(name), _of(doing)),
            "Leave the town": lambda: acts.leave(_of(name)),
        }
        RequestSender(scene, being_there)


def draw_call(scene: CardContext) -> None:
    """Draw the form for a telephone call from outside."""
    acts = scene.acts
    with ui.element("div").classes("form"):
        _hint("They talk to you where they are, as on the telephone, and remember it.")
        whom = ui.select(list(scene.names), value=scene.whom, label="With whom?")
        name = ui.input("Your name", value=scene.visitor or NAME)
        about = ui.input("Who you are", value=ABOUT)
        ringing = {"Ring them up": lambda: acts.call(_of(name), _of(about), str(whom.value))}
        RequestSender(scene, ringing)
        _hint("When it is your turn, a card asks for your line. The town waits for you.")


def _of(field: ui.input) -> str:
    return str(field.value or "")


def _hint(text: str) -> None:
    ui.label(text).classes("soft")
