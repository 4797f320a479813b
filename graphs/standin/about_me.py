"""Statements of a person about themselves, their work and their plans, in the first person."""

import re
from collections.abc import Sequence

from smolville.agents.wording import join_words
from smolville.graphs.standin.guests import find_guests
from smolville.graphs.standin.happenings import as_told_by, read_happening, verb_of_mine
from smolville.graphs.standin.news import word_set
from smolville.models.standin.words import clip, find_names, full_stop, sentences, stems
from smolville.parsers.prompt_inputs import PersonaInput, RecalledMemory

_PRONOUNS = (("she", "her", "her", "herself"), ("he", "his", "him", "himself"))
"""Subject, possessive, object and reflexive form."""
_AFTER = r"(?= (?:to|and|or|for|at|on|in|about|with|that|by|from|if|when|because)\b|[.,;!?]|$)"
"""Text that follows `her` as an object; a possessive `her` is followed by another word."""
_MINE = {"is": "am", "has": "have", "does": "do"}
_TELLS_OF_ME = re.compile(r"(?:I|My|[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)? and I) ")
_ADVERB = r"(?:still |also |often |never |always |sometimes |only |once |just )?"
_JOINED = re.compile(
    r"(\b(?:and|but) )([a-z]+s)(?= (?:the|an?|its|my|his|her|their|being|not|it|them|every)\b)"
)
"""A second verb of the same subject that cannot be a noun."""
_GOES = re.compile(
    r"^(?:\S+ ){1,6}(?:go|goes|going|attends?|attending|come|comes|coming|joins?|joining)\b"
)
_WORK = stems("shop store work job business trade")
_YOUR_WORK = re.compile(r"\b(?:your|the) (?:shop|store|work|job|business|trade)\b", re.IGNORECASE)
_NO_PLACE = stems("town none")


def own_sentences(me: PersonaInput) -> list[str]:
    """Return a person's concerns as sentences; a pronoun that begins one becomes the name."""
    return _named(me.currently, me)


def _named(text: str, me: PersonaInput) -> list[str]:
    """Return the sentences of a text about me; a pronoun that begins one becomes my name."""
    found = []
    pronouns = ("She ", "He ", "They ")
    for sentence in sentences(text):
        for pronoun in pronouns:
            if sentence.startswith(pronoun):
                sentence = f"{me.first_name} {sentence[len(pronoun) :]}"
        found.append(sentence)
    return found


def tell_as_mine(sentence: str, me: PersonaInput) -> str:
    """Return a sentence as I would say it: in the first person if it is about me."""
    told = as_told_by(sentence, me.name, me.first_name)
    if sentence in (*own_sentences(me), *_named(me.learned, me)):
        return to_first_person(told, me, is_own_text=True)
    return to_first_person(told, me) if is_about_me(sentence, me) else told


def to_first_person(told: str, me: PersonaInput, is_own_text: bool = False) -> str:
    """Return a text about me with `I`, `my` and `me` in place of the pronouns of my gender.

    After another person's name, `he`, `she` and `him` may refer to that person, unless the whole
    text is about me.
    """
    about = f"{me.lifestyle} {me.learned} {me.currently}"
    if is_own_text or _TELLS_OF_ME.match(told):
        for forms in _PRONOUNS:
            if f"{forms[0].capitalize()} " in about:
                told = _with_own_pronouns(told, forms, is_own_text)
    told = re.sub(r"\bI (is|has|does)\b", lambda found: f"I {_MINE[found[1]]}", told)
    return full_stop(told)


def _with_own_pronouns(told: str, forms: Sequence[str], is_own_text: bool) -> str:
    """Return a sentence about me without pronouns of the third person for me."""
    subject, possessive, target, reflexive = forms
    told = re.sub(rf"\b{reflexive}\b", "myself", told)
    begun = _TELLS_OF_ME.match(told)
    starts = [name.start() for name in find_names(told)]
    end = min((at for at in starts if begun and at >= begun.end()), default=len(told))
    end = len(told) if is_own_text else end
    mine, rest = told[:end], told[end:]
    if begun:
        mine = _JOINED.sub(lambda found: f"{found[1]}{verb_of_mine(found[2])}", mine)
    mine = re.sub(rf"\b{target}\b{_AFTER}", "me", mine)
    mine = re.sub(r"\bhers\b", "mine", mine) if subject == "she" else mine
    mine = re.sub(rf"\b{subject} ({_ADVERB})([a-z]+)\b", _own_clause, mine)
    rest = rest.replace(f" and {subject} ", " and I ")
    return re.sub(rf" {possessive} ", " my ", mine + rest)


def _own_clause(found: re.Match[str]) -> str:
    """Return a clause's subject and verb in the first person: `he believes` is `I believe`."""
    return f"I {found[1]}{verb_of_mine(found[2])}"


def mentions(sentence: str, name: str) -> bool:
    """Return True when a sentence names somebody by full or first name."""
    return re.search(rf"\b{re.escape(name.split()[0])}\b", sentence) is not None


def is_subject(name: str, fact: str) -> bool:
    """Return whether a fact begins with somebody's full or first name."""
    return re.match(rf"{re.escape(name.split()[0])}\b", fact) is not None


def is_about_me(fact: str, me: PersonaInput) -> bool:
    """Return whether a fact is about me, judged by its subject."""
    told = as_told_by(fact, me.name, me.first_name)
    return told != fact or fact.startswith(("I ", "My "))


def is_my_own(heard: str, fact: str, me: PersonaInput) -> bool:
    """Return whether a fact about me may confirm the statement `heard`.

    Either both are about going to another person's event, or neither is: a person who only goes to
    an event cannot confirm that they give it.
    """
    return is_about_me(fact, me) and bool(_GOES.search(heard)) == bool(_GOES.search(fact))


def is_about_going(heard: str) -> bool:
    """Return whether a statement is about going to another person's event."""
    return _GOES.search(heard) is not None


def hosts_event(me: PersonaInput) -> bool:
    """Return whether my concerns mention a party or another event that I give."""
    found = (read_happening(each, me.name, me.first_name) for each in own_sentences(me))
    return any(event is not None and event.is_own for event in found)


def tell_guests(
    memories: Sequence[RecalledMemory], others: Sequence[str] = ()
) -> tuple[str, tuple[str, ...]]:
    """Return who besides `others` comes to my event, and the memories in which they said so."""
    found = find_guests(memory.text for memory in memories)
    guests = {name: text for name, text in found.items() if name not in others}
    if not guests:
        return "I do not know yet who is coming.", ()
    have = "has" if len(guests) == 1 else "have"
    return f"{join_words(list(guests))} {have} promised to come.", tuple(guests.values())


def is_about_work(question: str, me: PersonaInput) -> bool:
    """Return whether a question is about the place where I work, or about my work."""
    place = _work_words(me)
    return bool(place) and bool(stems(question) & place or _YOUR_WORK.search(question))


def tell_of_work(facts: Sequence[str], me: PersonaInput) -> str:
    """Return what I can tell about my work: a fact about it, or else who I am there."""
    about = _work_words(me) | _WORK
    learned = _named(me.learned, me)
    for fact in (*facts, *learned):
        said = stems(fact)
        if said & about and is_about_me(fact, me) and not said & word_set("private"):
            return clip(tell_as_mine(fact, me), 240)
    return f"All is as usual there. {clip(tell_as_mine(learned[0], me), 200)}"


def _work_words(me: PersonaInput) -> frozenset[str]:
    """Return the words of the name of the place where I work."""
    return stems(me.work.partition(":")[0]) - _NO_PLACE - stems(me.name)
