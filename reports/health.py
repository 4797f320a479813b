"""The counts of a run: how often models answered well, at what cost, and what came of it.

All recorded calls count, even those of interrupted thoughts, because they were paid for.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import itemgetter

from smolville.agents.action import Action
from smolville.agents.wording import format_count, percent, thousands
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.history.counts import CountGroup, Counts, summed_by
from smolville.history.reader import RunReader
from smolville.reports.stretches import format_reuses

UNTOLD = "unknown"
"""Name for the unknown model of a step whose calls are missing."""


@dataclass(frozen=True, kw_only=True)
class Health:
    """The counts of a run's models, in total and by step, agent, model and server."""

    parts: Mapping[CountGroup, Counts]
    nowhere: int = 0
    """Number of actions for which the model said that no place fits.

    That is an answer, and not a fallback.
    """
    reused: Mapping[str, int] = field(default_factory=dict)
    """Numbers of activities split into tasks, and of tasks given a place, by routines."""
    whispers_by_rule: int = 0
    """Number of whispers that became thoughts by rule, almost word for word, without a model."""
    sizes: Mapping[str, str] = field(default_factory=dict)
    """Parameters and quantisation (`3.2B, Q4_K_M`) by model, if the model reported them when the
    run was begun.
    """
    faults: tuple[str, ...] = ()
    """One sentence for each count that is inconsistent; empty for an undamaged history."""

    @property
    def total(self) -> Counts:
        """The sum of all counts."""
        return Counts.summed(self.parts.values())

    @property
    def steps(self) -> dict[str, Counts]:
        """The sums by step."""
        return summed_by(self.parts, lambda part: part.step)

    @property
    def agents(self) -> dict[str, Counts]:
        """The sums by agent; a line of a talk counts for its speaker."""
        return summed_by(self.parts, lambda part: part.agent)

    @property
    def models(self) -> dict[str, Counts]:
        """The sums by model; a step counts for the model that wrote its last reply."""
        return summed_by(self.parts, lambda part: part.model or UNTOLD)

    @property
    def servers(self) -> dict[str, Counts]:
        """The sums by server; a model's only server has the name of the model."""
        return summed_by(self.parts, lambda part: part.server or part.model or UNTOLD)

    def plain(self) -> dict[str, object]:
        """Return the counts as plain data."""
        groups = {name: getattr(self, name) for name in ("steps", "agents", "models", "servers")}
        return {
            "total": plain_line(self.total),
            **{
                name: {one: plain_line(counts) for one, counts in group.items()}
                for name, group in groups.items()
            },
            "nowhere": self.nowhere,
            "reused": dict(self.reused),
            "whispers_by_rule": self.whispers_by_rule,
            "sizes": dict(self.sizes),
            "faults": list(self.faults),
        }


def health(reader: RunReader) -> Health:
    """Return the counts of everything that a run's models have done until now."""
    with reader.snapshot():
        reuses = reader.reuses()
        tasks = sum(each.kind == "tasks" for each in reuses)
        return Health(
            parts=reader.ledger(),
            nowhere=reader.nowhere(),
            reused={"tasks": tasks, "spots": len(reuses) - tasks},
            whispers_by_rule=reader.whispers_by_rule(),
            sizes=reader.spec.models.sizes,
            faults=tuple(reader.faults()),
        )


def plain_line(counts: Counts) -> dict[str, object]:
    """Return one row of the ledger as plain data; the outcomes add up to `steps_taken`."""
    share, speed = counts.cached_share, counts.tokens_per_second
    return {
        "steps_taken": counts.steps,
        "attempts": counts.recorded,
        **{str(outcome): counts.outcomes.get(outcome, 0) for outcome in OUTCOMES},
        "odd": counts.odd,
        "odd_kinds": dict(counts.odd_kinds),
        "repaired_after": {str(after): n for after, n in counts.repaired_after.items()},
        "transport_errors": counts.retries,
        "cut_prompts": counts.cuts,
        "prompt_tokens": counts.prompt_tokens,
        "completion_tokens": counts.completion_tokens,
        "thinking_tokens": counts.thinking_tokens,
        "cached_share": None if share is None else round(share, 4),
        "tokens_per_second": None if speed is None else round(speed, 2),
        "milliseconds": round(counts.milliseconds),
        "unfinished": counts.unfinished,
        "dropped": counts.dropped,
        "from_cache": counts.from_cache,
    }


def format_answers(counts: Counts) -> str:
    """Return the ledger's headline: what is known of the answers, which is not their sense.

    `1,204 steps: 88.2 % clean, 4.2 % mended, 6.8 % repaired, 0.8 % fallback; 8.2 % objected to.`
    """
    if not counts.steps:
        return "No step has ended yet."
    ends = [
        f"{percent(number, counts.steps)} {outcome}"
        for outcome in OUTCOMES
        if (number := counts.outcomes.get(outcome, 0)) or outcome in ("clean", "fallback")
    ]
    odd = percent(counts.odd, counts.steps)
    return f"{format_count(counts.steps, 'step')}: {', '.join(ends)}; {odd} objected to."


def format_oddities(counts: Counts) -> str:
    """Return the objections, most frequent first: `Objected to: 7 hours, 3 repeat.`; or nothing."""
    return f"Objected to: {format_kinds(counts.odd_kinds)}." if counts.odd_kinds else ""


def format_kinds(counted: Mapping[str, int]) -> str:
    """Return the count of each kind, most frequent first: `7 hours, 3 repeat`."""
    most = sorted(counted.items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{number:,} {kind}" for kind, number in most)


def format_calls(counts: Counts) -> str:
    """Return a sentence on the cost: number of calls, of lost and cut calls, and of tokens."""
    if not counts.recorded:
        return "No call is recorded yet."
    parts = [
        f"{format_count(counts.recorded, 'call')}: "
        f"{format_count(counts.retries, 'transport error')}"
    ]
    parts.append(format_count(counts.cuts, "cut prompt"))
    if counts.dropped:
        parts.append(f"{format_count(counts.dropped, 'memory', 'memories')} left out to fit")
    if counts.from_cache:
        parts.append(f"{counts.from_cache:,} from the reply cache")
    if counts.unfinished:
        parts.append(f"{counts.unfinished:,} of unfinished thoughts")
    return f"{', '.join(parts)}; {format_tokens(counts)}."


def format_without_calls(found: Health) -> list[str]:
    """Return sentences on what was decided without a call or a place; empty if nothing was."""
    nowhere, whispers = found.nowhere, found.whispers_by_rule
    told = [
        f"{format_count(nowhere, 'action')} had no fitting place; done where the person stood."
        if nowhere
        else "",
        format_reuses(found.reused),
        f"{format_count(whispers, 'whisper')} taken in word for word: no model was asked."
        if whispers
        else "",
    ]
    return [sentence for sentence in told if sentence]


def format_sizes(found: Health) -> str:
    """Return the models and their sizes: `Model: tiny (0.1M, F32).`; empty if unknown."""
    labels = [f"{name} ({found.sizes[name]})" for name in found.models if name in found.sizes]
    return f"{'Models' if labels[1:] else 'Model'}: {', '.join(labels)}." if labels else ""


def format_tokens(counts: Counts) -> str:
    """Return the tokens: `121k prompt + 9.9k completion tokens, 63.0 % of the prompts cached`."""
    text = f"{thousands(counts.prompt_tokens)} prompt + {thousands(counts.completion_tokens)}"
    text += " completion tokens"
    if counts.thinking_tokens:
        text += f" ({thousands(counts.thinking_tokens)} of thinking)"
    if counts.told_tokens:
        text += f", {percent(counts.told_cached, counts.told_tokens)} of the prompts cached"
    speed = counts.tokens_per_second
    return text if speed is None else f"{text}, {speed:,.0f} tokens/s"


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
        return summed_by(self.parts, itemgetter(0))

    @property
    def of_steps(self) -> dict[str, Counts]:
        """The sums by step."""
        return summed_by(self.parts, itemgetter(1))

    def plain(self) -> dict[str, object]:
        """Return the numbers as plain data."""
        return {
            "thoughts": self.thoughts,
            "failed_thoughts": self.failed,
            "actions": self.actions,
            "talks": self.talks,
            "talk_lines": self.lines,
            "memories": self.memories,
            "total": plain_line(self.total),
            "by_agent": {name: plain_line(part) for name, part in self.of_agents.items()},
            "by_step": {name: plain_line(part) for name, part in self.of_steps.items()},
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
