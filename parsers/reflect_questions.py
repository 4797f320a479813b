"""The answer of the step `reflect_questions`: an agent's questions about its recent days."""

from typing import Annotated, Self

from pydantic import Field

from smolville.parsers.answer import Answer, answer_field
from smolville.parsers.prompt_inputs import PersonaInput, PromptInput, RecalledMemory


class ReflectQuestionsInput(PromptInput):
    """The inputs that the prompt `reflect_questions` shows."""

    me: PersonaInput
    memories: tuple[RecalledMemory, ...]
    """What mattered most since the last reflection, oldest first."""


class Questions(Answer):
    """The three questions that recent memories can answer best."""

    questions: Annotated[
        list[Annotated[str, Field(min_length=8, max_length=200)]],
        Field(min_length=3, max_length=3),
    ] = answer_field("the questions, each as a whole sentence")

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            questions=[
                "What does Anna care about most these days?",
                "How is Anna getting on with Ben Archer?",
                "What keeps Anna from buying a new oven?",
            ]
        )
