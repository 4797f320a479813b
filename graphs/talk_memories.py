"""Find the memories that are news in a talk, and end a talk in which there is no more news."""

import re
from collections.abc import Sequence
from dataclasses import replace

from graphs.prompt_inputs import RecalledMemory
from graphs.recall import RecallResult
from graphs.sense.words import words_of
from graphs.state import TalkSeen

BEGUN = 4
"""Number of lines after which a talk may end because nothing new is said."""
LONG = 4
"""Minimum number of letters of a word that counts as meaningful."""
OLD = 0.6
"""Minimum share of a line's words that were said before for the line to be nothing new."""


def may_end(state: TalkSeen, text: str) -> bool:
    """Return whether a talk may end with this line: all have spoken, and no question is left open.

    Small models may end a talk with the very question that begins it.
    """
    have_spoken = state.meeting.have_all_spoken(state.lines, state.agent)
    return have_spoken and not text.rstrip("\"'”’») ").endswith("?")


def says_nothing_new(state: TalkSeen, text: str) -> bool:
    """Return whether most words of a line occurred before, once a talk is past its beginning.

    Small models do not end a talk; they keep thanking each other.
    """
    words = {word for word in words_of(text) if len(word) >= LONG}
    said = {word for line in state.lines for word in words_of(line.text)}
    return len(state.lines) >= BEGUN and len(words & said) >= OLD * len(words)


class TalkMemory(RecalledMemory):
    """A memory recalled for a talk."""

    is_theirs: bool = False
    """Whether the memory is no news to the people spoken to, because it is about them or they said
    it."""


def without_told(found: RecallResult, told: str) -> RecallResult:
    """Return the recalled memories without those whose content is already in the prompt."""
    shown = tuple(
        each
        for each in found.found
        if each.memory.text not in told
        and not (
            each.memory.kind == "talk" and each.memory.text.partition(": ")[2].rstrip(".") in told
        )
    )
    record = found.record
    if record is not None:
        record = replace(record, ids=tuple(each.memory.id for each in shown))
    return RecallResult(found=shown, accessed=found.accessed, record=record)


def find_news(
    name: str, found: RecallResult, memories: Sequence[TalkMemory], said: Sequence[str]
) -> str:
    """Return the best memory that is news to the others and was not told yet; empty if none is.

    The agent's own routine activities are no news.
    """
    told = {word for line in said for word in words_of(line)}
    best = {memory: at for at, memory in enumerate(found.accessed)}
    pairs = zip(found.found, memories, strict=True)
    ordered = sorted(pairs, key=lambda pair: best.get(pair[0].memory.id, len(best)))
    for recollection, shown in ordered:
        is_own_deed = recollection.memory.kind == "event" and recollection.memory.subject == name
        words = {word for word in words_of(shown.text) if len(word) >= LONG}
        if not (shown.is_theirs or is_own_deed) and len(words & told) < OLD * len(words):
            return shown.text
    return ""


def with_theirs(
    memories: tuple[RecalledMemory, ...], names: tuple[str, ...]
) -> tuple[TalkMemory, ...]:
    """Return the memories, each marked if it mentions one of these people, who then know it."""
    told = [word for name in names for word in (name, name.split()[0])]
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, told))})\b")
    return tuple(
        TalkMemory(**each.model_dump(), is_theirs=named.search(each.text) is not None)
        for each in memories
    )
