"""The answer of the step `revise_goal`: whether a goal is kept, reached or changed."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from smolville.parsers.answer import Answer, answer_field
from smolville.parsers.problem import missing_problem, reject
from smolville.parsers.prompt_inputs import PersonaInput, PromptInput, RecalledMemory
from smolville.parsers.reading.values import null_when_said


class ReviseGoalInput(PromptInput):
    """The inputs that the prompt `revise_goal` shows."""

    me: PersonaInput
    now: str
    memories: tuple[RecalledMemory, ...]
    """What happened that bears on this goal."""
    goal: str
    """The goal to reconsider."""


class GoalRevision(Answer):
    """The decision to keep a goal, to end it, or to change it."""

    reason: Annotated[str, Field(max_length=200)] = answer_field(
        "why, in one sentence, from what happened", "why reasoning explanation", trims=True
    )
    decision: Literal["keep", "done", "change"] = answer_field(
        "what becomes of your goal", "choice action"
    )
    goal: Annotated[str, Field(min_length=10, max_length=200)] | None = answer_field(
        'with "change": the new goal in one sentence; otherwise null',
        "new_goal change_to",
        default=None,
    )

    @field_validator("goal", mode="before")
    @classmethod
    def _is_null_when_said(cls, value: Any) -> Any:
        return null_when_said(value)

    @model_validator(mode="after")
    def _changes_to_something(self) -> Self:
        if self.decision == "change" and self.goal is None:
            reject([missing_problem("goal", "With 'change' it is needed. Write the new goal.")])
        return self

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(
            reason="The choir has a new leader already.",
            decision="change",
            goal="Emil wants to sing in the choir instead of leading it.",
        )
