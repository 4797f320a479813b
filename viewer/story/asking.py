"""Forms that ask by their address: a filtered page can be linked, and works from the keyboard."""

from collections.abc import Mapping

from nicegui import ui

from viewer.why.elements import box, named, words


def form(action: str, label: str) -> ui.element:
    """Return a form that leads to `action` with what was chosen."""
    return named(box("form", "asking"), action=action, method="get", aria_label=label)


def choice(name: str, label: str, options: Mapping[str, str], chosen: str) -> None:
    """Add a choice of one among options: value to what is shown."""
    with box("label", "asking-field"):
        words("span", label)
        with named(box("select"), name=name):
            for value, text in options.items():
                option = words("option", text)
                named(option, value=value)
                if value == chosen:
                    named(option, selected=True)


def typed(name: str, label: str, value: str, hint: str = "") -> None:
    """Add a field to type into."""
    with box("label", "asking-field is-wide"):
        words("span", label)
        named(box("input"), name=name, type="search", value=value, placeholder=hint)


def send(text: str) -> None:
    """Add the button that asks."""
    named(words("button", text, "button is-main"), type="submit")
