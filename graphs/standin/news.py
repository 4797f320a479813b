"""News, invitations and appointments: found in sentences, told on, and kept for their day."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from graphs.cards import Recalled, Who
from graphs.spoken_times import falls_on, names_a_day, read_times, without_dates
from graphs.standin.library import talk_phrases, word_set
from models.standin.words import (
    base_verb,
    gerund,
    lower_first,
    sentences,
    stems,
    third_person,
)

TALKED = " talked with "
"""How memories of whole talks read: they repeat news that is remembered by itself."""
_SAID = re.compile(r'^([A-Z][^:"]*) said: "(.*)"$')
"""How a line of a talk is remembered."""
_SEEN = re.compile(r"^[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)* is [a-z]+ing .{0,45}$")
"""What somebody was seen to do is no news."""
_PLAN = re.compile(r"\bplans? for [A-Z]\w+day\b|^For [A-Z].*'s plans: ")
"""Nobody tells others a whole day's plan, or what was only meant for oneself."""
_INSIGHT = re.compile(
    r"^It matters to [A-Z]|(?: |^)(?:matters more and more to|keeps? coming back to"
    r"|sees? a thread between|touches (?:my|[A-Z][\w'’-]+) own days"
    r"|spends? much of the day on this|cares? about things that others)\b"
)
"""How insights read, of oneself and of others."""
_NOTE = re.compile(r"^This is [A-Z].*\bplan for |^For [A-Z].*'s plans: | talked with [A-Z][^:]*: ")
"""How plans for a day and summaries of talks read."""
_AT = re.compile(r"\b(?:at|in) ((?:the )?[A-Z][\w'’]+(?: (?:and |of )?(?:the )?[A-Z][\w'’]+)*)")
_BOTH = re.compile(r"^ and ([A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?) are (.*)$")
"""The rest of a sentence on what two people do."""
_TO_DO = re.compile(r"\b(?:to|will) ([a-z]{2,})\b(.*)")
_HOST = stems("plan give host hold organise organize throw prepare put")
_GUEST = frozenset(["go", "going", "attend", "attending", "come", "coming", "join", "visit"])
_JOINED = re.compile(
    r"(\band|\bbut|,) (is|has|wants|needs|hopes|plans|means|likes|loves|asks|fears|plays|works"
    r"|lives|looks|knows|helps|thinks|feels|tries|keeps|waits|worries|sings|paints|studies|teaches"
    r"|checks|tells|am|have|check|tell|want|need|hope|plan|mean|like|love|ask|fear|play|look|think"
    r"|wait|worry)\b"
)
_ALREADY = {"am": "is", "have": "has", "do": "does", "was": "was", "will": "will", "can": "can"}
_ALREADY |= {word: word for word in ("did", "might", "may", "cannot", "heard", "said", "told")}
_ALREADY |= {word: word for word in ("met", "saw", "went", "got", "made", "came", "took", "gave")}
_ALREADY |= {word: word for word in ("found", "lost", "left", "thought", "knew", "felt", "kept")}
_ALREADY |= {"would": "would", "must": "must", "should": "should", "had": "had", "could": "could"}
_BACK = {"is": "am", "has": "have", "does": "do"} | {
    word: word for word in ("was", "will", "can", "would", "must", "should", "had", "could", "did")
}


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that is on at a time of a day."""

    start: int
    """Minute of the day."""
    end: int
    what: str
    """`the lantern party at the Copper Kettle`, or what to do in -ing words."""
    is_party: bool
    """False for an appointment, whose `what` is the activity itself."""
    is_own: bool
    """True for who gives it."""
    source: str
    """The sentence it was read from."""

    @property
    def activity(self) -> str:
        """What to write into the plan."""
        if not self.is_party:
            return self.what
        return f"hosting {self.what}" if self.is_own else f"attending {self.what}"


def happenings(me: Who, date: str, memories: Sequence[Recalled], *more: str) -> list[Happening]:
    """Return what is on today, as memories and other texts say; each event once."""
    texts = [(text, "") for text in (me.currently, *more)]
    texts += [(memory.text, memory.when) for memory in memories]
    found: list[Happening] = []
    for text, when in texts:
        for sentence in told_in(text):
            if TALKED in sentence or not _is_for(sentence, when, date):
                continue
            event = read_happening(sentence, me.name, me.first_name)
            if event is not None and not any(_same(event, other) for other in found):
                found.append(event)
    return sorted(found, key=lambda event: event.start)


@lru_cache(maxsize=4096)
def read_happening(sentence: str, name: str, first: str) -> Happening | None:
    """Return the event a sentence tells of, when it names a time of day; else None."""
    times = read_times(sentence)
    if times.start is None:
        return None
    event = _event_in(sentence)
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
    return Happening(times.start, end, what, bool(event), is_own and bool(event), sentence)


@lru_cache(maxsize=8192)
def is_news(sentence: str) -> bool:
    """True when a sentence is worth telling others."""
    if sentence.endswith("?") or len(sentence) < 25 or sentence in _ready():
        return False
    if "…" in sentence or _PLAN.search(sentence) or is_note(sentence):
        return False
    said = stems(sentence)
    if said & word_set("private"):
        return False
    if names_a_day(sentence) and read_times(sentence).start is not None:
        return True
    return bool(said & word_set("news")) and not _SEEN.match(sentence)


def is_note(text: str) -> bool:
    """True for what one made of other memories: an insight, a day's plan, a talk's summary."""
    return bool(_INSIGHT.search(text) or _NOTE.search(text))


def is_plan(text: str) -> bool:
    """True for what was planned for a day."""
    return bool(_PLAN.search(text))


def told_in(memory: str) -> list[str]:
    """Return the sentences of a memory; what somebody said, as others retell it."""
    said = _SAID.match(memory)
    if said is None:
        return list(sentences(memory))
    return [in_third_person(without_lead(each), said[1]) for each in sentences(said[2])]


def without_lead(sentence: str) -> str:
    """Return an answer's sentence without the words that lead it in."""
    for lead in talk_phrases()["answer_lead"]:
        if sentence.startswith(lead) and len(sentence) > len(lead) + 2:
            rest = sentence[len(lead) :].strip()
            return rest[:1].upper() + rest[1:]
    return sentence


@cache
def _ready() -> frozenset[str]:
    """Return the sentences of the ready phrases, which tell nothing."""
    rows = (phrase for phrases in talk_phrases().values() for phrase in phrases)
    return frozenset(sentence for row in rows for sentence in sentences(row))


def is_open_to_all(sentence: str) -> bool:
    """True when a sentence tells of an event that others can come to."""
    return bool(_event_in(sentence)) and read_times(sentence).start is not None


def as_told_by(sentence: str, name: str, first: str) -> str:
    """Return the sentence as the person it begins with says it: `Tom Reed plans` is `I plan`."""
    for subject in (name, first):
        if sentence.startswith(f"{subject} "):
            both = _BOTH.match(sentence[len(subject) :])
            if both:
                return f"{both[1]} and I are {both[2]}"
            verb, _, rest = sentence[len(subject) + 1 :].partition(" ")
            own = _BACK.get(verb, base_verb(verb) if verb.islower() else verb)
            return _JOINED.sub(_own_verb, f"I {own} {rest}".rstrip())
        if sentence.startswith((f"{subject}'s ", f"{subject}’s ")):
            return f"My {sentence[len(subject) + 3 :]}"
    return sentence


def as_told_to(sentence: str, name: str, first: str) -> str:
    """Return the sentence as it is told to the person it begins with: `you plan`."""
    told = as_told_by(sentence, name, first)
    if told == sentence:
        return sentence
    if told.startswith("I am "):
        return f"you are {told[5:]}"
    if told.startswith("My "):
        return f"your {told[3:]}"
    return f"you {told[2:]}" if told.startswith("I ") else sentence


def in_third_person(sentence: str, name: str) -> str:
    """Return what somebody says of themselves as others retell it: `I am` is `Tom Reed is`."""
    first = name.split()[0]
    sentence = re.sub(r"\bI'm\b", "I am", sentence)
    sentence = re.sub(r"\bI've\b", "I have", sentence)
    sentence = re.sub(r"\bI'll\b", "I will", sentence)
    if sentence.startswith("I "):
        verb, _, rest = sentence[2:].partition(" ")
        is_past = verb.endswith("ed") and verb not in ("need", "feed")
        known = _ALREADY.get(verb, verb if is_past else third_person(verb))
        sentence = _JOINED.sub(_other_verb, f"{name} {known} {rest}".rstrip())
    elif sentence.startswith("My "):
        sentence = f"{name}'s {sentence[3:]}"
    for own, other in (("my", f"{first}'s"), ("me", first), ("I am", f"{first} is"), ("I", first)):
        sentence = re.sub(rf"\b{own}\b", other, sentence)
    return re.sub(r"\bmyself\b", first, sentence)


def _own_verb(found: re.Match[str]) -> str:
    """Return a joined verb as I say it of myself: `and is` is `and am`."""
    return f"{found[1]} {_BACK.get(found[2], base_verb(found[2]))}"


def _other_verb(found: re.Match[str]) -> str:
    """Return a joined verb as others say it of me: `and am` is `and is`."""
    verb = found[2]
    return f"{found[1]} {verb if verb.endswith('s') else third_person(verb)}"


def _is_for(sentence: str, when: str, date: str) -> bool:
    """True when a sentence tells of something on this date."""
    if names_a_day(sentence):
        return falls_on(sentence, date)
    low = sentence.lower()
    if when.startswith("yesterday"):
        return "tomorrow" in low
    return when.startswith("today") and ("today" in low or "tonight" in low or "evening" in low)


def _same(one: Happening, other: Happening) -> bool:
    """True when two sentences tell of one event."""
    if one.is_party != other.is_party:
        return one.start < other.end and other.start < one.end
    return one.start == other.start or (
        one.start < other.end
        and other.start < one.end
        and bool(stems(one.what) & stems(other.what))
    )


def _event_in(sentence: str) -> str:
    """Return the words for the event that a sentence names, or an empty text."""
    words = sentence.split()
    events = word_set("events")
    for at, word in enumerate(words):
        if not stems(word) & events or word.endswith("ing"):
            continue
        start = at
        while start > 0 and at - start < 4 and words[start - 1].lower() not in _ARTICLES:
            start -= 1
        if start > 0 and words[start - 1].lower() in _ARTICLES:
            return " ".join(words[start : at + 1]).strip(",.;:!\"'")
    return ""


def _appointment(text: str) -> str:
    """Return what is to be done, in -ing words, or an empty text."""
    found = _TO_DO.search(text)
    if found is None:
        return ""
    return lower_first(f"{gerund(found[1])}{found[2]}".rstrip(" .,;"))


_ARTICLE_WORDS = "a an the her his their my our your this that"
_ARTICLES = frozenset(_ARTICLE_WORDS.split())
