"""The totals of whole days of a run, read from its history alone."""

from typing import TypedDict

from smolville.history.counts import Counts, by_step
from smolville.history.reader import RunReader

HISTORY = "heed_inner_voice"
"""The step that takes in the persona's history as whispers, which happens only on the first day."""


class Totals(TypedDict):
    """All figures that are printed about one cast."""

    figures: dict[str, float]
    steps: dict[str, tuple[float, float, float, float]]
    """For each step: calls, prompt tokens, completion tokens and steps not clean, per agent-day."""
    held: dict[str, float]


def totals_of(reader: RunReader, days: int) -> Totals:
    """Return a run's totals; those whose name says so are per agent-day."""
    counts = reader.counts()
    steps = by_step(counts)
    agent_days = len(reader.agents()) * days
    return {
        "figures": _figures(reader, Counts.summed(counts.values()), steps, agent_days),
        "steps": {
            step: (
                part.calls / agent_days,
                part.prompt_tokens / agent_days,
                part.completion_tokens / agent_days,
                (part.steps - part.outcomes.get("clean", 0)) / agent_days,
            )
            for step, part in sorted(steps.items(), key=lambda each: -each[1].calls)
        },
        "held": _held(reader, Counts.summed(counts.values())),
    }


def _figures(
    reader: RunReader, whole: Counts, steps: dict[str, Counts], agent_days: int
) -> dict[str, float]:
    """Return the figures of the JSON line, except time and memory."""
    talks = reader.talks()
    lines = sum(len(talk.lines) for talk in talks)
    actions = sum(
        deed.outcome == "accepted" and deed.action.kind != "talk" for deed in reader.deeds()
    )
    taken_part = sum(len(talk.participants) for talk in talks)
    whispered = steps.get(HISTORY, Counts())
    reflected = steps.get("reflect_insights", Counts())
    return {
        "calls_per_agent_day": whole.calls / agent_days,
        "prompt_tokens_per_agent_day": whole.prompt_tokens / agent_days,
        "completion_tokens_per_agent_day": whole.completion_tokens / agent_days,
        "history_calls_per_agent_day": whispered.calls / agent_days,
        "history_prompt_tokens_per_agent_day": whispered.prompt_tokens / agent_days,
        "actions_per_agent_day": actions / agent_days,
        "talks_per_agent_day": taken_part / agent_days,
        "talk_lines_per_talk": lines / len(talks) if talks else 0.0,
        "reflections_per_agent_day": reflected.steps / agent_days,
    }


def _held(reader: RunReader, whole: Counts) -> dict[str, float]:
    """Return what the whole town did in the time, for people to judge."""
    agents = reader.agents()
    deeds = [deed for deed in reader.deeds() if deed.outcome == "accepted"]
    thoughts = reader.thoughts()
    talks = reader.talks()
    memories = [memory for agent in agents for memory in reader.memories(agent)]
    distinct = [
        len({deed.action.activity for deed in deeds if deed.agent == agent}) for agent in agents
    ]
    fallbacks = whole.outcomes.get("fallback", 0)
    return {
        "agents": len(agents),
        "thoughts": len(thoughts),
        "thoughts that failed": sum(bool(thought.failed) for thought in thoughts),
        "steps": whole.steps,
        "steps that fell back": fallbacks,
        "actions and talks begun": len(deeds),
        "wishes refused": len(reader.deeds()) - len(deeds),
        "distinct activities of the least varied agent": min(distinct, default=0),
        "talks": len(talks),
        "lines said": sum(len(talk.lines) for talk in talks),
        "talks of six lines or more": sum(len(talk.lines) >= 6 for talk in talks),
        "memories": len(memories),
        "memories of own thinking": sum(memory.kind == "thought" for memory in memories),
        "places used": len({deed.action.place for deed in deeds}),
        "tiles walked": sum(len(move.path) - 1 for move in reader.moves()),
        "counts that do not add up": len(reader.faults()),
    }
