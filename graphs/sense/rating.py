"""Sense checks of ratings: not all memories of a list are equally important."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphs.sense.check import CheckContext, SenseCheck
from parsers.problem import Problem, field_problem
from parsers.rate_importance import Ratings

if TYPE_CHECKING:
    from graphs.rate_importance import RateImportanceInput

LEAST = 5
"""Number of memories from which on equal ratings count as a fault."""


def is_flat(answer: Ratings) -> bool:
    """Return whether many memories are all rated alike, so that the ratings say nothing."""
    numbers = {rating.importance for rating in answer.ratings}
    return len(answer.ratings) >= LEAST and len(numbers) == 1


def flat(answer: Ratings, inputs: "RateImportanceInput", shown: CheckContext) -> Iterator[Problem]:
    """Yield a problem if all ratings are the same number."""
    if is_flat(answer):
        number = answer.ratings[0].importance
        rest = f" for all {len(answer.ratings)} memories. Rate each by itself."
        yield field_problem("ratings", number, rest, "empty")


CHECKS: tuple["SenseCheck[RateImportanceInput, Ratings]", ...] = (
    SenseCheck(look=flat, action="mark"),
)
