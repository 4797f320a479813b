"""Asks a model the questions about a new person one after another, and counts the outcomes."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, TypeVar, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from smolville.agents.chance import draw
from smolville.agents.errors import TownError
from smolville.agents.wording import format_count
from smolville.graphs.context import MindContext
from smolville.graphs.draft import Draft
from smolville.graphs.loop.graph import ask_step
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.state import StepState
from smolville.graphs.loop.step import Step
from smolville.parsers.answer import Answer
from smolville.parsers.prompt_inputs import PromptInput
from smolville.prompts.folder import Texts
from smolville.prompts.making import PARTS
from smolville.world.town.townfiles import TownFile, describe_faults, parse_toml

I = TypeVar("I", bound=PromptInput)  # noqa: E741 - the inputs
A = TypeVar("A", bound=Answer)


def _is_bond(sentence: str) -> str:
    """Reject a sentence that does not name both people."""
    if "{me}" not in sentence or "{other}" not in sentence:
        raise ValueError("write a sentence with {me} and {other} in it")
    return sentence


def _is_beginning(text: str) -> str:
    """Reject a text that cannot be the beginning of a memory."""
    if text.split()[:1] not in (["I"], ["My"]):
        raise ValueError("write the beginning of a sentence, with `I` or `My` as first word")
    return text


class Parts(BaseModel):
    """The contents of `parts.toml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    beginnings: tuple[Annotated[str, AfterValidator(_is_beginning)], ...] = Field(min_length=1)
    """How memories begin."""
    bonds: dict[str, Annotated[str, AfterValidator(_is_bond)]] = Field(min_length=1)
    """By kind of bond, the sentence that says what `{other}` is to `{me}`."""


def read_parts(texts: Texts) -> Parts:
    """Return the parts in a folder of templates; raises TownError with the first faults."""
    file = TownFile(PARTS, texts[PARTS])
    data, faults = parse_toml(file)
    if data is not None:
        try:
            return Parts.model_validate(data)
        except ValidationError as error:
            faults = describe_faults(error, file, Parts)
    raise TownError(" ".join(faults[:3]))


@dataclass(kw_only=True)
class Maker:
    """The context of all questions: model client, parts, and counts of outcomes."""

    client: ModelClient
    parts: Parts
    tell: Callable[[str, str], None] = lambda what, text: None
    """Function called with each thing that was made: `bond`, `Ola Berg and Ada Brook: friends`."""
    outcomes: Counter[str] = field(default_factory=Counter)
    """Number of answers for each outcome."""

    async def ask(self, step: Step[StepState, I, A], inputs: I, ordinal: int = 0) -> A:
        """Return the answer to one question; `ordinal` tells several uses of a step apart.

        Raises StoppedError if the server is gone, ContextError if the question is too long for the
        model.
        """
        context = MindContext(owner="person", tick=0, thinkers={}, client=self.client)
        draft = Draft(uses={step.name: ordinal})
        done = await ask_step(step, context, inputs, agent="person", draft=draft)
        (finished,) = done.finished
        self.outcomes[finished.record.outcome] += 1
        return cast(A, done.answer)

    def draw(self, *key: object) -> int:
        """Return an integer that depends only on the seed and the key."""
        return draw(self.client.seed, "making", *key)

    def describe_outcomes(self) -> str:
        """Return a sentence with the counts: `12 answers: 11 at once, 1 repaired, 0 fallbacks.`."""
        count = self.outcomes
        parts = [f"{count['clean'] + count['mended']} at once", f"{count['repaired']} repaired"]
        if count["escalated"]:
            parts.append(f"{count['escalated']} escalated")
        parts.append(format_count(count["fallback"], "fallback"))
        return f"{format_count(count.total(), 'answer')}: {', '.join(parts)}."
