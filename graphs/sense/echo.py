"""Words of the prompt itself given back: its headings, its rules, its question."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from graphs.cards import Card
from graphs.sense.check import SenseCheck, Shown
from graphs.sense.words import free_texts, grams, unnumbered, words_of
from parsers.answer import Answer
from parsers.problem import Problem, field_problem

RUN = 6
"""So many words of a rule one after another are no accident."""
_HEADING = re.compile(
    r"(?:^|[.!?] )([A-Z]{4,}(?: [A-Z]{2,})*|[A-Z]{2,}(?: [A-Z]{2,})+)(?=:|\s*$)", re.MULTILINE
)
_RULE = re.compile(r'^- (?!")(.+)$', re.MULTILINE)
_QUESTION = re.compile(r"^(.+\?) Answer with the JSON only\.$", re.MULTILINE)


@lru_cache(maxsize=256)
def headings_in(prompt: str) -> frozenset[str]:
    """Return what stands in capitals at the beginning of a prompt's lines."""
    return frozenset(_HEADING.findall(prompt))


@lru_cache(maxsize=256)
def instructions_in(prompt: str) -> tuple[str, ...]:
    """Return the rules and the question of a prompt, beside what the format says."""
    return (*_RULE.findall(prompt), *_QUESTION.findall(prompt))


def headed(answer: Answer, inputs: Card, shown: Shown) -> Iterator[Problem]:
    """Give the texts with one of the prompt's headings in them."""
    foreign = [each for each in sorted(shown.headings) if each not in shown.given]
    for path, text in _own(answer, shown):
        found = next((each for each in foreign if re.search(rf"\b{each}\b", text)), "")
        if found:
            rest = f", with {found!r} in it, which is a heading of the question. Leave it out."
            yield field_problem(path, text, rest, "markup")


def instructed(answer: Answer, inputs: Card, shown: Shown) -> Iterator[Problem]:
    """Give the texts that are a rule of the prompt, or its question, over again."""
    told = {gram for text in shown.instructions for gram in grams(words_of(text), RUN)}
    told -= grams(words_of(shown.given), RUN)
    for path, text in _own(answer, shown):
        if grams(words_of(text), RUN) & told:
            rest = ", which is copied from the question. Write your own answer to it."
            yield field_problem(path, text, rest, "copied")


def _own(answer: Answer, shown: Shown) -> Sequence[tuple[str, str]]:
    """Return the texts that were not chosen from a list."""
    texts = free_texts(answer.model_dump())
    return [(path, text) for path, text in texts if unnumbered(path) not in shown.choices]


ECHO_CHECKS: tuple[SenseCheck[Card, Answer], ...] = (
    SenseCheck(look=headed, action="refuse"),
    SenseCheck(look=instructed, action="ask"),
)
