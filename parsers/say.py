"""The answer of the step `say`: an agent's line in its turn of a talk."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, field_validator

from smolville.parsers.answer import Answer, Context, Mended, answer_field, read_context_value
from smolville.parsers.prompt_inputs import (
    PersonaInput,
    PlannedCard,
    PromptInput,
    RecalledMemory,
    SpokenLine,
)
from smolville.parsers.reading.sentences import SAYS, keep_whole_sentences, without_said
from smolville.prompts.contract import ChatTurn

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
    r"\b(?:(?:how )?(?:can|could|may) i (?:assist|be of)|as an ai\b|language model"
    r"|sorry,? but i (?:can['’]t|cannot|can not) (?:help|assist)(?: you)? with that"
    r"|(?:can['’]t|cannot) assist\b|(?:ai|virtual) assistant|(?:happy|glad|here) to assist"
    r"|feel free to (?:reach|contact)|hesitate to (?:ask|reach|contact)"
    r"|if you (?:have|need) any (?:further|other|more) (?:questions|information|assistance))",
    re.IGNORECASE,
)
"""Phrases of customer service and assistant programs, which people in a small town do not use."""
_QUOTES = {'"': '"', "“": "”", "«": "»"}


class TalkMemory(RecalledMemory):
    """A memory recalled for a talk."""

    former: ClassVar[frozenset[str]] = frozenset({"is_theirs"})

    of_line: bool = False
    """Whether it came to mind at the other's last line."""


class SayInput(PromptInput):
    """The inputs that the prompt `say` shows."""

    former: ClassVar[frozenset[str]] = frozenset({"only"})

    me: PersonaInput
    """The speaker."""
    now: str
    place: str
    others: tuple[str, ...]
    """The people to whom I speak."""
    doing: str
    """What I was doing, and what they were doing."""
    relationship: str
    """What we are to each other, what I feel, and what we talked about lately."""
    reason: str
    """Why I wanted this talk; empty if only others did."""
    here: tuple[str, ...] = Field((), exclude_if=lambda here: not here)
    """Who else is here, each with what they do."""
    plan: tuple[PlannedCard, ...] = Field((), exclude_if=lambda plan: not plan)
    """My plan for the rest of the day."""
    deeds: tuple[PlannedCard, ...] = Field((), exclude_if=lambda deeds: not deeds)
    """What I did in the last hours."""
    memories: tuple[TalkMemory, ...]
    """Memories that came to mind at the last line, and others about these people and the topic."""
    named: tuple[str, ...] = Field((), exclude_if=lambda named: not named)
    """Who the people named in the last line are to me."""
    news: str = ""
    """The best memory that is news to them and was not told yet; empty if there is none."""
    lines: tuple[SpokenLine, ...]
    """The lines so far; empty if I speak first."""
    turns_left: int
    """Number of lines that may still be said, including this one."""
    needs: str = Field(default="", exclude_if=lambda needs: not needs)
    """The needs that I feel, one sentence each."""
    agreed: tuple[str, ...] = Field((), exclude_if=lambda agreed: not agreed)
    """What I have agreed with them in earlier talks, one line each."""
    may_refuse: bool = Field(default=False, exclude_if=lambda may_refuse: not may_refuse)
    """Whether I was not asked if I want to talk, and may say at once that I have no time."""

    def turns(self) -> tuple[ChatTurn, ...]:
        """Return all lines but the last as chat turns; the agent's own are answers of the model."""
        return tuple(
            ChatTurn(line, _as_answered(line.text) if line.speaker == self.me.name else "")
            for line in self.lines[:-1]
        )

    def opening(self) -> Self | None:
        """Return the inputs of the agent's opening line; None if somebody else began the talk."""
        is_own = bool(self.lines) and self.lines[0].speaker == self.me.name
        return self.model_copy(update={"lines": ()}) if is_own else None


def _as_answered(text: str) -> str:
    return json.dumps({"text": text, "ends": False}, ensure_ascii=False)


class Utterance(Answer):
    """One turn of a talk."""

    text: Annotated[str, Field(min_length=1, max_length=LONGEST)] = answer_field(
        "only the words you say, without your name and without quotation marks",
        "utterance message line speech says response reply",
    )
    ends: bool = answer_field(
        "true if the talk ends with these words, false if it goes on",
        "end ended is_end talk_ends ends_talk",
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
    def mend(cls, data: dict[str, Any], context: Context | None) -> Mended:
        """Return the words alone: without the speaker's name, quotation marks or stage directions.

        Sentences that were said in this talk before are left out if others remain, and only the
        first sentences that fit are kept.

        In the context, `name` is the speaker's, and `said` holds the lines so far.
        """
        text, notes = data.get("text"), list[str]()
        if not isinstance(text, str):
            return data, []
        for mend, note in _mends(context):
            new = mend(text)
            if new != text.strip():
                notes.append(f"`text`: {note}")
            text = new
        return (data | {"text": text} if notes else data), notes

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(text="Forty rolls by noon? I can manage that, if the flour comes.", ends=False)


def _mends(context: Context | None) -> Iterator[tuple[Callable[[str], str], str]]:
    """Yield each mend of a line with its note, in the order of mending."""
    name, said = (read_context_value(context, each) or () for each in ("name", "said"))
    yield partial(_without_name, name=name), "left out the name before it"
    yield _drop_outer_quotes, "left out the quotation marks around it"
    yield _drop_stage_directions, "left out a stage direction"
    yield partial(without_said, said=said), "left out what has been said before"
    yield partial(keep_whole_sentences, longest=LONGEST), "kept the first sentences of a speech"


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
    left = " ".join(_STAGE.sub(" ", text).split())
    left = re.sub(r"\s+([.,;:!?])", r"\1", left).lstrip(".,;: ")
    is_staged = _STAGE.search(text) is not None
    return left if is_staged and re.search(r"\w", left) else text


def _drop_outer_quotes(text: str) -> str:
    text = text.strip()
    while len(text) > 2 and _QUOTES.get(text[0]) == text[-1]:
        inner = text[1:-1].strip()
        if not inner or text[0] in inner or text[-1] in inner:
            break
        text = inner
    return text
