"""Read single words as models write them: "Yes", "null", "the kitchen", "talk (with Ben)"."""

import re
import unicodedata
from collections.abc import Sequence

_TRUTHS = {"true": True, "yes": True, "y": True, "1": True, "ja": True}
_TRUTHS |= {"false": False, "no": False, "n": False, "0": False, "nein": False}
_NOTHING = {
    "",
    "null",
    "none",
    "nil",
    "n/a",
    "na",
    "undefined",
    "nothing",
    "nobody",
    "-",
    "\u2013",
    "\u2014",
    "[]",
    "{}",
}
_MARKS = "\"'`\u201c\u201d\u2018\u2019*.!<>[]() "
_ARTICLE = re.compile(r"^(?:the|a|an) ")
_ENTRY = re.compile(r"^(?:\d{1,3}|[a-h])[.)] +|^[-*\u2022] +")
_ASIDE = re.compile(
    r"(?P<choice>[^:(,;\u2013\u2014]{1,80}?) ?(?:[:(,;\u2013\u2014]| - )(?P<rest>.*)"
)
_DENIAL = re.compile(
    r"\b(?:not|no|never|nobody|or|instead|rather|but|unless|if|then)\b|n['\u2019]t\b"
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "_": " "})
_LONGEST = 200


def read_truth(text: str) -> bool | None:
    """True or false as a text means it, or None when that is in doubt."""
    return _TRUTHS.get(text.strip().lower().rstrip("."))


def null_when_said(value: object) -> object:
    """None in place of a text that says there is nothing; every other value as it is."""
    if isinstance(value, str) and value.strip().lower().rstrip(".") in _NOTHING:
        return None
    return value


def same_choice(text: str, choices: Sequence[str]) -> str | None:
    """The one choice a text means apart from case, accents, quotes and articles, or None."""
    wanted = folded(text)
    found = [choice for choice in choices if folded(choice) == wanted]
    return found[0] if wanted and len(found) == 1 else None


def named_choice(text: str, choices: Sequence[str], field: str) -> str | None:
    """The one choice a text names, with the field before it or an aside behind it, or None.

    "choice: talk", "2. talk" and "talk (he is free)" mean "talk"; "talk, or wait" is in doubt.
    """
    same = same_choice(text, choices)
    if same is not None or len(text) > _LONGEST:
        return same
    rest = _ENTRY.sub("", text.strip(), count=1)
    rest = re.sub(rf"^{re.escape(field)}\s*[:=]\s*", "", rest, count=1, flags=re.IGNORECASE)
    same = same_choice(rest, choices)
    aside = _ASIDE.fullmatch(rest) if same is None else None
    if aside is None:
        return same
    chosen = same_choice(aside["choice"], choices)
    behind = folded(aside["rest"])
    others = [folded(choice) for choice in choices if choice != chosen]
    if _DENIAL.search(behind) or any(_word_in(other, behind) for other in others):
        return None
    return chosen


def folded(text: str) -> str:
    """The text without what does not tell names apart: case, accents, quotes, an article."""
    plain = " ".join(text.lower().translate(_UMLAUTS).split()).strip(_MARKS)
    if not plain.isascii():
        parts = unicodedata.normalize("NFKD", plain)
        plain = "".join(char for char in parts if not unicodedata.combining(char))
    return _ARTICLE.sub("", plain)


def shortened(text: str, most: int) -> str:
    """The text cut to at most this many characters, at a word's end where there is one."""
    cut = text[: most - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > most // 2 else cut).rstrip(" ,;:") + "…"


def _word_in(word: str, text: str) -> bool:
    """Whether a word or name stands in a text, also as the start of a longer word."""
    return re.search(rf"\b{re.escape(word)}", text) is not None
