"""Outcomes as a word, a shape and a sentence, so that they can be recognised without colour."""

from collections.abc import Mapping, Sequence

from nicegui import ui

from smolville.agents.wording import format_count
from smolville.history.thoughts import StepView
from smolville.viewer.elements import box, set_attributes, short, words

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


LONGEST = 400
"""Maximum number of characters shown of a refused reply; its attempt shows the whole reply."""


def chip(outcome: str) -> ui.element:
    """Add an outcome as a word with its shape, and return the element."""
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
    """Draw the oddities of an accepted answer; draws nothing if there are none."""
    if not sentences:
        return
    words("h4", f"Objected to: {', '.join(dict.fromkeys(kinds))}")
    with box("ul", "problems odd"):
        for sentence in sentences:
            short("li", sentence, longest=2_000)


def draw_refused(view: StepView) -> None:
    """Draw each refused reply with its reasons, and what replaced it.

    Draws nothing for a step whose first reply was accepted.
    """
    read = [(each.call.reply.strip(), each.reading) for each in view.attempts if each.reading]
    refused = [each for each in read if not each[1].accepted]
    if not refused:
        return
    words("h3", "What was refused, and what came instead")
    with box("ol", "refused"):
        for reply, reading in refused:
            with box("li"):
                short("q", reply or "(nothing)", longest=LONGEST)
                with box("ul", "problems"):
                    for problem in reading.problems or ("It could not be accepted.",):
                        short("li", problem, longest=2_000)
        with box("li", "instead"):
            accepted = next((reply for reply, reading in read if reading.accepted), None)
            if accepted is None:
                words("span", "Nothing that could be used: the declared fallback above was taken.")
            else:
                words("span", "Accepted instead: ")
                short("q", accepted, longest=LONGEST)


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
