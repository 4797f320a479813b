"""Find the emoji in a text, each as a whole grapheme."""

import regex  # type: ignore[import-untyped]

_GRAPHEME = regex.compile(r"\X")
_EMOJI = regex.compile(r"\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3")
_LONGEST = 16
"""Characters of one emoji at most; longer graphemes are letters with many combining marks."""
MOST = 2
"""Emoji for one action at most."""


def first_emoji(text: str) -> str:
    """Return the first emoji of the text, up to `MOST`, unbroken; empty if there are none."""
    found: list[str] = []
    for grapheme in _GRAPHEME.finditer(text):
        cluster = grapheme[0]
        if len(cluster) <= _LONGEST and _EMOJI.match(cluster):
            found.append(cluster)
            if len(found) == MOST:
                break
    return "".join(found)
