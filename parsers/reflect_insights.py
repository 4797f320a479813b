"""What an agent concludes from its memories."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import Field, ValidationInfo, field_validator

from parsers.answer import Answer, Context, Part, known
from parsers.problem import field_problem, one_of, reject

_THE_SAME = 0.9
"""So many of an insight's words in one memory: it is that memory."""


class Insight(Part):
    """The memories that belong together, and what follows from them: chosen first, then concluded.

    Asked for the conclusion first, small models give back a memory.
    """

    because: Annotated[list[int], Field(min_length=1, max_length=8)] = Field(
        description="the numbers of the memories in MEMORIES it rests on",
        json_schema_extra={"aliases": ["evidence", "because_of", "memories", "numbers"]},
    )
    insight: Annotated[str, Field(min_length=8, max_length=240)] = Field(
        description="what you conclude, in one sentence",
        json_schema_extra={"aliases": ["conclusion", "statement", "text"]},
    )
    importance: Annotated[int, Field(ge=1, le=10)] = Field(
        description="1 is trivial, 10 changes a life",
        json_schema_extra={"aliases": ["rating", "score", "poignancy"]},
    )

    @field_validator("because")
    @classmethod
    def _rests_on_memories(cls, because: list[int], info: ValidationInfo) -> list[int]:
        """Every number is that of a memory that was shown."""
        numbers = known(info.context, "numbers")
        unknown = [number for number in because if numbers is not None and number not in numbers]
        if unknown:
            rest = f", which is no memory's number. {one_of(unknown[0], numbers)}"
            at = because.index(unknown[0])
            reject([field_problem(str(at), unknown[0], rest, "choice")])
        return because


class Insights(Answer):
    """Some conclusions; each stands for itself."""

    items_field = "insights"

    insights: Annotated[list[Insight], Field(min_length=1, max_length=5)] = Field(
        description="your conclusions", json_schema_extra={"aliases": ["conclusions"]}
    )

    @classmethod
    def is_in_doubt(cls, data: Mapping[str, Any], context: Context | None) -> bool:
        """Whether an insight rests on the number 0 although the memories count from 1."""
        items, numbers = data.get("insights"), known(context, "numbers")
        listed = [item.get("because") for item in items or () if isinstance(item, dict)]
        told = any(0 in each for each in listed if isinstance(each, list))
        return told and min(numbers or (0,)) > 0

    @classmethod
    def mend(
        cls, data: dict[str, Any], context: Context | None
    ) -> tuple[dict[str, Any], list[str]]:
        """The insights that say something new, without the numbers of no memory, where one is left.

        One below the first says that the reply counts from 0: then every number is in doubt.
        """
        items, numbers = data.get("insights"), known(context, "numbers")
        if not isinstance(items, list):
            return data, []
        items, again = _without_memories(items, known(context, "texts") or ())
        data = data | {"insights": items} if again else data
        if not numbers or cls.is_in_doubt(data, context):
            return data, again
        mended, notes = [], []
        for position, item in enumerate(items):
            because = item.get("because") if isinstance(item, dict) else None
            real = [n for n in because if n in numbers] if isinstance(because, list) else []
            if real and isinstance(because, list) and len(real) < len(because):
                item = item | {"because": real}
                notes.append(f"`insights.{position}.because`: left out numbers of no memory")
            mended.append(item)
        return (data | {"insights": mended}, again + notes) if notes else (data, again)

    @classmethod
    def example(cls) -> Self:
        """A worked example."""
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
    """The insights that are no memory again and none of the others, where any is left."""
    said = [words for text in texts if len(words := _words(text)) > 3]
    kept = []
    for item in items if texts else ():
        text = item.get("insight") if isinstance(item, dict) else None
        own = _words(text) if isinstance(text, str) else set()
        if not own or all(len(own & other) < _THE_SAME * len(own) for other in said):
            kept.append(item)
        said.append(own)
    if not kept or len(kept) == len(items):
        return items, []
    return kept, ["`insights`: left out what only says a memory again"]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))
