"""What somebody did, as the action log of Affordable Generative Agents tells it."""

from datetime import date, datetime, time, timedelta

from agents.action import Action, Talk
from agents.mind import Mind
from agents.plan import block_at
from agents.times import day_of, minute_of, moment
from world.runs.reader import RunReader
from world.telling.present import mind_of

ROOT, REACT = "root", "react"
"""Parents of what is no part of a larger task: planned as it is, or done because of somebody."""


def action_log(reader: RunReader, agent: str, start: date | None) -> list[dict[str, object]]:
    """Return an agent's actions in their order, each with the six fields.

    An action is new unless the very same task of the same hour's work had a place that day
    already, and kept it without a question. Durations are minutes, as they were meant to be.
    """
    talks = {talk.start: talk for talk in reader.talks(agent)}
    known: set[tuple[int, str, str]] = set()
    log: list[dict[str, object]] = []
    for deed in reader.deeds(agent):
        action = deed.action
        if deed.outcome != "accepted":
            continue
        talk = talks.get(action.start) if action.kind == "talk" else None
        parent = _parent(action, None if talk else mind_of(reader, agent, deed.tick))
        key = (day_of(action.start), parent, action.activity)
        log.append(
            {
                "task": action.activity,
                "parent": parent,
                "is_new": parent in (ROOT, REACT) or key not in known,
                "duration": _minutes(action),
                "time": _time(start, action.start),
                "chat": None if talk is None else _chat(talk),
            }
        )
        known.add(key)
    return log


def _parent(action: Action, mind: Mind | None) -> str:
    """Return what an action is a part of: an hour's work, the plan itself, or a reaction."""
    if action.kind in ("talk", "wait"):
        return REACT
    if mind is None or mind.plan is None or mind.plan.day != day_of(action.start):
        return ROOT
    block = block_at(mind.plan.blocks, minute_of(action.start))
    if block.activity != action.activity or not block.part_of:
        return ROOT
    planned = {hour.activity for hour in mind.plan.hours}
    return block.part_of if block.part_of in planned else REACT


def _minutes(action: Action) -> int | float:
    seconds = action.end - action.start
    return seconds // 60 if seconds % 60 == 0 else round(seconds / 60, 2)


def _chat(talk: Talk) -> list[dict[str, str]]:
    return [{"person": line.speaker, "message": line.text} for line in talk.lines]


def _time(start: date | None, at: int) -> str:
    """Return a town time with its date, `2024-05-06 07:30:00`; by day and clock without one."""
    if start is None:
        return moment(at)
    return str(datetime.combine(start, time()) + timedelta(seconds=at))
