"""Outcomes as a word, a shape and a sentence, so that they are not shown by colour alone."""

from collections.abc import Mapping, Sequence

from nicegui import ui

from agents.wording import format_count
from history.thoughts import StepView
from viewer.elements import box, set_attributes, short, words

SHAPES: Mapping[str, str] = {
    "clean": "●",
    "mended": "◐",
    "repaired": "▲",
    "escalated": "◆",
    "fallback": "✕",
    "failed": "✕",
    "odd": "◇",
    "unasked": "○",
    "": "○",
}


def chip(outcome: str) -> ui.element:
    """Return an outcome as a word with its shape."""
    word = outcome or "nothing asked"
    with box("span", f"outcome is-{outcome or 'silent'}") as whole:
        set_attributes(words("span", SHAPES.get(outcome, "■"), "outcome-shape"), aria_hidden="true")
        words("span", word)
    return whole


def chips(outcome: str, *, is_odd: bool) -> None:
    """Draw an outcome, and beside it a mark if something is odd."""
    chip(outcome)
    if is_odd:
        chip("odd")


def draw_odd(kinds: Sequence[str], sentences: Sequence[str]) -> None:
    """Draw what makes no sense in an accepted answer; nothing for a sensible one."""
    if not sentences:
        return
    words("h4", f"What makes no sense in it: {', '.join(dict.fromkeys(kinds))}")
    with box("ul", "problems odd"):
        for sentence in sentences:
            short("li", sentence, longest=2_000)


def ending(view: StepView) -> str:
    """Return a step's outcome as a sentence."""
    record = view.record
    if record.odd:
        return f"{_describe_attempts(view)} A check says that something in it makes no sense."
    return _describe_attempts(view)


def _describe_attempts(view: StepView) -> str:
    record = view.record
    asked = format_count(record.attempts, "call")
    match record.outcome:
        case "clean":
            return "The first answer was accepted as it was."
        case "mended":
            return "The first answer was accepted once code had mended it."
        case "repaired":
            told = format_count(record.attempts - 1, "repair")
            return f"The answer was accepted after {told}."
        case "escalated":
            return f"The strong model's answer was accepted, after {asked} in all."
        case "fallback":
            return (
                f"No answer could be used after {asked}: no model's answer stands behind what "
                "follows. The step's declared fallback decided."
            )
