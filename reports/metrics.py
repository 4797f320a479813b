"""A run's calls and actions in the file formats of Affordable Generative Agents (arXiv 2402.02053).

The files and their meanings are those of that project. Its "function name" is here the graph and
the step, `mind.ground_block` or `talk.say`. Prompt and completion tokens are also listed
separately, in files of their own and in `detail_info.json`. A count that a server did not report is
null, never 0. Embeddings do not count as calls.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from json import loads
from typing import Any

from smolville.agents.action import Action
from smolville.agents.mind import Mind
from smolville.agents.plan import block_at
from smolville.agents.times import day_of, minute_of, moment
from smolville.history.calls import Unpacker
from smolville.history.reader import RunReader
from smolville.reports.analysis import lost_calls
from smolville.reports.present import mind_of
from smolville.reports.stretches import reused_deeds

ROOT, REACT = "root", "react"
"""Parents of actions that are not part of a larger task.

Such an action was planned directly, or is a reaction to somebody.
"""
FORBIDDEN = r'[/\\:*?"<>|\x00-\x1f]'
"""Characters that some system forbids in file names."""

_NAME = "iif(calls.agent != calls.owner, 'talk.', 'mind.') || calls.step"
_CALLS = f"""
SELECT {_NAME} AS function_name, model,
    iif(coalesce(prompt_tokens, completion_tokens) IS NULL, NULL,
        ifnull(prompt_tokens, 0) + ifnull(completion_tokens, 0)) AS token,
    round(milliseconds / 1000, 4) AS time, prompt_tokens AS prompt_token,
    completion_tokens AS completion_token, thinking_tokens AS thinking_token,
    cached_tokens AS cached_token, agent, tick, attempt, finish, source
FROM calls ORDER BY tick, owner, step, ordinal, attempt
"""  # noqa: S608
_REJECTED = f"""
SELECT {_NAME}, readings.problems
FROM readings JOIN calls USING (owner, tick, step, ordinal, attempt)
WHERE NOT readings.accepted ORDER BY tick, owner, step, ordinal, attempt
"""  # noqa: S608


def metrics(reader: RunReader, start: date | None) -> dict[str, object]:
    """Return file contents by file name, for everything recorded in a run until now.

    `start` is the date of day 1; without it, town times are written as day and clock.
    """
    with reader.snapshot():
        rows = reader.connection.execute(_CALLS)
        names = [name for name, *_ in rows.description]
        details = [dict(zip(names, cells, strict=True)) for cells in rows]
        files: dict[str, object] = {"detail_info.json": details}
        for way in ("function_name", "model"):
            for value in ("token", "prompt_token", "completion_token"):
                files[f"{way}_{value}.json"] = _grouped(details, way, value)
            counts = {name: len(each) for name, each in _grouped(details, way, "token").items()}
            files[f"{way}_count.json"] = counts
        files["function_name_time.json"] = _grouped(details, "function_name", "time")
        reasons = _failures(reader)
        counts = {name: len(texts) for name, texts in reasons.items()}
        files["function_name_fail_count.json"] = counts
        files["function_name_fail_reason.json"] = reasons
        for name in reader.agents():
            files[f"{re.sub(FORBIDDEN, '_', name)}.json"] = _action_log(reader, name, start)
    return files


def _grouped(details: Iterable[Mapping[str, Any]], way: str, value: str) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for each in details:
        groups.setdefault(each[way], []).append(each[value])
    return {name: groups[name] for name in sorted(groups)}


def _failures(reader: RunReader) -> dict[str, list[str]]:
    connection = reader.connection
    reasons: dict[str, list[str]] = {}
    for lost in lost_calls(connection, Unpacker(connection)):
        name = f"{'talk' if lost.is_talk else 'mind'}.{lost.step}"
        reasons.setdefault(name, []).append(lost.sentence)
    for name, problems in connection.execute(_REJECTED):
        reasons.setdefault(name, []).append(" ".join(loads(problems)))
    return {name: reasons[name] for name in sorted(reasons)}


def _action_log(reader: RunReader, agent: str, start: date | None) -> list[dict[str, object]]:
    """Return an agent's actions in order, each with the six fields of the format.

    `is_new` is False for two kinds of actions. The task or the place of the first kind came from a
    routine. For the second kind, exactly the same task of the same hourly activity already had a
    place on that day, which was used again without asking a model. Durations are minutes, as
    planned.
    """
    talks = {talk.start: talk for talk in reader.talks(agent)}
    known: set[tuple[int, str, str]] = set()
    log: list[dict[str, object]] = []
    deeds = [deed for deed in reader.deeds(agent) if deed.outcome == "accepted"]
    reused = reused_deeds(reader.reuses(), deeds)
    for deed in deeds:
        action = deed.action
        talk = talks.get(action.start) if action.kind == "talk" else None
        parent = _parent(action, None if talk else mind_of(reader, agent, deed.tick))
        key = (day_of(action.start), parent, action.activity)
        minutes, seconds = divmod(action.end - action.start, 60)
        begun = moment(action.start)
        if start is not None:
            begun = str(datetime.combine(start, time()) + timedelta(seconds=action.start))
        log.append(
            {
                "task": action.activity,
                "parent": parent,
                "is_new": (agent, deed.tick) not in reused
                and (parent in (ROOT, REACT) or key not in known),
                "duration": round(minutes + seconds / 60, 2) if seconds else minutes,
                "time": begun,
                "chat": talk
                and [{"person": each.speaker, "message": each.text} for each in talk.lines],
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
    return block.part_of if block.part_of in {hour.activity for hour in mind.plan.hours} else REACT
