"""Read single values as models write them: "8/10", "15 min", "Yes", "the kitchen"."""

import re

_NUMBER = re.compile(
    r"#?(?P<number>[+-]?\d{1,9})(?:\.0+)?"
    r"(?: ?(?:/|out of) ?(?P<scale>\d{1,9}))?"
    r"(?: ?(?P<unit>minutes?|mins?|min\.|m|hours?|hrs?|h))?\.?",
    re.ASCII,
)
_NUMBERED = re.compile(r"(?P<number>\d{1,4}) ?[:.)\u2013-] ?[^\W\d_(].*|(?P<other>\d{1,4}) ?\(.*\)")
_COUNTED = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WORDS = {word: number for number, word in enumerate(_COUNTED)}
_TRUTHS = {"true": True, "yes": True, "y": True, "1": True}
_TRUTHS |= {"false": False, "no": False, "n": False, "0": False}
_NOTHING = {"", "null", "none", "nil", "n/a", "na", "undefined", "-"}
_MARKS = "\"'`\u201c\u201d\u2018\u2019*.!<>[]() "
_ARTICLE = re.compile(r"^(?:the|a|an) ")


def read_number(text: str, *, scale: int | None, is_minutes: bool) -> int | None:
    """The whole number a text means, or None when that is in doubt.

    "8/10" means 8 only where 10 is the largest value (`scale`); units only count for minutes.
    """
    plain = " ".join(text.lower().split())
    if plain in _WORDS:
        return _WORDS[plain]
    match = _NUMBER.fullmatch(plain)
    if match is None:
        numbered = _NUMBERED.fullmatch(plain)
        return int(numbered["number"] or numbered["other"]) if numbered else None
    if match["scale"] is not None and int(match["scale"]) != scale:
        return None
    if match["unit"] is None:
        return int(match["number"])
    if not is_minutes:
        return None
    return int(match["number"]) * (60 if match["unit"].startswith("h") else 1)


def read_truth(text: str) -> bool | None:
    """True or false as a text means it, or None when that is in doubt."""
    return _TRUTHS.get(text.strip().lower().rstrip("."))


def null_when_said(value: object) -> object:
    """None in place of a text that says there is nothing; every other value as it is."""
    if isinstance(value, str) and value.strip().lower() in _NOTHING:
        return None
    return value


def same_choice(text: str, choices: tuple[str, ...]) -> str | None:
    """The one choice a text means apart from case, quotes, articles and end stops, or None."""
    wanted = _bare(text)
    found = [choice for choice in choices if _bare(choice) == wanted]
    return found[0] if len(found) == 1 else None


def _bare(text: str) -> str:
    """The text without what does not tell choices apart."""
    plain = " ".join(text.lower().replace("_", " ").split()).strip(_MARKS)
    return _ARTICLE.sub("", plain)


def shortened(text: str, most: int) -> str:
    """The text cut to at most this many characters, at a word's end where there is one."""
    cut = text[: most - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > most // 2 else cut).rstrip(" ,;:") + "…"
