"""A judging model: how it is asked, and its verdicts on pairs, each asked in both orders.

Its step is executed by the same loop as the steps of a mind, but is in no list of steps; its
template lies beside this file.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal, Self, TypeVar

from pydantic import Field

from smolville.graphs.loop.graph import keep_answer, take_given
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import Rules
from smolville.graphs.loop.state import StepState
from smolville.graphs.loop.step import Step
from smolville.graphs.scenes import Scene
from smolville.graphs.sense import words_of
from smolville.lab.evaluation.evaluate import AHEAD
from smolville.lab.judging.contest import Contest, Pair, case_of, who_of
from smolville.lab.judging.verdicts import NONE, SAME, PairVerdict, Verdicts
from smolville.lab.single_step import PreparedStep, client_for, reason_of, take_alone
from smolville.models.chat import Chat
from smolville.models.errors import TransportError
from smolville.models.pacing import Backoff
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.answer import Answer
from smolville.parsers.prompt_inputs import PromptInput
from smolville.prompts.folder import shipped_texts
from smolville.prompts.prompt import TemplateSet

Job = TypeVar("Job")


@cache
def judge_templates() -> TemplateSet:
    """Return the shipped templates together with those of judges and readers."""
    own = {
        each.name: each.read_text(encoding="utf-8")
        for each in files("smolville.lab.judging").iterdir()
        if each.name.endswith(".jinja")
    }
    return TemplateSet({**shipped_texts(), **own})


@dataclass(frozen=True, kw_only=True)
class JudgeCalls:
    """How a judging model is asked, and who is told about it."""

    chat: Chat
    rules: Rules | None = None
    progress: Callable[[int], None] = lambda done: None
    """Called with the number of verdicts."""
    waiting: Callable[[TransportError, float], None] = lambda error, seconds: None
    backoff: Backoff | None = None

    def client(self) -> ModelClient:
        """Return a model client that uses only the judging model, without examples."""
        return client_for(
            self.chat, judge_templates(), self.rules, waiting=self.waiting, backoff=self.backoff
        )

    async def ask_all(
        self, jobs: Sequence[Job], done: int, ask: Callable[[Job], Awaitable[None]]
    ) -> None:
        """Ask for every job in turn, in all slots of the server; `done` were asked before.

        Raises the error of a model that can no longer be asked: ModelError or StoppedError.
        """
        self.progress(done)

        async def work(queue: Iterator[Job]) -> None:
            nonlocal done
            for job in queue:
                await ask(job)
                done += 1
                self.progress(done)

        queue = iter(jobs)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(AHEAD * self.chat.slots):
                    group.create_task(work(queue))
        except ExceptionGroup as several:
            raise reason_of(several.exceptions[0]) from None


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


STEP = Step(
    name="judge",
    about="which of two answers makes more sense",
    inputs=JudgeInput,
    answer=Preference,
    gather=take_given,
    apply=keep_answer,
    fallback=fallback,
    sample=sample,
    standin=standin,
    seen=StepState,
    temperature=0.0,
    max_tokens=160,
    templates=judge_templates,
)


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
    (one, why), (other, why_not) = [await _ask_verdict(pair, client, first) for first in (0, 1)]
    is_silent = NONE in (one, other)
    return PairVerdict(
        pair=pair.key,
        judge=judge,
        prefers=NONE if is_silent else one if one == other else SAME,
        moment=pair.asked.id,
        reason=" / ".join(filter(None, dict.fromkeys((why, why_not)))),
        wavers=one != other and not is_silent,
    )


async def _ask_verdict(pair: Pair, client: ModelClient, first: int) -> tuple[str, str]:
    """Return what a model prefers when the answer of variant `first` is shown as A, and why."""
    took = await take_alone(
        client,
        PreparedStep(
            step=STEP,
            inputs=JudgeInput(
                who=who_of(pair.asked.use),
                task=pair.asked.use.step.about,
                case=case_of(pair.asked.use),
                first=pair.lines(first),
                second=pair.lines(1 - first),
            ),
            persona=pair.asked.use.persona,
            owner=f"judge/{pair.key}",
            tick=0,
            ordinal=first,
        ),
    )
    if took.outcome in (None, "fallback") or not isinstance(took.answer, Preference):
        return NONE, ""
    by_letter = {"A": pair.labels[first], "B": pair.labels[1 - first], "same": SAME}
    return by_letter[took.answer.better], took.answer.reason
