"""Find texts without content: copies of examples or of the prompt, placeholders, markup, babble.

Small models repeat the text that is nearest to the question. A copy is recognised by a word that
neither the case nor an ordinary day would suggest.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from smolville.graphs.prompt_inputs import PromptInput
from smolville.graphs.sense.check import ENGLISH, CheckContext, SenseCheck
from smolville.graphs.sense.word_order import word_salad
from smolville.graphs.sense.words import (
    ORDINARY,
    free_texts,
    grams,
    remove_positions,
    stands_in,
    words_of,
)
from smolville.parsers.answer import Answer
from smolville.parsers.problem import Problem, field_problem

LEAST = 4
"""Minimum number of words of a text that can be recognised as a copy by itself."""
SHORT = 3
"""Number of words of a shorter text that is recognised as a copy if the answer has another one."""
MOST_HYPHENS = 3
"""Maximum number of hyphens in one word."""
MOSTLY = 0.75
"""Share of a list's items that may not all be the same."""
ROUNDS = 3
"""Number of repetitions of the same three words that make a text babble."""
RUN = 7
"""Number of consecutive words of an example that cannot be a coincidence in any context."""

MARKUP = re.compile(
    r"<\|[^|<>]{0,40}\|?>|\[/?INST\]|<</?SYS>>|</?s>|</?think(?:ing)?>|<(?:start|end)_of_turn>"
    r"|<\|?(?:eot|eom|im)_|###\s*(?:Response|Instruction|Input|Answer)\b|```",
    re.IGNORECASE,
)
"""Markup left over from chat templates and Markdown."""
PLACEHOLDER = re.compile(
    r"<[^<>]+>|\[[^\[\]]+\]|\{[^{}]+\}|(?:a |the )?(?:string|text|str)|none|null|n/?a|tbd|todo|"
    r"[.…_-]{2,}|your (?:answer|words|text|thought|line|activity)(?: here)?|lorem ipsum\b.*",
    re.IGNORECASE,
)
"""Placeholders written in place of a text."""

RULE_RUN = 6
"""Number of consecutive words of a rule that cannot be a coincidence."""
_HEADING = re.compile(
    r"(?:^|[.!?] )([A-Z]{4,}(?: [A-Z]{2,})*|[A-Z]{2,}(?: [A-Z]{2,})+)(?=:|\s*$)", re.MULTILINE
)
_RULE = re.compile(r'^- (?!")(.+)$', re.MULTILINE)
_QUESTION = re.compile(r"^(.+\?) Answer with the JSON only\.$", re.MULTILINE)


COPIES_EXAMPLE = "copied from an example"
"""The problem sentence for a text taken from a shown example."""


def find_copied_texts(
    answer: Answer, inputs: PromptInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield texts copied from an example or a field's description, unless the case has them too."""
    given = words_of(shown.given)
    known = set(given)
    sources = [words_of(text) for text in shown.examples]
    short: list[tuple[str, str]] = []
    described = [words for text in shown.descriptions if len(words := words_of(text)) >= LEAST]
    for path, text in free_texts(answer.model_dump()):
        own = words_of(text)
        if remove_positions(path) in shown.choices or len(own) < SHORT or stands_in(own, given):
            continue
        if len(own) < LEAST:
            if own in sources and any(word not in known | ORDINARY for word in own):
                short.append((path, text))
            continue
        long = (each for each in sources if len(each) >= LEAST)
        is_example = any(_is_taken(own, each, given, known) for each in long)
        if is_example or any(own == each or stands_in(each, own) for each in described):
            what = COPIES_EXAMPLE if is_example else "copied from the description of this field"
            rest = f", which is {what}. Write your own answer to YOUR case."
            yield field_problem(path, text, rest, "copied")
    if len(short) > 1:
        for path, text in short:
            rest = f", which is {COPIES_EXAMPLE}. Write your own answer to YOUR case."
            yield field_problem(path, text, rest, "copied")


def _is_taken(own: list[str], example: list[str], given: list[str], known: set[str]) -> bool:
    """Return whether a text copies an example or a long part of it.

    The copied part must contain a word that is neither ordinary nor in this case.
    """
    if own == example or (len(example) > LEAST and stands_in(example, own)):
        return any(word not in known and word not in ORDINARY for word in example)
    if len(own) > LEAST and stands_in(own, example):
        return any(word not in known and word not in ORDINARY for word in own)
    taken = grams(own, RUN) & grams(example, RUN)
    if taken:
        taken -= grams(given, RUN)
    return any(word not in known and word not in ORDINARY for run in taken for word in run)


def empty_words(answer: Answer, inputs: PromptInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield texts that contain markup, have no word in them, or are only a placeholder."""
    for path, text in free_texts(answer.model_dump()):
        if remove_positions(path) in shown.choices:
            continue
        mark = MARKUP.search(text)
        if mark is not None:
            rest = f", with {mark.group()!r} in it. Write plain words only."
            yield field_problem(path, text, rest, "markup")
        elif PLACEHOLDER.fullmatch(text.strip()) or _has_no_word(text):
            rest = ", which says nothing. Write what is really meant."
            yield field_problem(path, text, rest, "empty")


def _has_no_word(text: str) -> bool:
    """Return whether a text has several pieces but no letter in any of them: `},{2, 2}, {`."""
    return len(text.split()) > 1 and not any(letter.isalpha() for letter in text)


def babble(answer: Answer, inputs: PromptInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield texts that repeat themselves or an earlier item of a list, or are no language."""
    told: dict[str, set[tuple[str, ...]]] = {}
    for path, text in free_texts(answer.model_dump()):
        own = words_of(text)
        if remove_positions(path) in shown.choices:
            continue
        if any(word.count("-") > MOST_HYPHENS for word in own):
            rest = ", which is no language. Write words with spaces between them."
            yield field_problem(path, text, rest, "empty")
        if len(own) < LEAST:
            continue
        runs = Counter(zip(own, own[1:], own[2:], strict=False))
        turns = max(runs.values(), default=0)
        if turns >= ROUNDS and 3 * turns >= len(own) / 2:
            rest = ", which says the same over and over. Say it once."
            yield field_problem(path, text, rest, "empty")
        field = remove_positions(path)
        if field.endswith("[]") and tuple(own) in told.setdefault(field, set()):
            yield field_problem(path, text, ", which is in the list already.", "repeat")
        told.setdefault(field, set()).add(tuple(own))


def monotony(answer: Answer, inputs: PromptInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield a text that is nearly every item of a longer list: `alright, alright, alright, ...`."""
    listed: dict[str, list[tuple[str, str]]] = {}
    for path, text in _list_own_texts(answer, shown):
        if "[]" in (field := remove_positions(path)):
            listed.setdefault(field, []).append((path, text))
    for items in listed.values():
        text, count = Counter(text for _, text in items).most_common(1)[0]
        if count >= max(LEAST, MOSTLY * len(items)):
            rest = f", {count} times of {len(items)}. Write different ones."
            yield field_problem(next(p for p, t in items if t == text), text, rest, "repeat")


@lru_cache(maxsize=256)
def _runs_of(text: str, length: int) -> frozenset[tuple[str, ...]]:
    """Return every run of `length` words in a text; cached, since the same texts recur."""
    return frozenset(grams(words_of(text), length))


@lru_cache(maxsize=256)
def headings_in(prompt: str) -> frozenset[str]:
    """Return the headings in capitals at the beginning of a prompt's lines."""
    return frozenset(_HEADING.findall(prompt))


@lru_cache(maxsize=256)
def instructions_in(prompt: str) -> tuple[str, ...]:
    """Return the rules and the question of a prompt, without its format instructions."""
    return (*_RULE.findall(prompt), *_QUESTION.findall(prompt))


def find_headings(answer: Answer, inputs: PromptInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield texts that contain one of the prompt's headings."""
    foreign = [each for each in sorted(shown.headings) if each not in shown.given]
    for path, text in _list_own_texts(answer, shown):
        found = next((each for each in foreign if re.search(rf"\b{each}\b", text)), "")
        if found:
            rest = f", with {found!r} in it, which is a heading of the question. Leave it out."
            yield field_problem(path, text, rest, "markup")


def find_repeated_rules(
    answer: Answer, inputs: PromptInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield texts that repeat a rule of the prompt, or its question."""
    for path, text in _list_own_texts(answer, shown):
        own = grams(words_of(text), RULE_RUN)
        taken = [own & _runs_of(rule, RULE_RUN) for rule in shown.instructions] if own else []
        if any(taken) and set().union(*taken) - grams(words_of(shown.given), RULE_RUN):
            rest = ", which is copied from the question. Write your own answer to it."
            yield field_problem(path, text, rest, "copied")


def _list_own_texts(answer: Answer, shown: CheckContext) -> Sequence[tuple[str, str]]:
    """Return the texts that the model wrote itself, not chosen from a list."""
    texts = free_texts(answer.model_dump())
    return [(path, text) for path, text in texts if remove_positions(path) not in shown.choices]


def find_other_scripts(
    answer: Answer, inputs: PromptInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield texts with letters of a script that the question does not use: `the bookshop in 废`.

    Multilingual models slip into another language, mostly near the length limit of a text.
    """
    for path, text in free_texts(answer.model_dump()):
        if text.isascii():
            continue
        strange = [each for each in text if script_of(each) not in ("", "LATIN")]
        known = {script_of(each) for each in shown.given} if strange else set()
        if other := [each for each in strange if script_of(each) not in known]:
            rest = f", with {''.join(other[:3])!r} in it, which is of another script. Leave it out."
            yield field_problem(path, text, rest, "markup")


@lru_cache(maxsize=1024)
def script_of(character: str) -> str:
    """Return the Unicode script of a letter, such as `LATIN`; empty for other characters."""
    if character.isascii() or not character.isalpha():
        return ""
    return unicodedata.name(character, "").partition(" ")[0]


EVERYWHERE: tuple[SenseCheck[PromptInput, Answer], ...] = (
    SenseCheck(look=empty_words, action="refuse"),
    SenseCheck(look=find_copied_texts, action="refuse"),
    SenseCheck(look=babble, action="refuse"),
    SenseCheck(look=monotony, action="refuse"),
    SenseCheck(look=find_other_scripts, action="refuse"),
    SenseCheck(look=word_salad, action="refuse", languages=ENGLISH),
)
"""The checks for the answers of every step."""

ECHO_CHECKS: tuple[SenseCheck[PromptInput, Answer], ...] = (
    SenseCheck(look=find_headings, action="refuse"),
    SenseCheck(look=find_repeated_rules, action="ask"),
)
