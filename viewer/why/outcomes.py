"""How something ended, in a word, a shape and a sentence: never by its colour alone."""

from collections.abc import Mapping

from nicegui import ui

from viewer.why.elements import box, named, words
from world.runs.thoughts import StepView
from world.telling.shares import many

SHAPES: Mapping[str, str] = {
    "clean": "●",
    "mended": "◐",
    "repaired": "▲",
    "escalated": "◆",
    "fallback": "✕",
    "failed": "✕",
    "unasked": "○",
    "": "○",
}


def chip(outcome: str) -> ui.element:
    """Return an outcome as a word beside its shape."""
    word = outcome or "nothing asked"
    with box("span", f"outcome is-{outcome or 'silent'}") as whole:
        named(words("span", SHAPES.get(outcome, "■"), "outcome-shape"), aria_hidden="true")
        words("span", word)
    return whole


def ending(view: StepView) -> str:
    """Return how a step ended, as a sentence."""
    record = view.record
    asked = many(record.attempts, "call")
    match record.outcome:
        case "clean":
            return "The first answer was accepted as it was."
        case "mended":
            return "The first answer was accepted once code had mended it."
        case "repaired":
            told = many(record.attempts - 1, "repair")
            return f"The answer was accepted after {told}."
        case "escalated":
            return f"The strong model's answer was accepted, after {asked} in all."
        case "fallback":
            return (
                f"No answer could be used after {asked}: no model's answer stands behind what "
                "follows. The step's declared fallback decided."
            )
