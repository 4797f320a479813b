"""What a step's rules give: the answer, and what of the inputs it rests on."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before any mistake is made in it."""

    answer: dict[str, Any]
    """Plain JSON values, fields in the order in which they are written."""
    used: tuple[str, ...] = ()
    """Texts taken from the inputs: the rendered messages must show each of them."""
