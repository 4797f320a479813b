"""Change the grammatical person of sentences: `I am` becomes `Tom Reed is`."""

import re

from models.standin.words import base_verb, third_person

_BOTH = re.compile(r"^ and ([A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?) are (.*)$")
"""Rest of a sentence about what two people do."""
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


def as_told_by(sentence: str, name: str, first: str) -> str:
    """Return a sentence in the first person of its subject: `Tom Reed plans` becomes `I plan`."""
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
    """Return a sentence about a person as it is said to that person: `you plan`."""
    told = as_told_by(sentence, name, first)
    if told == sentence:
        return sentence
    if told.startswith("I am "):
        return f"you are {told[5:]}"
    if told.startswith("My "):
        return f"your {told[3:]}"
    return f"you {told[2:]}" if told.startswith("I ") else sentence


def in_third_person(sentence: str, name: str) -> str:
    """Return what somebody says of themselves in the third person: `I am` becomes `Tom Reed is`."""
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
    """Return a joined verb in the first person: `and is` becomes `and am`."""
    return f"{found[1]} {_BACK.get(found[2], base_verb(found[2]))}"


def _other_verb(found: re.Match[str]) -> str:
    """Return a joined verb in the third person: `and am` becomes `and is`."""
    verb = found[2]
    return f"{found[1]} {verb if verb.endswith('s') else third_person(verb)}"
