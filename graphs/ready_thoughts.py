"""Thoughts prepared by rule for a small model to choose from: on work, worries, and actions.

Only English words are read; in any other language nothing is found.
"""

import re
from collections.abc import Sequence

from graphs.concerns import as_mine, is_event
from graphs.frame.happenings import event_in
from graphs.prompt_inputs import PersonaInput, RecalledMemory

_WORK = re.compile(
    r"I am (?:still )?(?P<verb>thinking (?:of|about)|considering|deciding (?:whether|if)|\w+ing) "
    r"(?P<doing>.+)$"
)
_REASONS = re.compile(
    r",? (?:because|and (?:am|is|have|has|feels?|resents?|needs?|wants?|hopes?)|but|so that)\b"
)
"""Words that begin a reason or a second sentence."""

_NAME = r"(?P<name>[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?)"
_WORRIES = (
    (
        re.compile(rf"I (?:am|feel) (?:still )?(?:angry|cross) with {_NAME} about (?P<it>[^,.]+)"),
        "Sooner or later I have to speak with {name} about {it}.",
    ),
    (
        re.compile(rf"I (?:have a (?:secret )?crush on|am in love with) {_NAME}"),
        "I think of {name} more than I let on.",
    ),
    (
        re.compile(rf"I worry that my (?P<who>\w+ )?{_NAME} "),
        "I want to make things easier for my {who}{name}.",
    ),
    (
        re.compile(r"I have been offered (?P<it>[^,.]+?) and must (?:answer|decide)"),
        "I cannot put off my answer about {it} much longer.",
    ),
)

_LEAST_DEEDS = 2
_DOES = re.compile(r"(?P<who>[A-Z][\w'’-]+ [A-Z][\w'’-]+) is (?P<what>[a-z]+ing\b[^.;:!?]*)\.?")
"""A memory of somebody's activity: `Ada Holm is laying the table`."""
_NO_DEEDS = ("talking with ", "planning ", "deciding ", "thinking ", "trying ")
"""Beginnings of activities that nobody can see, and of talks, which have memories of their own."""

Found = tuple[str, list[int]]
"""An insight, and the numbers of the memories on which it is based."""


def get_on_with(concern: str) -> str:
    """Return the thought that it is time to go on with a concern; empty if it is not about work."""
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
    """Return a question about somebody's plan or work; empty if the text is about neither."""
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


def private_thought(memory: str) -> str:
    """Return a private conclusion drawn from a memory; empty if there is none."""
    for weighs, thought in _WORRIES:
        if found := weighs.match(memory):
            return thought.format(**{key: text or "" for key, text in found.groupdict().items()})
    return ""


def what_was_done(me: PersonaInput, memories: Sequence[RecalledMemory]) -> Found | None:
    """Return an insight about what the thinker has done; None if too few memories show it."""
    begun = f"{me.name} is "
    deeds = {
        as_mine(memory.text.removeprefix(begun).rstrip(".")): memory.number
        for memory in memories
        if memory.text.startswith(begun) and " talking with " not in memory.text
    }
    if len(deeds) < _LEAST_DEEDS:
        return None
    first, *_, last = deeds
    return f"I have been {first} and {last}.", [deeds[first], deeds[last]]


def what_was_seen(me: PersonaInput, memories: Sequence[RecalledMemory]) -> Found | None:
    """Return an insight about what one or two others were seen doing; None if nobody was."""
    seen: dict[str, tuple[str, int]] = {}
    for memory in reversed(memories):
        found = _DOES.fullmatch(memory.text)
        if found and found["who"] != me.name and not found["what"].startswith(_NO_DEEDS):
            seen.setdefault(found["who"], (found["what"], memory.number))
    latest = list(seen.items())[:2]
    if not latest:
        return None
    told = " and ".join(f"{who} {what}" for who, (what, _) in latest)
    return f"I have seen {told}.", [number for _, (_, number) in latest]
