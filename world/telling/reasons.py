"""Everything that goes wrong between a town and its models, by reason."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from parsers.problem import SENSE_KINDS

TITLES: Mapping[str, str] = {
    "timeout": "time-outs",
    "lost": "other lost calls",
    "cut_prompt": "prompts too long for the context",
    "unreadable": "replies the server itself could not read",
    "cut_answer": "answers cut off",
    "no_json": "no JSON in the answer",
    "syntax": "broken JSON",
    "missing": "missing fields",
    "type": "values of a wrong type",
    "choice": "choices that were not offered",
    "level": "a place of another level",
    "range": "numbers out of range",
    "length": "too long, too short",
    "sum": "minutes that do not add up",
    "duplicate": "the same thing twice",
    "text": "other problems of answers",
    **SENSE_KINDS,
    "repeated": "the same wrong answer again",
    "fallback": "steps that fell back",
    "wake": "odd wake-up times",
    "low_activity": "days with little in them",
    "slow": "unusually slow calls",
    "failed_thought": "thoughts that failed",
}
"""Reason to its name, in the order in which they are told: lost calls, answers, days.

What makes no sense counts whether it was refused, or accepted as odd."""

OF_KIND: Mapping[str, str] = {"cut": "cut_answer"}
"""Kinds of problems (`parsers.problem`) whose reason is called otherwise."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that went wrong."""

    reason: str
    agent: str
    step: str
    """Empty for a whole thought."""
    tick: int
    owner: str
    """The agent, or the talk's id when it happened in a talk."""
    sentence: str

    @property
    def is_talk(self) -> bool:
        """True when it happened in a talk, not in a thought of the agent's own."""
        return self.owner != self.agent


@dataclass(kw_only=True)
class Reason:
    """All that went wrong for one reason."""

    key: str
    by_step: Counter[str] = field(default_factory=Counter)
    by_agent: Counter[str] = field(default_factory=Counter)
    example: Finding
    """The first one."""

    @property
    def title(self) -> str:
        """The reason's name."""
        return TITLES[self.key]

    @property
    def count(self) -> int:
        """How often it happened."""
        return self.by_agent.total()


def reason_of(kind: str) -> str:
    """Return the reason for a kind of problem; kinds that nobody knows are `text`."""
    reason = OF_KIND.get(kind, kind)
    return reason if reason in TITLES else "text"


def gathered(findings: Iterable[Finding]) -> list[Reason]:
    """Return the findings by reason, in the order in which reasons are told."""
    found: dict[str, Reason] = {}
    for finding in findings:
        reason = found.setdefault(finding.reason, Reason(key=finding.reason, example=finding))
        reason.example = min(reason.example, finding, key=lambda each: each.tick)
        reason.by_agent[finding.agent] += 1
        if finding.step:
            reason.by_step[finding.step] += 1
    return [found[key] for key in TITLES if key in found]
