"""Typical mistakes of small models: which one occurs, where, and which repair message ends it.

Where a mistake can occur is read from the answer, its JSON schema and the prompt, never from a
step's name, so that the same table serves the stand-in and any model behind a proxy.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

from smolville.models.standin.rule import Dice

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
_EXTRA = ("explanation", "notes", "confidence")
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_AT_A_PLACE = re.compile(r" (?:at|in) (?:the )?[A-Z][\w'’]+(?: [A-Z][\w'’]+)*(?=$|[ ,.!?])")
Values = dict[str, Any]
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


class AskedCall(NamedTuple):
    """What a server knows of a call beside the answer that was meant."""

    schema: Mapping[str, Any]
    """The JSON schema of the answer."""
    prompt: str
    """The texts of the first question."""


class _Leaf(NamedTuple):
    """One value of an answer that is neither an object nor a list."""

    holder: Any
    """The object or list that holds it."""
    key: Any
    path: str
    schema: Mapping[str, Any]

    @property
    def value(self) -> Any:
        """The value itself."""
        return self.holder[self.key]


def make_mistake(
    rates: Mapping[str, float], call: AskedCall, answer: Values, text: str, dice: Dice
) -> Mistake | None:
    """Return the mistake to make in this reply, or None; `dice` makes the random choices.

    If the chosen kind of mistake cannot occur in this answer, another kind of `rates` is made.
    """
    point = dice.fraction("mistake")
    if point >= sum(rates.values()):
        return None
    kinds = [_draw_kind(rates, point), *dice.shuffled(sorted(rates), "instead")]
    made = (_make_mistake(kind, call, answer, text, dice) for kind in kinds)
    return next((each for each in made if each is not None), None)


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


def _make_mistake(
    kind: str, call: AskedCall, answer: Values, text: str, dice: Dice
) -> Mistake | None:
    """Return a reply with a mistake of this kind; None if it cannot occur."""
    if kind in SLIPS:
        slip: MalformedReply | None = SLIPS[kind](answer, text, dice)
        return None if slip is None else Mistake(kind, slip.text, is_cut=slip.is_cut)
    spoilt = deepcopy(answer)
    field = FAULTS[kind](call, spoilt, dice)
    return Mistake(kind, json.dumps(spoilt, ensure_ascii=False), field) if field else None


def _leaves(value: Any, schema: Mapping[str, Any], path: str = "") -> Iterator[_Leaf]:
    """Yield the values of an answer with their schemas, also those inside its lists."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        of_key = schema.get("properties", {}).get(key) if isinstance(value, dict) else None
        part = of_key if of_key is not None else schema.get("items", {})
        options = [each for each in part.get("anyOf", [part]) if each.get("type") != "null"]
        part, where = (options or [part])[0], f"{path}{key}"
        if isinstance(inner, dict | list):
            yield from _leaves(inner, part, f"{where}.")
        else:
            yield _Leaf(value, key, where, part)


def _picked(leaves: Sequence[_Leaf], dice: Dice, name: str) -> _Leaf | None:
    """Return one of the values by chance; None if there is none."""
    return dice.pick(leaves, name) if leaves else None


def _missing(call: AskedCall, answer: Values, dice: Dice) -> str:
    """Leave out a required field, more often in an item than at the top level; return its path."""
    parts: Mapping[str, Any] = call.schema.get("properties", {})
    listed = [name for name, value in answer.items() if _are_items(value)]
    if listed and dice.fraction("inside") < 0.7:
        name = listed[0]
        at = int(dice.fraction("item") * len(answer[name]))
        item, parts = answer[name][at], parts.get(name, {}).get("items", {}).get("properties", {})
        key = dice.pick(_required(item, parts), "key")
        del item[key]
        return f"{name}.{at}.{key}"
    key = dice.pick(_required(answer, parts), "field")
    del answer[key]
    return key


def _required(values: Values, parts: Mapping[str, Any]) -> list[str]:
    """Return the names of the values that may be neither null nor empty; all if there are none."""
    closed = [name for name in values if not _is_open(parts.get(name, {}))]
    return closed or list(values)


def _extra(call: AskedCall, answer: Values, dice: Dice) -> str:
    """Add a field that nobody asked for; return its name."""
    name = dice.pick(_EXTRA, "extra")
    answer[name] = 0.9 if name == "confidence" else "This follows from the lists above."
    return name


def _wrong_choice(call: AskedCall, answer: Values, dice: Dice) -> str:
    """Choose an option that does not exist; return the field's path, empty if there is none."""
    leaves = [
        each
        for each in _leaves(answer, call.schema)
        if "enum" in each.schema and each.value is not None and not _is_clock(each.value)
    ]
    leaf = _picked(leaves, dice, "wrong")
    if leaf is None:
        return ""
    is_number = isinstance(leaf.value, int)
    invented = ("the neighbour", "none of them", "so-so")
    leaf.holder[leaf.key] = (
        90 + dice.draw("number") % 9 if is_number else dice.pick(invented, "invented")
    )
    return leaf.path


def _out_of_range(call: AskedCall, answer: Values, dice: Dice) -> str:
    """Write a number outside its range, or a list that is too short; return the field's path."""
    leaves = [
        each
        for each in _leaves(answer, call.schema)
        if {"minimum", "maximum"} & each.schema.keys() and each.value is not None
    ]
    leaf = _picked(leaves, dice, "beyond")
    if leaf is not None:
        least, most = leaf.schema.get("minimum", 0), leaf.schema.get("maximum", 100)
        leaf.holder[leaf.key] = dice.pick((least - 1, most + 1, 10 * most), "value")
        return leaf.path
    for name, part in call.schema.get("properties", {}).items():
        if part.get("minItems", 0) > 1 and isinstance(answer.get(name), list):
            answer[name] = answer[name][: part["minItems"] - 1]
            return str(name)
    return ""


def _hour(call: AskedCall, answer: Values, dice: Dice) -> str:
    """Write another time of day, or one that no clock shows; return the field's path."""
    leaves = [each for each in _leaves(answer, call.schema) if _is_clock(each.value)]
    leaf = _picked(leaves, dice, "clock")
    if leaf is None:
        return ""
    hour, minute = leaf.value.split(":")
    wrong = (f"{(int(hour) + 12) % 24:02d}:{minute}", f"{24 + int(hour) % 4}:{minute}")
    leaf.holder[leaf.key] = dice.pick(wrong, "hour")
    return leaf.path


def _copied(call: AskedCall, answer: Values, dice: Dice) -> str:
    """Answer with the worked example of the prompt; return the names of all fields."""
    for line in call.prompt.splitlines():
        if not line.startswith("{"):
            continue
        try:
            shown = json.loads(line)
        except ValueError:
            continue
        if shown.keys() & answer.keys() and shown != answer:
            names = dict.fromkeys((*answer, *shown))
            answer.clear()
            answer.update(shown)
            return ".".join(names)
    return ""


def _placeless(call: AskedCall, answer: Values, dice: Dice) -> str:
    """Leave out a place: null where that is allowed, or a text without it; return the path."""
    for leaf in _leaves(answer, call.schema):
        if leaf.key == "place" and isinstance(leaf.value, str):
            leaf.holder[leaf.key] = None
            return leaf.path
        if isinstance(leaf.value, str) and "enum" not in leaf.schema:
            short = _AT_A_PLACE.sub("", leaf.value, count=1)
            if short != leaf.value:
                leaf.holder[leaf.key] = short
                return leaf.path
    return ""


def _forgotten(call: AskedCall, answer: Values, dice: Dice) -> str:
    """Leave a list empty that may be, or a field that may be null; return its name."""
    parts = call.schema.get("properties", {})
    names = [name for name, part in parts.items() if answer.get(name) and _is_open(part)]
    if not names:
        return ""
    name = dice.pick(names, "forgotten")
    answer[name] = [] if parts[name].get("type") == "array" else None
    return str(name)


def _spoil_minutes(call: AskedCall, answer: Values, dice: Dice) -> str:
    """Change the minutes so that their sum is wrong; return the field, empty if there are none.

    A small error can be mended by code, a large one cannot.
    """
    named = [name for name, value in answer.items() if _are_items(value) and "minutes" in value[0]]
    if not named:
        return ""
    tasks = answer[named[0]]
    factor = dice.pick((0.8, 1.2, 0.45, 2.2), "factor")
    before = sum(task["minutes"] for task in tasks)
    for task in tasks:
        task["minutes"] = max(5, min(60, round(task["minutes"] * factor / 5) * 5))
    if sum(task["minutes"] for task in tasks) == before:
        tasks[0]["minutes"] = tasks[0]["minutes"] + (5 if tasks[0]["minutes"] < 60 else -5)
    return named[0]


def _are_items(value: object) -> bool:
    """Return True for a list of objects."""
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _is_clock(value: object) -> bool:
    """Return True for a time of day such as 07:30."""
    return isinstance(value, str) and _CLOCK.fullmatch(value) is not None


def _is_open(part: Mapping[str, Any]) -> bool:
    """Return True for a field that may be null, or a list that may be empty."""
    nullable = any(each.get("type") == "null" for each in part.get("anyOf", ()))
    return nullable or (part.get("type") == "array" and not part.get("minItems"))


FAULTS: dict[str, Callable[[AskedCall, Values, Dice], str]] = {
    "missing": _missing,
    "extra": _extra,
    "wrong_choice": _wrong_choice,
    "out_of_range": _out_of_range,
    "hour": _hour,
    "sum": _spoil_minutes,
    "copied": _copied,
    "placeless": _placeless,
    "forgotten": _forgotten,
}
"""Every mistake of content by its name; it changes the answer and returns the faulty field."""
