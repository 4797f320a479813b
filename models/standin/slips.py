"""Slips of form: the answer is right, but the way it is written is wrong."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from models.standin.draws import Dice

_CHATTER = (
    ("Sure! Here is the answer you asked for:\n\n", "\n\nLet me know if you need anything else."),
    ("Based on the information given, I would say:\n", ""),
    ("Here is the JSON:\n\n", "\n\nI hope this helps!"),
    ("", "\n\nNote: I kept to the rules above."),
)
_THOUGHTS = (
    "Okay, I need to answer with JSON. Let me go through the rules. That should be right.",
    "The user wants one JSON object. First I look at the lists, then I choose. Done.",
    "Hmm, what would this person do? I think the answer is clear. I write it down now.",
)
_WORD = re.compile(r'("(?:[^"\\]|\\.)*")|\b(true|false|null)\b')
_PYTHON = {"true": "True", "false": "False", "null": "None"}
_LOOPS = 40


@dataclass(frozen=True, slots=True)
class Slip:
    """A reply with a slip in it."""

    text: str
    is_cut: bool = False


def _fences(answer: dict[str, Any], text: str, dice: Dice) -> Slip:
    """Put the answer into a code block."""
    return Slip(f"```{dice.pick(('json', '', 'JSON'), 'fence')}\n{text}\n```")


def _chatter(answer: dict[str, Any], text: str, dice: Dice) -> Slip:
    """Put prose around the answer."""
    before, after = dice.pick(_CHATTER, "chatter")
    return Slip(f"{before}{text}{after}")


def _truncation(answer: dict[str, Any], text: str, dice: Dice) -> Slip:
    """Cut the answer in the middle."""
    return Slip(text[: max(1, int(len(text) * (0.3 + 0.6 * dice.fraction("cut"))))], is_cut=True)


def _single_quotes(answer: dict[str, Any], text: str, dice: Dice) -> Slip:
    """Use single quotes as Python does."""
    quoted = repr(answer)
    for right, python in _PYTHON.items():
        quoted = re.sub(rf"(?<=[:\[,] ){python}(?=[,\]}}])", right, quoted)
    return Slip(quoted)


def _trailing_comma(answer: dict[str, Any], text: str, dice: Dice) -> Slip:
    """Write a comma after the last value."""
    return Slip(f"{text[:-1]},{text[-1:]}")


def _loop(answer: dict[str, Any], text: str, dice: Dice) -> Slip:
    """Say the same thing again and again until the length runs out."""
    start = int(len(text) * (0.3 + 0.3 * dice.fraction("loop")))
    line = text[start : start + 60]
    return Slip(text[:start] + line * _LOOPS, is_cut=True)


def _think(answer: dict[str, Any], text: str, dice: Dice) -> Slip:
    """Write thinking before the answer."""
    return Slip(f"<think>\n{dice.pick(_THOUGHTS, 'think')}\n</think>\n\n{text}")


def _wrapper(answer: dict[str, Any], text: str, dice: Dice) -> Slip:
    """Put the answer into another object."""
    return Slip(json.dumps({dice.pick(("answer", "response"), "wrap"): answer}, ensure_ascii=False))


def _python(answer: dict[str, Any], text: str, dice: Dice) -> Slip | None:
    """Write Python's words for true, false and null; None if there are none of these."""
    changed = _WORD.sub(lambda found: found[1] or _PYTHON[found[2]], text)
    return Slip(changed) if changed != text else None


SLIPS: dict[str, Callable[[dict[str, Any], str, Dice], Slip | None]] = {
    "fences": _fences,
    "chatter": _chatter,
    "truncation": _truncation,
    "single_quotes": _single_quotes,
    "trailing_comma": _trailing_comma,
    "loop": _loop,
    "think": _think,
    "wrapper": _wrapper,
    "python": _python,
}
"""Every slip of form by its name."""
