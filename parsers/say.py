"""What an agent says in its turn of a talk."""

import re
from typing import Annotated, Any, Self

from pydantic import Field, field_validator

from parsers.answer import Answer, Context, known

_QUOTES = {'"': '"', "“": "”", "«": "»"}


class Utterance(Answer):
    """One turn of a talk."""

    text: Annotated[str, Field(min_length=1, max_length=600)] = Field(
        description="only the words you say, without your name and without quotation marks",
        json_schema_extra={
            "aliases": ["utterance", "message", "line", "speech", "says", "response", "reply"]
        },
    )
    ends: bool = Field(
        description="true if the talk ends with these words, false if it goes on",
        json_schema_extra={"aliases": ["end", "ended", "is_end", "talk_ends", "ends_talk"]},
    )

    @field_validator("text", mode="before")
    @classmethod
    def _has_no_quotes_around_it(cls, value: object) -> object:
        return _unquoted(value) if isinstance(value, str) else value

    @classmethod
    def mend(
        cls, data: dict[str, Any], context: Context | None
    ) -> tuple[dict[str, Any], list[str]]:
        """The words without the speaker's name before them and without quotation marks around.

        The context's `name` is the speaker's.
        """
        text, notes = data.get("text"), []
        if not isinstance(text, str):
            return data, []
        words = _without_name(text, known(context, "name"))
        if words != text:
            notes.append("`text`: left out the name before it")
        bare = _unquoted(words)
        if bare != words.strip():
            notes.append("`text`: left out the quotation marks around it")
        return (data | {"text": bare}, notes) if notes else (data, [])

    @classmethod
    def example(cls) -> Self:
        """A worked example."""
        return cls(text="Good morning! Did the flour arrive yesterday?", ends=False)


def _without_name(text: str, name: object) -> str:
    """The text without the speaker's full or first name and a colon before it."""
    if not isinstance(name, str) or not name.strip():
        return text
    names = "|".join(re.escape(each) for each in (name.strip(), name.split()[0]))
    return re.sub(
        rf"^\W*(?:{names})\W{{0,3}}:\W{{0,2}}?\s*", "", text, count=1, flags=re.IGNORECASE
    )


def _unquoted(text: str) -> str:
    """The text without quotation marks that stand around the whole of it."""
    text = text.strip()
    while len(text) > 2 and _QUOTES.get(text[0]) == text[-1]:
        inner = text[1:-1].strip()
        if not inner or text[0] in inner or text[-1] in inner:
            break
        text = inner
    return text
