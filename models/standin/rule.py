"""What a step's rule gives: the answer, and what of the inputs it rests on."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from models.standin.draws import Dice


@dataclass(frozen=True, slots=True)
class RuleAnswer:
    """An answer before any mistake is made in it."""

    answer: dict[str, Any]
    """Plain JSON values, fields in the order in which they are written."""
    used: tuple[str, ...] = ()
    """Texts taken from the inputs: the rendered messages must show each of them."""


Rule = Callable[[Dice], RuleAnswer]
"""What the stand-in answers to one call: a step's rule, given this call's inputs."""
