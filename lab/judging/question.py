"""What a judge model is asked: a step of its own, through the very loop that minds' steps take.

It is no step of a mind, so it stands in no list of steps; its template lies beside this file.
"""

from functools import cache, cached_property
from importlib.resources import files
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from graphs.cards import Card
from graphs.context import MindContext
from graphs.loop.state import GivenSeen
from graphs.loop.step import Changes, Gathered, Step, StepResult
from graphs.scenes import Scene
from graphs.sense.words import words_of
from lab.judging.pairs import Pair
from models.standin.draws import Dice
from models.standin.rule import RuleAnswer
from parsers.answer import Answer
from prompts.folder import shipped_texts
from prompts.prompt import Prompt, TemplateSet

NAME = "judge"


class JudgeInput(Card):
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
    """The step, whose template is not among the shipped ones."""

    @cached_property
    def prompt(self) -> Prompt[JudgeInput]:
        """What tells the model."""
        return judge_templates().prompt(self)


@cache
def judge_templates() -> TemplateSet:
    """Return the shipped templates and the judge's own."""
    own = files("lab.judging").joinpath(f"{NAME}.jinja").read_text(encoding="utf-8")
    return TemplateSet({**shipped_texts(), f"{NAME}.jinja": own})


def inputs_of(pair: Pair, first: int) -> JudgeInput:
    """Return a pair as a judge is shown it, the answer of variant `first` (0 or 1) as A."""
    return JudgeInput(
        who=pair.who,
        task=pair.task,
        case=pair.case,
        first=pair.lines(first),
        second=pair.lines(1 - first),
    )


async def gather(state: GivenSeen, context: MindContext) -> Gathered[JudgeInput]:
    """Return the inputs as they were given."""
    assert isinstance(state.inputs, JudgeInput)
    return Gathered(inputs=state.inputs)


def apply(
    state: GivenSeen, context: MindContext, result: StepResult[JudgeInput, Preference]
) -> Changes:
    """Change nothing: the answer is all that is wanted."""
    return {}


def fallback(inputs: JudgeInput) -> Preference:
    """Return that neither is better; whoever asks sees that it is a fallback."""
    return Preference(reason="", better="same")


def sample(scene: Scene) -> JudgeInput:
    """Return believable inputs, made from a scene."""
    return JudgeInput(
        who=(f"{scene.me.name}, {scene.me.age} years old",),
        task="the next line of a talk",
        case=(f"It is {scene.now}.",),
        first=("text: Good morning.",),
        second=("text: Good night.",),
    )


def standin(inputs: JudgeInput, dice: Dice) -> RuleAnswer:
    """Prefer the answer that has more different words: a rule, and no judgement."""
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
