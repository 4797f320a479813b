"""Find the mistakes that a prompt mentions, in repair messages and in reminders among its rules."""

import re
from collections.abc import Sequence
from typing import Any

REMINDER = "Check:"
"""Begins a line about a frequent mistake; it works like a repair message."""

_LISTS = {"rate_importance": ("ratings", "number")}
_ONLY = re.compile(r"\bonly (?:these|this|the|for|with)?\b[^0-9\n]{0,40}((?:\d+(?:, | and )?)+)")


def only_asked(step: str, answer: dict[str, Any], repair: str) -> dict[str, Any]:
    """Return the answer reduced to the items that the repair message still asks for."""
    found = _ONLY.search(repair)
    if step not in _LISTS or found is None:
        return answer
    name, key = _LISTS[step]
    wanted = {int(number) for number in re.findall(r"\d+", found[1])}
    items = [item for item in answer[name] if item[key] in wanted]
    return {**answer, name: items} if items else answer


def reminders(messages: Sequence[str]) -> list[str]:
    """Return the lines of a question that warn of mistakes, as a template's author adds them."""
    lines = (line.strip() for text in messages for line in text.splitlines())
    return [line for line in lines if line.startswith(REMINDER)]
