"""Find parts of the prompt in an answer: its headings, its rules, its question."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from graphs.prompt_inputs import PromptInput
from graphs.sense.check import CheckContext, SenseCheck
from graphs.sense.words import free_texts, grams, unnumbered, words_of
from parsers.answer import Answer
from parsers.problem import Problem, field_problem

RUN = 6
"""Number of consecutive words of a rule that cannot be a coincidence."""
_HEADING = re.compile(
    r"(?:^|[.!?] )([A-Z]{4,}(?: [A-Z]{2,})*|[A-Z]{2,}(?: [A-Z]{2,})+)(?=:|\s*$)", re.MULTILINE
)
_RULE = re.compile(r'^- (?!")(.+)$', re.MULTILINE)
_QUESTION = re.compile(r"^(.+\?) Answer with the JSON only\.$", re.MULTILINE)


@lru_cache(maxsize=256)
def headings_in(prompt: str) -> frozenset[str]:
    """Return the headings in capitals at the beginning of a prompt's lines."""
    return frozenset(_HEADING.findall(prompt))


@lru_cache(maxsize=256)
def instructions_in(prompt: str) -> tuple[str, ...]:
    """Return the rules and the question of a prompt, without its format instructions."""
    return (*_RULE.findall(prompt), *_QUESTION.findall(prompt))


def headed(answer: Answer, inputs: PromptInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield texts that contain one of the prompt's headings."""
    foreign = [each for each in sorted(shown.headings) if each not in shown.given]
    for path, text in _own(answer, shown):
        found = next((each for each in foreign if re.search(rf"\b{each}\b", text)), "")
        if found:
            rest = f", with {found!r} in it, which is a heading of the question. Leave it out."
            yield field_problem(path, text, rest, "markup")


def instructed(answer: Answer, inputs: PromptInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield texts that repeat a rule of the prompt, or its question."""
    told = {gram for text in shown.instructions for gram in grams(words_of(text), RUN)}
    told -= grams(words_of(shown.given), RUN)
    for path, text in _own(answer, shown):
        if grams(words_of(text), RUN) & told:
            rest = ", which is copied from the question. Write your own answer to it."
            yield field_problem(path, text, rest, "copied")


def _own(answer: Answer, shown: CheckContext) -> Sequence[tuple[str, str]]:
    """Return the texts that the model wrote itself, not chosen from a list."""
    texts = free_texts(answer.model_dump())
    return [(path, text) for path, text in texts if unnumbered(path) not in shown.choices]


ECHO_CHECKS: tuple[SenseCheck[PromptInput, Answer], ...] = (
    SenseCheck(look=headed, action="refuse"),
    SenseCheck(look=instructed, action="ask"),
)
