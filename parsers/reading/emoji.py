"""Find the emoji in a text, each a whole grapheme."""

import regex  # type: ignore[import-untyped]

_GRAPHEME = regex.compile(r"\X")
_EMOJI = regex.compile(r"\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3")
_LONGEST = 16
"""The most characters of one emoji; longer ones are letters' marks piled up."""
MOST = 2
"""The most emoji that stand for one action."""


def first_emoji(text: str) -> str:
    """The first emoji of the text, at most two, whole; empty where there is none."""
    found: list[str] = []
    for grapheme in _GRAPHEME.finditer(text):
        cluster = grapheme[0]
        if len(cluster) <= _LONGEST and _EMOJI.match(cluster):
            found.append(cluster)
            if len(found) == MOST:
                break
    return "".join(found)
