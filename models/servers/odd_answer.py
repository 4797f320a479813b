"""What an answer is that no client can read, in words for an operator."""

from collections.abc import Mapping
from typing import Any

LONGEST = 200
"""Characters of a server's or a client's words that are told."""
TYPES = frozenset({"str", "int", "float", "bool", "bytes", "list", "dict", "none"})
"""What pydantic adds to the path of a field that may be of several types."""


def short(error: BaseException) -> str:
    """Return the exception's text on one line, shortened.

    Pydantic's is put in other words: the fields that are missing or of another type.
    """
    text = str(error)
    if _is_pydantics(error):
        found: Any = error
        text = "; ".join(dict.fromkeys(_misfit(each) for each in found.errors(include_url=False)))
    return _on_a_line(text) or type(error).__name__


def error_told(error: Exception) -> str:
    """Return the words of an error that a server sent with status 200; empty where it did not.

    langchain-openai raises a ValueError of what stood under `error`; the ollama client finds that
    the message is missing.
    """
    told: Any = error.args[0] if error.args and isinstance(error.args[0], dict) else None
    if _is_pydantics(error):
        found: Any = error
        inputs = [each["input"] for each in found.errors() if each["type"] == "missing"]
        told = next((each.get("error") for each in inputs if isinstance(each, dict)), None)
    words = told.get("message") if isinstance(told, dict) else told
    return _on_a_line(str(words or ""))


def _is_pydantics(error: BaseException) -> bool:
    """Return whether pydantic could not make an answer's object."""
    kind = type(error)
    return kind.__name__ == "ValidationError" and kind.__module__.startswith("pydantic_core")


def _misfit(detail: Mapping[str, Any]) -> str:
    """Return which field of an answer is missing, or not what was expected."""
    names = [str(part) for part in detail["loc"] if str(part).isidentifier() and part not in TYPES]
    field = f"`{'.'.join(names)}`" if names else "it"
    wrong = "is missing" if detail["type"] == "missing" else "is of another type than expected"
    return f"{field} {wrong}"


def _on_a_line(text: str) -> str:
    """Return a text on one line, shortened."""
    return " ".join(text.split())[:LONGEST]
