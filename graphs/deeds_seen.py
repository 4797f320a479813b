"""Substitute insights: what the thinker has done, and what others were seen doing."""

import re
from collections.abc import Sequence

from graphs.concerns import as_mine
from graphs.prompt_inputs import PersonaInput, RecalledMemory

_LEAST_DEEDS = 2
_DOES = re.compile(r"(?P<who>[A-Z][\w'’-]+ [A-Z][\w'’-]+) is (?P<what>[a-z]+ing\b[^.;:!?]*)\.?")
"""A memory of what somebody does: `Ada Holm is laying the table`."""
_NO_DEEDS = ("talking with ", "planning ", "deciding ", "thinking ", "trying ")
"""Beginnings of what cannot be seen from outside, and of talks, which are remembered themselves."""

Found = tuple[str, list[int]]
"""An insight, and the numbers of the memories that it rests on."""


def what_was_done(me: PersonaInput, memories: Sequence[RecalledMemory]) -> Found | None:
    """Return an insight on what the thinker has done; None if too few memories tell of it."""
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
    """Return an insight on what one or two others were seen doing; None without such memories."""
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
