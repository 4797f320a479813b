"""A run's calls and actions in the file formats of Affordable Generative Agents (arXiv 2402.02053).

The files and their meanings are those of that project. Its "function name" is here the graph and
the step, `mind.ground_block` or `talk.say`. Prompt and completion tokens are also listed
separately, in files of their own and in `detail_info.json`. A count that a server did not report is
null, never 0. Embeddings do not count as calls.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time, timedelta
from json import loads
from typing import NamedTuple, TypeVar

from smolville.agents.action import Action, Talk
from smolville.agents.mind import Mind
from smolville.agents.plan import block_at
from smolville.agents.times import day_of, minute_of, moment
from smolville.history.calls import Unpacker
from smolville.history.reader import RunReader
from smolville.reports.analysis import lost_calls
from smolville.reports.present import mind_of
from smolville.reports.reused import reused_deeds

ROOT, REACT = "root", "react"
"""Parents of actions that are not part of a larger task.

Such an action was planned directly, or is a reaction to somebody.
"""
FORBIDDEN = '/\\:*?"<>|'
"""Characters that some system forbids in file names."""

_CALLS = """
SELECT agent, owner, tick, step, model, prompt_tokens, completion_tokens, thinking_tokens,
    cached_tokens, milliseconds, attempt, finish, source
FROM calls ORDER BY tick, owner, step, ordinal, attempt
"""
_REJECTED = """
SELECT calls.agent, owner, calls.step, readings.problems
FROM readings JOIN calls USING (owner, tick, step, ordinal, attempt)
WHERE NOT readings.accepted ORDER BY tick, owner, step, ordinal, attempt
"""

Value = TypeVar("Value")


class CallRow(NamedTuple):
    """One call."""

    agent: str
    owner: str
    tick: int
    step: str
    model: str
    prompt: int | None
    completion: int | None
    thinking: int
    cached: int | None
    milliseconds: float
    attempt: int
    finish: str
    source: str

    @property
    def name(self) -> str:
        """The graph and the step of the call."""
        return function_name(self.step, is_talk=self.owner != self.agent)

    @property
    def tokens(self) -> int | None:
        """The total number of tokens; None if the server reported neither count."""
        if self.prompt is None and self.completion is None:
            return None
        return (self.prompt or 0) + (self.completion or 0)

    @property
    def seconds(self) -> float:
        """The call's duration in seconds."""
        return round(self.milliseconds / 1000, 4)


def metrics(reader: RunReader, start: date | None) -> dict[str, object]:
    """Return file contents by file name, for everything recorded in a run until now.

    `start` is the date of day 1; without it, town times are written as day and clock.
    """
    with reader.snapshot():
        rows = [CallRow(*cells) for cells in reader.connection.execute(_CALLS)]
        files = _of_calls(rows) | _of_failures(reader)
        files["detail_info.json"] = [_detail(row) for row in rows]
        for name, stem in _stems(reader.agents(), files).items():
            files[f"{stem}.json"] = _action_log(reader, name, start)
    return files


def function_name(step: str, *, is_talk: bool) -> str:
    """Return the graph that a step belongs to, and the step: `mind.ground_block`."""
    return f"{'talk' if is_talk else 'mind'}.{step}"


def _of_calls(rows: Iterable[CallRow]) -> dict[str, object]:
    """Return the files about calls by function and by model."""
    kept = list(rows)
    files: dict[str, object] = {}
    ways: dict[str, Callable[[CallRow], str]] = {
        "function_name": lambda row: row.name,
        "model": lambda row: row.model,
    }
    for way, of in ways.items():
        files[f"{way}_count.json"] = {
            name: len(group) for name, group in _group_values(kept, of, lambda row: row).items()
        }
        files[f"{way}_token.json"] = _group_values(kept, of, lambda row: row.tokens)
        files[f"{way}_prompt_token.json"] = _group_values(kept, of, lambda row: row.prompt)
        files[f"{way}_completion_token.json"] = _group_values(kept, of, lambda row: row.completion)
    files["function_name_time.json"] = _group_values(
        kept, ways["function_name"], lambda row: row.seconds
    )
    return files


def _of_failures(reader: RunReader) -> dict[str, object]:
    """Return the number of lost calls and of rejected replies, by function."""
    connection = reader.connection
    reasons: dict[str, list[str]] = {}
    for lost in lost_calls(connection, Unpacker(connection)):
        name = function_name(lost.step, is_talk=lost.is_talk)
        reasons.setdefault(name, []).append(lost.sentence)
    for agent, owner, step, problems in connection.execute(_REJECTED):
        name = function_name(step, is_talk=owner != agent)
        reasons.setdefault(name, []).append(" ".join(loads(problems)))
    by_name = {name: reasons[name] for name in sorted(reasons)}
    return {
        "function_name_fail_count.json": {name: len(texts) for name, texts in by_name.items()},
        "function_name_fail_reason.json": by_name,
    }


def _detail(row: CallRow) -> dict[str, object]:
    """Return one call: first the four fields of the format, then further data."""
    return {
        "function_name": row.name,
        "model": row.model,
        "token": row.tokens,
        "time": row.seconds,
        "prompt_token": row.prompt,
        "completion_token": row.completion,
        "thinking_token": row.thinking,
        "cached_token": row.cached,
        "agent": row.agent,
        "tick": row.tick,
        "attempt": row.attempt,
        "finish": row.finish,
        "source": row.source,
    }


def _group_values(
    rows: Iterable[CallRow], name: Callable[[CallRow], str], value: Callable[[CallRow], Value]
) -> dict[str, list[Value]]:
    """Return the values of the rows by name, in order."""
    groups: dict[str, list[Value]] = {}
    for row in rows:
        groups.setdefault(name(row), []).append(value(row))
    return {key: groups[key] for key in sorted(groups)}


def _stems(names: Iterable[str], files: Mapping[str, object]) -> dict[str, str]:
    """Return a unique and valid file name for each persona, without `.json`."""
    taken = {name.removesuffix(".json") for name in files} | {"detail_info"}
    stems: dict[str, str] = {}
    for name in names:
        letters = ("_" if each in FORBIDDEN or not each.isprintable() else each for each in name)
        plain = "".join(letters).strip(" .")[:80] or "somebody"
        number, stem = 2, plain
        while stem.casefold() in taken:
            number, stem = number + 1, f"{plain} {number}"
        taken.add(stem.casefold())
        stems[name] = stem
    return stems


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
    deeds = reader.deeds(agent)
    reused = reused_deeds(reader.reuses(), deeds)
    for deed in deeds:
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
                "is_new": (agent, deed.tick) not in reused
                and (parent in (ROOT, REACT) or key not in known),
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
    """Return a town time with its date, `2024-05-06 07:30:00`; without `start` as day and clock."""
    if start is None:
        return moment(at)
    return str(datetime.combine(start, time()) + timedelta(seconds=at))
