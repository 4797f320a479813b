"""Tell word salad from English by the order of its words.

`word_order.json` says for pairs of word classes how much likelier the second is after the first
than anywhere (`benchmarks/word_order.py` counts them). In English most pairs are likelier than by
chance; in words drawn from a prompt they are not. Words that stand together in the case's own texts
(a name, `post office counter`) count as English, so that any town's vocabulary is known.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from smolville.graphs.sense.check import CheckContext
from smolville.graphs.sense.words import free_texts, remove_positions, words_of
from smolville.parsers.answer import Answer
from smolville.parsers.problem import Problem, field_problem
from smolville.parsers.prompt_inputs import PromptInput

LOW, STEP, BASE = -3.0, 0.1, ord("0")
"""A letter of the table stands for `LOW + STEP * (ord(letter) - BASE)`, a log of likelihoods."""
EDGE, COMMA, NUMBER, NAME, SHOUT, OTHER = "<", ",", "0", "N", "CAPS", "~"
"""Classes beside those of common words: the edge of a sentence, a name, a word in capitals, ..."""
KNOWN = 0.8
"""Value of two words that stand together in the case."""
FORM, DOUBTED = 1.5, 0.1
"""Weight of a form that the field's example has and the text lacks: a capital, a full stop. It only
counts against texts whose words alone are below `DOUBTED`."""
LEAST = 4
"""Number of different words below which nothing is said of a text."""
SHRINK = 2
"""Number of neutral pairs added to each text, so that a short one is not judged by one pair."""
SALAD, MIXED, FINE = -0.4, -0.2, 0.3
"""A text below `SALAD` is none; neither is one below `FINE` if the answer's texts together are
below `MIXED`. The least of 736 sensible texts has -0.2, the least such answer -0.06."""

_TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+(?::\d\d)?|[.!?…]+|[,;:—–()\"]")
_ENDS = tuple(".!?…")
_ASKS = frozenset("will would can could shall should may might do does did has is was".split())  # noqa: SIM905
"""Words that begin a question before its subject: `Will Junko ...?`."""


def tokens_of(text: str) -> list[str]:
    """Return the words and numbers of a text, with marks for commas and the edges of sentences."""
    found = [EDGE]
    for word in _TOKEN.findall(text.replace("’", "'")):
        mark = EDGE if word[0] in _ENDS else COMMA if word in ',;:—–()"' else ""
        if not mark:
            found.append(word)
        elif found[-1] not in (EDGE, mark):
            found.append(mark)
    return found if found[-1] == EDGE else [*found, EDGE]


def class_of(written: str, before: str, common: Mapping[str, int]) -> str:
    """Return the word itself if it is common, otherwise a class named by what it looks like."""
    word = written.lower()
    if written in (EDGE, COMMA):
        return written
    if word[0].isdigit():
        return NUMBER
    if len(written) > len("OK") and written.isupper():
        return SHOUT
    if written[0].isupper() and before != EDGE and word != "i" and not word.startswith("i'"):
        return NAME
    if word in common:
        return word
    endings = ("'s", "s'", "ing", "ed", "ly") + (() if word.endswith("ss") else ("s",))
    return OTHER + next((each.strip("s'") or each for each in endings if word.endswith(each)), "")


class _Table(NamedTuple):
    """The shipped counts."""

    common: dict[str, int]
    """The class number of each common word and of each class of other words."""
    rows: list[list[float]]
    """Value of each pair of classes."""


@cache
def _table() -> _Table:
    told = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    common = {word: n for n, words in enumerate(told["classes"]) for word in words.split()}
    rows = [[LOW + STEP * (ord(letter) - BASE) for letter in row] for row in told["rows"]]
    return _Table(common, rows)


class _Case(NamedTuple):
    """What the case's own texts show of its words."""

    pairs: frozenset[tuple[str, str]]
    names: frozenset[str]
    """Words that only stand there with a capital."""
    lower: frozenset[str]


@lru_cache(maxsize=64)
def _case_of(given: str) -> _Case:
    words = tokens_of(given)
    lower = frozenset(word for word in words if word[0].islower())
    names = {b.lower() for a, b in pairwise(words) if b[0].isupper() and a != EDGE}
    pairs = frozenset((a.lower(), b.lower()) for a, b in pairwise(words))
    return _Case(pairs, frozenset(names - lower), lower)


def score(text: str, given: str) -> tuple[float, int]:
    """Return the sum of a text's pairs of words, each above 0 if it is likely, and their number."""
    common, rows = _table()
    case, words = _case_of(given), tokens_of(text)
    kinds = [class_of(word, before, common) for before, word in pairwise([EDGE, *words])]
    total, count, last = 0.0, 0, EDGE
    for (x, a), (y, b) in pairwise(zip((word.lower() for word in words), kinds, strict=True)):
        before, last = last, x
        if NUMBER in (a, b) or a == SHOUT:
            continue
        value = LOW
        if b != SHOUT:
            value = rows[common.get(a, common[OTHER])][common.get(b, common[OTHER])]
        if (x, y) in case.pairs or (before == EDGE and x in _ASKS and b == NAME):
            value = max(value, KNOWN)
        elif b == NAME and _is_odd_name(x, a, y, case, common):
            value = LOW
        total, count = total + value, count + 1
    return total, count


def _is_odd_name(before: str, kind: str, name: str, case: _Case, common: Mapping[str, int]) -> bool:
    """Return whether a capital is out of place: on an ordinary word, or on parts of two names."""
    if name not in case.names:
        return name in case.lower or name in common
    return kind == NAME and before in case.names


@cache
def _forms(kind: type[Answer]) -> dict[str, tuple[bool, bool, bool]]:
    """Return by field whether its example begins with a capital, ends, or begins with "-ing"."""
    return {
        remove_positions(path): (
            text[:1].isupper(),
            text.endswith(_ENDS),
            text.split()[0].endswith("ing"),
        )
        for path, text in free_texts(kind.example().model_dump())
        if text.strip()
    }


def _lacks_form(form: tuple[bool, bool, bool], text: str) -> float:
    """Return the weight of what a text lacks of its example's form."""
    capital, ends, doing = form
    if doing:
        return 0.0 if text.split()[0].endswith("ing") else FORM
    lacks_end = ends and not text.rstrip(" \"'”’").endswith(_ENDS)
    return FORM * ((capital and text[:1].islower()) + lacks_end)


def word_salad(answer: Answer, inputs: PromptInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield texts whose words stand in no order: `she LEFT shop Mori good to or Kettle`."""
    forms, found = _forms(type(answer)), list[tuple[str, str, float, int]]()
    for path, text in free_texts(answer.model_dump()):
        field = remove_positions(path)
        if field in shown.choices or len(set(words_of(text))) < LEAST:
            continue
        total, count = score(text, shown.given)
        if total < DOUBTED * (count + SHRINK):
            total -= _lacks_form(forms.get(field, (False, False, False)), text)
        found.append((path, text, total, count))
    whole = sum(each[2] for each in found) / (sum(each[3] for each in found) + SHRINK)
    for path, text, total, count in found:
        own = total / (count + SHRINK)
        if own < SALAD or (whole < MIXED and own < FINE):
            rest = ", which is no sentence. Write plain words that a person would say."
            yield field_problem(path, text, rest, "empty")
