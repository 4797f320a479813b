"""Ways to take part in person: walk in as a visitor, or ring somebody up."""

from collections.abc import Callable

from nicegui import ui

from viewer.taking_part.acts import Left
from viewer.taking_part.leaving import Leaving
from viewer.taking_part.scene import Scene


def draw_visit(scene: Scene) -> None:
    """Draw a visitor's coming, doings and going."""
    acts = scene.acts
    with ui.element("div").classes("form"):
        _hint("A visitor stands in the town: people see them, may speak to them, and remember.")
        name = ui.input("Your name in the town", value=scene.visitor or "Rosa Lind")
        about = ui.input("Who you are", value="a reporter from the county paper")
        place = ui.input("Where? A house or a room", value=scene.place)
        doing = ui.input("Doing what? Others see it", value="looking around")
        Leaving(
            acts,
            "Walk in",
            lambda: acts.enter(_of(name), _of(about), _of(place), _of(doing)),
        )
    with ui.element("section").classes("form"):
        with ui.element("h3"):
            ui.label("Once you are there")
        whom = ui.select(list(scene.names), value=scene.who or scene.names[0], label="Whom")
        _act(scene, "Speak to them", lambda: acts.talk(_of(name), str(whom.value)))
        _act(scene, "Go to the place above", lambda: acts.walk(_of(name), _of(place)))
        _act(scene, "Do what stands above", lambda: acts.do(_of(name), _of(doing)))
        _act(scene, "Leave the town", lambda: acts.leave(_of(name)))


def draw_call(scene: Scene) -> None:
    """Draw a talk with somebody who does not walk in."""
    acts = scene.acts
    with ui.element("div").classes("form"):
        _hint("They talk to you where they are, as on the telephone, and remember it.")
        whom = ui.select(list(scene.names), value=scene.who or scene.names[0], label="With whom?")
        name = ui.input("Your name", value=scene.visitor or "Rosa Lind")
        about = ui.input("Who you are", value="a reporter from the county paper")
        Leaving(acts, "Ring them up", lambda: acts.call(_of(name), _of(about), str(whom.value)))
        _hint("When it is your turn, a card asks for your line. The town waits for you.")


def _act(scene: Scene, text: str, wish: Callable[[], Left]) -> None:
    Leaving(scene.acts, text, wish)


def _of(field: ui.input) -> str:
    return str(field.value or "")


def _hint(text: str) -> None:
    ui.label(text).classes("soft")
