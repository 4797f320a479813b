"""The format instructions, word for word, as a small model reads them.

To accept new wording, set SMOLVILLE_UPDATE_GOLDEN=1, run this file, and review the difference.
"""

import os
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field

from smolville.parsers.answer import Answer, AnswerPart
from smolville.parsers.instructions import format_instructions
from smolville.parsers.reader import AnswerParser

GOLDEN = Path(__file__).parent / "golden"


def test_the_instructions_of_a_step_are_the_reviewed_text(step: str, answer: type[Answer]) -> None:
    path = GOLDEN / f"{step}.txt"
    text = format_instructions(answer) + "\n"
    if os.environ.get("SMOLVILLE_UPDATE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_the_example_in_the_instructions_reads_as_the_example(answer: type[Answer]) -> None:
    example = format_instructions(answer).partition("about other people:\n")[2]
    reading = AnswerParser(answer=answer).read(example)
    assert (reading.value, reading.mends) == (answer.example(), ())


class _Door(AnswerPart):
    colour: Literal["red", "green"] = Field(description="its colour")
    width: Annotated[int, Field(ge=60)] | None = Field(default=None, description="if you know it")


class _House(Answer):
    door: _Door = Field(description="the front door")
    rooms: Annotated[list[str], Field(min_length=2)] = Field(description="names of the rooms")
    marks: Annotated[list[Literal["a", "b"]], Field(min_length=1, max_length=1)] = Field(
        description="one mark"
    )
    floors: Annotated[int, Field(ge=1)] = Field(description="how many floors it has")
    kind: Literal["house"] = Field(description="the kind")
    note: str = Field(description="anything else.")

    @classmethod
    def example(cls) -> Self:
        return cls(
            door=_Door(colour="red"),
            rooms=["hall", "attic"],
            marks=["a"],
            floors=2,
            kind="house",
            note="dry",
        )


def test_nested_objects_choices_and_one_sided_bounds_are_told_in_words() -> None:
    assert format_instructions(_House).splitlines()[1:9] == [
        '- "door" (required): The front door. An object. It has these fields:',
        '  - "colour" (required): Its colour. One of "red" or "green".',
        '  - "width" (optional): If you know it. A whole number, 60 or more, or null.',
        '- "rooms" (required): Names of the rooms. A list of at least 2 texts.',
        '- "marks" (required): One mark. A list of exactly 1 choice. Each is one of "a" or "b".',
        '- "floors" (required): How many floors it has. A whole number, 1 or more.',
        '- "kind" (required): The kind. Always "house".',
        '- "note" (required): Anything else. A text.',
    ]
