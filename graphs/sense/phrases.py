"""Phrases that make an answer odd, as listed in `sense.toml` in a folder of templates.

The file has a table for each step, or `any` for all steps. A table has a list of phrases for each
kind of oddity. A phrase matches whole words, whatever their case and the punctuation between them.
"""

import re
import tomllib
from collections.abc import Collection, Iterator
from functools import lru_cache, partial
from typing import Any, NamedTuple, cast

from smolville.graphs.loop.rules import EVERY_KIND as EVERY_STEP
from smolville.graphs.prompt_inputs import PromptInput
from smolville.graphs.sense.check import AnyCheck, CheckContext, SenseCheck
from smolville.graphs.sense.words import free_texts, remove_positions, stands_in, words_of
from smolville.parsers.answer import Answer
from smolville.parsers.problem import SENSE_KINDS, Kind, Problem, field_problem
from smolville.prompts.folder import nearest

_PLACE = re.compile(r"\s*\(at (?:line (?P<line>\d+), column \d+|end of document)\)")


class PhraseList(NamedTuple):
    """The phrases of one kind that are odd in one step's answers."""

    step: str
    """The step's name, or `any`."""
    kind: Kind
    phrases: tuple[str, ...]


class PhraseFault(NamedTuple):
    """One fault in a list of phrases."""

    line: int | None
    """Line number from 1; None if it is not known."""
    text: str


def phrase_faults(text: str, steps: Collection[str]) -> list[PhraseFault]:
    """Return all faults of a `sense.toml`, given the names of the existing steps."""
    listed, faults = _read(text)
    known = {*steps, EVERY_STEP}
    strangers = dict.fromkeys(each.step for each in listed if each.step not in known)
    return [
        *faults,
        *(
            PhraseFault(
                _line_of(text, step),
                f"there is no step `{step}`{nearest(step, known)}; `{EVERY_STEP}` is every step",
            )
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
def _read(text: str) -> tuple[tuple[PhraseList, ...], tuple[PhraseFault, ...]]:
    """Return the lists of phrases in a text, and its faults."""
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line = int(place["line"]) if place and place["line"] else len(text.splitlines())
        what = _PLACE.sub("", str(error))
        return (), (PhraseFault(line, f"it is no TOML: {what[:1].lower()}{what[1:]}"),)
    listed: list[PhraseList] = []
    faults: list[PhraseFault] = []
    for step, table in told.items():
        if not isinstance(table, dict):
            what = f"`{step}` stands in no table: write [{EVERY_STEP}] or [<step>] above it"
            faults.append(PhraseFault(_line_of(text, "", step), what))
            continue
        for kind, phrases in table.items():
            wrong = _describe_list_fault(step, kind, phrases)
            if wrong:
                faults.append(PhraseFault(_line_of(text, step, kind), wrong))
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


def _line_of(text: str, table: str, key: str = "") -> int | None:
    """Return the line number of a table's header, or of a key in the table.

    None if the file writes the header or key in a form that is not recognised here.
    """
    inside = ""
    for number, line in enumerate(text.splitlines(), 1):
        head = re.match(r"\s*\[\s*\"?([^\]\"]+?)\"?\s*\]", line)
        inside = head[1] if head else inside
        if inside == table and (_begins(line, key) if key else head):
            return number
    return None


def _begins(line: str, key: str) -> bool:
    return re.match(rf"\s*\"?{re.escape(key)}\"?\s*=", line) is not None
