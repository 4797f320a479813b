"""Typical mistakes of small models: which one occurs, where, and which repair message ends it.

Where a mistake can occur is read from the answer, its JSON schema and the prompt, never from a
step's name, so that the same table serves the stand-in and any model behind a proxy.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

from smolville.models.standin.rule import Dice

_FORMS = ("fences", "chatter", "truncation", "trailing_comma", "wrapper")
MISTAKES = (*_FORMS, "missing", "wrong_choice", "out_of_range")
"""The kinds of mistakes that share the rate of `mistakes`: all that a reader can notice."""
KINDS = (*MISTAKES, "hour", "copied", "forgotten")
"""Every kind of mistake."""
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
_CUT = re.compile(r"\b(?:cut off|cut short|incomplete|unfinished|shorter|too long|repeat)", re.I)
_FORM = re.compile(r"\b(?:json|fences?|quotes?|commas?|brackets?|code block|wrapped)\b", re.I)
_WORDS = frozenset({"answer", "text", *"ABCDEF"})
"""Field names that also occur as ordinary words: in a message they count only if they are written
as field names."""
Values = dict[str, Any]


def read_rates(args: Mapping[str, str]) -> dict[str, float]:
    """Return the share of first answers with each kind of mistake; ValueError for a wrong setting.

    `mistakes` is divided evenly among `MISTAKES`; a kind's own name sets its rate.
    """
    shares = {}
    for name, text in args.items():
        if name != "mistakes" and name not in KINDS:
            known = ", ".join(("seed", "mistakes", *KINDS))
            raise ValueError(f"the stand-in has no setting {name!r}; it knows {known}")
        if re.fullmatch(r"(?:0?\.\d+|[01](?:\.0*)?)", text) is None:
            raise ValueError(
                f"the stand-in's {name}={text} is no share; write a number from 0 to 1"
            )
        shares[name] = float(text)
    rates = dict.fromkeys(MISTAKES, shares.pop("mistakes", 0.0) / len(MISTAKES)) | shares
    if sum(rates.values()) > 1.000001:
        raise ValueError("the stand-in's rates of mistakes add up to more than 1; lower them")
    return {kind: rate for kind, rate in rates.items() if rate}


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


def make_mistake(
    rates: Mapping[str, float], call: AskedCall, answer: Values, text: str, dice: Dice
) -> Mistake | None:
    """Return the mistake to make in this reply, or None; `dice` makes the random choices.

    If the chosen kind of mistake cannot occur in this answer, another kind of `rates` is made.
    """
    point = dice.fraction("mistake")
    if point >= sum(rates.values()):
        return None
    drawn = sorted(rates)
    while point >= rates[drawn[0]] and len(drawn) > 1:
        point -= rates[drawn.pop(0)]
    kinds = (drawn[0], *dice.shuffled(sorted(rates), "instead"))
    made = (_make_mistake(kind, call, answer, text, dice) for kind in kinds)
    return next((each for each in made if each is not None), None)


def is_healed(mistake: Mistake, repairs: Sequence[str]) -> bool:
    """Return True when one of the messages after the first reply names the mistake.

    That is the faulty field, or the fault of the whole reply.
    """
    if not mistake.field:
        return any((_CUT if mistake.is_cut else _FORM).search(repair) for repair in repairs)
    parts = [part for part in mistake.field.split(".") if not part.isdigit()]
    named = [rf"`[\w.]*\b{part}`" if part in _WORDS else rf"\b{part}\b" for part in parts]
    return any(re.search(each, repair) for repair in repairs for each in named)


def _make_mistake(
    kind: str, call: AskedCall, answer: Values, text: str, dice: Dice
) -> Mistake | None:
    if kind in _FORMS:
        return Mistake(kind, _malformed(kind, answer, text, dice), is_cut=kind == "truncation")
    spoilt = deepcopy(answer)
    match kind:
        case "missing":
            field = _leave_out(call, spoilt, dice)
        case "copied":
            field = _copy_example(call, spoilt)
        case "forgotten":
            field = _forget(call, spoilt, dice)
        case _:
            field = _spoil_value(kind, call, spoilt, dice)
    return Mistake(kind, json.dumps(spoilt, ensure_ascii=False), field) if field else None


def _malformed(kind: str, answer: Values, text: str, dice: Dice) -> str:
    match kind:
        case "fences":
            return f"```json\n{text}\n```"
        case "chatter":
            return f"Sure! Here is the answer:\n\n{text}\n\nI hope this helps!"
        case "trailing_comma":
            return f"{text[:-1]},{text[-1:]}"
        case "wrapper":
            return json.dumps({"response": answer}, ensure_ascii=False)
        case _:
            return text[: max(1, int(len(text) * (0.3 + 0.6 * dice.fraction("cut"))))]


def _leave_out(call: AskedCall, answer: Values, dice: Dice) -> str:
    """Leave out a required field, more often in an item than at the top level; return its path."""
    values, parts, path = answer, call.schema.get("properties", {}), ""
    listed = [name for name, value in answer.items() if _are_items(value)]
    if listed and dice.fraction("inside") < 0.7:
        at = int(dice.fraction("item") * len(answer[listed[0]]))
        values, path = answer[listed[0]][at], f"{listed[0]}.{at}."
        parts = parts.get(listed[0], {}).get("items", {}).get("properties", {})
    closed = [name for name in values if not _is_open(parts.get(name, {}))]
    key = dice.pick(closed or list(values), "key")
    del values[key]
    return f"{path}{key}"


def _copy_example(call: AskedCall, answer: Values) -> str:
    """Answer with the worked example of the prompt; return the names of all fields."""
    for line in call.prompt.splitlines():
        try:
            shown = json.loads(line) if line.startswith("{") else {}
        except ValueError:
            continue
        if shown.keys() & answer.keys() and shown != answer:
            names = dict.fromkeys((*answer, *shown))
            answer.clear()
            answer.update(shown)
            return ".".join(names)
    return ""


def _forget(call: AskedCall, answer: Values, dice: Dice) -> str:
    """Leave a list empty that may be, or a field that may be null; return its name."""
    parts = call.schema.get("properties", {})
    names = [name for name, part in parts.items() if answer.get(name) and _is_open(part)]
    if not names:
        return ""
    name = dice.pick(names, "forgotten")
    answer[name] = [] if parts[name].get("type") == "array" else None
    return str(name)


def _spoil_value(kind: str, call: AskedCall, answer: Values, dice: Dice) -> str:
    """Write a choice not offered, a number out of range or another hour; return the path."""
    leaves = [each for each in _leaves(answer, call.schema) if _suits(kind, *each[2:])]
    if not leaves:
        return ""
    holder, key, value, part, path = dice.pick(leaves, kind)
    if kind == "hour":
        hour, minute = value.split(":")
        holder[key] = dice.pick(
            (f"{(int(hour) + 12) % 24:02d}:{minute}", f"{24 + int(hour) % 4}:{minute}"), "hour"
        )
    elif kind == "wrong_choice":
        holder[key] = 90 + dice.draw("number") % 9 if isinstance(value, int) else "none of them"
    else:
        least, most = part.get("minimum", 0), part.get("maximum", 100)
        holder[key] = dice.pick((least - 1, most + 1, 10 * most), "value")
    return path


def _suits(kind: str, value: Any, part: Mapping[str, Any], path: str) -> bool:
    is_clock = isinstance(value, str) and _CLOCK.fullmatch(value) is not None
    if kind == "hour" or value is None:
        return is_clock
    if kind == "wrong_choice":
        return "enum" in part and not is_clock
    return bool({"minimum", "maximum"} & part.keys())


Leaf = tuple[Any, Any, Any, Mapping[str, Any], str]
"""The object or list that holds a value, its key there, the value, its schema and its path."""


def _leaves(value: Any, schema: Mapping[str, Any], path: str = "") -> Iterator[Leaf]:
    """Yield the plain values of an answer with their schemas, also those inside its lists."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        of_key = schema.get("properties", {}).get(key) if isinstance(value, dict) else None
        part = of_key if of_key is not None else schema.get("items", {})
        options = [each for each in part.get("anyOf", [part]) if each.get("type") != "null"]
        part, where = (options or [part])[0], f"{path}{key}"
        if isinstance(inner, dict | list):
            yield from _leaves(inner, part, f"{where}.")
        else:
            yield value, key, inner, part, where


def _are_items(value: object) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _is_open(part: Mapping[str, Any]) -> bool:
    """Return True for a field that may be null, or a list that may be empty."""
    nullable = any(each.get("type") == "null" for each in part.get("anyOf", ()))
    return nullable or (part.get("type") == "array" and not part.get("minItems"))
