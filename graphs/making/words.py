"""Choose words for the stand-in's answers, and for answers that no model gives."""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from smolville.graphs.prompt_inputs import PromptInput
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.answer import Answer

A = TypeVar("A", bound=Answer)
I = TypeVar("I", bound=PromptInput)  # noqa: E741 - the inputs


@cache
def _words() -> dict[str, Any]:
    """Return everything in the file of words."""
    return tomllib.loads(
        files("smolville.graphs.making").joinpath("words.toml").read_text(encoding="utf-8")
    )


def words(name: str) -> Sequence[str]:
    """Return a list of words."""
    found: Sequence[str] = _words()[name]
    return found


def endings_of(beginning: str) -> Sequence[str]:
    """Return the possible endings of a memory with this beginning; empty for an unknown one."""
    endings: Mapping[str, Sequence[str]] = _words()["endings"]
    return endings.get(beginning, ())


def pick_unused(dice: Dice, name: str, used: Iterable[str]) -> str:
    """Return a word of a list that is not used yet; if all are used, one with a number added."""
    taken = {each.casefold() for each in used}
    order = dice.shuffled(words(name), name)
    free = next((each for each in order if each.casefold() not in taken), None)
    return free if free is not None else f"{order[0]}son"


def fallback_by_rule(answer: type[A], rule: Callable[[I, Dice], RuleAnswer]) -> Callable[[I], A]:
    """Return a fallback that answers by the stand-in's rule."""

    def fall_back(inputs: I) -> A:
        return answer.model_validate(rule(inputs, Dice("fallback", inputs)).answer)

    return fall_back
