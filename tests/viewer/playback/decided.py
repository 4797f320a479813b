"""How each action was decided, read from the records of the steps that planned it alone."""

from collections.abc import Sequence

from smolville.agents.action import Action
from smolville.agents.times import day_of, minute_at, minute_of
from smolville.graphs.settled_places import AHEAD
from smolville.history.records import Deed
from smolville.lab.moments.moment import Moment

Marks = tuple[bool, bool]
"""Whether a declared fallback decided an action, and whether the model found no place for it."""


def marks_of(deed: Deed, moments: Sequence[Moment]) -> Marks:
    """Return the marks that the step records give a deed; `moments` are a run's, in their order."""
    action = deed.action
    if action.kind not in ("do", "sleep"):
        return False, False
    day = day_of(action.start)
    mine = [each for each in moments if each.agent == deed.agent and day_of(each.at) == day]
    before = [each for each in mine if each.record.tick <= deed.tick]
    planned = [each for each in before if _plans(each, minute_of(action.start))]
    is_fallback = planned[-1].outcome == "fallback" if planned else False
    if action.kind == "sleep":
        return is_fallback, False
    is_given, is_nowhere = _placed(action, before)
    return is_fallback or is_given, is_nowhere


def _plans(moment: Moment, minute: int) -> bool:
    """Return whether a step said what is done at a minute; a `replan` given up changes nothing."""
    if moment.step == "plan_hours":
        spans = [gap["time"].split("-") for gap in moment.inputs["gaps"]]
        return any(minute_at(start) <= minute < minute_at(end) for start, end in spans)
    if moment.step == "decompose" or (moment.step == "replan" and moment.outcome != "fallback"):
        return minute_at(moment.inputs["start"]) <= minute < minute_at(moment.inputs["end"])
    return False


def _placed(action: Action, before: Sequence[Moment]) -> Marks:
    """Return how the place was decided: for this minute, else for the same task done before."""
    listed = [each for each in before if _task(each, action.activity) is not None]
    now = [each for each in listed if _holds(each, action)]
    known = [
        each for each in listed if each.outcome != "fallback" and _is_placed(each, action.activity)
    ]
    if not now and not known:
        return False, False
    return _marks_at((now or known)[-1], action.activity, before)


def _marks_at(moment: Moment, activity: str, before: Sequence[Moment]) -> Marks:
    """Return the marks of a task at the moment at which it was asked about."""
    same = [each for each in before if each.record.tick == moment.record.tick]
    looked = [each for each in same if _task(each, activity) is not None]
    sectors = [each.outcome for each in same if each.step == "choose_place"]
    again = sectors[-1:] if len(looked) > 1 else []
    return "fallback" in (moment.outcome, *again), not _is_placed(moment, activity)


def _task(moment: Moment, activity: str) -> dict[str, object] | None:
    """Return the task of that name that `ground_block` was asked to place."""
    tasks = moment.inputs["tasks"] if moment.step == "ground_block" else []
    return next((each for each in tasks if each["letter"] and each["activity"] == activity), None)


def _holds(moment: Moment, action: Action) -> bool:
    """Return whether a task of this name was asked about, with the action not too far ahead."""
    return (
        _task(moment, action.activity) is not None
        and minute_of(action.start) < minute_of(moment.at) + AHEAD
    )


def _is_placed(moment: Moment, activity: str) -> bool:
    """Return whether a place was found for a task that the moment was asked about."""
    task = _task(moment, activity)
    assert task is not None
    return moment.answer[str(task["letter"])] != 0
