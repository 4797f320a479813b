"""The answer of the step `say`: an agent's line in its turn of a talk."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Self

from pydantic import Field, field_validator

from parsers.answer import Answer, Context, read_context_value
from parsers.reading.sentences import (
    keep_whole_sentences,
    sentences_of,
    without_asking_again,
    without_said,
)
from parsers.reading.turns import SAYS

LONGEST = 240
"""Maximum number of characters of one turn: a few short sentences."""
_DOES = r"(?:[a-z]+s|[a-z]+ing)\b"
_STAGE = re.compile(
    rf"\*\s*{_DOES}[^*\n]{{0,50}}\*|\(\s*{_DOES}[^()\n]{{0,50}}\)"
    rf"|\[\s*{_DOES}[^\[\]\n]{{0,50}}\]",
    re.IGNORECASE,
)
"""Stage directions as in scripts: `*smiles*`, `(laughs quietly)`."""
SERVICE = re.compile(
    r"\b(?:how (?:can|may) i (?:help|assist)|(?:can|could|may) i (?:assist|be of)|as an ai\b"
    r"|(?:can['’]t|cannot) assist\b"
    r"|(?:ai|virtual) assistant|language model|feel free to (?:ask|reach|contact)"
    r"|(?:do not|don't) hesitate to|any (?:further|other|more) (?:questions|information|assistance)"
    r"|(?:happy|glad|here) to (?:assist|help you)|let me know if (?:you|there)"
    r"|is there anything else|i(?:'d| would) be happy to (?:help|assist)|how can i be of)",
    re.IGNORECASE,
)
"""Phrases of customer service and assistant programs, which people in a small town do not use."""
_GREETING = r"(?:hello|hi|hey|good (?:morning|afternoon|evening|day|night)|goodbye|bye)"
_MEETS = re.compile(
    r"\b(nice|good|great|lovely|pleased|glad|a pleasure) to meet you", re.IGNORECASE
)
"""What is said at a first meeting."""
_INTRODUCES = r"(?:i['’]m|i am|my name is|it['’]s|this is)"
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

        With the hard limit `LONGEST`, models would end a line in the middle of a word. So the
        schema allows longer lines, and `mend` drops their last sentences.
        """
        schema = super().call_schema(choices)
        if "text" in choices:
            del schema["properties"]["ends"]
            schema["required"].remove("ends")
        else:
            schema["properties"]["text"]["maxLength"] = 2 * LONGEST
        return schema

    @classmethod
    def mend(
        cls, data: dict[str, Any], context: Context | None
    ) -> tuple[dict[str, Any], list[str]]:
        """Return the words alone: without the speaker's name, quotation marks or stage directions.

        Some sentences are left out if others remain: repeated ones, those in the style of a call
        centre, and an introduction to somebody who already knows the speaker. To such a person,
        "glad to meet you" becomes "glad to see you". Only the first sentences that fit are kept.

        In the context, `name` is the speaker's, `others` are the listeners' names, and `said` holds
        the lines so far. `are_strangers` is False for people who have met. `ends` is True if a
        goodbye was asked for.
        """
        text, notes = data.get("text"), list[str]()
        if not isinstance(text, str):
            return data, []
        for mend, note in _mends(context):
            new = mend(text)
            if new != text.strip():
                notes.append(f"`text`: {note}")
            text = new
        mended = data | {"text": text} if notes else data
        if read_context_value(context, "ends") and data.get("ends") is not True:
            return mended | {"ends": True}, [*notes, "`ends`: a goodbye ends the talk"]
        return mended, notes

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(text="Forty rolls by noon? I can manage that, if the flour comes.", ends=False)


def _mends(context: Context | None) -> Iterator[tuple[Callable[[str], str], str]]:
    """Yield each mend of a line with its note, in the order of mending."""
    name, others, said = (
        read_context_value(context, each) or () for each in ("name", "others", "said")
    )
    yield partial(_without_name, name=name), "left out the name before it"
    yield _drop_outer_quotes, "left out the quotation marks around it"
    yield _drop_stage_directions, "left out a stage direction"
    yield partial(without_said, said=said), "left out what has been said before"
    yield partial(without_asking_again, said=said), "left out asking once more how somebody is"
    yield (
        partial(_without_sentences, is_out=SERVICE.search),
        "left out what a call centre says",
    )
    if name and read_context_value(context, "are_strangers") is False:
        yield (
            partial(_without_sentences, is_out=_introduction(name).match),
            "left out an introduction to somebody who knows you",
        )
        yield partial(_MEETS.sub, _see_again), "is glad to see, not to meet, somebody it knows"
    if name:
        yield (
            partial(_address, name=name, others=others),
            "put the listener's name for your own",
        )
    yield partial(keep_whole_sentences, longest=LONGEST), "kept the first sentences of a speech"


def _without_sentences(text: str, is_out: Callable[[str], object]) -> str:
    """Return a text without the sentences that are out of place, if others are left."""
    sentences = sentences_of(text)
    rest = [each for each in sentences if not is_out(each)]
    return " ".join(rest) if rest and len(rest) < len(sentences) else text


def _see_again(found: re.Match[str]) -> str:
    """Return the phrase for an acquaintance that replaces one for a first meeting."""
    return f"{found[1]} to see you"


def _introduction(name: str) -> re.Pattern[str]:
    """Return the pattern of a sentence that only states the speaker's name."""
    first, *more = (re.escape(each) for each in name.split())
    rest = rf"(?: {' '.join(more)})?" if more else ""
    return re.compile(rf"\W*(?:and )?{_INTRODUCES} {first}{rest}\W*$", re.IGNORECASE)


def _address(text: str, name: str, others: Sequence[str]) -> str:
    """Return a text in which the only listener is addressed, not the speaker by mistake."""
    first = name.split()[0]
    if len(others) != 1 or first in others[0].split():
        return text
    if re.match(
        rf"\W*(?:{'|'.join(map(re.escape, others[0].split()))})\b(?: {SAYS})?\W{{0,3}}:", text
    ):
        return text  # the listener's own turn, which is refused
    called = re.compile(
        rf"(?P<lead>(?:^|[.!?] )(?:{_GREETING},? )|(?<!\bme)(?<!\bname is), ){re.escape(first)}"
        r"(?=[.!?]|, |$)",
        re.IGNORECASE,
    )
    return called.sub(lambda found: found["lead"] + others[0].split()[0], text)


def _without_name(text: str, name: object) -> str:
    """Return the words of a text in which the speaker is named as in a script or a story.

    `Rosa: Hello.`, `Rosa says: "Hello."` and `"Hello," said Rosa.` all mean `Hello`.
    """
    if not isinstance(name, str) or not name.strip():
        return text
    names = "|".join(re.escape(each) for each in (name.strip(), name.split()[0]))
    tail = rf"(?:{SAYS} (?:{names})|(?:{names}) {SAYS})\W*"
    told = re.fullmatch(
        rf"[\"“](?P<words>[^\"“”]+?)(?P<comma>,?)[\"”],? {tail}", text.strip(), re.IGNORECASE
    )
    if told is not None:
        return told["words"] + ("." if told["comma"] else "")
    return re.sub(
        rf"^\W*(?:{names})(?:\s*\(you\))?"
        rf"(?:(?: {SAYS})?\W{{0,3}}:\W{{0,2}}?| {SAYS},?(?= ?[\"“][^\"“”]*[\"”]\W*$))\s*",
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
