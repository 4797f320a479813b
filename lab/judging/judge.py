"""The judge model: its step, and its verdicts on pairs, each asked in both orders."""

from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field

from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.state import GivenSeen
from smolville.graphs.loop.step import Step
from smolville.graphs.scenes import Scene
from smolville.graphs.sense.words import words_of
from smolville.lab.judging.asking import JudgeCalls, JudgingStep, apply_nothing, gather_given
from smolville.lab.judging.pairs import Contest, Pair
from smolville.lab.judging.verdicts import NONE, SAME, PairVerdict, Verdicts
from smolville.lab.single_step import PreparedStep, take_alone
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.answer import Answer
from smolville.parsers.prompt_inputs import PromptInput

NAME = "judge"


class JudgeInput(PromptInput):
    """The inputs that the prompt `judge` shows."""

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
    """The preference for one of two answers: the one that makes more sense."""

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


def inputs_of(pair: Pair, first: int) -> JudgeInput:
    """Return a pair as shown to a judge, with the answer of variant `first` (0 or 1) as A."""
    return JudgeInput(
        who=pair.who,
        task=pair.task,
        case=pair.case,
        first=pair.lines(first),
        second=pair.lines(1 - first),
    )


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


STEP: "Step[Any, JudgeInput, Preference]" = JudgingStep(
    name=NAME,
    about="which of two answers makes more sense",
    inputs=JudgeInput,
    answer=Preference,
    gather=gather_given,
    apply=apply_nothing,
    fallback=fallback,
    sample=sample,
    standin=standin,
    seen=GivenSeen,
    temperature=0.0,
    max_tokens=160,
)


class ModelVerdict(NamedTuple):
    """A model's verdict for one order of the answers."""

    prefers: str
    """A variant's label, `SAME`, or `NONE`."""
    reason: str


async def ask_judge(contest: Contest, verdicts: Verdicts, calls: JudgeCalls) -> None:
    """Let a model judge every pair of a contest that it has not judged yet.

    Each verdict is saved at once. Raises the error of a model that can no longer be asked:
    ModelError or StoppedError.
    """
    client, judge = calls.client(), calls.chat.spec
    left = contest.queue(judge, verdicts.of(judge))

    async def ask(pair: Pair) -> None:
        verdicts.keep(await judge_pair(pair, client, judge))

    await calls.ask_all(left, len(contest.pairs) - len(left), ask)


async def judge_pair(pair: Pair, client: ModelClient, judge: str) -> PairVerdict:
    """Return a model's verdict: its preference when both orders agree, otherwise a tie."""
    one, other = [await _ask_verdict(pair, client, first) for first in (0, 1)]
    prefers = one.prefers if one.prefers == other.prefers else SAME
    is_silent = NONE in (one.prefers, other.prefers)
    return PairVerdict(
        pair=pair.key,
        judge=judge,
        prefers=NONE if is_silent else prefers,
        moment=pair.asked.moment.id,
        reason=" / ".join(filter(None, dict.fromkeys((one.reason, other.reason)))),
        wavers=one.prefers != other.prefers and not is_silent,
    )


async def _ask_verdict(pair: Pair, client: ModelClient, first: int) -> ModelVerdict:
    """Return the model's verdict when the answer of variant `first` is shown first."""
    took = await take_alone(
        client,
        PreparedStep(
            step=STEP,
            inputs=inputs_of(pair, first),
            persona=pair.asked.use.persona,
            owner=f"judge/{pair.key}",
            tick=0,
            ordinal=first,
        ),
    )
    if took.outcome in (None, "fallback") or not isinstance(took.answer, Preference):
        return ModelVerdict(NONE, "")
    by_letter = {"A": pair.labels[first], "B": pair.labels[1 - first], "same": SAME}
    return ModelVerdict(by_letter[took.answer.better], took.answer.reason)
