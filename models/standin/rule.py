"""The result of a step's rule: the answer, and the parts of the inputs that it is based on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from models.standin.draws import Dice


@dataclass(frozen=True, slots=True)
class RuleAnswer:
    """An answer before any mistake is made in it."""

    answer: dict[str, Any]
    """Plain JSON values, fields in the order of writing."""
    used: tuple[str, ...] = ()
    """Texts taken from the inputs: the rendered messages must show each of them."""


Rule = Callable[[Dice], RuleAnswer]
"""A step's rule for the stand-in, bound to the inputs of one call."""
