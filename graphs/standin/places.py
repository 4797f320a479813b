"""The stand-in's rules for places: where tasks are done."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from smolville.agents.places import sector_of
from smolville.graphs.activities.kinds import background_of, fit_of, kind_of
from smolville.graphs.places import HERE, IN_USE, Task, home_or_work, room_score
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.models.standin.words import clip, stems
from smolville.parsers.choose_place import ChoosePlaceInput
from smolville.parsers.ground_block import GroundBlockInput
from smolville.parsers.prompt_inputs import PersonaInput, PlaceCard, SectorCard, TaskCard

ERRAND = "going over to "
"""Beginning of a task that consists only in going to the place it names."""
_FITS = 2.0
"""Minimum score of a place that is good enough for a task."""
_TOGETHER = 1.5
"""Additional score of the place that suits all tasks of the block best."""

Scored = tuple[float, PlaceCard]


def ground_block(inputs: GroundBlockInput, dice: Dice) -> RuleAnswer:
    """Return the number of the best place for every task, judged by names, home and work.

    If none fits, return 0. The stand-in overlooks the rules of the town until a repair reminds it,
    as small models do.
    """
    answer, used = _ground_tasks(inputs, heeds_rules=False)
    is_broken = any(
        number == place.number and letter in place.barred
        for letter, number in answer.items()
        for place in inputs.places
    )
    return RuleAnswer(answer, used, _ground_tasks(inputs)[0] if is_broken else None)


def _ground_tasks(
    inputs: GroundBlockInput, *, heeds_rules: bool = True
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return the number of a place for every task, and the texts on which the choice was based."""
    answer: dict[str, int] = {}
    used: list[str] = []
    for _, tasks in groupby(inputs.asked, key=lambda task: task.part_of):
        block = list(tasks)
        scored = {}
        for task in block:
            barred = [each for each in inputs.places if heeds_rules and task.letter in each.barred]
            open_to = [each for each in inputs.places if each not in barred]
            scored[task.letter] = _score_places(task, open_to, inputs.me)
        common = _common_place(list(scored.values()))
        for task in block:
            best = _best(scored[task.letter], common)
            answer[task.letter] = best.number if best else 0
            used += [task.activity, *((best.place,) if best else ())]
    return answer, tuple(used)


def choose_place(inputs: ChoosePlaceInput, dice: Dice) -> RuleAnswer:
    """Return the sector whose name and rooms suit an activity best."""
    me, activity = inputs.me, inputs.activity
    sort = kind_of(activity, background_of(me))
    said = stems(activity)
    task = Task(activity, activity, me.home, me.work, me.learned)

    def score(number: int, name: str, rooms: Sequence[str]) -> tuple[float, int]:
        named = stems(name)
        value = 6.0 * len(named & said) / max(1, len(named))
        inside = stems(" ".join(rooms))
        value += 2.0 * len(inside & said) + _errand(activity, name)
        value += home_or_work(sort, name, task, whole=False)
        if sort is not None:
            value += 2.5 * bool(sort.rooms & named) + 1.5 * bool(sort.rooms & inside)
        return value + dice.fraction("sector", name) * 0.5, -number

    def answer(best: SectorCard) -> dict[str, Any]:
        reason = f"{dice.pick(_REASONS, 'reason')} {best.name} it is."
        return {"reason": clip(reason, 200), "sector": best.number}

    ranked = sorted(
        inputs.sectors, key=lambda each: score(each.number, each.name, each.own_rooms), reverse=True
    )
    lawful = next((each for each in ranked if not each.forbidden), ranked[0])
    repaired = answer(lawful) if lawful != ranked[0] else None
    return RuleAnswer(answer(ranked[0]), (activity, ranked[0].name), repaired)


def _score_places(card: TaskCard, places: Sequence[PlaceCard], me: PersonaInput) -> list[Scored]:
    """Return places with their scores for a task."""
    task = Task(card.activity, card.part_of, me.home, me.work, me.learned)
    return [
        (
            room_score(task, place.place)
            + _errand(card.activity, sector_of(place.place))
            + max((_thing_score(thing, card.activity) for thing in place.things), default=0.0)
            + 0.7 * (HERE in place.note),
            place,
        )
        for place in places
    ]


def _thing_score(thing: str, activity: str) -> float:
    """Return how well an object suits a task; things in use suit it less."""
    return fit_of(thing.partition(" (")[0], activity) - 3.0 * (IN_USE in thing)


def _common_place(scored: list[list[Scored]]) -> str:
    """Return the address of the place that suits all tasks of a block best; empty if none does."""
    totals: dict[str, float] = {}
    for scores in scored:
        for score, place in scores:
            totals[place.place] = totals.get(place.place, 0.0) + score
    common = max(totals, key=lambda place: totals[place], default="")
    return common if common and totals[common] >= _FITS * len(scored) else ""


def _best(scores: list[Scored], common: str) -> PlaceCard | None:
    """Return the best place for a task, preferring the common place; None if nothing fits."""
    weighed = [(score + _TOGETHER * (each.place == common), each) for score, each in scores]
    best = max(weighed, key=lambda each: (each[0], -each[1].number), default=None)
    return best[1] if best is not None and best[0] >= _FITS else None


def _errand(activity: str, sector: str) -> float:
    """Return the extra score of the sector that an errand names; negative for other sectors."""
    named = stems(sector)
    if not activity.startswith(ERRAND) or not named:
        return 0.0
    return 30.0 * len(named & stems(activity)) / len(named) - 18.0


_REASONS = (
    "That is where this is usually done.",
    "It is the best place I know for this.",
    "This suits what I want to do.",
)
