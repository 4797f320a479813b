"""The answer of the step `say`: an agent's line in its turn of a talk."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import Field, field_validator

from parsers.answer import Answer, Context, read_context_value
from parsers.reading.sentences import keep_whole_sentences, without_asking_again, without_said

LONGEST = 240
"""Characters of one turn at most: a few short sentences."""
_DOES = r"(?:[a-z]+s|[a-z]+ing)\b"
_STAGE = re.compile(
    rf"\*\s*{_DOES}[^*\n]{{0,50}}\*|\(\s*{_DOES}[^()\n]{{0,50}}\)"
    rf"|\[\s*{_DOES}[^\[\]\n]{{0,50}}\]",
    re.IGNORECASE,
)
"""Stage directions as in scripts: `*smiles*`, `(laughs quietly)`."""
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
        return _drop_outer_quotes(value) if isinstance(value, str) else value

    @classmethod
    def call_schema(cls, choices: Mapping[str, Sequence[str | int]]) -> dict[str, Any]:
        """Return the JSON schema for one call, which leaves room to finish a sentence.

        With the hard limit `LONGEST`, models would end a line in the middle of a word; a line that
        is too long loses its last sentences here.
        """
        schema = super().call_schema(choices)
        schema["properties"]["text"]["maxLength"] = 2 * LONGEST
        return schema

    @classmethod
    def mend(
        cls, data: dict[str, Any], context: Context | None
    ) -> tuple[dict[str, Any], list[str]]:
        """Return the words alone: without the speaker's name, quotation marks or stage directions.

        Repeated sentences are left out if others remain, and only the first sentences that fit are
        kept. The context's `name` is the speaker's, `said` holds the lines of the talk so far.
        """
        text, notes = data.get("text"), []
        if not isinstance(text, str):
            return data, []
        words = _without_name(text, read_context_value(context, "name"))
        if words != text:
            notes.append("`text`: left out the name before it")
        bare = _drop_outer_quotes(words)
        if bare != words.strip():
            notes.append("`text`: left out the quotation marks around it")
        played = _drop_stage_directions(bare)
        if played != bare:
            notes.append("`text`: left out a stage direction")
        said = read_context_value(context, "said") or ()
        new = without_said(played, said)
        if new != played:
            notes.append("`text`: left out what has been said before")
        asked = without_asking_again(new, said)
        if asked != new:
            notes.append("`text`: left out asking once more how somebody is")
            new = asked
        short = keep_whole_sentences(new, LONGEST)
        if short != new:
            notes.append("`text`: kept the first sentences of a speech")
        return (data | {"text": short}, notes) if notes else (data, [])

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(text="Forty rolls by noon? I can manage that, if the flour comes.", ends=False)


def _without_name(text: str, name: object) -> str:
    """Return the text without the speaker's full or first name and a colon before it."""
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


def _drop_stage_directions(text: str) -> str:
    """Return the text without stage directions, if words are left."""
    left = " ".join(_STAGE.sub(" ", text).split())
    left = re.sub(r"\s+([.,;:!?])", r"\1", left).lstrip(".,;: ")
    is_staged = _STAGE.search(text) is not None
    return left if is_staged and re.search(r"\w", left) else text


def _drop_outer_quotes(text: str) -> str:
    """Return the text without quotation marks around the whole of it."""
    text = text.strip()
    while len(text) > 2 and _QUOTES.get(text[0]) == text[-1]:
        inner = text[1:-1].strip()
        if not inner or text[0] in inner or text[-1] in inner:
            break
        text = inner
    return text
