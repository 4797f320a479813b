"""For `doctor --measure`: days planned by a model in several ways, to compare the ways.

The ways differ in anchors (parts of a day that code fixes first) and in the number of examples.
A day is planned as in a town: by the steps `plan_day` and `plan_hours`, with the same prompts,
memories, checks and code. If a day lacks one of the usual meals, this counts against the step
`plan_hours`.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from smolville.agents.memory import Memory, memory_id
from smolville.agents.mind import Mind
from smolville.agents.persona import Persona
from smolville.agents.times import DAY_SECONDS, date_text
from smolville.graphs import plan_day, plan_hours
from smolville.graphs.alone import DAY as FIRST_DAY
from smolville.graphs.alone import context_alone, make_empty_senses
from smolville.graphs.frame.day import PROMISE, gaps, meal_in
from smolville.graphs.frame.life import life_of
from smolville.graphs.loop.graph import build_step
from smolville.graphs.loop.ledger import FinishedStep, MemoryJournal
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import Rules
from smolville.graphs.loop.step import AnyStep
from smolville.graphs.state import MindSeen
from smolville.lab.doctor.measured import PlanningVariant, PlansMeasured, compare_plans
from smolville.lab.evaluation.results import Result
from smolville.lab.single_step import reason_of
from smolville.models.cache import ReplyCache
from smolville.models.chat import Chat
from smolville.models.errors import TransportError
from smolville.models.pacing import Backoff
from smolville.prompts.prompt import TemplateBook, TemplateSet
from smolville.world.town.town import Town, shipped_town

NEAR = 120
"""Minutes by which a day may differ from a habit."""
DAYS = 12
"""Number of people whose day is planned, each once."""
PROMPT_TOKENS, REPLY_TOKENS = 1100, 70
"""Tokens of a planning question and of its reply, as measured with real small models."""
INVITED = (
    "Nadia Farouk invited {name} to the spring lantern party at the Copper Kettle Cafe on "
    "Tuesday, May 7th, from 5pm to 7pm."
)
"""A memory that every second person has: an invitation for which the day has to make room."""

Progress = Callable[[int, int, int], None]
"""Callback with the number of days planned, the total, and the number of days objected to."""


@dataclass(frozen=True, kw_only=True)
class PlanningDay:
    """A day to be planned: the person, and what they remember."""

    person: Persona
    memories: tuple[Memory, ...]


@dataclass
class PlansAsked:
    """The measurement of one model, with the results so far."""

    variants: tuple[PlanningVariant, ...]
    days: tuple[PlanningDay, ...] = field(default_factory=lambda: planning_days())
    results: dict[tuple[int, str], tuple[Result, ...]] = field(default_factory=dict)
    """The results of a day with a variant, by the variant's index and the person's name."""
    seconds: float = 0.0

    @property
    def total(self) -> int:
        """Number of days to be planned, over all variants."""
        return len(self.variants) * len(self.days)

    def measured(self) -> PlansMeasured:
        """Return a comparison of the results so far."""
        return compare_plans(
            self.variants,
            [
                [each for day in self.days for each in self.results.get((at, day.person.name), ())]
                for at in range(len(self.variants))
            ],
            days=len(self.days),
            asked=len(self.results),
            seconds=self.seconds,
        )

    async def ask(
        self,
        chat: Chat,
        cache: ReplyCache | None = None,
        *,
        templates: TemplateSet | None = None,
        progress: Progress = lambda done, total, objected: None,
        waiting: Callable[[TransportError, float], None] = lambda error, seconds: None,
        backoff: Backoff | None = None,
    ) -> None:
        """Plan every day with every variant, one day after the other.

        Raises the error of a model that can no longer be asked.
        """
        client = ModelClient(
            fast=chat,
            strong=chat,
            journal=MemoryJournal(),
            seed=0,
            templates=TemplateBook(templates),
            cache=cache,
            waiting=waiting,
            backoff=backoff or Backoff(),
        )
        began = time.perf_counter() - self.seconds
        queue = iter([(at, day) for day in self.days for at in range(len(self.variants))])

        async def work(left: Iterator[tuple[int, PlanningDay]]) -> None:
            for at, day in left:
                variant = self.variants[at]
                rules = Rules(repairs=0, examples=variant.examples, anchors=variant.anchors)
                asking = replace(client, rules=rules, journal=MemoryJournal())
                self.results[at, day.person.name] = await plan_one_day(asking, day, at)
                self.seconds = time.perf_counter() - began
                progress(len(self.results), self.total, self._objected())

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(max(1, chat.slots)):
                    group.create_task(work(queue))
        except ExceptionGroup as several:
            raise reason_of(several.exceptions[0]) from None

    def _objected(self) -> int:
        """Return how many of the planned days have an answer that is objected to."""
        return sum(any(each.is_objected_to for each in day) for day in self.results.values())


def variants_beside(examples: int) -> tuple[PlanningVariant, ...]:
    """Return the usual variant, one with fewer anchors, and one with another number of examples."""
    return (
        PlanningVariant(anchors="on", examples=examples),
        PlanningVariant(anchors="off", examples=examples),
        PlanningVariant(anchors="on", examples=0 if examples else 1),
    )


def planning_days() -> tuple[PlanningDay, ...]:
    """Return the days that every measurement plans: days of people of the shipped town."""
    people = Town.load(shipped_town()).cast()[:: 25 // DAYS][:DAYS]
    return tuple(
        PlanningDay(person=person, memories=_invitation(person) if number % 2 else ())
        for number, person in enumerate(people)
    )


def _invitation(person: Persona) -> tuple[Memory, ...]:
    """Return the memory of an invitation for the day that is planned."""
    at = DAY_SECONDS // 2
    return (
        Memory(
            id=memory_id(person.name, 0, "talk", 0, 0),
            agent=person.name,
            kind="talk",
            text=INVITED.format(name=person.name),
            created=at,
            tick=0,
            accessed=at,
            importance=7,
        ),
    )


async def plan_one_day(client: ModelClient, day: PlanningDay, variant: int) -> tuple[Result, ...]:
    """Return the results of planning a day.

    The first is for the outline. If the outline has gaps, a second is for filling them.
    """
    person = day.person
    mind = Mind(name=person.name, currently=person.currently, requirement=person.daily_requirement)
    outlined, first = await _take(plan_day.STEP, client, day, mind)
    results = [_result(first, day, variant, 0)]
    plan = outlined.plan
    if plan is not None and gaps(plan.blocks):
        filled, second = await _take(plan_hours.STEP, client, day, outlined)
        results.append(_result(second, day, variant, 1, _lacking(person, filled)))
    return tuple(results)


async def _take(
    step: AnyStep, client: ModelClient, day: PlanningDay, mind: Mind
) -> tuple[Mind, FinishedStep]:
    """Return the mind after a step, and how the step ended."""
    senses = replace(make_empty_senses(), at=DAY_SECONDS)
    context = context_alone(
        day.person, senses, client, day.memories, owner=day.person.name, mind=mind
    )
    state = MindSeen(agent=day.person.name, mind=mind)
    done: Any = await build_step(step).ainvoke(state, context=context, version="v2")
    return done.value.mind, done.value.finished[-1]


def _lacking(person: Persona, mind: Mind) -> tuple[str, ...]:
    """Return a sentence for each usual meal that a planned day lacks near its hour.

    A promise at that hour may take a meal's place.
    """
    assert mind.plan is not None
    blocks = mind.plan.blocks
    date = date_text(FIRST_DAY, mind.plan.day)

    def has(meal: str, usual: int) -> bool:
        near = [each for each in blocks if each.start - NEAR <= usual <= each.end + NEAR]
        return any(each.source == PROMISE or meal_in(each.activity) == meal for each in near)

    meals = life_of(person.habits, date).meals
    named = [(meal_in(each.activity), each.start) for each in meals]
    return tuple(f"The day has no {meal}." for meal, at in named if meal and not has(meal, at))


def _result(
    finished: FinishedStep,
    day: PlanningDay,
    variant: int,
    turn: int,
    lacking: Sequence[str] = (),
) -> Result:
    """Return the result of one question, keyed by its day for paired comparison."""
    record = finished.record
    return Result(
        moment=day.person.name,
        variant=variant,
        turn=turn,
        outcome=record.outcome,
        problems=record.problems,
        odd=(*record.odd, *lacking),
        odd_kinds=(*record.odd_kinds, *("hours" for _ in lacking)),
        attempts=len(finished.readings),
    )
