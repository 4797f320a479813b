"""What an answer is that no client can read, in words for an operator."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from httpx import Response

LONGEST = 200
"""Characters of a server's or a client's words that are told."""
TYPES = frozenset({"str", "int", "float", "bool", "bytes", "list", "dict", "none"})
"""What pydantic adds to the path of a field that may be of several types."""
ANSWERS = ("choices", "data", "embeddings")
"""Fields of which an answer has one that is what was asked for."""


class ErrorInside(Exception):
    """An error that a server sent as an answer with status 200, in the server's words."""

    status_code = -1
    """As clients mark an error that comes inside of a stream."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        """Keep what the server said beside its words."""
        super().__init__(words_in(body))
        inner = body.get("error")
        self.body = {"error": {**(inner if isinstance(inner, dict) else {}), "message": str(self)}}


def words_in(body: object) -> str:
    """Return the words of an error in an answer's body; empty where it holds none.

    They stand under `error` as a rule; `detail` is FastAPI's, and vLLM has sent the error itself.
    """
    if not isinstance(body, Mapping):
        return ""
    told: Any = body.get("error")
    if told is None and not any(body.get(name) for name in ANSWERS):
        told = body.get("detail") or (body if body.get("object") == "error" else None)
    if isinstance(told, Mapping):
        told = told.get("message") or told.get("type") or told.get("code")
    return _on_a_line(str(told or ""))


def look_inside(response: "Response") -> None:
    """Raise ErrorInside for an error that came with status 200: an event hook of httpx clients."""
    if _may_hold_one(response):
        response.read()
        _look_at(response)


async def look_inside_async(response: "Response") -> None:
    """Do what `look_inside` does, for clients that are awaited."""
    if _may_hold_one(response):
        await response.aread()
        _look_at(response)


def _may_hold_one(response: "Response") -> bool:
    """Return whether it is one JSON text; what comes in pieces is not read here."""
    kind = response.headers.get("content-type", "")
    return response.is_success and kind.startswith("application/json")


def _look_at(response: "Response") -> None:
    try:
        body = response.json()
    except ValueError:
        return
    if words_in(body):
        raise ErrorInside(body)


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
    if _is_pydantics(error):
        found: Any = error
        inputs = [each["input"] for each in found.errors() if each["type"] == "missing"]
        return next(filter(None, map(words_in, inputs)), "")
    told: Any = error.args[0] if error.args else None
    return words_in({"error": told}) if isinstance(told, dict) else ""


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
