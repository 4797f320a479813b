"""The stand-in's phrases and word lists, read from their data file when first needed."""

import tomllib
from functools import cache
from importlib.resources import files

from models.standin.words import stems


@cache
def talk_phrases() -> dict[str, tuple[str, ...]]:
    """Return the ready phrases for talks and thoughts, by purpose."""
    text = files("graphs.standin").joinpath("phrases.toml").read_text(encoding="utf-8")
    return {name: tuple(rows) for name, rows in tomllib.loads(text).items()}


@cache
def word_set(name: str) -> frozenset[str]:
    """Return the stems of a word list by its name."""
    return frozenset().union(*(stems(row) for row in talk_phrases()[name]))
