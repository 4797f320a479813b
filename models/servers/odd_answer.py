"""Describe server answers that no client can read, in words for an operator."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from smolville.models.errors import UnreadableReply

if TYPE_CHECKING:
    from httpx import Response

LONGEST = 400
"""Characters of a server's or a client's message that are shown."""
TYPES = frozenset({"str", "int", "float", "bool", "bytes", "list", "dict", "none"})
"""Type names that pydantic adds to the path of a field with several possible types."""
NESTED = "The server sent an answer that is nested too deeply to be read."
ANSWERS = ("choices", "data", "embeddings")
"""Fields that show that an answer is a normal one, not an error."""


class ErrorInside(Exception):
    """An error that a server sent as an answer with status 200, with the server's message."""

    status_code = -1
    """Marker that clients use for errors inside a stream."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        """Store the answer's body beside the message."""
        told = words_in(body)
        super().__init__(on_a_line(told))
        inner = body.get("error")
        self.body = {"error": {**(inner if isinstance(inner, dict) else {}), "message": told}}


def words_in(body: object) -> str:
    """Return the error message in an answer's body; empty if it contains none.

    It is usually under `error`. FastAPI uses `detail`, and vLLM has sent the error object itself.
    """
    if not isinstance(body, Mapping):
        return ""
    told: Any = body.get("error")
    if told is None and not any(body.get(name) for name in ANSWERS):
        told = body.get("detail") or (body if body.get("object") == "error" else None)
    if isinstance(told, Mapping):
        told = told.get("message") or told.get("type") or told.get("code")
    return str(told or "")


def words_of(response: Any) -> str:
    """Return an error answer's message, or else its whole text; empty if it says nothing."""
    try:
        body = response.json()
    except ValueError:
        return str(response.text)
    told = body.get("message") if isinstance(body, Mapping) else None
    return words_in(body) or str(told or (response.text if body else ""))


def look_inside(response: "Response") -> None:
    """Raise ErrorInside if an answer with status 200 holds an error; a hook for httpx clients."""
    if _may_hold_one(response):
        response.read()
        _look_at(response)


async def look_inside_async(response: "Response") -> None:
    """Do the same for async clients."""
    if _may_hold_one(response):
        await response.aread()
        _look_at(response)


def _may_hold_one(response: "Response") -> bool:
    """Return whether a successful answer may hold an error: only if it is JSON, not a stream."""
    kind = response.headers.get("content-type", "")
    return response.is_success and kind.startswith("application/json")


def _look_at(response: "Response") -> None:
    try:
        body = response.json()
    except RecursionError as error:
        raise UnreadableReply(NESTED) from error
    except ValueError:
        return
    if words_in(body):
        raise ErrorInside(body)


def short(error: BaseException) -> str:
    """Return the exception's text on one line, shortened.

    Pydantic's errors are reworded: they name the fields that are missing or of another type.
    """
    text = str(error)
    if _is_pydantics(error):
        found: Any = error
        text = "; ".join(dict.fromkeys(_misfit(each) for each in found.errors(include_url=False)))
    return on_a_line(text) or type(error).__name__


def first_line(error: Exception) -> str:
    """Return the first line of an exception's text."""
    return str(error).strip().partition("\n")[0]


def format_error(error: Exception) -> str:
    """Return the message of an error that a server sent with status 200; empty if there is none.

    For such an error, langchain-openai raises a ValueError with the contents of `error`, and the
    ollama client a validation error, because the answer has no message.
    """
    if _is_pydantics(error):
        found: Any = error
        inputs = [each["input"] for each in found.errors() if each["type"] == "missing"]
        return on_a_line(next(filter(None, map(words_in, inputs)), ""))
    told: Any = error.args[0] if error.args else None
    return on_a_line(words_in({"error": told})) if isinstance(told, dict) else ""


def _is_pydantics(error: BaseException) -> bool:
    kind = type(error)
    return kind.__name__ == "ValidationError" and kind.__module__.startswith("pydantic_core")


def _misfit(detail: Mapping[str, Any]) -> str:
    names = [str(part) for part in detail["loc"] if str(part).isidentifier() and part not in TYPES]
    wrong = "is missing" if detail["type"] == "missing" else "is of another type than expected"
    return f"`{'.'.join(names)}` {wrong}" if names else f"it {wrong}"


def on_a_line(text: str) -> str:
    """Return a text on one line, shortened."""
    return " ".join(text.split())[:LONGEST]
