"""Thoughts about work and plans: to get on with one's own, or wonder about another person's.

English words only; in any other language nothing is found.
"""

import re

from graphs.concerns import is_event
from graphs.frame.happenings import event_in

_WORK = re.compile(
    r"I am (?:still )?(?P<verb>thinking (?:of|about)|considering|deciding (?:whether|if)|\w+ing) "
    r"(?P<doing>.+)$"
)
_REASONS = re.compile(
    r",? (?:because|and (?:am|is|have|has|feels?|resents?|needs?|wants?|hopes?)|but|so that)\b"
)
"""Words that begin a reason or a second sentence."""


def get_on_with(concern: str) -> str:
    """Return the thought of getting on with a current concern; empty if it is no work."""
    work = _WORK.match(concern)
    if work is None:
        return ""
    if is_event(concern):
        return f"It is time that I got on with the preparations for the {event_in(concern)}."
    doing = _aside(work["doing"])
    if work["verb"] in ("thinking of", "thinking about", "considering"):
        return f"It is time that I made up my mind about {doing}."
    if work["verb"] in ("deciding whether", "deciding if"):
        return f"It is time that I decided whether {doing}."
    return f"It is time that I got on with {work['verb']} {doing}."


def wonder_about(name: str, told: str) -> str:
    """Return a question about somebody's plans or work; empty if it is neither."""
    work = _WORK.match(told.replace(f"{name} is ", "I am ", 1))
    if work is None:
        return ""
    first = name.split()[0]
    doing = re.sub(rf"\b{re.escape(first)}['’]s\b", "their", _aside(work["doing"]))
    if work["verb"] in ("thinking of", "thinking about", "considering"):
        return f"I wonder what will become of {name}'s idea of {doing}."
    if work["verb"] in ("deciding whether", "deciding if"):
        return f"I wonder whether {name} will decide {doing}."
    return f"I wonder how {name} gets on with {work['verb']} {doing}."


def _aside(doing: str) -> str:
    """Return the main part of a person's activity, without reasons or a second sentence."""
    return _REASONS.split(doing)[0].rstrip(".")
