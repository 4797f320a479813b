"""Reasons for somebody's thoughts, actions and talks, as sentences from a run's history."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import orjson

from smolville.agents.action import Talk
from smolville.agents.needs import NeedsRow
from smolville.agents.stream import MemoryDraw
from smolville.agents.times import at_of, clock, day_of, minute_at, minute_of
from smolville.agents.wording import format_count, join_words
from smolville.graphs.activities.kinds import tables
from smolville.graphs.loop.ledger import StepRecord
from smolville.history.moments import draws_of, needs_of
from smolville.history.reader import RunReader
from smolville.history.records import STEPS, StepView, ThoughtRow, UseKey
from smolville.reports.stretches import format_reuse

BECAUSE = {
    "new_day": "a new day began",
    "action_ended": "what {} did was over",
    "sight": "something new came into sight",
    "talk_ended": "a talk had ended",
    "inner_voice": "an inner voice whispered",
    "announcement": "something was announced",
    "refused": "the town refused what {} wanted",
    "turn": "it was the hour of its turn",
    "need": "{} felt a need",
}
"""Stimuli in words, with a placeholder for the first name."""

_FOR = {"dream": "In sleep", "wander": "Before the day was planned"}


def why_thought(row: ThoughtRow, views: Sequence[StepView], plan: str) -> str:
    """Return a thought's reasons and its result in one sentence.

    `plan` says when and by which step the result was planned. It is empty if the thought does not
    carry out a plan.
    """
    first = row.agent.split()[0]
    reasons = dict.fromkeys(BECAUSE.get(each, each).format(first) for each in row.stimuli)
    because = f"{row.agent} thought because {' and '.join(reasons) or 'somebody asked'}"
    if row.failed:
        return f"{because}; the thought failed: {row.failed}"
    if last := find_last_reaction(views):
        choice = orjson.loads(last.answer)
        because += f", chose to {_format_reaction(choice)}: “{choice['reason'].rstrip('.')}”"
    if plan:
        because += f"; {first} turned to {row.intent.rpartition(' @ ')[0]}: {plan}"
    return f"{because}."


def why_talked(talk: Talk, reason: str) -> str:
    """Return a sentence on who began a talk and why; `reason` is empty if none is known."""
    others = join_words(talk.others(talk.participants[0])) or "nobody"
    because = f": “{reason}”" if reason else ""
    return f"{talk.participants[0]} began to talk with {others}{because}."


def find_planning_record(reader: RunReader, row: ThoughtRow) -> StepRecord | None:
    """Return the step that planned the activity that a thought carries out.

    It is the latest step of the day, up to the thought, whose answer has this activity at the
    thought's minute. If there is none, as for sleep and meals, it is the step `plan_day`. None if
    the thought does not carry out a plan.
    """
    if "act" not in row.path or not row.intent:
        return None
    activity, minute = row.intent.rpartition(" @ ")[0], minute_of(row.at)
    first = at_of(day_of(row.at), 0) // reader.spec.tick_seconds
    query = f"{STEPS.select} WHERE owner = ? AND tick BETWEEN ? AND ? ORDER BY tick DESC, n DESC"
    with reader.snapshot():
        rows = reader.connection.execute(query, (row.agent, first, row.tick))
        records = [STEPS.row(cells) for cells in rows]
    laid = (each for each in records if each.step == "plan_day")
    fitting = (each for each in records if _is_activity_planned(reader, each, activity, minute))
    return next(fitting, None) or next(laid, None)


def format_plan(record: StepRecord, tick_seconds: int) -> str:
    """Return when the plan behind an activity was made, and by which step."""
    when = clock(minute_of(record.tick * tick_seconds))
    return f"the plan says so since {when} ({record.step})"


def find_last_reaction(views: Iterable[StepView]) -> StepRecord | None:
    """Return a thought's last `react` step."""
    found = [view.record for view in views if view.record.step == "react"]
    return found[-1] if found else None


def format_reaction_reason(record: StepRecord) -> str:
    """Return the reason that a `react` step gave for its choice."""
    return str(orjson.loads(record.answer).get("reason", "")).rstrip(".")


def _format_reaction(choice: dict[str, Any]) -> str:
    words = {
        "talk": f"talk with {choice['person']}",
        "wait": f"wait for {choice['person']}",
        "other": f"do something other than planned ({choice['activity']})",
        "now": "see to a need at once",
        "later": "see to a need when this is over",
    }
    return words.get(choice["choice"], f"{choice['choice']} as before")


def _is_activity_planned(reader: RunReader, record: StepRecord, activity: str, minute: int) -> bool:
    """Return whether a step's answer plans an activity for a time that contains this minute."""
    answer = orjson.loads(record.answer)
    start = minute_of(record.tick * reader.spec.tick_seconds)
    if record.step == "react":
        is_near = minute < start + (answer["minutes"] or 1)
        return bool(answer["choice"] == "other" and answer["activity"] == activity and is_near)
    if activity not in _planned_in(record.step, answer):
        return False
    view = reader.step(UseKey(record.owner, record.tick, record.step, record.ordinal))
    asked = orjson.loads(view.attempts[0].call.inputs) if view and view.attempts else {}
    if "start" not in asked:
        return True
    return minute_at(asked["start"]) <= minute < (minute_at(asked["end"]) or 1440)


def _planned_in(step: str, answer: dict[str, Any]) -> list[str]:
    if step == "plan_hours":
        return [text for texts in answer.values() for text in texts]
    return [each["activity"] for each in answer.get("subtasks", ())]


def unasked(reader: RunReader, agent: str, tick: int) -> dict[str, list[str]]:
    """Return sentences on what a thought `felt`, `reused`, and what `came_up`, without a model."""
    draws = draws_of(reader.connection, agent, tick, tick)
    texts = {each.id: each.text for each in reader.memories(agent, tick)} if draws else {}
    seconds = reader.spec.tick_seconds
    reuses = (each for each in reader.reuses(tick, tick) if each.agent == agent)
    return {
        "felt": format_urgent(needs_of(reader.connection, agent, tick, tick)),
        "reused": [format_reuse(each, seconds) for each in reuses],
        "came_up": [format_draw(each, lambda id_: texts.get(id_, id_)) for each in draws],
    }


def format_draw(draw: MemoryDraw, text_of: Callable[[str], str]) -> str:
    """Return the memories that were picked at random, with their chances.

    `text_of` returns a memory's text by its id.
    """
    told = "; ".join(
        f"“{text_of(each).rstrip('.')}” ({_alike(size)}, chance {chance:.1%})"
        for each, size, chance in zip(draw.memories, draw.sizes, draw.chances, strict=True)
    )
    groups = format_count(draw.clusters, "group of alike ones", "groups of alike ones")
    return (
        f"{_FOR.get(draw.step, draw.step)} {format_count(len(draw.memories), 'memory', 'memories')}"
        f" of {draw.among:,}, in {groups}, came up by themselves: {told}."
    )


def _alike(size: int) -> str:
    return "one of its kind" if size == 1 else f"one of {size} alike"


def format_urgent(rows: Iterable[NeedsRow]) -> list[str]:
    """Return a sentence for each need that required a decision in a thought."""
    told = tables("needs.toml")
    return [
        f"An urgent need: {each.urgent}, {each.levels[each.urgent]:.0f} of 100. "
        f"“{told[each.urgent]['urgent']}”"
        for each in rows
        if each.urgent
    ]
