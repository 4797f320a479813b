"""Rate how important memories are to the agent: routine activities by rule, others by a model.

Small models rate all memories of a list alike, or a shower above a party. So routine activities are
rated by rule, and a model rates only talks, thoughts and unusual events.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from langgraph.runtime import Runtime

from smolville.agents.action import ON_THE_WAY
from smolville.agents.english import stems
from smolville.agents.memory import Memory, is_from_before
from smolville.graphs.activities.kinds import Kind, kind_of, kinds
from smolville.graphs.components import REFLECTION
from smolville.graphs.context import MindContext, Thinker, number_memories, who
from smolville.graphs.loop.step import Changes, Choices, Step, StepInputs, StepResult
from smolville.graphs.reflect_questions import could_be_due
from smolville.graphs.scenes import Scene
from smolville.graphs.sense import CheckContext, SenseCheck
from smolville.graphs.standin.memory import rate_importance
from smolville.graphs.state import MindState
from smolville.parsers.problem import PlainWords, Problem, field_problem
from smolville.parsers.rate_importance import RateImportanceInput, Rating, Ratings

MOST = 16
"""Number of memories rated per call; when this many are unrated, the model is asked."""

LEAST_FLAT = 5
"""Number of memories from which equal ratings count as a fault."""
LEAST_HIGH, HIGH, MOSTLY = 4, 7, 0.85
"""From so many memories on, this share of them cannot all be rated `HIGH` or more."""
MANY, MIDDLE = 10, 5
"""Equal ratings are a fault from so many memories on, or from this number on."""


def context(inputs: RateImportanceInput) -> dict[str, Any]:
    """Return the numbers of the memories to rate."""
    return {"numbers": [memory.number for memory in inputs.memories]}


def choices(inputs: RateImportanceInput) -> Choices:
    """Return the memories' numbers: only these are allowed."""
    return {"ratings[].number": [memory.number for memory in inputs.memories]}


def fallback(inputs: RateImportanceInput) -> Ratings:
    """Return a medium rating for each memory; it is not stored (see `apply`)."""
    ratings = [Rating(number=memory.number, importance=3) for memory in inputs.memories]
    return Ratings(ratings=ratings)


def is_due(state: MindState, me: Thinker) -> bool:
    """Return True when 16 memories are unrated, or fewer that could trigger a reflection."""
    mind = state.mind
    if len(mind.unrated) >= MOST:
        return True
    if not mind.unrated or not me.has(REFLECTION):
        return False
    waiting = sum(
        memory.weight for memory in _memories(state, me, mind.unrated) if not is_from_before(memory)
    )
    return could_be_due(mind, me.persona, me.surroundings.at, waiting)


CHOOSE = "choose_unrated"


async def choose_unrated(state: MindState, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Take the oldest unrated memories, to rate them in parallel with the rest of the thought."""
    chosen, left = state.mind.unrated[:MOST], state.mind.unrated[MOST:]
    return {
        "rating": chosen,
        "mind": replace(state.mind, unrated=left),
        "path": [*state.path, CHOOSE],
    }


def _memories(state: MindState, me: Thinker, ids: Sequence[str]) -> list[Memory]:
    return [state.draft.get(me, memory) for memory in ids]


async def gather(state: MindState, context: MindContext) -> StepInputs[RateImportanceInput]:
    """Return the memories chosen for rating."""
    me = context.of(state.agent)
    memories = number_memories(me, _memories(state, me, state.rating))
    return StepInputs(inputs=RateImportanceInput(me=who(me, state.mind), memories=memories))


def apply(
    state: MindState, context: MindContext, result: StepResult[RateImportanceInput, Ratings]
) -> Changes:
    """Report the ratings, which `keep_ratings` stores.

    After a fallback, or if all ratings are equal, the memories keep their provisional importance
    and are not rated again.
    """
    says_nothing = result.is_fallback or is_flat(result.answer)
    return {
        "rated": tuple(
            (state.rating[rating.number - 1], None if says_nothing else rating.importance)
            for rating in result.answer.ratings
        )
    }


KEEP = "keep_ratings"


async def keep_ratings(state: MindState, runtime: Runtime[MindContext]) -> dict[str, Any]:
    """Store the ratings made in parallel with the other phases, and add up their importance.

    What the person knew before the run is rated too, but starts no reflection.
    """
    me, draft = runtime.context.of(state.agent), state.draft.count_use(STEP.name)
    gathered = state.mind.gathered
    for rated, importance in state.rated:
        if importance is not None:
            draft = draft.with_rating(me, rated, importance)
        memory = draft.get(me, rated)
        gathered += 0 if is_from_before(memory) else draft.weight(memory)
    mind = replace(state.mind, gathered=gathered)
    return {"mind": mind, "draft": draft, "rating": (), "path": [*state.path, KEEP]}


def sample(scene: Scene) -> RateImportanceInput:
    """Return sample inputs for the prompt, made from a scene."""
    return RateImportanceInput(me=scene.me, memories=scene.recalled())


def is_flat(answer: Ratings) -> bool:
    """Return whether many memories are all rated alike, so that the ratings say nothing."""
    numbers = {rating.importance for rating in answer.ratings}
    return len(answer.ratings) >= LEAST_FLAT and len(numbers) == 1


def flat(answer: Ratings, inputs: RateImportanceInput, shown: CheckContext) -> Iterator[Problem]:
    """Yield a problem if nearly all ratings are high, or many are the same number.

    A few low ones may well be equal: an hour in which nothing happened.
    """
    numbers = [rating.importance for rating in answer.ratings]
    high = sum(number >= HIGH for number in numbers)
    is_high = len(numbers) >= LEAST_HIGH and high >= MOSTLY * len(numbers)
    if is_high or (is_flat(answer) and (len(numbers) >= MANY or numbers[0] >= MIDDLE)):
        what = f"{HIGH} or more" if is_high else numbers[0]
        rest = f" for nearly all of {len(numbers)} memories. Rate each by itself: most are trivial."
        yield field_problem("ratings", PlainWords(str(what)), rest, "empty")


STEP = Step(
    name="rate_importance",
    about="how important memories are",
    inputs=RateImportanceInput,
    answer=Ratings,
    gather=gather,
    apply=apply,
    sample=sample,
    fallback=fallback,
    standin=rate_importance,
    context=context,
    choices=choices,
    temperature=0.3,
    max_tokens=400,
    sense=(SenseCheck(look=flat, action="mark"),),
)

_EVENTFUL = frozenset(("party", "party_preparing", "campaign", "worship"))
"""Kinds of activities that may be memorable as a whole, although their usual parts are not."""
_TOUCHING = stems(
    "party wedding funeral birthday quarrel argue cry shout fight fire accident ill sick hurt dead"
    " stolen lost found secret love kiss prize contest election festival surprise help ask invite"
)
"""Words that make a model rate even a routine activity."""

_TALKING = re.compile(r"(?:talking|chatting) (?:with|to)\b", re.IGNORECASE)
_LIKE = 0.7
"""Minimum share of an activity's words in a known task for the two to count as the same."""


@lru_cache(maxsize=8192)
def routine_importance(activity: str) -> int | None:
    """Return the importance of a routine activity, 2 to 4 of 10, or None if a model must rate it.

    Activities are recognised by English words; any other activity is unknown and left to a model.
    """
    task = _kind_of_task(activity)
    if task is not None and task.name in _EVENTFUL:
        return 3
    if stems(activity) & _TOUCHING:
        return None
    if _TALKING.match(activity):
        return 4
    if activity.startswith(ON_THE_WAY):
        return 2
    kind = task or kind_of(activity)
    if kind is None or kind.name in _EVENTFUL:
        return None
    return 2 if kind.where == "home" else 4 if kind.name in ("friends", "games", "music") else 3


def _kind_of_task(activity: str) -> Kind | None:
    """Return the kind that has this activity among its tasks, in any of a task's wordings."""
    said = stems(activity)
    shares = [(len(said & words), kind) for words, kind in _tasks() if said]
    best = max(shares, key=lambda each: each[0], default=None)
    return best[1] if best is not None and best[0] >= _LIKE * len(said) else None


@cache
def _tasks() -> tuple[tuple[frozenset[str], Kind], ...]:
    return tuple((stems(task), kind) for kind in kinds() for task in kind.tasks)
