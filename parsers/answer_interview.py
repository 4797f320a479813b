"""The answer of the step `answer_interview`: an agent's reply to an operator's question."""

from typing import Annotated, Self

from pydantic import Field

from smolville.parsers.answer import Answer, answer_field
from smolville.parsers.prompt_inputs import (
    PersonaInput,
    PlannedCard,
    PromptInput,
    RecalledMemory,
    SpokenLine,
)


class AnswerInterviewInput(PromptInput):
    """The inputs that the prompt `answer_interview` shows."""

    me: PersonaInput
    now: str
    asker: str
    """Who asks me: `a news reporter`."""
    plan: tuple[PlannedCard, ...] = ()
    """The broad strokes of my day."""
    doing: str
    """What I do at the moment."""
    question: str
    memories: tuple[RecalledMemory, ...]
    """Memories that the question brought back."""
    lines: tuple[SpokenLine, ...]
    """Earlier questions and answers of this interview."""


class InterviewAnswer(Answer):
    """An answer from memory, in the agent's own words."""

    answer: Annotated[str, Field(min_length=1, max_length=800)] = answer_field(
        "what you answer, in the first person", "response reply text output result"
    )

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(answer="I run the bakery with my brother. Lately I worry about the rent.")
