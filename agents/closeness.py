"""Closeness of one person to another: a number from 0 to 1, in one direction, and its history.

Affordable Generative Agents (section 3.3) describe a relationship in words, without its strength;
Humanoid Agents add or subtract a point per talk. Here a talk moves closeness by a plain formula:

    faded = first + (before - first) * 0.5 ** (days since the last change / 14)
    step  = 0.15 * warmth of the feeling * min(1, lines / 6)  (+ 0.03 for a promise)
    after = faded + step * (1 - faded)    for a step upwards, faded + step * faded for one downwards

So strangers come closer quickly and friends slowly, an insult costs a friend more than a stranger,
short talks count less, and without new talks closeness fades back towards its first value.
"""

import re
from collections.abc import Mapping

WARMTH: Mapping[str, float] = {
    "grateful": 1.0,
    "glad": 0.9,
    "hopeful": 0.8,
    "amused": 0.8,
    "curious": 0.6,
    "calm": 0.4,
    "worried": 0.2,
    "sad": 0.1,
    "annoyed": -0.7,
    "hurt": -1.0,
}
"""How much a feeling after a talk brings two people closer; below 0 it drives them apart."""
MOST = 0.15
"""The largest step of a single talk."""
PROMISE = 0.03
WHOLE_TALK = 6
"""Number of lines from which a talk counts in full."""
HALF_LIFE_DAYS = 14.0
STRANGER, KNOWN = 0.1, 0.35
"""Initial closeness to a stranger, and to a person named in the persona file."""
_FIRST: tuple[tuple[float, str], ...] = (
    (0.85, r"(?<!late )(?:wife|husband)|married|spouse|fianc\w+"),
    (0.85, r"son|daughter|mother|father|child"),
    (0.8, r"sister|brother|twin|best friend|closest friend|in love"),
    (0.7, r"aunt|uncle|cousin|niece|nephew|grand\w+|family"),
    (0.6, r"friends?|confid\w+|tells? \w+ things first"),
    (0.2, r"rivals?|quarrel\w*|avoids?|dislikes?|feud\w*|distrusts?"),
    (0.45, r"neighbours?|neighbors?|colleagues?|works? (?:with|for|at)|teaches|teacher|regular"),
)
_NO_FRIEND = re.compile(r"\b(?:not|no longer|hardly)\b[^.]{0,20}\bfriends?\b", re.IGNORECASE)
_WORDS = (
    (0.75, "You feel very close to them."),
    (0.55, "You feel close to them."),
    (0.35, "You feel friendly towards them."),
    (0.2, "You do not feel close to them."),
)
DISTANT = "You keep your distance from them."


def first_closeness(relationship: str, *, is_known: bool) -> float:
    """Return the closeness that a relationship's description implies, before any talk in town."""
    if not is_known:
        return STRANGER
    text = _NO_FRIEND.sub("", relationship)
    for value, words in _FIRST:
        if re.search(rf"\b(?:{words})\b", text, re.IGNORECASE):
            return value
    return KNOWN


def after_talk(
    before: float, first: float, *, days: float, feeling: str, lines: int, promised: bool
) -> float:
    """Return the closeness after a talk, by the formula of this module.

    `first` is the closeness before any talk, `days` the time since the last change, `lines` the
    length of the talk. A feeling that is not in `WARMTH` has a warmth of 0.
    """
    faded = first + (before - first) * 0.5 ** (max(days, 0.0) / HALF_LIFE_DAYS)
    warmth = WARMTH.get(feeling, 0.0)
    step = MOST * warmth * min(1.0, lines / WHOLE_TALK) + (PROMISE if promised else 0.0)
    after: float = faded + step * ((1.0 - faded) if step > 0 else faded)
    return round(min(1.0, max(0.0, after)), 4)


def patience(closeness: float | None) -> float:
    """Return the factor by which closeness lengthens or shortens the wait before the next talk."""
    return 1.0 if closeness is None else 1.4 - 0.8 * closeness


def closeness_in_words(closeness: float) -> str:
    """Return a closeness as a sentence for a prompt, since small models misread numbers."""
    return next((words for least, words in _WORDS if closeness >= least), DISTANT)
