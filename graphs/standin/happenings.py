"""Find dated events in memories; rewrite sentences in the first, second or third person."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from smolville.agents.memory import is_dream, read_quote
from smolville.graphs.standin.spoken_times import falls_on, names_a_day, read_times, without_dates
from smolville.models.standin.words import (
    base_verb,
    gerund,
    lower_first,
    sentences,
    stems,
    third_person,
)
from smolville.parsers.prompt_inputs import PersonaInput, RecalledMemory

_BOTH = re.compile(r"^ and ([A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?) are (.*)$")
"""Rest of a sentence about what two people do."""
_ADVERBS = ("still", "also", "often", "never", "always", "sometimes", "only", "once", "just")
"""Adverbs that may be between a subject and its verb."""
_JOINED = re.compile(
    rf"(\band|\bbut|,)((?: (?:{'|'.join(_ADVERBS)}))?) "
    r"(is|has|wants|needs|hopes|plans|means|likes|loves|asks|fears|plays|works"
    r"|lives|looks|knows|helps|thinks|feels|tries|keeps|waits|worries|sings|paints|studies|teaches"
    r"|checks|tells|am|have|check|tell|want|need|hope|plan|mean|like|love|ask|fear|play|look|think"
    r"|wait|worry)\b"
)
_CLAUSE = re.compile(
    r"((?:\b[A-Z][\w'’-]*[\w] and |\b(?:do|am|did|can|will|should|have) )?)"
    rf"\bI ((?:(?:{'|'.join(_ADVERBS)}) )?)([a-z]+)\b"
)
"""A clause in the first person, such as `because I believe`; no question, and not `Ida and I
look`."""
_ALREADY = {"am": "is", "have": "has", "do": "does", "was": "was", "will": "will", "can": "can"}
_ALREADY |= {word: word for word in ("did", "might", "may", "cannot", "heard", "said", "told")}
_ALREADY |= {word: word for word in ("met", "saw", "went", "got", "made", "came", "took", "gave")}
_ALREADY |= {word: word for word in ("found", "lost", "left", "thought", "knew", "felt", "kept")}
_ALREADY |= {"would": "would", "must": "must", "should": "should", "had": "had", "could": "could"}
_ALREADY |= {word: word for word in ("are", "were", "ran", "wrote", "won", "began", "bought")}
_ALREADY |= {word: word for word in ("brought", "taught", "built", "spent", "sent", "fell", "held")}
_BACK = {"is": "am", "has": "have", "does": "do"} | {
    word: word for word in ("was", "will", "can", "would", "must", "should", "had", "could", "did")
}

LEADS = ("Well,", "To be honest,", "As it happens,", "Let me think.")
"""Phrases that introduce an answer."""
_EVENTS = stems(
    "party festival wedding concert dance ball fair picnic feast exhibition celebration quiz "
    "debate play match meeting rehearsal show dinner reading"
)
TALKED = " talked with "
"""Phrase that marks a memory of a whole talk; the talk's news is remembered separately."""
_AT = re.compile(r"\b(?:at|in) ((?:the )?[A-Z][\w'’]+(?: (?:and |of )?(?:the )?[A-Z][\w'’]+)*)")
_TO_DO = re.compile(r"\b(?:to|will) ([a-z]{2,})\b(.*)")
_HOST = stems("plan give host hold organise organize throw prepare put")
_GUEST = frozenset(["go", "going", "attend", "attending", "come", "coming", "join", "visit"])
_ARTICLE_WORDS = "a an the her his their my our your this that"
_ARTICLES = frozenset(_ARTICLE_WORDS.split())


@dataclass(frozen=True, slots=True)
class ToldEvent:
    """An event that takes place at a time of a day."""

    start: int
    """Minute of the day."""
    end: int
    what: str
    """The event, `the lantern party at the Copper Kettle`, or an activity in -ing form."""
    is_party: bool
    """False for an appointment, whose `what` is the activity itself."""
    is_own: bool
    """Whether the person whose memory it is hosts the event."""
    source: str
    """The sentence from which it was read."""

    @property
    def activity(self) -> str:
        """The activity to enter into the plan."""
        if not self.is_party:
            return self.what
        return f"hosting {self.what}" if self.is_own else f"attending {self.what}"


def happenings(
    me: PersonaInput, date: str, memories: Sequence[RecalledMemory], *more: str
) -> list[ToldEvent]:
    """Return the events of a date, read from memories and other texts, each event once."""
    texts = [(text, "") for text in (me.currently, *more)]
    texts += [(memory.text, memory.when) for memory in memories]
    found: list[ToldEvent] = []
    for text, when in texts:
        for sentence in () if is_dream(text) else find_told_events(text):
            if TALKED in sentence or not _is_for(sentence, when, date):
                continue
            event = read_happening(sentence, me.name, me.first_name)
            if event is not None and not any(is_same_event(event, other) for other in found):
                found.append(event)
    return sorted(found, key=lambda event: event.start)


@lru_cache(maxsize=4096)
def read_happening(sentence: str, name: str, first: str) -> ToldEvent | None:
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
    return ToldEvent(times.start, end, what, bool(event), is_own and bool(event), sentence)


def find_told_events(memory: str) -> list[str]:
    """Return the sentences of a memory, with quoted speech put into the third person."""
    said = read_quote(memory)
    if said is None:
        return list(sentences(memory))
    return [in_third_person(without_lead(each), said[0]) for each in sentences(said[1])]


_ASIDE = re.compile(r"^(?:By the way|As for me|Well), (?=I )")


def without_lead(sentence: str) -> str:
    """Return a sentence of an answer without an introductory phrase such as `To be honest,`."""
    sentence = _ASIDE.sub("", sentence)
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


def is_same_event(one: ToldEvent, other: ToldEvent) -> bool:
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


def as_told_by(sentence: str, name: str, first: str) -> str:
    """Return a sentence in the first person of its subject: `Tom Reed plans` becomes `I plan`."""
    for subject in (name, first):
        if sentence.startswith(f"{subject} "):
            both = _BOTH.match(sentence[len(subject) :])
            if both:
                return f"{both[1]} and I are {both[2]}"
            adverb, verb, rest = _parted(sentence[len(subject) + 1 :])
            own = verb_of_mine(verb) if verb.islower() else verb
            return _JOINED.sub(_own_verb, f"I {adverb}{own} {rest}".rstrip())
        if sentence.startswith((f"{subject}'s ", f"{subject}’s ")):
            return f"My {sentence[len(subject) + 3 :]}"
    return sentence


def as_told_to(sentence: str, name: str, first: str) -> str:
    """Return a sentence about a person in the second person: `you plan`."""
    told = as_told_by(sentence, name, first)
    if told == sentence:
        return sentence
    if told.startswith("I am "):
        return f"you are {told[5:]}"
    if told.startswith("My "):
        return f"your {told[3:]}"
    return f"you {told[2:]}" if told.startswith("I ") else sentence


def in_third_person(sentence: str, name: str) -> str:
    """Return a first-person sentence in the third person: `I am` becomes `Tom Reed is`."""
    first = name.split()[0]
    sentence = re.sub(r"\bI'm\b", "I am", sentence)
    sentence = re.sub(r"\bI've\b", "I have", sentence)
    sentence = re.sub(r"\bI'll\b", "I will", sentence)
    if sentence.startswith("I "):
        adverb, verb, rest = _parted(sentence[2:])
        known = _verb_of_other(verb, adverb)
        sentence = _JOINED.sub(_other_verb, f"{name} {adverb}{known} {rest}".rstrip())
    elif sentence.startswith("My "):
        sentence = f"{name}'s {sentence[3:]}"
    sentence = _CLAUSE.sub(partial(_clause_of_other, first=first), sentence)
    for own, other in (("my", f"{first}'s"), ("me", first), ("I am", f"{first} is"), ("I", first)):
        sentence = re.sub(rf"\b{own}\b", other, sentence)
    sentence = re.sub(r"\b(not|is|was|of) mine\b", rf"\1 {first}'s", sentence)
    return re.sub(r"\bmyself\b", first, sentence)


def _clause_of_other(found: re.Match[str], first: str) -> str:
    """Return a first-person clause in the third person, if `I` alone is its subject."""
    lead, adverb, verb = found.groups()
    return found[0] if lead else f"{first} {adverb}{_verb_of_other(verb, adverb)}"


def _verb_of_other(verb: str, adverb: str) -> str:
    """Return a first-person verb in the third person: `believe` becomes `believes`."""
    is_past = adverb == "once " or (verb.endswith("ed") and verb not in ("need", "feed"))
    return _ALREADY.get(verb, verb if is_past else third_person(verb))


def _parted(predicate: str) -> tuple[str, str, str]:
    """Return a clause in three parts: the words before the verb, the verb, and the rest."""
    verb, _, rest = predicate.partition(" ")
    if verb not in _ADVERBS:
        return "", verb, rest
    adverb = verb
    verb, _, rest = rest.partition(" ")
    return f"{adverb} ", verb, rest


def _own_verb(found: re.Match[str]) -> str:
    """Return a verb after `and` in the first person: `and is` becomes `and am`."""
    return f"{found[1]}{found[2]} {verb_of_mine(found[3])}"


def verb_of_mine(verb: str) -> str:
    """Return a third-person verb in the first person: `believes` becomes `believe`."""
    return _BACK.get(verb, base_verb(verb))


def _other_verb(found: re.Match[str]) -> str:
    """Return a verb after `and` in the third person: `and am` becomes `and is`."""
    verb = found[3]
    return f"{found[1]}{found[2]} {verb if verb.endswith('s') else third_person(verb)}"
