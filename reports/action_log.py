"""An agent's actions in the action log format of Affordable Generative Agents."""

from datetime import date, datetime, time, timedelta

from agents.action import Action, Talk
from agents.mind import Mind
from agents.plan import block_at
from agents.times import day_of, minute_of, moment
from history.reader import RunReader
from reports.present import mind_of

ROOT, REACT = "root", "react"
"""Parents of actions that are no part of a larger task: planned directly, or a reaction to
somebody."""


def action_log(reader: RunReader, agent: str, start: date | None) -> list[dict[str, object]]:
    """Return an agent's actions in order, each with the format's six fields.

    An action is new unless exactly the same task of the same hourly activity already had a place
    that day, which was then reused without asking. Durations are minutes, as planned.
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
    """Return what an action is part of: an hourly activity, the plan itself, or a reaction."""
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
    """Return a town time with its date, `2024-05-06 07:30:00`; as day and clock without one."""
    if start is None:
        return moment(at)
    return str(datetime.combine(start, time()) + timedelta(seconds=at))
