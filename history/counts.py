"""Every count of a run: steps by outcome, attempts, calls, tokens and milliseconds."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from json import loads
from typing import Any, NamedTuple, TypeVar

from smolville.graphs.loop.ledger import OUTCOMES, StepOutcome
from smolville.history.calls import ANSWERED, LOSSES, given_up
from smolville.history.moments import FOREVER

Key = TypeVar("Key")
Name = TypeVar("Name", str, tuple[str, str])


class CountGroup(NamedTuple):
    """The key under which steps and calls are counted together."""

    agent: str
    step: str
    model: str
    """The model of the call; a step counts for the model that wrote its last reply."""
    is_kept: bool
    """False for calls of thoughts that were never committed: interrupted, failed, still going on,
    or repeated differently. These calls cost time and tokens too."""
    server: str = ""
    """The server that answered or lost the calls; empty if the model has only one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Sums over steps and their calls."""

    steps: int = 0
    outcomes: Mapping[StepOutcome, int] = field(default_factory=dict)
    """Number of steps by outcome, including outcomes that did not occur; together they are
    `steps`."""
    repaired_after: Mapping[int, int] = field(default_factory=dict)
    """Number of repaired steps by the number of repairs; the sum is the outcome `repaired`."""
    odd: int = 0
    """Steps whose answer was accepted although a check objects to something in it.

    That no check objects does not show that an answer makes sense.
    """
    odd_kinds: Mapping[str, int] = field(default_factory=dict)
    """Oddities by kind (`parsers.problem.SENSE_KINDS`); a step may have several."""
    attempts: int = 0
    """Sum of the attempts recorded with the steps; equal to `calls`."""
    calls: int = 0
    """Number of call rows of these steps."""
    unfinished: int = 0
    """Call rows that belong to no committed step."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    thinking_tokens: int = 0
    cached_tokens: int = 0
    retries: int = 0
    """Number of times that a call did not get through, including calls that were given up."""
    cuts: int = 0
    """Prompts that did not fit the context, and were shortened and sent again."""
    dropped: int = 0
    """Memories and lines left out so that prompts fit."""
    from_cache: int = 0
    """Calls whose reply came from the reply cache."""
    told_tokens: int = 0
    """Prompt tokens of the calls for which the server reported how many were cached."""
    told_cached: int = 0
    """Cached tokens among `told_tokens`."""
    timed_tokens: int = 0
    """Completion tokens of the calls whose time is known."""
    timed_milliseconds: float = 0.0
    """Time of writing `timed_tokens`, as the server reports it, or else the time of the whole
    call."""
    milliseconds: float = 0.0

    @classmethod
    def summed(cls, parts: Iterable["Counts"]) -> "Counts":
        """Return the sum of counts."""
        sums: dict[str, Any] = {item.name: 0 for item in fields(cls)}
        sums |= {"outcomes": dict.fromkeys(OUTCOMES, 0), "repaired_after": {}, "odd_kinds": {}}
        for part in parts:
            for name, total in sums.items():
                own = getattr(part, name)
                if isinstance(total, dict):
                    for key, number in own.items():
                        total[key] = total.get(key, 0) + number
                else:
                    sums[name] = total + own
        for name in ("repaired_after", "odd_kinds"):
            sums[name] = dict(sorted(sums[name].items()))
        return cls(**sums)

    @property
    def recorded(self) -> int:
        """Number of all call rows."""
        return self.calls + self.unfinished

    @property
    def cached_share(self) -> float | None:
        """Share of the prompt tokens that servers had cached, 0 to 1; None if none reported it."""
        return self.told_cached / self.told_tokens if self.told_tokens else None

    @property
    def tokens_per_second(self) -> float | None:
        """Completion tokens per second of writing; None if tokens or times are unknown."""
        seconds = self.timed_milliseconds / 1000
        return self.timed_tokens / seconds if self.timed_tokens and seconds else None


_STEPS = f"""
SELECT steps.agent, steps.step, COALESCE(calls.model, ''), COALESCE(server, ''), outcome,
    steps.attempts, odd_kinds, COUNT(*)
FROM steps LEFT JOIN calls ON calls.owner = steps.owner AND calls.tick = steps.tick
    AND calls.step = steps.step AND calls.ordinal = steps.ordinal
    AND calls.attempt = steps.attempts - 1
    LEFT JOIN {ANSWERED} ON answered.owner = calls.owner AND answered.tick = calls.tick
    AND answered.step = calls.step AND answered.ordinal = calls.ordinal
    AND answered.attempt = calls.attempt
WHERE steps.tick <= ? GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
"""  # noqa: S608
_SUMS = {
    "prompt_tokens": "TOTAL(prompt_tokens)",
    "completion_tokens": "TOTAL(completion_tokens)",
    "thinking_tokens": "TOTAL(thinking_tokens)",
    "cached_tokens": "TOTAL(cached_tokens)",
    "retries": "TOTAL(retries) FILTER (WHERE server IS NULL)",
    "cuts": "TOTAL(cuts)",
    "dropped": "TOTAL(dropped)",
    "from_cache": "TOTAL(source = 'cache')",
    "told_tokens": "TOTAL(prompt_tokens) FILTER (WHERE {told})",
    "told_cached": "TOTAL(cached_tokens) FILTER (WHERE {told})",
    "timed_tokens": "TOTAL(completion_tokens) FILTER (WHERE {timed})",
    "timed_milliseconds": "TOTAL({time}) FILTER (WHERE {timed})",
    "milliseconds": "TOTAL(calls.milliseconds)",
}
"""SQL expression that sums each count, by the name of the count."""
_TIME = "COALESCE(reply_ms, calls.milliseconds)"
_TOLD = "source = 'model' AND prompt_tokens IS NOT NULL AND cached_tokens IS NOT NULL"
_TIMED = f"source = 'model' AND completion_tokens IS NOT NULL AND {_TIME} > 0"
_CALLS = f"""
SELECT calls.agent, calls.step, calls.model, COALESCE(server, ''),
    COALESCE(calls.attempt < steps.attempts, 0), COUNT(*),
    {", ".join(_SUMS.values()).format(told=_TOLD, timed=_TIMED, time=_TIME)}
FROM calls LEFT JOIN steps USING (owner, tick, step, ordinal)
    LEFT JOIN {ANSWERED} USING (owner, tick, step, ordinal, attempt)
WHERE calls.tick <= ? GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
"""  # noqa: S608
_MILLISECONDS = ("timed_milliseconds", "milliseconds")


def counts_of(connection: sqlite3.Connection, until: int = FOREVER) -> dict[CountGroup, Counts]:
    """Return all counts of a run up to a tick, including calls that were never committed."""
    found: dict[CountGroup, list[Counts]] = {}
    rows = connection.execute(_STEPS, (until,))
    for agent, step, model, server, outcome, attempts, odd, steps in rows:
        counts = replace(
            _make_outcome_counts(outcome, odd, steps),
            repaired_after={attempts - 1: steps} if outcome == "repaired" else {},
            attempts=attempts * steps,
        )
        found.setdefault(CountGroup(agent, step, model, True, server), []).append(counts)
    known = set()
    rows = connection.execute(LOSSES, (until,))
    for agent, owner, tick, step, model, server, is_kept, times in rows:
        part = CountGroup(agent, step, model, bool(is_kept), server)
        found.setdefault(part, []).append(Counts(retries=times))
        known.add((owner, tick, step))
    for lost in given_up(connection):
        if lost.tick <= until and (lost.owner, lost.tick, lost.step) not in known:
            part = CountGroup(lost.agent, lost.step, lost.model, False)
            found.setdefault(part, []).append(Counts(retries=len(lost.lost)))
    rows = connection.execute(_CALLS, (until,))
    for agent, step, model, server, is_kept, calls, *sums in rows:
        numbers = dict(zip(_SUMS, sums, strict=True))
        whole = {name: int(each) for name, each in numbers.items() if name not in _MILLISECONDS}
        times = {name: numbers[name] for name in _MILLISECONDS}
        own: dict[str, Any] = {"calls" if is_kept else "unfinished": calls}
        part = CountGroup(agent, step, model, bool(is_kept), server)
        found.setdefault(part, []).append(Counts(**own | whole | times))
    return {part: Counts.summed(found[part]) for part in sorted(found)}


def counts_by_agent_and_step(
    connection: sqlite3.Connection, until: int = FOREVER
) -> dict[tuple[str, str], Counts]:
    """Return the counts of each agent's committed uses of each step, up to a tick."""
    kept = {part: each for part, each in counts_of(connection, until).items() if part.is_kept}
    return summed_by(kept, lambda part: (part.agent, part.step))


def summed_by(parts: Mapping[Key, Counts], name: Callable[[Key], Name]) -> dict[Name, Counts]:
    """Return the sums of the counts whose keys get the same name from `name`."""
    groups: dict[Name, list[Counts]] = {}
    for key, part in parts.items():
        groups.setdefault(name(key), []).append(part)
    return {one: Counts.summed(groups[one]) for one in sorted(groups)}


def faults_of(connection: sqlite3.Connection) -> list[str]:
    """Return a sentence for every step that has other calls than attempts."""
    return [
        f"{agent}, {step}: {part.attempts} attempts, but {part.calls} calls"
        for (agent, step), part in counts_by_agent_and_step(connection).items()
        if part.calls != part.attempts
    ]


def _make_outcome_counts(outcome: StepOutcome, odd: str, steps: int) -> Counts:
    kinds = loads(odd)
    return Counts(
        steps=steps,
        outcomes={outcome: steps},
        odd=steps if kinds else 0,
        odd_kinds={kind: steps * kinds.count(kind) for kind in kinds},
    )
