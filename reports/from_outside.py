"""Interventions of operators and visits to a run, in words."""

from collections.abc import Mapping

from history.records import Intervention
from reports.entries import TOLD_ELSEWHERE, VISITS, visit_sentence
from reports.stretches import spoken_place

OUTSIDE: Mapping[str, str] = {
    "whisper": "An inner voice tells {target}",
    "history": "The past comes back to {target}",
    "object_state": "{target} is now",
    "reembedded": "Memories are compared by another embedder",
    "templates": "From here on with other templates ({target})",
    "announcement": "It is announced to everybody",
}
"""Sentences for kinds of interventions; any other kind is shown by its name."""


def is_told(each: Intervention) -> bool:
    """Return whether to show an intervention: not one about the past, or one shown elsewhere."""
    return each.kind not in TOLD_ELSEWHERE and (each.tick > 0 or each.kind != "history")


def outside_words(each: Intervention) -> tuple[str, str]:
    """Return an operator's intervention as a sentence, and the quote below it."""
    if each.kind in VISITS:
        return visit_sentence(each), ""
    # Interventions about templates record their versions, which only the program needs.
    quote = "" if each.kind == "templates" else each.text
    words = OUTSIDE.get(each.kind, f"{each.kind.replace('_', ' ').capitalize()} ({{target}})")
    target = spoken_place(each.target)
    # A target may have braces of its own: it is inserted as it is, never used as a format.
    said = words.replace("{target}", target)
    return f"{said}:" if quote else f"{said}.", quote
