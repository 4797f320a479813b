"""The figures of a day on a real small model, read from its history alone."""

import bisect
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.day_sense import (
    Kept,
    LivedDay,
    copies,
    hours_kept,
    repeats_a_line,
    shown_examples,
)
from smolville.agents.times import DAY_SECONDS, Clock, at_of
from smolville.graphs.loop.ledger import Call
from smolville.graphs.sense.words import free_texts
from smolville.history.counts import Counts
from smolville.history.reader import RunReader
from smolville.history.thoughts import StepView
from smolville.reports.health import health
from smolville.reports.present import mind_of
from smolville.reports.runs import OpenRun

HISTORY = "heed_inner_voice"
"""The step that takes in the persona's past, which happens only on the first day."""


@dataclass(frozen=True, kw_only=True)
class Beginnings:
    """How much of the first attempts' prompts the server had already, and could have had."""

    prompt: int = 0
    """Number of prompt tokens."""
    cached: int = 0
    possible: int = 0
    """Number of tokens in the longest beginning shared with any earlier prompt of the model."""
    untold: int = 0
    """Number of calls for which the server reported no count."""

    @property
    def share(self) -> float | None:
        """Cached tokens as a share of the possible ones; None if there are none."""
        return self.cached / self.possible if self.possible else None


@dataclass(frozen=True, kw_only=True)
class RealDay:
    """All figures that are reported about a day on a real model."""

    agents: int
    agent_days: float
    total: Counts
    steps: dict[str, Counts]
    repaired: int
    copied: tuple[str, ...]
    """Memories, lines, plans and answers that equal a shown example word for word."""
    talks: int
    repeating: int
    """Number of talks in which somebody repeats a line."""
    kept: dict[str, Kept]
    """How often `wake`, `bed` and `meals` were at their usual hours."""
    beginnings: Beginnings
    history_reply_tokens: int
    faults: int

    @property
    def without_fallback(self) -> float | None:
        """The share of steps that a model answered, from 0 to 1; None before the first step."""
        fallbacks = self.total.outcomes.get("fallback", 0)
        return 1 - fallbacks / self.total.steps if self.total.steps else None

    @property
    def tokens_per_agent_day(self) -> tuple[int, int]:
        """Tokens of replies and of prompts; 0 before any time has passed."""
        days = self.agent_days or float("inf")
        return round(self.total.completion_tokens / days), round(self.total.prompt_tokens / days)

    def plain(self) -> dict[str, object]:
        """Return the figures of the JSON line."""
        whole, (reply, prompt) = self.total, self.tokens_per_agent_day
        days = self.agent_days or float("inf")
        return {
            "agents": self.agents,
            "agent_days": round(self.agent_days, 4),
            "steps": whole.steps,
            "without_fallback": _rounded(self.without_fallback),
            "outcomes": {str(name): count for name, count in whole.outcomes.items()},
            "odd": whole.odd,
            "odd_share": _rounded(whole.odd / whole.steps if whole.steps else None),
            "odd_kinds": dict(whole.odd_kinds),
            "repaired": self.repaired,
            "copied": len(self.copied),
            "talks": self.talks,
            "talks_repeating": self.repeating,
            **{f"{name}_kept": [each.at_its_hour, each.of] for name, each in self.kept.items()},
            "reply_tokens_per_agent_day": reply,
            "history_reply_tokens_per_agent_day": round(self.history_reply_tokens / days),
            "prompt_tokens_per_agent_day": prompt,
            "model_minutes_per_agent_day": round(whole.milliseconds / 60_000 / days, 2),
            "cached_of_possible": _rounded(self.beginnings.share),
            "faults": self.faults,
        }


def real_day(run: OpenRun) -> RealDay:
    """Return the figures of a run up to its last tick."""
    reader = run.reader
    with reader.snapshot():
        found = health(reader)
        views = [view for key in reader.use_keys(run.tick) if (view := reader.step(key))]
        talks = reader.talks(until=run.tick)
        repaired = [view.record for view in views if view.record.outcome == "repaired"]
        agents = reader.agents()
        return RealDay(
            agents=len(agents),
            agent_days=len(agents) * run.at / DAY_SECONDS,
            total=found.total,
            steps=found.steps,
            repaired=len(repaired),
            copied=tuple(_copied(reader, views, run.tick)),
            talks=len(talks),
            repeating=sum(map(repeats_a_line, talks)),
            kept=hours_kept(_days(run)),
            beginnings=shared_beginnings(each.call for view in views for each in view.attempts),
            history_reply_tokens=found.steps.get(HISTORY, Counts()).completion_tokens,
            faults=len(found.faults),
        )


def _days(run: OpenRun) -> Iterator[LivedDay]:
    """Yield the whole days of everybody in a run."""
    clock = Clock(run.folder.spec.tick_seconds)
    for agent in run.reader.agents():
        deeds = run.reader.deeds(agent, until=run.tick)
        for day in range(1, run.at // DAY_SECONDS + 1):
            mind = mind_of(run.reader, agent, clock.tick_at(at_of(day + 1, 0)) - 1)
            plan = mind.plan if mind is not None else None
            yield LivedDay(
                agent=agent,
                lifestyle=run.persona(agent).lifestyle,
                habits=run.persona(agent).habits,
                day=day,
                actions=tuple(each.action for each in deeds if each.outcome == "accepted"),
                blocks=plan.blocks if plan is not None and plan.day == day else (),
            )


def _copied(reader: RunReader, views: Sequence[StepView], until: int) -> Iterator[str]:
    """Yield the recorded texts that equal a shown example word for word."""
    examples = shown_examples()
    for agent in reader.agents():
        yield from copies((each.text for each in reader.memories(agent, until)), examples)
    for talk in reader.talks(until=until):
        yield from copies((line.text for line in talk.lines), examples)
    for view in views:
        if view.record.outcome != "fallback" and view.attempts:
            answer = json.loads(view.record.answer)
            given = view.attempts[0].call.inputs
            yield from copies((text for _, text in free_texts(answer)), examples, given)


def shared_beginnings(calls: Iterable[Call]) -> Beginnings:
    """Return how much of the first attempts' prompts was cached, and could have been cached.

    Calls are taken in the order in which they were sent. Each one is compared with all earlier
    calls of its model, in any slot. The tokens of a beginning are assumed to be as long as the
    prompt's other tokens.
    """
    earlier: dict[str, list[str]] = {}
    sums: Counter[str] = Counter()
    for call in sorted(calls, key=lambda each: each.started):
        known = earlier.setdefault(call.model, [])
        text = "".join(f"{each['role']}\n{each['content']}\n" for each in json.loads(call.messages))
        at = bisect.bisect(known, text)
        if call.key.attempt == 0 and call.source == "model":
            if call.prompt_tokens is None or call.cached_tokens is None:
                sums["untold"] += 1
            else:
                near = known[max(at - 1, 0) : at + 1]
                most = max((shared_length(text, each) for each in near), default=0)
                sums["prompt"] += call.prompt_tokens
                sums["cached"] += call.cached_tokens
                sums["possible"] += round(call.prompt_tokens * most / len(text))
        known.insert(at, text)
    return Beginnings(**sums)


def shared_length(text: str, other: str) -> int:
    """Return the number of characters that two texts have in common at their beginnings."""
    lengths = range(min(len(text), len(other)))
    return bisect.bisect_left(lengths, True, key=lambda at: text[: at + 1] != other[: at + 1])


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 4)
