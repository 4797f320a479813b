"""The answer of the step `advance_plot`: the next small happening of a story."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field

from smolville.parsers.answer import Answer, Context, answer_field, read_context_value
from smolville.parsers.prompt_inputs import PromptInput


class AdvancePlotInput(PromptInput):
    """The inputs that the prompt `advance_plot` shows."""

    town: str
    """The town's name, and what it is like."""
    title: str
    """The story's title."""
    places: tuple[str, ...]
    """Public places, numbered from 1."""
    date: str
    residents: tuple[str, ...]
    """The people whom a letter may reach, numbered from 1."""
    act: str
    """What happens in this act."""
    before: tuple[str, ...]
    """The story so far, oldest first."""


class PlotTurn(Answer):
    """A letter, a notice, or news, and whether it completes the act."""

    kind: Literal["letter", "notice", "news"] = answer_field(
        "how it comes into the town", "happening choice"
    )
    person: int = answer_field("the number of one person from PEOPLE", "who to")
    place: int = answer_field("the number of one place from PLACES", "where")
    text: Annotated[str, Field(min_length=8, max_length=160)] = answer_field(
        "what it says, in one short sentence", "message says content", trims=True
    )
    act_is_over: bool = answer_field(
        "true when the act has been told with this", "over done act_over"
    )

    @classmethod
    def labels(cls, context: Context | None) -> Mapping[str, Mapping[int, str]]:
        """Return people's and places' names by number."""
        people = read_context_value(context, "persons")
        places = read_context_value(context, "places")
        return ({"person": people} if people else {}) | ({"place": places} if places else {})

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            kind="letter",
            person=1,
            place=1,
            text="Your uncle's clock is not lost, and whoever has it will call on Thursday.",
            act_is_over=False,
        )
