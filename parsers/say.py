"""What an agent says in its turn of a talk."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import Field, field_validator

from parsers.answer import Answer, Context, known

LONGEST = 240
"""Characters of one turn: a few short sentences."""
_WORD = 5
"""A text that was broken off is by so much shorter at most."""
_DOES = r"(?:[a-z]+s|[a-z]+ing)\b"
_STAGE = re.compile(
    rf"\*\s*{_DOES}[^*\n]{{0,50}}\*|\(\s*{_DOES}[^()\n]{{0,50}}\)"
    rf"|\[\s*{_DOES}[^\[\]\n]{{0,50}}\]",
    re.IGNORECASE,
)
"""What somebody does while speaking, as scripts write it: `*smiles*`, `(laughs quietly)`."""
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)]*(?=\s|$)")
_QUOTES = {'"': '"', "“": "”", "«": "»"}


class Utterance(Answer):
    """One turn of a talk."""

    text: Annotated[str, Field(min_length=1, max_length=LONGEST)] = Field(
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
    def call_schema(cls, choices: Mapping[str, Sequence[str | int]]) -> dict[str, Any]:
        """The JSON schema for one call, in which a sentence may be finished.

        Held to the letter at `LONGEST`, models end a line in the middle of a word; what is too long
        loses its last sentences here.
        """
        schema = super().call_schema(choices)
        schema["properties"]["text"]["maxLength"] = 2 * LONGEST
        return schema

    @classmethod
    def mend(
        cls, data: dict[str, Any], context: Context | None
    ) -> tuple[dict[str, Any], list[str]]:
        """The words alone: without the speaker's name, quotation marks or stage directions.

        Of a speech only the first sentences that fit are kept. The context's `name` is the
        speaker's.
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
        played = _unstaged(bare)
        if played != bare:
            notes.append("`text`: left out a stage direction")
        short = _shortened(played)
        if short != played:
            notes.append("`text`: kept the first sentences of a speech")
        return (data | {"text": short}, notes) if notes else (data, [])

    @classmethod
    def example(cls) -> Self:
        """A worked example."""
        return cls(text="Forty rolls by noon? I can manage that, if the flour comes.", ends=False)


def _without_name(text: str, name: object) -> str:
    """The text without the speaker's full or first name and a colon before it."""
    if not isinstance(name, str) or not name.strip():
        return text
    names = "|".join(re.escape(each) for each in (name.strip(), name.split()[0]))
    return re.sub(
        rf"^\W*(?:{names})(?:\s*\(you\))?\W{{0,3}}:\W{{0,2}}?\s*",
        "",
        text,
        count=1,
        flags=re.IGNORECASE,
    )


def _unstaged(text: str) -> str:
    """The text without stage directions, where words are left."""
    left = " ".join(_STAGE.sub(" ", text).split())
    left = re.sub(r"\s+([.,;:!?])", r"\1", left).lstrip(".,;: ")
    is_staged = _STAGE.search(text) is not None
    return left if is_staged and re.search(r"\w", left) else text


def _shortened(text: str) -> str:
    """The whole sentences of a text that fit into one turn; the text where not even one does.

    A server that holds a reply to the schema breaks a speech off in the middle of a sentence.
    """
    if len(text) < LONGEST - _WORD:
        return text
    if len(text) <= LONGEST and _SENTENCE_END.search(text, len(text) - 2):
        return text
    ends = [match.end() for match in _SENTENCE_END.finditer(text) if match.end() <= LONGEST]
    return text[: ends[-1]] if ends else text


def _unquoted(text: str) -> str:
    """The text without quotation marks that stand around the whole of it."""
    text = text.strip()
    while len(text) > 2 and _QUOTES.get(text[0]) == text[-1]:
        inner = text[1:-1].strip()
        if not inner or text[0] in inner or text[-1] in inner:
            break
        text = inner
    return text
