"""The stand-in's phrases and word lists, and the rules for what counts as news worth telling."""

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files

from smolville.agents.memory import read_quote
from smolville.graphs.standin.concerns import occupies
from smolville.graphs.standin.happenings import (
    event_in,
    find_told_events,
    in_third_person,
    without_lead,
)
from smolville.graphs.standin.spoken_times import names_a_day, read_times
from smolville.models.standin.words import is_certain_order, sentences, stems


@cache
def talk_phrases() -> dict[str, tuple[str, ...]]:
    """Return the ready phrases for talks and thoughts, by purpose."""
    text = files("smolville.graphs.standin").joinpath("phrases.toml").read_text(encoding="utf-8")
    return {name: tuple(rows) for name, rows in tomllib.loads(text).items()}


@cache
def word_set(name: str) -> frozenset[str]:
    """Return the stems of a word list by its name."""
    return frozenset().union(*(stems(row) for row in talk_phrases()[name]))


_POLITE = ("questions", "greet_morning", "greet_day", "greet_evening")
"""Purposes of the phrases that ask how somebody is."""
_NAMES = r"[\w'’-]+(?:(?:, | and )[\w'’-]+)*"
_FAREWELLS = ("goodbye", "see you soon", "until next time", "take care")
_SMALL_QUESTIONS = ("Really?", "Have you heard?")
"""Phrases with a question mark that need no answer."""
_INSIGHTS = ("insights", "question_forms")
"""Beginnings of the purposes of phrases that are thought, not said."""


def is_polite_question(question: str) -> bool:
    """Return whether a question only asks how a person is, whichever name it contains."""
    return _phrased(_POLITE, "").fullmatch(question) is not None


def find_last_question(line: str) -> str:
    """Return the last real question in a line; empty if there is none."""
    asked = [each for each in sentences(line) if each.endswith("?")]
    return next((each for each in reversed(asked) if each not in _SMALL_QUESTIONS), "")


def is_farewell(line: str) -> bool:
    """Return whether a line is a goodbye."""
    low = line.lower()
    return any(word in low for word in _FAREWELLS)


@lru_cache(maxsize=256)
def _phrased(uses: tuple[str, ...], speaker: str) -> re.Pattern[str]:
    """Return a pattern that matches any sentence of the ready phrases for some purposes.

    If `speaker` is given, it matches those sentences put into the third person of the speaker.
    """
    rows = (sentence for use in uses for row in talk_phrases()[use] for sentence in sentences(row))
    if speaker:
        rows = (in_third_person(without_lead(each), speaker) for each in rows)
    patterns = (re.escape(each).replace(r"\{other\}", _NAMES) for each in rows)
    return re.compile("|".join(dict.fromkeys(patterns)))


@cache
def _said_uses() -> tuple[str, ...]:
    """Return the purposes of the phrases that are said in talks."""
    return tuple(use for use in talk_phrases() if not use.startswith(_INSIGHTS))


def find_statements(memory: str) -> list[str]:
    """Return the informative sentences of a memory, for use as a part of another sentence.

    Left out are questions, calls, orders to the hearer and the ready phrases of a talk.
    """
    speaker = (read_quote(memory) or ("",))[0]
    phrases = _phrased(_said_uses(), speaker)
    found = find_told_events(memory)
    return [
        each
        for each in found
        if len(each.split()) > 2
        and not each.endswith("?")
        and not phrases.fullmatch(each)
        and not (speaker and is_certain_order(each))
    ]


@cache
def invitation_phrases() -> tuple[str, ...]:
    """Return the phrases that invite somebody."""
    return (*talk_phrases()["invite_own"], *talk_phrases()["invite_other"])


_SEEN = re.compile(r"^[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)* is [a-z]+ing .{0,45}$")
"""An action that somebody was merely seen doing, which is not news."""
_PLAN = re.compile(r"\bplans? for [A-Z]\w+day\b|^For [A-Z].*'s plans: ")
"""A plan for a whole day or a private intention, which is not told to others."""
_INSIGHT = re.compile(
    r"^It matters to [A-Z]|(?: |^)(?:matters more and more to|keeps? coming back to"
    r"|sees? a thread between|touches (?:my|[A-Z][\w'’-]+) own days"
    r"|spends? much of the day on this|cares? about things that others"
    r"|would like to (?:hear more|know)|likes? to talk with|have got to know each other better"
    r"|likes? to know what the day will bring|takes? one thing after the other)\b"
)
"""Wording of insights about the thinker and about others."""
_NOTE = re.compile(r"^This is [A-Z].*\bplan for |^For [A-Z].*'s plans: | talked with [A-Z][^:]*: ")
"""Wording of plans for a day and of summaries of talks."""


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
    """Return True for a text derived from memories: an insight, a plan, or a talk's summary."""
    return bool(_INSIGHT.search(text) or _NOTE.search(text))


def is_plan(text: str) -> bool:
    """Return True for a plan for a day."""
    return bool(_PLAN.search(text))


@cache
def _ready() -> frozenset[str]:
    """Return the sentences of the stock phrases of talks; none of them tells news."""
    rows = (phrase for phrases in talk_phrases().values() for phrase in phrases)
    return frozenset(sentence for row in rows for sentence in sentences(row))


def is_open_to_all(sentence: str) -> bool:
    """Return True if a sentence describes an event to which others can come."""
    return bool(event_in(sentence)) and read_times(sentence).start is not None
