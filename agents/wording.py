"""Make texts by models and people safe to store and show, and write numbers for people."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from smolville.agents.errors import RunError

LONGEST = 2_000
"""Maximum number of characters that an operator may send to a town at once."""
LONGEST_SHOWN = 4_000
"""Maximum number of characters of a model's text that are shown."""
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # Control characters except tab and newline.
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # Change the text direction or break lines.
    "\xad\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"  # Invisible characters.
    "\ud800-\udfff\ue000-\uf8ff\U000e0000-\U000e007f\U000f0000-\U0010ffff]"
)
"""Control and invisible characters, without those that join emoji or the letters of a script."""
JOINER = "\u200d"
"""The character that joins emoji; all other characters that only control typesetting are
removed."""
_MARKER = re.compile(
    r"<\s*([|/]?\s*(?:im_\w+|start_\w+|end_\w+|eot\w*|eom\w*|s|bos|eos|pad|unk|system|user|assistant)\b"
    r"[^<>]{0,40})>|<\|([^<>]{0,60})\|>|\[\s*(/?INST|/?SYS\w*)\s*\]|<<\s*(/?SYS)\s*>>",
    re.IGNORECASE,
)
"""Markers that models' chat templates put between messages."""


def _as_python(letter: str) -> str:
    return letter.encode("unicode_escape").decode()


def visible(text: str, written: Callable[[str], str] = _as_python) -> str:
    r"""Return a text with control and invisible characters written as escape sequences.

    An escape character becomes `\x1b`, a bidirectional override `\u202e`; newlines are kept.
    """
    return _UNSEEN.sub(lambda found: written(found[0]), text)


@dataclass(frozen=True, kw_only=True)
class ShownText:
    """A model's text, shortened for display."""

    text: str
    more: int
    """Number of characters left out."""


def shown_text(text: str, longest: int = LONGEST_SHOWN) -> ShownText:
    """Return a model's text for a page: shortened, and with invisible characters made visible."""
    cut = text[:longest]
    return ShownText(text=visible(cut), more=len(text) - len(cut))


def visible_line(text: str) -> str:
    """Return a text on one line, with control characters as escape sequences."""
    return " ".join(visible(text).split())


def one_line(text: str) -> str:
    """Return a text on one line, without control characters."""
    return "".join(letter if letter.isprintable() else " " for letter in " ".join(text.split()))


def names_of(people: Sequence[str]) -> str:
    """Return the participants' names if they are short enough, else their number."""
    if len(people) == 1:
        return f"{people[0]} alone"
    if len(people) <= 5:
        return f"{', '.join(people[:-1])} and {people[-1]}"
    return f"{len(people)} people: {', '.join(people[:3])}, ..."


def join_words(items: Sequence[str]) -> str:
    """Return `a`, `a and b` or `a, b and c`; an empty text for none."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def check_text(text: str, what: str) -> str:
    """Return an operator's text on one line. Raises RunError when it is empty or too long."""
    line = one_line(text).strip()
    if not line:
        raise RunError(f"{what} needs some words.")
    if len(line) > LONGEST:
        raise RunError(f"{what} has at most {LONGEST:,} letters; this has {len(line):,}.")
    return line


def plain(text: str, longest: int) -> str:
    """Return a text on one line without control characters, cut between words if too long.

    Anything that a model's chat template would read as the end of a message loses its brackets.
    """
    text = unicodedata.normalize("NFC", text[: 20 * longest])
    kept = (letter for letter in text if letter == JOINER or _is_shown(letter))
    line = " ".join("".join(" " if letter.isspace() else letter for letter in kept).split())
    # Twice: removing one marker must not create another.
    while (harmless := _MARKER.sub(_without_brackets, line)) != line:
        line = harmless
    return _cut_line(" ".join(line.split()), longest)


def _is_shown(letter: str) -> bool:
    return letter.isspace() or unicodedata.category(letter)[0] != "C"


def _without_brackets(found: re.Match[str]) -> str:
    return next((part for part in found.groups() if part), "").strip(" |/")


def _cut_line(line: str, longest: int) -> str:
    """Return a line cut to the length, between words if that costs little."""
    if len(line) <= longest:
        return line
    head = line[: longest - 2]
    at = head.rfind(" ")
    return f"{(head[:at] if at > longest * 3 // 4 else head).rstrip()} …"


def percent(part: float, whole: float, digits: int = 1, gap: str = " ") -> str:
    """Return a share as `93.1 %`.

    A share just above 0 is shown as `< 0.1 %`, and a share just below 100 as `> 99.9 %`.
    """
    if not whole:
        return f"-{gap}%"
    share = 100 * part / whole
    least = 10**-digits
    if 0 < share < least:
        return f"<{gap}{least:.{digits}f}{gap}%"
    if 100 - least < share < 100:
        return f">{gap}{100 - least:.{digits}f}{gap}%"
    return f"{share:.{digits}f}{gap}%"


def thousands(number: int) -> str:
    """Return a number of tokens in at most five characters, `9.9k`, `120k`, `1.2M`."""
    if number < 1_000:
        return str(number)
    if number < 999_500:
        return f"{number / 1_000:.1f}k" if number < 99_950 else f"{number / 1_000:.0f}k"
    return f"{number / 1_000_000:.1f}M"


def format_count(number: int, word: str, words: str = "") -> str:
    """Return a number with its noun: `1 call`, `1,204 calls`."""
    return f"{number:,} {word if number == 1 else words or f'{word}s'}"


def as_sentence(text: str) -> str:
    """Return a text as a sentence: with a full stop, and with a capital except before a file name.

    `run.json of run 'x' is damaged` keeps its first letter and gets a full stop.
    """
    first, _, _ = text.partition(" ")
    begun = text[:1].upper() + text[1:] if "." not in first.rstrip(".") else text
    return begun if begun.rstrip("”").endswith((".", "?", "!")) else f"{begun}."


NONE = "·"
"""Shown for a value that is unknown or did not occur."""


def format_seconds(milliseconds: float | None) -> str:
    """Return a duration as text: `840 ms`, `2.4 s`."""
    if milliseconds is None:
        return NONE
    if milliseconds < 1000:
        return f"{milliseconds:.0f} ms"
    return f"{milliseconds / 1000:.{1 if milliseconds < 100_000 else 0}f} s"


def format_tokens(number: float | None) -> str:
    """Return a mean number of tokens in short form."""
    return NONE if number is None else thousands(round(number))
