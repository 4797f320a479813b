"""The answer of the step `conclude_talk`: what a participant keeps of a talk."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationInfo, field_validator

from parsers.answer import Answer, Context, read_context_value
from parsers.problem import field_problem, one_of, reject
from parsers.reading.scalars import null_when_said
from parsers.reading.sentences import clip_text

MOST_KEPT = 3
"""Maximum number of lines of a talk that are kept."""
LONGEST = 240
"""Maximum number of characters of a summary: one long sentence, or a few short ones."""
Feeling = Literal[
    "glad", "grateful", "hopeful", "amused", "curious", "calm", "worried", "sad", "annoyed", "hurt"
]


class TalkConclusion(Answer):
    """The summary of a talk, the lines to keep, a promise, and the feeling that remains."""

    summary: Annotated[str, Field(min_length=5, max_length=LONGEST)] = Field(
        description="what was talked about, in one sentence",
        json_schema_extra={"aliases": ["talk_summary"]},
    )
    keep: Annotated[list[int], Field(max_length=MOST_KEPT)] = Field(
        description="the numbers of lines in TALK with news or an invitation; [] when none",
        json_schema_extra={"aliases": ["kept", "lines", "numbers", "news"]},
    )
    promise: Annotated[str, Field(min_length=3, max_length=160)] | None = Field(
        default=None,
        description="what you yourself have promised to do, with day and time; null when nothing",
        json_schema_extra={"aliases": ["plan", "plans", "planning", "promises"]},
    )
    feeling: Feeling = Field(
        description="how the talk leaves you",
        json_schema_extra={"aliases": ["feelings", "emotion", "mood"]},
    )

    @field_validator("promise", mode="before")
    @classmethod
    def _is_null_when_said(cls, value: Any) -> Any:
        return None if value in ("no", "No", "No.", "no promise") else null_when_said(value)

    @field_validator("keep")
    @classmethod
    def _are_lines_of_others(cls, keep: list[int], info: ValidationInfo) -> list[int]:
        """Check that every number is that of a line said by somebody else."""
        numbers = read_context_value(info.context, "numbers")
        for at, number in enumerate(keep):
            if numbers is not None and number not in numbers:
                rest = f", which is no line that somebody else said. {one_of(number, numbers)}"
                reject([field_problem(str(at), number, rest, "choice")])
        return keep

    @classmethod
    def call_schema(cls, choices: Mapping[str, Sequence[str | int]]) -> dict[str, Any]:
        """Return the JSON schema for one call, which leaves room to finish a sentence."""
        schema = super().call_schema(choices)
        schema["properties"]["summary"]["maxLength"] = 2 * LONGEST
        return schema

    @classmethod
    def mend(
        cls, data: dict[str, Any], context: Context | None
    ) -> tuple[dict[str, Any], list[str]]:
        """Keep only lines of others, each once, up to the limit; drop promises made by others.

        The context's `others` are the names of the other participants. `spoke` says whether the
        agent said anything; without speaking it has promised nothing.
        """
        mended, notes = dict(data), list[str]()
        summary = data.get("summary")
        if isinstance(summary, str) and len(summary) > LONGEST:
            mended["summary"] = clip_text(" ".join(summary.split()), LONGEST)
            notes.append("`summary`: kept what fits into one sentence")
        keep, numbers = data.get("keep"), read_context_value(context, "numbers")
        is_read = isinstance(keep, list) and all(isinstance(each, int) for each in keep)
        if numbers is not None and isinstance(keep, list) and is_read:
            kept = [number for number in dict.fromkeys(keep) if number in numbers][:MOST_KEPT]
            if kept != keep:
                mended["keep"] = kept
                notes.append("`keep`: left out numbers of other lines")
        promise = null_when_said(data.get("promise"))
        if isinstance(promise, str):
            whose = _find_other_actor(promise, read_context_value(context, "others") or ())
            if whose:
                mended["promise"] = None
                notes.append(f"`promise`: left out what {whose} does")
            elif read_context_value(context, "spoke") is False:
                mended["promise"] = None
                notes.append("`promise`: left out, for you said nothing")
        return mended, notes

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            summary="Ben told Anna about the harvest fair and asked her to bake.",
            keep=[2],
            promise="Anna bakes forty rolls by noon on Saturday.",
            feeling="glad",
        )


def _find_other_actor(promise: str, others: Sequence[str]) -> str:
    """Return the other person who has to do what is promised; empty if it is the agent itself."""
    sentence = promise.casefold().lstrip(" \"'*-")
    for name in others:
        full, first = (re.escape(each) for each in (name.casefold(), name.split()[0].casefold()))
        if re.match(rf"(?>{full}|{first})\b(?!,| and\b|['’]s\b)", sentence):
            return name
    return ""
