"""The stand-in's phrases, read from their data file when first needed, and kinds of activities."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from graphs.activities.kinds import Kind, kind, kind_of
from models.standin.draws import Dice
from models.standin.words import stems

__all__ = ["Kind", "kind", "kind_of", "spoken", "talk_phrases", "word_set"]

_CHOICE = re.compile(r"\{([^{}]*)\}")


def spoken(phrase: str, dice: Dice, *name: object) -> str:
    """Return a phrase of the library with each `{a|b}` decided."""
    if "{" not in phrase:
        return phrase
    return _CHOICE.sub(lambda found: dice.pick(found[1].split("|"), found[1], *name), phrase)


@cache
def talk_phrases() -> dict[str, tuple[str, ...]]:
    """Return the ready phrases of talks and thoughts, by their use."""
    text = files("graphs.standin").joinpath("phrases.toml").read_text(encoding="utf-8")
    return {name: tuple(rows) for name, rows in tomllib.loads(text).items()}


@cache
def word_set(name: str) -> frozenset[str]:
    """Return the stems of a word list among the phrases."""
    return frozenset().union(*(stems(row) for row in talk_phrases()[name]))
