"""The stand-in's phrases and word lists, and which sentences of memories are news worth telling."""

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files

from graphs.concerns import occupies
from graphs.frame.happenings import event_in
from graphs.prompt_inputs import PersonaInput
from graphs.spoken_times import names_a_day, read_times
from models.standin.words import full_stop, sentences, stems


@cache
def talk_phrases() -> dict[str, tuple[str, ...]]:
    """Return the ready phrases for talks and thoughts, by purpose."""
    text = files("graphs.standin").joinpath("phrases.toml").read_text(encoding="utf-8")
    return {name: tuple(rows) for name, rows in tomllib.loads(text).items()}


@cache
def word_set(name: str) -> frozenset[str]:
    """Return the stems of a word list by its name."""
    return frozenset().union(*(stems(row) for row in talk_phrases()[name]))


@cache
def polite_questions() -> tuple[str, ...]:
    """Return the phrases that ask how somebody is."""
    uses = ("questions", "greet_morning", "greet_day", "greet_evening")
    return tuple(phrase for use in uses for phrase in talk_phrases()[use])


@cache
def invitation_phrases() -> tuple[str, ...]:
    """Return the phrases that invite somebody."""
    return (*talk_phrases()["invite_own"], *talk_phrases()["invite_other"])


_MINE = {"is": "am", "has": "have", "does": "do"}
_SEEN = re.compile(r"^[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)* is [a-z]+ing .{0,45}$")
"""What somebody was merely seen doing is no news."""
_PLAN = re.compile(r"\bplans? for [A-Z]\w+day\b|^For [A-Z].*'s plans: ")
"""Whole plans for a day, and private intentions, are not told to others."""
_INSIGHT = re.compile(
    r"^It matters to [A-Z]|(?: |^)(?:matters more and more to|keeps? coming back to"
    r"|sees? a thread between|touches (?:my|[A-Z][\w'’-]+) own days"
    r"|spends? much of the day on this|cares? about things that others"
    r"|would like to (?:hear more|know))\b"
)
"""How insights about oneself and about others are worded."""
_NOTE = re.compile(r"^This is [A-Z].*\bplan for |^For [A-Z].*'s plans: | talked with [A-Z][^:]*: ")
"""How plans for a day and summaries of talks are worded."""


@lru_cache(maxsize=8192)
def is_news(sentence: str) -> bool:
    """Return True when a sentence is worth telling others."""
    if sentence.endswith("?") or len(sentence) < 25 or sentence in _ready():
        return False
    if "…" in sentence or _PLAN.search(sentence) or is_note(sentence):
        return False
    said = stems(sentence)
    if said & word_set("private"):
        return False
    if names_a_day(sentence) and read_times(sentence).start is not None:
        return True
    return bool(said & word_set("news") or occupies(sentence)) and not _SEEN.match(sentence)


def is_note(text: str) -> bool:
    """Return True for a text derived from memories: an insight, a day's plan, a talk's summary."""
    return bool(_INSIGHT.search(text) or _NOTE.search(text))


def is_plan(text: str) -> bool:
    """Return True for a plan for a day."""
    return bool(_PLAN.search(text))


@cache
def _ready() -> frozenset[str]:
    """Return the sentences of the ready phrases, which contain no news."""
    rows = (phrase for phrases in talk_phrases().values() for phrase in phrases)
    return frozenset(sentence for row in rows for sentence in sentences(row))


def is_open_to_all(sentence: str) -> bool:
    """Return True when a sentence describes an event that others can come to."""
    return bool(event_in(sentence)) and read_times(sentence).start is not None


def own_sentences(me: PersonaInput) -> list[str]:
    """Return what is on somebody's mind as sentences, each beginning with their name."""
    found = []
    pronouns = ("She ", "He ", "They ")
    for sentence in sentences(me.currently):
        for pronoun in pronouns:
            if sentence.startswith(pronoun):
                sentence = f"{me.first_name} {sentence[len(pronoun) :]}"
        found.append(sentence)
    return found


def to_first_person(told: str, me: PersonaInput) -> str:
    """Return what I tell about myself with `my` for `her` or `his`, as my pronoun is."""
    about = f"{me.lifestyle} {me.learned} {me.currently}"
    for pronoun, own in (("She", "her"), ("He", "his")):
        if f"{pronoun} " in about and told.startswith(("I ", "My ")):
            told = re.sub(r"\b(?:herself|himself)\b", "myself", told.replace(f" {own} ", " my "))
            told = told.replace(f" and {pronoun.lower()} ", " and I ")
    told = re.sub(r"\bI (is|has|does)\b", lambda found: f"I {_MINE[found[1]]}", told)
    return full_stop(told)
