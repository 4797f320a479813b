"""Read words, numbers, names of fields and of listed entries as models write them.

"Yes", "null", "talk (with Ben)", "8/10", "#4", "2. the kitchen", a field under an alias.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from smolville.parsers.answer import Kind, Shape
from smolville.parsers.problem import TwoValues, quote_value

Labels = Mapping[int, str]
"""The listed entries by number; places are written `sector: arena`."""

WRAPPERS = frozenset(("value", "answer", "result", "output", "content"))
"""Names that say nothing of what they hold."""

_LONGEST = 200
_MOST_FIELDS = 24
_TRUTHS = {"true": True, "yes": True, "y": True, "1": True}
_TRUTHS |= {"false": False, "no": False, "n": False, "0": False}
_NOTHING = {"", "-", "\u2013", "\u2014", "[]", "{}", "null", "none", "nil", "n/a", "na"}
_NOTHING |= {"undefined", "nothing", "nobody"}
_ELLIPSIS = re.compile(r"[\[(<]?(?:\.{2,}|\u2026)[.\u2026 ]*[\])>]?")
_MARKS = "\"'`\u201c\u201d\u2018\u2019*.!<>[]() "
_ARTICLE = re.compile(r"^(?:the|a|an) ")
_ENTRY = re.compile(r"^(?:\d{1,3}|[a-h])[.)] +|^[-*\u2022] +")
_ASIDE = re.compile(
    r"(?P<choice>[^:(,;\u2013\u2014]{1,80}?) ?(?:[:(,;\u2013\u2014]| - )(?P<rest>.*)"
)
_DENIAL = re.compile(
    r"\b(?:not|no|never|nobody|or|instead|rather|but|unless|if|then"
    r"|(?:do|does|did|is|are|was|wo|ca|have|has|had|could|would|should)nt)\b|n['\u2019]t\b"
)
_SEPARATORS = re.compile(r"[\W_]+")
_DIGITS = re.compile(r"\d+")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "_": " "})
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TYPES: dict[Kind, tuple[type, ...]] = {
    "object": (dict,),
    "list": (list, dict, str, int),
    "text": (str,),
    "choice": (str,),
    "number": (int, float, str),
    "clock": (str, int),
    "truth": (bool, str, int),
}


def read_truth(text: str) -> bool | None:
    """Return True or False as a text means it, or None if that is ambiguous."""
    return _TRUTHS.get(text.strip().lower().rstrip("."))


def null_when_said(value: object) -> object:
    """Return None for a text such as "none" or "null"; any other value unchanged."""
    if isinstance(value, str) and value.strip().lower().rstrip(".\u2026") in _NOTHING:
        return None
    return value


def is_ellipsis(value: object) -> bool:
    """Return whether the value is only an ellipsis, which stands for what was not written."""
    return isinstance(value, str) and _ELLIPSIS.fullmatch(value.strip()) is not None


def fold_text(text: str) -> str:
    """Return the text without case, accents, quotes and article, which distinguish no names."""
    plain = " ".join(text.lower().translate(_UMLAUTS).split()).strip(_MARKS)
    if not plain.isascii():
        parts = unicodedata.normalize("NFKD", plain)
        plain = "".join(char for char in parts if not unicodedata.combining(char))
    return _ARTICLE.sub("", plain)


def find_spelled(text: str, choices: Sequence[str]) -> list[int]:
    """Return the positions of the choices that a text spells: one is meant, several are in doubt.

    Case, accents, quotes and articles never count. Where no choice is equal without these, one that
    differs only in separators and punctuation fits.
    """
    folded = fold_text(text)
    names = [fold_text(choice) for choice in choices]
    same = [at for at, name in enumerate(names) if folded and name == folded]
    if same or len(text) > _LONGEST or not any(char.isalpha() for char in folded):
        return same
    return [at for at, name in enumerate(names) if _joined(name) == _joined(folded)]


def _joined(text: str) -> tuple[str, list[str]]:
    """Return a text without its separators, and its numbers: "bedroom 12" is not "bedroom 1 2"."""
    return _SEPARATORS.sub("", text), _DIGITS.findall(text)


def same_choice(text: str, choices: Sequence[str]) -> str | None:
    """Return the only choice that a text spells (see `find_spelled`), or None."""
    found = find_spelled(text, choices)
    return choices[found[0]] if len(found) == 1 else None


def named_choice(text: str, choices: Sequence[str], field: str) -> str | None:
    """Return the only choice that a text names, or None if that is ambiguous.

    The text may also have an entry number, the field's name and a remark: "choice: talk",
    "2. talk" and "talk (he is free)" mean "talk", but "talk, or wait" is ambiguous.
    """
    rest = without_label(_ENTRY.sub("", text.strip(), count=1), field)
    same = same_choice(text, choices) or same_choice(rest, choices)
    aside = _ASIDE.fullmatch(rest) if len(text) <= _LONGEST else None
    if same is not None or aside is None:
        return same
    chosen = same_choice(aside["choice"], choices)
    behind = fold_text(aside["rest"])
    others = (re.escape(fold_text(choice)) for choice in choices if choice != chosen)
    if _DENIAL.search(behind) or any(re.search(rf"\b{other}", behind) for other in others):
        return None
    return chosen


def without_label(text: str, field: str) -> str:
    """Return the text without the field's name and a colon before it: `minutes: 30`."""
    if not field:
        return text
    label = rf"^\W*{re.escape(field)}[\"'`*]*\s*[:=]\s*"
    return re.sub(label, "", text, count=1, flags=re.IGNORECASE)


def named_place(text: str, places: Sequence[str]) -> str | None:
    """Return the first of some addresses that a text names, whole or by one of its parts."""
    said = fold_text(text)
    for place in places:
        parts = place.split(": ")
        if said in (fold_text(each) for each in (place, ", ".join(parts), *parts)):
            return place
    return None


_RATED = re.compile(
    r"(?:(?:about|around|~) ?)?#?(?P<number>[+-]?\d{1,9})(?:\.0+)?"
    r"(?: ?(?:/|\(?(?:out )?of) ?(?P<scale>\d{1,9})\)?)?(?: points?)?\.?",
    re.ASCII,
)
_MINUTES = r"(?:minutes?|mins?|m|')"
_DURATION = re.compile(
    rf"(?:(?:about|around|~) ?)?(?:(?P<minutes>\d{{1,5}}) ?{_MINUTES}"
    rf"|(?P<hours>\d{{1,2}}(?:\.\d)?|an) ?(?:hours?|hrs?|h)"
    rf"(?:(?:,? and | )?(?P<rest>\d{{1,2}})(?: ?{_MINUTES})?)?)\.?",
    re.ASCII,
)
_LEADING = re.compile(
    r"(?P<number>\d{1,4}) ?(?:[:.)=\u2013\u2014-] ?(?P<rest>[^\W\d_].*)|\((?P<aside>.*)\))"
)
_NUMBERED = re.compile(r"\s*(?P<number>\d{1,2})[.)] +(?P<text>\S.*)")
_EXPLAINED = re.compile(
    r"(?P<number>\d{1,4})(?: ?[:,\u2013\u2014]| -)? ?"
    r"(?P<rest>(?:(?<=[ :,\u2013\u2014])[^\W\d_]|\().*)"
)
_SECOND = re.compile(r"\d|\b(?:or|and|to|not|maybe|one|two|three|four|five|six|seven|eight|nine)\b")
_LISTED = re.compile(
    r"(?:(?:(?:memor(?:y|ie)|line|task|place|sector|promise|person|choice|option|item|entry|number)s?"
    r"|no\.?|m(?=\d)) ?)?[\[(#]*(?P<number>\d{1,4})[\])]*\.?"
)


def read_rating(text: str, scale: int | None) -> int | None:
    """Return the number that a text means on a scale up to `scale`; None if that is ambiguous.

    "8/10" means 8 only if `scale` is 10. "8: a friend moves away" means 8 only if there is a scale:
    without one, the text may be entry 8 of a list.
    """
    plain = " ".join(text.lower().split())
    rated = _RATED.fullmatch(plain)
    if rated is not None:
        end = rated["scale"]
        return int(rated["number"]) if end is None or int(end) == scale else None
    explained = _EXPLAINED.fullmatch(plain) if scale is not None else None
    if explained is None or _SECOND.search(explained["rest"]):
        return None
    return int(explained["number"])


def read_listed(text: str) -> int | None:
    """Return the number of an entry in a list: "4", "#4", "[4]", "memory 4"; or None."""
    listed = _LISTED.fullmatch(" ".join(text.lower().split()))
    return int(listed["number"]) if listed else None


def split_listed(text: str) -> tuple[int, str] | None:
    """Return the number and the text after it in "4. the kitchen" or "4 (kitchen)".

    None for another text, and if the text after the number begins with another one: "1 or 2".
    """
    leading = _LEADING.fullmatch(" ".join(text.split()))
    if leading is None:
        return None
    rest = (leading["rest"] or leading["aside"]).strip()
    return None if _SECOND.match(rest.lower()) else (int(leading["number"]), rest)


def read_duration(text: str) -> int | None:
    """Return the whole minutes of a text with a unit; None if it has none or is ambiguous."""
    parts = _DURATION.fullmatch(" ".join(text.lower().split()))
    if parts is None:
        return None
    hours = 1.0 if parts["hours"] == "an" else float(parts["hours"] or 0)
    minutes, rest = hours * 60 + int(parts["minutes"] or 0), int(parts["rest"] or 0)
    is_clear = rest < 60 and (not rest or hours.is_integer()) and minutes.is_integer()
    return int(minutes) + rest if is_clear else None


def unnumbered(lines: Sequence[Any]) -> list[str] | None:
    """Return lines without the numbers 1, 2, ... before them; None if they are not numbered so."""
    found = [_NUMBERED.fullmatch(line) if isinstance(line, str) else None for line in lines]
    if len(lines) < 2 or any(
        each is None or each["number"] != str(at) for at, each in enumerate(found, 1)
    ):
        return None
    return [each["text"] for each in found if each]


def find_number(text: str, labels: Labels) -> int | None:
    """Return the number of the entry that a text means, or None if that is ambiguous.

    A name must match exactly one entry. In a text with a number and a name, the name must be that
    of the entry with this number.
    """
    if len(text) > _LONGEST:
        return None
    plain = " ".join(text.split())
    number = _by_name(plain, labels)
    number = read_listed(plain) if number is None else number
    if number is not None:
        return number
    entry = split_listed(plain)
    if entry is None or entry[0] not in labels:
        return None
    label, folded = labels[entry[0]], fold_text(entry[1])
    parts = {fold_text(label), *(fold_text(part) for part in label.split(": "))}
    is_longer = folded.startswith(f"{fold_text(label)}: ")
    return entry[0] if folded in parts or is_longer else None


def _by_name(text: str, labels: Labels) -> int | None:
    """Return the number of the only entry that a name means, or None.

    A name may be the whole label, the last part of its address, the label with further parts after
    it, or a respelling of the label or its last part.
    """
    folded = fold_text(text)
    if not folded:
        return None
    parts = {number: label.rpartition(": ")[2] for number, label in labels.items()}
    whole = [number for number, name in labels.items() if fold_text(name) == folded]
    last = [number for number, name in parts.items() if fold_text(name) == folded]
    above = [number for number, name in labels.items() if folded.startswith(fold_text(name) + ": ")]
    if not (found := whole or last or above):
        numbers = [*labels, *parts]
        spelled = find_spelled(text, (*labels.values(), *parts.values()))
        found = list({numbers[at] for at in spelled})
    return found[0] if len(found) == 1 else None


def rename_fields(shape: Shape, fields: dict[Any, Any], path: str) -> list[str]:
    """Rename fields that are under another name in place, and return a note for each.

    Two candidates with different values become one `TwoValues`, which is a problem.
    """
    strange = {
        key: spelling(key)
        for key in list(fields)[:_MOST_FIELDS]
        if isinstance(key, str) and key not in shape.fields and len(key) <= 60
    }
    notes = []
    for name, field in shape.fields.items():
        if name in fields or not strange:
            continue
        keys = _keys_for(shape, field, fields, strange)
        if not keys:
            continue
        first, *others = (fields[key] for key in keys)
        other = next((each for each in others if each != first), None)
        fields[name] = first if other is None else TwoValues(first, other)
        where = f"`{path}.{name}`" if path else f"`{name}`"
        notes.append(f"{where}: took the field {quote_value(keys[0])} for it")
        for key in keys:
            del strange[key], fields[key]
    return notes


def spelling(key: str) -> str:
    """Return a field name in lower case with underscores."""
    plain = _CAMEL.sub("_", key.replace("\\", "").strip(" \"'`*:-"))
    return re.sub(r"[\s\-_]+", "_", plain).lower()


def _keys_for(
    shape: Shape, field: Shape, fields: dict[Any, Any], strange: dict[str, str]
) -> list[str]:
    """Return the keys that mean this field: other spellings, else aliases."""
    suited = [key for key in strange if _suits(field, fields[key])]
    general = WRAPPERS if len(shape.fields) == 1 else ()
    for names in ((field.name,), field.aliases, general):
        keys = [key for key in suited if strange[key] in names]
        if keys:
            return keys
    return []


def _suits(field: Shape, value: Any) -> bool:
    if isinstance(value, list) and len(value) == 1 and field.kind != "list":
        value = value[0]
    if value is None:
        return field.nullable
    if isinstance(value, bool):
        return field.kind == "truth"
    return isinstance(value, _TYPES[field.kind])
