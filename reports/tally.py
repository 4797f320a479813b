"""The numbers of a run, overall and by town hour, counted in the same way for every report."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from smolville.agents.action import Action
from smolville.history.counts import Counts, by_agent, by_step
from smolville.history.reader import RunReader

_NUMBERS = re.compile(r"\d+")


def activity_name(action: Action) -> str:
    """Return an activity without its numbers, so that `page 3` and `page 4` count as the same."""
    return " ".join(_NUMBERS.sub(" ", action.activity).split())


@dataclass(frozen=True, kw_only=True)
class RunTally:
    """The numbers of a run up to its last tick."""

    parts: Mapping[tuple[str, str], Counts]
    """Counts by (agent, step)."""
    thoughts: int
    failed: int
    """Number of thoughts that failed, and had no other effect."""
    actions: int
    talks: int
    lines: int
    memories: int

    @property
    def total(self) -> Counts:
        """The sum of all counts."""
        return Counts.summed(self.parts.values())

    @property
    def of_agents(self) -> dict[str, Counts]:
        """The sums by agent."""
        return by_agent(self.parts)

    @property
    def of_steps(self) -> dict[str, Counts]:
        """The sums by step."""
        return by_step(self.parts)

    def plain(self) -> dict[str, object]:
        """Return the numbers as plain data."""
        return {
            "thoughts": self.thoughts,
            "failed_thoughts": self.failed,
            "actions": self.actions,
            "talks": self.talks,
            "talk_lines": self.lines,
            "memories": self.memories,
            "total": plain_counts(self.total),
            "by_agent": {name: plain_counts(part) for name, part in self.of_agents.items()},
            "by_step": {name: plain_counts(part) for name, part in self.of_steps.items()},
        }


def count_run(reader: RunReader) -> RunTally:
    """Return the numbers of a run up to its last tick."""
    with reader.snapshot():
        done = reader.watermark()
        until = -1 if done is None else done
        thoughts = reader.thoughts(until=until)
        talks = reader.talks(until=until)
        deeds = reader.deeds(until=until)
        return RunTally(
            parts=reader.counts(until=until),
            thoughts=len(thoughts),
            failed=sum(1 for thought in thoughts if thought.failed),
            actions=sum(1 for deed in deeds if deed.outcome == "accepted"),
            talks=len(talks),
            lines=sum(len(talk.lines) for talk in talks),
            memories=sum(len(reader.memories(name, until)) for name in reader.agents()),
        )


def plain_counts(counts: Counts) -> dict[str, object]:
    """Return counts as plain data."""
    return {
        "steps": counts.steps,
        "odd": counts.odd,
        "odd_kinds": dict(counts.odd_kinds),
        "outcomes": {str(outcome): number for outcome, number in counts.outcomes.items()},
        "calls": counts.calls,
        "prompt_tokens": counts.prompt_tokens,
        "completion_tokens": counts.completion_tokens,
        "thinking_tokens": counts.thinking_tokens,
        "cached_tokens": counts.cached_tokens,
        "uncounted_calls": counts.uncounted,
        "transport_retries": counts.retries,
        "milliseconds": round(counts.milliseconds, 3),
    }


_STEPS = """
SELECT tick * :seconds / 3600, outcome, COUNT(*), TOTAL(odd_kinds != '[]') FROM steps
WHERE tick <= :until GROUP BY 1, 2
"""
_CALLS = """
SELECT tick * :seconds / 3600, COUNT(*), TOTAL(prompt_tokens), TOTAL(completion_tokens),
    TOTAL(milliseconds)
FROM calls WHERE tick <= :until GROUP BY 1
"""


def hours(reader: RunReader, until: int) -> dict[int, Counts]:
    """Return the counts of each town hour up to a tick, from that of the first step or call on."""
    given = {"seconds": reader.spec.tick_seconds, "until": until}
    found: dict[int, list[Counts]] = {}
    with reader.snapshot():
        steps = reader.connection.execute(_STEPS, given).fetchall()
        calls = reader.connection.execute(_CALLS, given).fetchall()
    for hour, outcome, count, odd in steps:
        part = Counts(steps=count, outcomes={outcome: count}, odd=int(odd))
        found.setdefault(int(hour), []).append(part)
    for hour, count, prompt, completion, milliseconds in calls:
        part = Counts(
            calls=count,
            prompt_tokens=int(prompt),
            completion_tokens=int(completion),
            milliseconds=milliseconds,
        )
        found.setdefault(int(hour), []).append(part)
    every = range(min(found, default=0), max(found, default=-1) + 1)
    return {hour: Counts.summed(found.get(hour, ())) for hour in every}
