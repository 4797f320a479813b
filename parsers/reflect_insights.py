"""The answer of the step `reflect_insights`: conclusions from memories."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import Field

from smolville.parsers.answer import (
    Answer,
    AnswerPart,
    Context,
    Mended,
    answer_field,
    read_context_value,
)
from smolville.parsers.prompt_inputs import PersonaInput, PromptInput, RecalledMemory
from smolville.parsers.reading.sentences import clip_text

SHORTEST, LONGEST = 8, 240
"""Minimum and maximum number of characters of an insight, which is one sentence."""
MOST_ASKED = 3
"""Maximum number of memories per insight that a schema allows; with more, small models list them
all."""
_THE_SAME = 0.9
"""Minimum share of an insight's words in one memory for it to count as that memory."""


class ReflectInsightsInput(PromptInput):
    """The inputs that the prompt `reflect_insights` shows."""

    me: PersonaInput
    questions: tuple[str, ...]
    memories: tuple[RecalledMemory, ...]
    """What mattered most lately, and the memories recalled for the questions, numbered."""


class Insight(AnswerPart):
    """Memories that belong together, and the conclusion from them, in this order.

    Asked for the conclusion first, small models repeat a memory.
    """

    because: Annotated[list[int], Field(min_length=1, max_length=8)] = answer_field(
        "the numbers of the memories in MEMORIES it rests on",
        "evidence because_of memories numbers",
    )
    insight: Annotated[str, Field(min_length=SHORTEST, max_length=LONGEST)] = answer_field(
        "what you conclude, in one sentence", "conclusion statement text"
    )
    importance: Annotated[int, Field(ge=1, le=10)] = answer_field(
        "1 is trivial, 10 changes a life", "rating score poignancy"
    )


class Insights(Answer):
    """Some conclusions, each independent of the others."""

    items_field = "insights"

    insights: Annotated[list[Insight], Field(min_length=1, max_length=5)] = answer_field(
        "your conclusions", "conclusions"
    )

    @classmethod
    def call_schema(cls, choices: Mapping[str, Sequence[str | int]]) -> dict[str, Any]:
        """Return the JSON schema for one call: few memories each, and room to finish a sentence."""
        schema = super().call_schema(choices)
        fields = schema["properties"][cls.items_field]["items"]["properties"]
        fields["because"]["maxItems"] = MOST_ASKED
        fields["insight"]["maxLength"] = 2 * LONGEST
        return schema

    @classmethod
    def mend(cls, data: dict[str, Any], context: Context | None) -> Mended:
        """Return the insights that say something new, without invalid numbers; all if none is new.

        No number is removed beside a 0: such an insight counts from 0, and all are in doubt.
        """
        items, numbers = data.get("insights"), read_context_value(context, "numbers")
        if not isinstance(items, list):
            return data, []
        texts: Sequence[str] = read_context_value(context, "texts") or ()
        items, again = _without_memories(items, texts)
        items, short = _short(items)
        again += short
        data = data | {"insights": items} if again else data
        if not numbers:
            return data, again
        mended, notes = [], []
        for position, item in enumerate(items):
            because = item.get("because") if isinstance(item, dict) else None
            real = [n for n in because if n in numbers] if isinstance(because, list) else []
            if real and isinstance(because, list) and len(real) < len(because) and 0 not in because:
                item = item | {"because": real}
                notes.append(f"`insights.{position}.because`: left out numbers of no memory")
            mended.append(item)
        return (data | {"insights": mended}, again + notes) if notes else (data, again)

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            insights=[
                Insight(
                    because=[1, 4],
                    insight="Anna would rather repair things than buy new ones.",
                    importance=5,
                ),
                Insight(
                    because=[2, 3],
                    insight="Ben relies on Anna when the town celebrates.",
                    importance=6,
                ),
            ]
        )


def _without_memories(items: list[Any], texts: Sequence[str]) -> tuple[list[Any], list[str]]:
    """Return the insights that repeat neither a memory nor another insight; all if none is left."""
    memories = [words for text in texts if len(words := _words(text)) > 3]
    kept, found = [], list[set[str]]()
    for item in items if texts else ():
        text = item.get("insight") if isinstance(item, dict) else None
        own = _words(text) if isinstance(text, str) else set()
        is_memory = any(len(own & other) >= _THE_SAME * len(own) for other in memories)
        is_again = any(len(own & other) >= _THE_SAME * len(own) for other in found)
        if not own or not (is_memory or is_again):
            kept.append(item)
        found.append(own)
    if not kept or len(kept) == len(items):
        return items, []
    return kept, ["`insights`: left out what only says a memory again"]


def _short(items: list[Any]) -> tuple[list[Any], list[str]]:
    kept, notes = [], list[str]()
    for item in items:
        text = item.get("insight") if isinstance(item, dict) else None
        if isinstance(text, str) and (short := clip_text(text, LONGEST)) != text:
            notes = ["`insights`: kept the first sentences"]
            item = item | {"insight": short}
        kept.append(item)
    return kept, notes


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))
