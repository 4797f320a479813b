"""The step that asks a judge model, executed by the same loop as the steps of a mind.

It is not a step of a mind, so it is not in any list of steps; its template is beside this file.
"""

from functools import cache, cached_property
from importlib.resources import files
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from graphs.context import MindContext
from graphs.loop.state import GivenSeen
from graphs.loop.step import Changes, Step, StepInputs, StepResult
from graphs.prompt_inputs import PromptInput
from graphs.scenes import Scene
from graphs.sense.words import words_of
from lab.judging.pairs import Pair
from models.standin.draws import Dice
from models.standin.rule import RuleAnswer
from parsers.answer import Answer
from prompts.folder import shipped_texts
from prompts.prompt import Prompt, TemplateSet

NAME = "judge"


class JudgeInput(PromptInput):
    """What the prompt `judge` shows."""

    who: tuple[str, ...]
    """The person who was asked, in a few lines."""
    task: str
    """What was asked for: `the next line of a talk`."""
    case: tuple[str, ...]
    """The situation, in a few lines."""
    first: tuple[str, ...]
    """Answer A."""
    second: tuple[str, ...]
    """Answer B."""


class Preference(Answer):
    """Which of two answers makes more sense."""

    reason: Annotated[str, Field(max_length=240)] = Field(
        description="why, in one short sentence",
        json_schema_extra={"trims": True, "aliases": ["why", "reasoning", "explanation"]},
    )
    better: Literal["A", "B", "same"] = Field(
        description="the answer that makes more sense",
        json_schema_extra={"aliases": ["answer", "winner", "choice", "verdict", "preferred"]},
    )

    @classmethod
    def example(cls) -> Self:
        """Return a worked example."""
        return cls(reason="It keeps the hour that the neighbour named.", better="A")


class JudgeStep(Step[GivenSeen, JudgeInput, Preference]):
    """The judge's step, whose template is not among the shipped ones."""

    @cached_property
    def prompt(self) -> Prompt[JudgeInput]:
        """The prompt of the step."""
        return judge_templates().prompt(self)


@cache
def judge_templates() -> TemplateSet:
    """Return the shipped templates together with the judge's own."""
    own = files("lab.judging").joinpath(f"{NAME}.jinja").read_text(encoding="utf-8")
    return TemplateSet({**shipped_texts(), f"{NAME}.jinja": own})


def inputs_of(pair: Pair, first: int) -> JudgeInput:
    """Return a pair as shown to a judge, with the answer of variant `first` (0 or 1) as A."""
    return JudgeInput(
        who=pair.who,
        task=pair.task,
        case=pair.case,
        first=pair.lines(first),
        second=pair.lines(1 - first),
    )


async def gather(state: GivenSeen, context: MindContext) -> StepInputs[JudgeInput]:
    """Return the inputs unchanged."""
    assert isinstance(state.inputs, JudgeInput)
    return StepInputs(inputs=state.inputs)


def apply(
    state: GivenSeen, context: MindContext, result: StepResult[JudgeInput, Preference]
) -> Changes:
    """Return no changes: only the answer is needed."""
    return {}


def fallback(inputs: JudgeInput) -> Preference:
    """Return a preference for neither; the caller can see that it is a fallback."""
    return Preference(reason="", better="same")


def sample(scene: Scene) -> JudgeInput:
    """Return plausible inputs, made from a scene."""
    return JudgeInput(
        who=(f"{scene.me.name}, {scene.me.age} years old",),
        task="the next line of a talk",
        case=(f"It is {scene.now}.",),
        first=("text: Good morning.",),
        second=("text: Good night.",),
    )


def standin(inputs: JudgeInput, dice: Dice) -> RuleAnswer:
    """Prefer the answer with more distinct words: a fixed rule, not a judgement."""
    first, second = (len(set(words_of(" ".join(each)))) for each in (inputs.first, inputs.second))
    better = "same" if first == second else "A" if first > second else "B"
    return RuleAnswer({"reason": "It says more.", "better": better})


STEP: "Step[Any, JudgeInput, Preference]" = JudgeStep(
    name=NAME,
    about="which of two answers makes more sense",
    inputs=JudgeInput,
    answer=Preference,
    gather=gather,
    apply=apply,
    fallback=fallback,
    sample=sample,
    standin=standin,
    seen=GivenSeen,
    temperature=0.0,
    max_tokens=160,
)
