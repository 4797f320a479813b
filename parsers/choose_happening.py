"""The answer of the step `choose_happening`: the weather in words, and a small happening."""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field

from smolville.parsers.answer import Answer, Context, answer_field, read_context_value
from smolville.parsers.prompt_inputs import PromptInput

NOTHING = "nothing"
"""The choice that means that nothing happens."""


class ChooseHappeningInput(PromptInput):
    """The inputs that the prompt `choose_happening` shows."""

    town: str
    """The town's name, and what it is like."""
    places: tuple[str, ...]
    """Public places, numbered from 1."""
    date: str
    season: str
    """`winter`, `spring`, `summer` or `autumn`."""
    before: tuple[str, ...]
    """The latest happenings caused by the world, oldest first."""
    part: str
    """`morning`, `afternoon` or `evening`."""
    sky: str
    """The weather set by rule: `rain, 8 degrees`."""
    kinds: tuple[str, ...]
    """The kinds of happenings offered, including `nothing`."""


class TownHappening(Answer):
    """The weather, and at most one small thing that happens in town."""

    weather: Annotated[str, Field(min_length=8, max_length=120)] = answer_field(
        "the weather now, in one short sentence", trims=True
    )
    kind: str = answer_field("one of KINDS, word for word", "happening choice event")
    place: int = answer_field("the number of the place from PLACES", "number where")
    text: Annotated[str, Field(min_length=3, max_length=140)] = answer_field(
        "what happens there and why, in one short sentence", "what reason description", trims=True
    )

    @classmethod
    def labels(cls, context: Context | None) -> Mapping[str, Mapping[int, str]]:
        """Return the places' names by number."""
        places = read_context_value(context, "places")
        return {"place": places} if places else {}

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            weather="A thin drizzle hangs over the roofs.",
            kind="closing",
            place=2,
            text="The baker's oven has a crack and must be repaired.",
        )
