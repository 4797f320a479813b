"""Find in the sentences of memories the events that take place at a time of a day."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from graphs.frame.person import in_third_person
from graphs.prompt_inputs import PersonaInput, RecalledMemory
from graphs.spoken_times import falls_on, names_a_day, read_times, without_dates
from models.standin.words import gerund, lower_first, sentences, stems

LEADS = ("Well,", "To be honest,", "As it happens,", "Let me think.")
"""Phrases that introduce an answer."""
_EVENTS = stems(
    "party festival wedding concert dance ball fair picnic feast exhibition celebration quiz "
    "debate play match meeting rehearsal show dinner reading"
)
TALKED = " talked with "
"""Phrase found in memories of whole talks: their news is remembered separately."""
_SAID = re.compile(r'^([A-Z][^:"]*) said: "(.*)"$')
"""Form in which a line of a talk is remembered."""
_AT = re.compile(r"\b(?:at|in) ((?:the )?[A-Z][\w'’]+(?: (?:and |of )?(?:the )?[A-Z][\w'’]+)*)")
_TO_DO = re.compile(r"\b(?:to|will) ([a-z]{2,})\b(.*)")
_HOST = stems("plan give host hold organise organize throw prepare put")
_GUEST = frozenset(["go", "going", "attend", "attending", "come", "coming", "join", "visit"])
_ARTICLE_WORDS = "a an the her his their my our your this that"
_ARTICLES = frozenset(_ARTICLE_WORDS.split())


@dataclass(frozen=True, slots=True)
class DatedEvent:
    """An event that takes place at a time of a day."""

    start: int
    """Minute of the day."""
    end: int
    what: str
    """The event, `the lantern party at the Copper Kettle`, or an activity in -ing form."""
    is_party: bool
    """False for an appointment, whose `what` is the activity itself."""
    is_own: bool
    """True for the person who hosts it."""
    source: str
    """The sentence it was read from."""

    @property
    def activity(self) -> str:
        """The activity to enter into the plan."""
        if not self.is_party:
            return self.what
        return f"hosting {self.what}" if self.is_own else f"attending {self.what}"


def happenings(
    me: PersonaInput, date: str, memories: Sequence[RecalledMemory], *more: str
) -> list[DatedEvent]:
    """Return today's events, read from memories and other texts; each event once."""
    texts = [(text, "") for text in (me.currently, *more)]
    texts += [(memory.text, memory.when) for memory in memories]
    found: list[DatedEvent] = []
    for text, when in texts:
        for sentence in told_in(text):
            if TALKED in sentence or not _is_for(sentence, when, date):
                continue
            event = read_happening(sentence, me.name, me.first_name)
            if event is not None and not any(_same(event, other) for other in found):
                found.append(event)
    return sorted(found, key=lambda event: event.start)


@lru_cache(maxsize=4096)
def read_happening(sentence: str, name: str, first: str) -> DatedEvent | None:
    """Return the event a sentence describes if it names a time of day, else None."""
    times = read_times(sentence)
    if times.start is None:
        return None
    event = event_in(sentence)
    begun = sentence.split()[:8]
    is_own = sentence.startswith((name, first + " ", "I ")) and bool(
        stems(" ".join(begun[:6])) & _HOST
    )
    is_own = is_own and not _GUEST & set(begun)
    if event:
        place = _AT.search(sentence)
        what = f"the {event} at {place[1]}" if place else f"the {event}"
    else:
        what = _appointment(without_dates(times.rest))
    if not what:
        return None
    length = 120 if event else 60
    end = times.end if times.end and times.end > times.start else times.start + length
    return DatedEvent(times.start, end, what, bool(event), is_own and bool(event), sentence)


def told_in(memory: str) -> list[str]:
    """Return the sentences of a memory; quoted speech is put into the third person."""
    said = _SAID.match(memory)
    if said is None:
        return list(sentences(memory))
    return [in_third_person(without_lead(each), said[1]) for each in sentences(said[2])]


def without_lead(sentence: str) -> str:
    """Return an answer's sentence without its introductory phrase."""
    for lead in LEADS:
        if sentence.startswith(lead) and len(sentence) > len(lead) + 2:
            rest = sentence[len(lead) :].strip()
            return rest[:1].upper() + rest[1:]
    return sentence


def _is_for(sentence: str, when: str, date: str) -> bool:
    """Return True when a sentence describes something on this date."""
    if names_a_day(sentence):
        return falls_on(sentence, date)
    low = sentence.lower()
    if when.startswith("yesterday"):
        return "tomorrow" in low
    return when.startswith("today") and ("today" in low or "tonight" in low or "evening" in low)


def _same(one: DatedEvent, other: DatedEvent) -> bool:
    """Return True when two sentences describe the same event."""
    if one.is_party != other.is_party:
        return one.start < other.end and other.start < one.end
    return one.start == other.start or (
        one.start < other.end
        and other.start < one.end
        and bool(stems(one.what) & stems(other.what))
    )


def event_in(sentence: str) -> str:
    """Return the words for the event that a sentence names, or an empty text."""
    words = sentence.split()
    for at, word in enumerate(words):
        if not stems(word) & _EVENTS or word.endswith("ing"):
            continue
        start = at
        while start > 0 and at - start < 4 and words[start - 1].lower() not in _ARTICLES:
            start -= 1
        if start > 0 and words[start - 1].lower() in _ARTICLES:
            return " ".join(words[start : at + 1]).strip(",.;:!\"'")
    return ""


def _appointment(text: str) -> str:
    """Return the activity of an appointment in -ing form, or an empty text."""
    found = _TO_DO.search(text)
    if found is None:
        return ""
    return lower_first(f"{gerund(found[1])}{found[2]}".rstrip(" .,;"))
