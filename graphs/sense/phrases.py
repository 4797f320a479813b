"""Phrases that make an answer odd, as listed in `sense.toml` in a folder of templates.

The file has a table for each step, or `any` for all steps. A table has a list of phrases for each
kind of oddity. A phrase matches whole words, whatever their case and the punctuation between them.
"""

import tomllib
from collections.abc import Collection, Iterator
from functools import lru_cache, partial
from typing import Any, NamedTuple, cast

from smolville.graphs.loop.rules import EVERY_KIND as EVERY_STEP
from smolville.graphs.sense.check import AnyCheck, CheckContext, SenseCheck
from smolville.graphs.sense.words import free_texts, remove_positions, stands_in, words_of
from smolville.parsers.answer import Answer
from smolville.parsers.problem import SENSE_KINDS, Kind, Problem, field_problem
from smolville.parsers.prompt_inputs import PromptInput
from smolville.prompts.folder import nearest


class PhraseList(NamedTuple):
    """The phrases of one kind that are odd in one step's answers."""

    step: str
    """The step's name, or `any`."""
    kind: Kind
    phrases: tuple[str, ...]


def phrase_faults(text: str, steps: Collection[str]) -> list[str]:
    """Return all faults of a `sense.toml`, given the names of the existing steps."""
    listed, faults = _read(text)
    known = {*steps, EVERY_STEP}
    strangers = dict.fromkeys(each.step for each in listed if each.step not in known)
    return [
        *faults,
        *(
            f"there is no step `{step}`{nearest(step, known)}; `{EVERY_STEP}` is every step"
            for step in strangers
        ),
    ]


@lru_cache(maxsize=256)
def phrase_checks(text: str, step: str) -> tuple[AnyCheck, ...]:
    """Return the checks that a `sense.toml` declares for a step, without its faulty entries.

    An answer with such a phrase is accepted and marked as odd. The model is not asked again, since
    a list of words cannot suggest a better answer.
    """
    return tuple(
        SenseCheck(look=partial(_find_phrases, each), action="mark")
        for each in _read(text)[0]
        if each.step in (step, EVERY_STEP)
    )


def _find_phrases(
    listed: PhraseList, answer: Answer, inputs: PromptInput, shown: CheckContext
) -> Iterator[Problem]:
    """Yield the texts of an answer that contain one of the phrases."""
    for path, text in free_texts(answer.model_dump()):
        if remove_positions(path) in shown.choices:
            continue
        words = words_of(text)
        found = (each for each in listed.phrases if stands_in(words_of(each), words))
        if (phrase := next(found, None)) is not None:
            rest = f". {phrase!r} is listed as odd: {SENSE_KINDS[listed.kind]}."
            yield field_problem(path, text, rest, listed.kind)


@lru_cache(maxsize=16)
def _read(text: str) -> tuple[tuple[PhraseList, ...], tuple[str, ...]]:
    """Return the lists of phrases in a text, and its faults."""
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return (), (f"it is no TOML: {str(error)[:1].lower()}{str(error)[1:]}",)
    listed: list[PhraseList] = []
    faults: list[str] = []
    for step, table in told.items():
        if not isinstance(table, dict):
            faults.append(f"`{step}` stands in no table: write [{EVERY_STEP}] or [<step>] above it")
            continue
        for kind, phrases in table.items():
            if wrong := _describe_list_fault(step, kind, phrases):
                faults.append(wrong)
            else:
                listed.append(PhraseList(step, cast(Kind, kind), tuple(phrases)))
    return tuple(listed), tuple(faults)


def _describe_list_fault(step: str, kind: str, phrases: Any) -> str:
    """Return the fault of one list as a sentence; empty if there is none."""
    if kind not in SENSE_KINDS:
        return (
            f"`{kind}` is no kind of oddity{nearest(kind, SENSE_KINDS)}; there are: "
            f"{', '.join(SENSE_KINDS)}"
        )
    if not isinstance(phrases, list) or not all(isinstance(each, str) for each in phrases):
        return f'`{kind}` of [{step}] should be a list of phrases: ["...", "..."]'
    empty = next((each for each in phrases if not words_of(each)), None)
    return "" if empty is None else f"`{kind}` of [{step}] has a phrase without words: {empty!r}"
