"""Asks a model the questions for a new town one after another, and counts the outcomes."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar, cast

from smolville.agents.chance import draw
from smolville.agents.wording import format_count
from smolville.graphs.context import MindContext
from smolville.graphs.draft import Draft
from smolville.graphs.loop.graph import ask_step
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.state import GivenSeen
from smolville.graphs.loop.step import Step
from smolville.graphs.prompt_inputs import PromptInput
from smolville.parsers.answer import Answer
from smolville.world.making.parts import Parts

I = TypeVar("I", bound=PromptInput)  # noqa: E741 - the inputs
A = TypeVar("A", bound=Answer)

AT_ONCE = ("clean", "mended")


@dataclass(kw_only=True)
class Maker:
    """The context of all questions: model client, templates, parts, and counts of outcomes."""

    client: ModelClient
    parts: Parts
    tell: Callable[[str, str], None] = lambda what, text: None
    """Function called with each thing that was made: `place`, `The Copper Kettle (cafe)`."""
    outcomes: Counter[str] = field(default_factory=Counter)
    """Number of answers for each outcome."""

    async def ask(self, step: Step[GivenSeen, I, A], inputs: I, owner: str, ordinal: int = 0) -> A:
        """Return the answer to one question; `owner` and `ordinal` identify the question.

        Raises StoppedError if the server is gone, ContextError if the question is too long for the
        model.
        """
        context = MindContext(owner=owner, tick=0, thinkers={}, client=self.client)
        draft = Draft(uses={step.name: ordinal})
        done = await ask_step(step, context, inputs, agent=owner, draft=draft)
        (finished,) = done.finished
        self.outcomes[finished.record.outcome] += 1
        return cast(A, done.answer)

    def draw(self, *key: object) -> int:
        """Return an integer that depends only on the seed and the key."""
        return draw(self.client.seed, "making", *key)

    def describe_outcomes(self) -> str:
        """Return a sentence with the counts: `12 answers: 11 at once, 1 repaired, 0 fallbacks`."""
        count = self.outcomes
        parts = [f"{sum(count[each] for each in AT_ONCE)} at once", f"{count['repaired']} repaired"]
        if count["escalated"]:
            parts.append(f"{count['escalated']} escalated")
        parts.append(format_count(count["fallback"], "fallback"))
        return f"{format_count(count.total(), 'answer')}: {', '.join(parts)}."
