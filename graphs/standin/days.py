"""The stand-in's rules for a day: its outline, hours, subtasks and places, and the identity."""

from collections.abc import Sequence

from smolville.agents.english import clip, sentences, stems
from smolville.agents.times import clock, minute_at
from smolville.graphs.activities.kinds import (
    LONGEST,
    fit_of,
    free_time,
    kind_for,
    names_of,
    split,
)
from smolville.graphs.places import HERE, IN_USE, Task, room_score
from smolville.graphs.standin.memory import importance_of
from smolville.graphs.standin.news import ToldEvent, event_in, own_news
from smolville.models.standin.rule import Dice, RuleAnswer
from smolville.parsers.decompose import DecomposeInput
from smolville.parsers.ground_block import GroundBlockInput
from smolville.parsers.plan_day import MOST_DATED, PlanDayInput
from smolville.parsers.plan_hours import PlanHoursInput
from smolville.parsers.prompt_inputs import PersonaInput, PlaceCard, TaskCard
from smolville.parsers.replan import ReplanInput
from smolville.parsers.revise_identity import ReviseIdentityInput

_PARTS = (("morning", 360), ("afternoon", 720), ("evening", 1080))
_MOST = 12
_IDLE = ("doing nothing for once", "looking out of the window", "humming a tune", "daydreaming")
"""Activities for a gap if all that a person likes is in the day already."""
_FITS = 2.0
"""Minimum score of a place that is good enough for a task."""


def revise_identity(inputs: ReviseIdentityInput, dice: Dice) -> RuleAnswer:
    """Return the concern so far with yesterday's weightiest memory, and the usual requirement."""
    me = inputs.me
    old = clip((sentences(me.currently) or (me.name,))[0], 200)
    ranked = sorted(inputs.memories, key=lambda each: -importance_of(each.text, me))
    new = next((each.text for each in ranked if not stems(each.text) <= stems(old)), "")
    events = [f"It is the day of the {each.name}." for each in _own_events(me, inputs.date)]
    requirement = clip(" ".join((*events[:1], inputs.usual)), 295)
    answer = {"currently": f"{old} {clip(new, 190)}".strip(), "requirement": requirement}
    answer = {
        name: text if len(text) >= 10 else f"As ever: {text}" for name, text in answer.items()
    }
    return RuleAnswer(answer, (inputs.usual, old.rstrip("…"), new))


def _own_events(me: PersonaInput, date: str) -> list[ToldEvent]:
    """Return the events of a date that somebody's concerns tell of."""
    found = [event for told in own_news(me) if (event := event_in(told)) and event.is_on(date)]
    return found[:MOST_DATED]


def plan_day(inputs: PlanDayInput, dice: Dice) -> RuleAnswer:
    """Return the time to wake up, every promise, my own events, and the purpose of each part."""
    me, wakes = inputs.me, inputs.wakes
    usual = wakes[len(wakes) // 2]
    taken: set[str] = set()
    aims = {}
    for name, start in _PARTS:
        aims[name] = free_time(start, start + 60, me, taken, dice)[0]
    dated = []
    for event in _own_events(me, inputs.date):
        told = stems(event.told)
        place = next((each for each in inputs.places if stems(each.split(": ")[0]) <= told), None)
        what = clip(f"holding the {event.name}", 120)
        dated.append({"what": what, "start": clock(event.start), "end": None, "place": place})
    answer = {
        "wake": dice.pick((*wakes, usual, usual, usual), "wake"),
        "go_to": [each.number for each in inputs.promises],
        "dated": dated,
        **aims,
    }
    used = (me.lifestyle, inputs.requirement, *(each.activity for each in inputs.promises))
    return RuleAnswer(answer, used)


def plan_hours(inputs: PlanHoursInput, dice: Dice) -> RuleAnswer:
    """Return activities for each gap: what the person wants, then leisure that it likes.

    Work holds what is wanted in its part of the day and found no free time there.
    """
    taken: set[str] = set()
    used = {each.activity for each in inputs.stands}
    left = list(inputs.wants)
    answer: dict[str, list[str]] = {}
    for gap in sorted(inputs.gaps, key=lambda each: each.work != ""):
        start, end = map(minute_at, gap.time.split("-"))
        part = next(name for name, first in reversed(_PARTS) if start >= first or first == 360)
        wanted = [each for each in left if part in each.time][: gap.most]
        left = [each for each in left if each not in wanted]
        phrases = [each.activity for each in wanted]
        if not gap.work:
            phrases += free_time(start, end, inputs.me, taken, dice)
            phrases += [] if set(phrases) - used else _IDLE
        fresh = [each for each in dict.fromkeys(phrases) if each not in used][: gap.most]
        used.update(fresh)
        answer[gap.letter] = fresh
    return RuleAnswer(
        {gap.letter: answer[gap.letter] for gap in inputs.gaps},
        tuple(each.activity for each in inputs.wants),
    )


def decompose(inputs: DecomposeInput, dice: Dice) -> RuleAnswer:
    """Return the subtasks of a block that is about to start."""
    return _divide_activity(inputs.activity, inputs.minutes, inputs.me, dice)


def replan(inputs: ReplanInput, dice: Dice) -> RuleAnswer:
    """Return new subtasks for the time left: the unfinished ones, as far as they fit."""
    minutes = inputs.minutes
    left = list(dict.fromkeys(task.activity for task in inputs.tasks))
    names = left[: max(1, min(_MOST, minutes // 10))]
    if not names or len(names) * LONGEST < minutes:
        return _divide_activity(inputs.activity, minutes, inputs.me, dice)
    return _subtasks(names, minutes, (*names, inputs.activity), dice)


def _divide_activity(activity: str, minutes: int, me: PersonaInput, dice: Dice) -> RuleAnswer:
    """Return an activity as subtasks of about 10 to 30 minutes."""
    sort, least = kind_for(activity, me), -(-minutes // LONGEST)
    if sort is not None and sort.name == "sleep":
        names = [activity] * max(1, min(least, _MOST))
    else:
        size = dice.pick((11, 12, 13, 14, 15), "size")
        count = max(1, least, min(_MOST, round(minutes / size), minutes // 5))
        if sort is not None:
            count = max(min(count, len(sort.tasks) * 8 // 5), least)
        names = names_of(activity, sort.tasks if sort else (), count, dice)
    return _subtasks(names, minutes, (activity,), dice)


def _subtasks(names: Sequence[str], minutes: int, used: tuple[str, ...], dice: Dice) -> RuleAnswer:
    """Return subtasks with lengths that add up to the minutes."""
    rows = [
        {"activity": clip(name, 120), "minutes": length}
        for name, length in zip(names, split(minutes, len(names), dice), strict=True)
    ]
    return RuleAnswer({"subtasks": rows}, used)


def ground_block(inputs: GroundBlockInput, dice: Dice) -> RuleAnswer:
    """Return the number of the place that suits each task best, or 0 if none does.

    The stand-in overlooks the rules of the town until a repair reminds it, as small models do.
    """
    free: dict[str, int] = {}
    lawful: dict[str, int] = {}
    used: list[str] = []
    before = 0
    for task in inputs.asked:
        scored = [(_suits(task, place, inputs.me, before), place) for place in inputs.places]
        ranked = sorted(scored, key=lambda each: (-each[0], each[1].number))
        fitting = [place for score, place in ranked if score >= _FITS]
        allowed = [place for place in fitting if task.letter not in place.barred]
        free[task.letter] = before = fitting[0].number if fitting else 0
        lawful[task.letter] = allowed[0].number if allowed else 0
        used += [task.activity, *(place.place for place in fitting[:1])]
    return RuleAnswer(free, tuple(used), lawful)


def _suits(card: TaskCard, place: PlaceCard, me: PersonaInput, before: int) -> float:
    """Return how well a place suits a task by its names and its best free object.

    It suits better if the task before is done there, or if the person is there.
    """
    task = Task(card.activity, card.part_of, me.home, me.work, me.learned)
    things = [each.partition(" (")[0] for each in place.things if IN_USE not in each]
    best = max((fit_of(thing, card.activity) for thing in things), default=0.0)
    is_near = place.number == before or (not before and HERE in place.note)
    return room_score(task, place.place) + best + 1.5 * is_near
