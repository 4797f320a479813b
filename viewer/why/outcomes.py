"""Outcomes as a word, a shape and a sentence, so that they can be recognised without colour."""

from collections.abc import Mapping, Sequence

from nicegui import ui

from smolville.viewer.elements import box, short, words

SHAPES: Mapping[str, str] = {
    "clean": "●",
    "mended": "◐",
    "repaired": "◆",
    "escalated": "▲",
    "fallback": "□",
    "failed": "✕",
    "odd": "◇",
    "unasked": "○",
    "": "○",
}


def chip(outcome: str) -> ui.element:
    """Add an outcome as a word with its shape, and return the element."""
    word = outcome or "nothing asked"
    with box("span", f"outcome is-{outcome or 'silent'}") as whole:
        words("span", SHAPES.get(outcome, "■"), "outcome-shape", aria_hidden="true")
        words("span", word)
    return whole


def chips(outcome: str, *, is_odd: bool) -> None:
    """Draw an outcome, and beside it a mark if something is odd."""
    chip(outcome)
    if is_odd:
        chip("odd")


def draw_odd(kinds: Sequence[str], sentences: Sequence[str]) -> None:
    """Draw the oddities of an accepted answer; draws nothing if there are none."""
    if not sentences:
        return
    words("h4", f"Objected to: {', '.join(dict.fromkeys(kinds))}")
    with box("ul", "problems odd"):
        for sentence in sentences:
            short("li", sentence, longest=2_000)
