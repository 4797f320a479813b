"""A model trial: a model is asked a fixed set of moments of every step, as in a run."""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from smolville.graphs.alone import asked_person, persona_of
from smolville.graphs.catalogue import OTHER_SAMPLES, SAMPLES, STEPS, Samples
from smolville.graphs.loop.ledger import Call, MemoryJournal, StepOutcome
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import Rules
from smolville.graphs.loop.step import AnyStep
from smolville.graphs.scenes import MILO
from smolville.lab.single_step import PreparedStep, reason_of, take_alone
from smolville.models.chat import Chat
from smolville.models.errors import TransportError
from smolville.models.pacing import Backoff
from smolville.parsers.prompt_inputs import PersonCard, PromptInput
from smolville.prompts.prompt import TemplateBook, TemplateSet

OF_MEMORIES = frozenset({"rate_importance", "reflect_questions", "reflect_insights"})
"""Steps that a run executes only if there are memories to look at."""

ACQUAINTED = replace(
    MILO,
    date="Sunday 12 May",
    clock="11:40",
    doing="helping to take the stage down",
    until="12:10",
    requirement="Write the second page on mosses, and go swimming if it is warm.",
    memories=(
        ("yesterday 17:30", "Rosa Marin clapped the longest when Milo Varga had played."),
        ("yesterday 17:05", "Milo Varga forgot the third dance and began it again."),
        ("yesterday 09:10", "Milo Varga wrote one page on the mosses of the mill wall."),
        ("Friday 10 May 15:00", "Ida Lund showed Milo Varga a moss that he does not know."),
        ("Monday 6 May 09:20", "Milo Varga promised to play at Rosa Marin's stall."),
        ("Sunday 5 May 20:00", "Milo Varga's mother wrote that she will visit in June."),
    ),
    strokes=(
        ("08:30", "waking up slowly"),
        ("10:00", "studying mosses at the library"),
        ("12:30", "having lunch"),
        ("14:00", "swimming in the river"),
        ("19:00", "having dinner"),
        ("23:45", "sleeping"),
    ),
    tasks=(
        ("10:00-10:40", "finding books on mosses"),
        ("10:40-11:30", "drawing the moss of the mill wall"),
        ("11:30-12:00", "writing the second page"),
    ),
    places=(
        ("Mill Library: reading room", ("desk", "bookshelf", "window seat"), "the desk is in use"),
        ("Mill Library: archive", ("cabinet",), ""),
        ("Willow House: attic room", ("bed", "table"), ""),
    ),
    sectors=(
        ("Willow House", ("attic room", "kitchen")),
        ("Marin Café", ("counter room", "kitchen")),
        ("River Bank", ("jetty", "meadow")),
    ),
    people=(
        PersonCard(
            name="Rosa Marin",
            doing="folding up the table of her stall",
            relationship="She has the café next door and asked you to play.",
            last_talk="yesterday 18:30, about the dances",
            can_talk=True,
            until="12:00",
        ),
    ),
    events=("The bench before the stage is wet.",),
    feeling="He is grateful and a little ashamed of his mistake.",
    whisper="You want to study the mosses of the north, and leave the town in autumn.",
    question="What went wrong at the third dance?",
    why="Milo wants to know whether anybody noticed the third dance.",
    lines=(
        ("Milo Varga", "Did you notice that I lost the third dance?"),
        ("Rosa Marin", "I noticed that everybody danced to it twice."),
    ),
    turns_left=5,
    questions=(
        "Is Milo Varga losing his fear of the stage?",
        "What does Milo Varga still have to write?",
    ),
)
"""Milo Varga a day later, with memories to look back on and somebody to talk to."""

LATER = Samples(ACQUAINTED)


def moments_of(step: AnyStep) -> Iterator[PromptInput]:
    """Yield the sample inputs on which a trial tests a step."""
    yield SAMPLES[step.name]
    if step.name not in OF_MEMORIES:
        yield OTHER_SAMPLES[step.name]
    yield LATER[step.name]


@dataclass(frozen=True, kw_only=True)
class TrialMoment:
    """One use of a step in a trial."""

    step: str
    person: str
    case: int
    """Number of the moment within its step, from 1."""
    turn: int
    """Number of the repetition, from 0; each uses other seeds."""


@dataclass(frozen=True, kw_only=True)
class TrialResult:
    """The result of one moment."""

    moment: TrialMoment
    outcome: StepOutcome | None
    """The outcome; None if the prompt does not fit the model's context."""
    calls: tuple[Call, ...] = ()
    problems: tuple[str, ...] = ()
    """The problems of the last answer when it ended in a fallback, or why it could not be asked."""
    odd: tuple[str, ...] = ()
    """What in the accepted answer makes no sense."""
    odd_kinds: tuple[str, ...] = ()
    """The kind of each entry of `odd`, in the same order."""


@dataclass(frozen=True, kw_only=True)
class ModelTrial:
    """All results of a trial, in the order of the steps."""

    chat: Chat = field(repr=False)
    rules: Rules
    templates: TemplateSet = field(repr=False)
    tried: tuple[TrialResult, ...]
    seconds: float

    def of(self, step: str) -> tuple[TrialResult, ...]:
        """Return the results of one step."""
        return tuple(each for each in self.tried if each.moment.step == step)


async def try_model(
    chat: Chat,
    *,
    rules: Rules | None = None,
    turns: int = 1,
    steps: Sequence[AnyStep] = STEPS,
    templates: TemplateSet | None = None,
    progress: Callable[[TrialResult, int, int], None] = lambda tried, done, total: None,
    waiting: Callable[[TransportError, float], None] = lambda error, seconds: None,
    backoff: Backoff | None = None,
) -> ModelTrial:
    """Return the results of a model on the sample inputs of every step, each asked `turns` times.

    `templates` default to the shipped ones. Calls run in parallel in all slots of the server, which
    does not change the questions. Raises TransportError when the server can no longer be asked.
    """
    used = replace(rules or Rules(), strict=False, strict_sense=())
    client = ModelClient(
        fast=chat,
        strong=chat,
        journal=MemoryJournal(),
        seed=0,
        rules=used,
        templates=TemplateBook(templates),
        waiting=waiting,
        backoff=backoff or Backoff(),
    )
    moments = [
        (
            TrialMoment(step=step.name, person=asked_person(inputs).name, case=case, turn=turn),
            step,
            inputs,
        )
        for step in steps
        for case, inputs in enumerate(moments_of(step), 1)
        for turn in range(turns)
    ]
    started, done = time.perf_counter(), 0

    async def try_and_report(
        moment: TrialMoment, step: AnyStep, inputs: PromptInput
    ) -> TrialResult:
        nonlocal done
        tried = await _try_moment(client, moment, step, inputs)
        done += 1
        progress(tried, done, len(moments))
        return tried

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(try_and_report(*each)) for each in moments]
    except ExceptionGroup as several:
        raise reason_of(several.exceptions[0]) from None
    return ModelTrial(
        chat=chat,
        rules=used,
        templates=client.templates.latest,
        tried=tuple(task.result() for task in tasks),
        seconds=time.perf_counter() - started,
    )


async def _try_moment(
    client: ModelClient, moment: TrialMoment, step: AnyStep, inputs: PromptInput
) -> TrialResult:
    """Return the result of one moment."""
    use = PreparedStep(
        step=step,
        inputs=inputs,
        persona=persona_of(asked_person(inputs)),
        owner=moment.person,
        tick=_tick(moment),
    )
    took = await take_alone(client, use)
    return TrialResult(
        moment=moment,
        outcome=took.outcome,
        calls=took.calls,
        problems=took.problems,
        odd=took.odd,
        odd_kinds=took.odd_kinds,
    )


def _tick(moment: TrialMoment) -> int:
    """Return a tick that is unique to the moment, since the seeds are derived from it."""
    return 100 * moment.turn + moment.case
