"""Find the emoji in a text."""

import re

_BASE = (
    "[\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff"
    "\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\u203c\u2049\u2122\u2139\u00a9\u00ae]"
)
_ONE = f"{_BASE}\ufe0f?[\U0001f3fb-\U0001f3ff]?(?:[\U000e0020-\U000e007f]+)?"
_EMOJI = re.compile(f"[\U0001f1e6-\U0001f1ff]{{2}}|[0-9#*]\ufe0f?\u20e3|{_ONE}(?:\u200d{_ONE})*")
MOST = 2
"""The most emoji that stand for one action."""


def first_emoji(text: str) -> str:
    """The first emoji of the text, at most two, whole; empty where there is none."""
    return "".join(_EMOJI.findall(text)[:MOST])
