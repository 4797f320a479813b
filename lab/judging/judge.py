"""The judge model: its step, and its verdicts on pairs, each asked in both orders.

The step is executed by the same loop as the steps of a mind, but it is not in any list of steps;
its template is beside this file.
"""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, cached_property
from importlib.resources import files
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field

from graphs.context import MindContext
from graphs.loop.ledger import MemoryJournal
from graphs.loop.model_client import ModelClient
from graphs.loop.rules import Rules
from graphs.loop.state import GivenSeen
from graphs.loop.step import Changes, Step, StepInputs, StepResult
from graphs.prompt_inputs import PromptInput
from graphs.scenes import Scene
from graphs.sense.words import words_of
from lab.evaluation.evaluate import AHEAD
from lab.judging.pairs import Contest, Pair
from lab.judging.verdicts import NONE, SAME, PairVerdict, Verdicts
from lab.single_step import PreparedStep, reason_of, take_alone
from models.chat import Chat
from models.errors import TransportError
from models.pacing import Backoff
from models.standin.rule import Dice, RuleAnswer
from parsers.answer import Answer
from prompts.folder import shipped_texts
from prompts.prompt import Prompt, TemplateBook, TemplateSet

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


class JudgeStep(Step[GivenSeen, JudgeInput, Preference]):
    """The judge's step. Its template lies beside this file, not among the shipped templates."""

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
Progress = Callable[[int, int], None]
"""Callback with the number of pairs judged, and the total."""


class ModelVerdict(NamedTuple):
    """A model's verdict for one order of the answers."""

    prefers: str
    """A variant's label, `SAME`, or `NONE`."""
    reason: str


async def ask_judge(
    contest: Contest,
    verdicts: Verdicts,
    chat: Chat,
    *,
    rules: Rules | None = None,
    progress: Progress = lambda done, total: None,
    waiting: Callable[[TransportError, float], None] = lambda error, seconds: None,
    backoff: Backoff | None = None,
) -> None:
    """Let a model judge every pair of a contest that it has not judged yet.

    Each verdict is saved at once. Raises the error of a model that can no longer be asked:
    ModelError or StoppedError.
    """
    client = _desk(chat, rules or Rules(), waiting, backoff or Backoff())
    judge, total = chat.spec, len(contest.pairs)
    left = contest.queue(judge, verdicts.of(judge))
    done = total - len(left)
    progress(done, total)

    async def work(queue: Iterator[Pair]) -> None:
        nonlocal done
        for pair in queue:
            verdicts.keep(await judge_pair(pair, client, judge))
            done += 1
            progress(done, total)

    queue = iter(left)
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(AHEAD * chat.slots):
                group.create_task(work(queue))
    except ExceptionGroup as several:
        raise reason_of(several.exceptions[0]) from None


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


def _desk(
    chat: Chat, rules: Rules, waiting: Callable[[TransportError, float], None], backoff: Backoff
) -> ModelClient:
    """Return a model client that uses only the judge model, without examples."""
    return ModelClient(
        fast=chat,
        strong=chat,
        journal=MemoryJournal(),
        seed=0,
        rules=replace(rules, strict=False, strict_sense=(), examples=0),
        templates=TemplateBook(judge_templates()),
        waiting=waiting,
        backoff=backoff,
    )
