"""Typical mistakes of small models: which one occurs, where, and which repair message ends it."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from models.standin.rule import Dice

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
Values = dict[str, Any]
_OPTIONAL = frozenset({"in_confidence", "time", "place", "end"})
_WORDS = frozenset({"answer", "text", *"ABCDEF"})
"""Field names that also occur as ordinary words: in a message they count only if they are written
as field names."""
_CUT = re.compile(r"\b(?:cut off|cut short|incomplete|unfinished|shorter|too long|repeat)", re.I)
_FORM = re.compile(r"\b(?:json|fences?|quotes?|commas?|brackets?|code block|wrapped)\b", re.I)


@dataclass(frozen=True, slots=True)
class MalformedReply:
    """A reply with a mistake in its form."""

    text: str
    is_cut: bool = False


def _fences(answer: dict[str, Any], text: str, dice: Dice) -> MalformedReply:
    """Put the answer into a code block."""
    return MalformedReply(f"```{dice.pick(('json', '', 'JSON'), 'fence')}\n{text}\n```")


def _chatter(answer: dict[str, Any], text: str, dice: Dice) -> MalformedReply:
    """Put prose around the answer."""
    before, after = dice.pick(_CHATTER, "chatter")
    return MalformedReply(f"{before}{text}{after}")


def _truncation(answer: dict[str, Any], text: str, dice: Dice) -> MalformedReply:
    """Cut the answer in the middle."""
    return MalformedReply(
        text[: max(1, int(len(text) * (0.3 + 0.6 * dice.fraction("cut"))))], is_cut=True
    )


def _single_quotes(answer: dict[str, Any], text: str, dice: Dice) -> MalformedReply:
    """Use single quotes as Python does."""
    quoted = repr(answer)
    for right, python in _PYTHON.items():
        quoted = re.sub(rf"(?<=[:\[,] ){python}(?=[,\]}}])", right, quoted)
    return MalformedReply(quoted)


def _trailing_comma(answer: dict[str, Any], text: str, dice: Dice) -> MalformedReply:
    """Write a comma after the last value."""
    return MalformedReply(f"{text[:-1]},{text[-1:]}")


def _loop(answer: dict[str, Any], text: str, dice: Dice) -> MalformedReply:
    """Repeat the same text until the length limit is reached."""
    start = int(len(text) * (0.3 + 0.3 * dice.fraction("loop")))
    line = text[start : start + 60]
    return MalformedReply(text[:start] + line * _LOOPS, is_cut=True)


def _think(answer: dict[str, Any], text: str, dice: Dice) -> MalformedReply:
    """Write thinking before the answer."""
    return MalformedReply(f"<think>\n{dice.pick(_THOUGHTS, 'think')}\n</think>\n\n{text}")


def _wrapper(answer: dict[str, Any], text: str, dice: Dice) -> MalformedReply:
    """Put the answer into another object."""
    return MalformedReply(
        json.dumps({dice.pick(("answer", "response"), "wrap"): answer}, ensure_ascii=False)
    )


def _python(answer: dict[str, Any], text: str, dice: Dice) -> MalformedReply | None:
    """Write Python's words for true, false and null; None if there are none of these."""
    changed = _WORD.sub(lambda found: found[1] or _PYTHON[found[2]], text)
    return MalformedReply(changed) if changed != text else None


SLIPS: dict[str, Callable[[dict[str, Any], str, Dice], MalformedReply | None]] = {
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


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake in one reply."""

    kind: str
    text: str
    """The reply with the mistake in it."""
    field: str = ""
    """Dotted path of the faulty field; empty when the reply as a whole is at fault."""
    is_cut: bool = False
    """True when the reply ends at the length limit."""


def make_mistake(
    rates: Mapping[str, float], step: str, answer: Values, text: str, dice: Dice
) -> Mistake | None:
    """Return the mistake to make in this reply, or None; `dice` makes the random choices.

    If the chosen kind of mistake cannot occur in this answer, another kind of `rates` is made.
    """
    point = dice.fraction("mistake")
    if point >= sum(rates.values()):
        return None
    kinds = [_draw_kind(rates, point), *dice.shuffled(sorted(rates), "instead")]
    for kind in kinds:
        made = _make_mistake(kind, step, answer, text, dice)
        if made is not None:
            return made
    return None


def is_healed(mistake: Mistake, repairs: Sequence[str]) -> bool:
    """Return True when one of the messages after the first reply names the mistake."""
    return any(_names(mistake, repair) for repair in repairs)


def _names(mistake: Mistake, repair: str) -> bool:
    """Return True when a message names the faulty field, or the fault of the whole reply."""
    if not mistake.field:
        return bool((_CUT if mistake.is_cut else _FORM).search(repair))
    parts = [part for part in mistake.field.split(".") if not part.isdigit()]
    return any(
        re.search(rf"`[\w.]*\b{part}`" if part in _WORDS else rf"\b{part}\b", repair)
        for part in parts
    )


def _draw_kind(rates: Mapping[str, float], point: float) -> str:
    """Return the kind of mistake for a random `point` in [0, 1).

    Each kind has a part of that range, as large as its rate.
    """
    kinds = sorted(rates)
    for kind in kinds:
        if point < rates[kind]:
            return kind
        point -= rates[kind]
    return kinds[-1]


def _make_mistake(kind: str, step: str, answer: Values, text: str, dice: Dice) -> Mistake | None:
    """Return a reply with a mistake of this kind; None if it cannot occur."""
    if kind in SLIPS:
        slip: MalformedReply | None = SLIPS[kind](answer, text, dice)
        return None if slip is None else Mistake(kind, slip.text, is_cut=slip.is_cut)
    spoilt = deepcopy(answer)
    field = _FAULTS[kind](step, spoilt, dice)
    return Mistake(kind, json.dumps(spoilt, ensure_ascii=False), field) if field else None


def _missing(step: str, answer: Values, dice: Dice) -> str:
    """Leave out a required field, more often in an item than at the top level; return its path."""
    listed = [name for name, value in answer.items() if _are_items(value)]
    if listed and dice.fraction("inside") < 0.7:
        name = listed[0]
        at = int(dice.fraction("item") * len(answer[name]))
        item = answer[name][at]
        key = dice.pick([k for k in item if k not in _OPTIONAL and item[k] is not None], "key")
        del item[key]
        return f"{name}.{at}.{key}"
    required = [name for name, value in answer.items() if value is not None]
    key = dice.pick([name for name in required if name not in _OPTIONAL], "field")
    del answer[key]
    return str(key)


def _wrong_choice(step: str, answer: Values, dice: Dice) -> str:
    """Choose an option that does not exist; return the field's path, empty if the step has none."""
    if step == "choose_place":
        answer["sector"] = 90 + dice.draw("number") % 9
        return "sector"
    if step == "react":
        key = "person" if answer["person"] else "choice"
        answer[key] = "the neighbour" if key == "person" else "leave"
        return key
    wrong = {"rate_importance": ("ratings", "number"), "reflect_insights": ("insights", "because")}
    if step == "ground_block":
        letter = dice.pick(sorted(answer), "wrong")
        answer[letter] = 90 + dice.draw("number") % 9
        return letter
    if step not in wrong:
        return ""
    name, key = wrong[step]
    at = int(dice.fraction("item") * len(answer[name]))
    invented: object = 90 + dice.draw("number") % 9
    if key == "because":
        invented = [invented]
    answer[name][at][key] = invented
    return f"{name}.{at}.{key}"


def _out_of_range(step: str, answer: Values, dice: Dice) -> str:
    """Write a value outside its range (a number, time or count).

    Returns the field's path, or an empty text if no field has a range.
    """
    if step == "reflect_questions":
        answer["questions"] = answer["questions"][:2]
        return "questions"
    places = [(answer, "", key) for key in answer if key in _BEYOND]
    for name, value in answer.items():
        if _are_items(value):
            at = int(dice.fraction("item") * len(value))
            places += [(value[at], f"{name}.{at}.", key) for key in value[at] if key in _BEYOND]
    places = [place for place in places if place[0][place[2]] is not None]
    if not places:
        return ""
    holder, path, key = dice.pick(places, "beyond")
    holder[key] = dice.pick(_BEYOND[key], "value")
    return f"{path}{key}"


def _spoil_minutes(step: str, answer: Values, dice: Dice) -> str:
    """Change the minutes so that their sum is wrong; return the field, empty if there are no tasks.

    A small error can be mended by code, a large one cannot.
    """
    tasks = answer.get("subtasks")
    if not tasks:
        return ""
    factor = dice.pick((0.8, 1.2, 0.45, 2.2), "factor")
    before = sum(task["minutes"] for task in tasks)
    for task in tasks:
        task["minutes"] = max(5, min(60, round(task["minutes"] * factor / 5) * 5))
    if sum(task["minutes"] for task in tasks) == before:
        tasks[0]["minutes"] = tasks[0]["minutes"] + (5 if tasks[0]["minutes"] < 60 else -5)
    return "subtasks"


def _are_items(value: object) -> bool:
    """Return True for a list of objects."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


_BEYOND: dict[str, tuple[object, ...]] = {
    "importance": (0, 11, 15, 100),
    "minutes": (0, -10, 400),
    "wake": ("02:30", "13:45"),
    "start": ("25:30", "24:75"),
}
_FAULTS: dict[str, Callable[[str, Values, Dice], str]] = {
    "missing": _missing,
    "wrong_choice": _wrong_choice,
    "out_of_range": _out_of_range,
    "sum": _spoil_minutes,
}
