"""Forms that send their choices in the address, so that a filtered page can be linked.

They also work from the keyboard.
"""

from collections.abc import Mapping

from nicegui import ui

from viewer.why.elements import box, named, words


def form(action: str, label: str) -> ui.element:
    """Return a form that opens the address `action` with the choices as its query."""
    return named(box("form", "asking"), action=action, method="get", aria_label=label)


def choice(name: str, label: str, options: Mapping[str, str], chosen: str) -> None:
    """Add a selection field; `options` maps values to labels."""
    with box("label", "asking-field"):
        words("span", label)
        with named(box("select"), name=name):
            for value, text in options.items():
                option = words("option", text)
                named(option, value=value)
                if value == chosen:
                    named(option, selected=True)


def typed(name: str, label: str, value: str, hint: str = "") -> None:
    """Add a text field."""
    with box("label", "asking-field is-wide"):
        words("span", label)
        named(box("input"), name=name, type="search", value=value, placeholder=hint)


def send(text: str) -> None:
    """Add the button that submits the form."""
    named(words("button", text, "button is-main"), type="submit")
