"""The answer of the step `heed_inner_voice`: a whisper as the agent's own thought."""

from typing import Annotated, Self

from pydantic import Field

from smolville.parsers.answer import Answer, answer_field
from smolville.parsers.prompt_inputs import PersonaInput, PromptInput


class HeedInnerVoiceInput(PromptInput):
    """The inputs that the prompt `heed_inner_voice` shows."""

    me: PersonaInput
    now: str
    whisper: str


class InnerThought(Answer):
    """A whispered idea as the agent's own thought."""

    thought: Annotated[str, Field(min_length=5, max_length=240)] = answer_field(
        "the idea as your own thought, in the first person"
    )
    importance: Annotated[int, Field(ge=1, le=10)] = answer_field(
        "how much it matters to you, 1 is trivial and 10 changes your life",
        "rating score poignancy",
    )

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(thought="I should tell my sister about the job before Friday.", importance=6)
