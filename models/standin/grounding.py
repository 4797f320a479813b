"""Check that an answer uses only what the rendered messages show."""

import json
import re
from collections.abc import Mapping
from typing import Any

from models.standin.errors import StandInError
from models.standin.rule import RuleAnswer
from models.standin.words import stems

_NAME = re.compile(r"\b[A-Z][\w’'-]*[^\W_]")


def check_grounded(step: str, meant: RuleAnswer, inputs: Mapping[str, Any], shown: str) -> None:
    """Raise StandInError when the answer uses something of the inputs that `shown` does not have.

    The texts the answer is based on, and every capitalised word in it, are checked.
    """
    for text in meant.used:
        if text and text not in shown and not _is_told(text, shown):
            raise StandInError(
                f"the stand-in will not answer {step!r} with {text!r}: "
                "the rendered messages do not show it"
            )
    written = json.dumps(meant.answer, ensure_ascii=False)
    unseen = [name for name in _NAME.findall(written) if name not in shown]
    if not unseen:
        return
    given = json.dumps(inputs, ensure_ascii=False)
    for name in unseen:
        if re.search(rf"\b{re.escape(name)}\b", given):
            raise StandInError(
                f"the stand-in will not answer {step!r} with the name {name!r}: "
                "the rendered messages do not show it"
            )


def _is_told(text: str, shown: str) -> bool:
    """Return True when a text's words are shown, perhaps in another form: wrapped, listed."""
    return stems(text) <= stems(shown)
