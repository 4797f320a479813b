"""Sentences about thoughts and talks: their reasons and their results."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from smolville.agents.action import Talk
from smolville.agents.wording import format_count, join_words, percent
from smolville.history.records import Deed, ThoughtRow
from smolville.history.thoughts import StepView
from smolville.lab.evaluation.summary import format_seconds
from smolville.lab.tracing.tree import sum_span_counts
from smolville.reports.thought_reasons import BECAUSE

TOKENS = ("prompt_tokens", "completion_tokens", "thinking_tokens", "cached_tokens")
"""The counts of a call's tokens."""


def format_thought_cause(row: ThoughtRow, finished: str = "") -> str:
    """Return why somebody thought, as a sentence; `finished` is what they did before."""
    first = row.agent.split()[0]
    reasons = {kind: text.replace("{}", first) for kind, text in BECAUSE.items()}
    if finished:
        reasons["action_ended"] = f"{first} finished {finished}, and needed something new to do"
    counts = Counter(row.stimuli)
    told = [
        reasons.get(kind, kind) + (f" {count} times" if count > 1 else "")
        for kind, count in counts.items()
    ]
    return f"{row.agent} thought because {join_words(told)}." if told else f"{row.agent} thought."


def came_of(row: ThoughtRow, deeds: Sequence[Deed]) -> str:
    """Return the result of a thought, and the town's response, as sentences."""
    if row.failed:
        return f"The thought failed and left nothing behind: {row.failed.rstrip('.')}."
    if not row.intent:
        return "What came of it: nothing new; what was being done went on."
    doing, _, place = row.intent.partition(" @ ")
    said = f"What came of it: {doing.rstrip('.')}{f', at {place}' if place else ''}."
    refused = [each.reason for each in deeds if each.outcome == "refused"]
    return said + "".join(f" The town refused it: {reason.rstrip('.')}." for reason in refused)


def format_talk(talk: Talk) -> str:
    """Return how a talk went, as a sentence."""
    end = "nobody ended it"
    if talk.ended_by == "the cap":
        end = "it ended when its lines ran out"
    elif talk.ended_by:
        end = f"{talk.ended_by} ended it"
    return f"{join_words(talk.participants)} said {format_count(len(talk.lines), 'line')}; {end}."


def format_costs(steps: Iterable[StepView], milliseconds: float | None = None) -> dict[str, str]:
    """Return the costs of some steps together, by name."""
    views = list(steps)
    calls = [attempt.call for view in views for attempt in view.attempts]
    total = sum_span_counts(
        {**{name: getattr(call, name) for name in TOKENS}, "model_ms": call.milliseconds}
        for call in calls
    )
    return {
        "Steps": str(len(views)) if len(views) > 1 else "",
        "Calls": str(len(calls)),
        **tokens(total),
        "Models": format_seconds(total["model_ms"]) if calls else "",
        "Whole": format_seconds(milliseconds) if milliseconds else "",
    }


def tokens(told: Mapping[str, float | None]) -> dict[str, str]:
    """Return token counts by name; a count is empty if unknown, the thinking count also if zero."""
    cached, prompt = told["cached_tokens"], told["prompt_tokens"]
    share = percent(cached, prompt) if cached is not None and prompt else ""
    return {
        "Prompt": _count(prompt),
        "Reply": _count(told["completion_tokens"]),
        "Thinking": _count(told["thinking_tokens"] or None),
        "Prompt cached": share,
    }


def _count(number: float | None) -> str:
    return "" if number is None else format_count(int(number), "token")
