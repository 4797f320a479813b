"""Problems between a town and its models, grouped by reason."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from smolville.parsers.problem import SENSE_KINDS

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
"""Names of reasons, in the order of the report: lost calls, answers, days.

Answers that make no sense count both if refused and if accepted as odd.
"""

OF_KIND: Mapping[str, str] = {"cut": "cut_answer"}
"""Reasons for kinds of problems (`parsers.problem`) whose names differ from the kind."""


@dataclass(frozen=True, kw_only=True)
class StepProblem:
    """One problem with its reason, its place and its time."""

    reason: str
    agent: str
    step: str
    """Name of the step; empty if the problem is of a whole thought."""
    tick: int
    owner: str
    """The agent, or the id of the talk, with the problem."""
    sentence: str
    detail: str = ""
    """The rule of the town that was broken; empty for other reasons."""

    @property
    def is_talk(self) -> bool:
        """Return True if the problem occurred in a talk, not in an agent's own thought."""
        return self.owner != self.agent


@dataclass(kw_only=True)
class Reason:
    """All problems with the same reason."""

    key: str
    by_step: Counter[str] = field(default_factory=Counter)
    by_agent: Counter[str] = field(default_factory=Counter)
    example: StepProblem
    """The first problem found."""
    detail: str = ""
    """The rule of the town that was broken; empty for other reasons."""

    @property
    def name(self) -> str:
        """The reason's key, followed by the broken rule if there is one; unique for each reason."""
        return f"{self.key}: {self.detail}" if self.detail else self.key

    @property
    def title(self) -> str:
        """The reason's name."""
        detail = self.detail.rstrip(".")
        return f"{TITLES[self.key]}: {detail}" if detail else TITLES[self.key]

    @property
    def count(self) -> int:
        """Number of problems with this reason."""
        return self.by_agent.total()


def reason_of(kind: str) -> str:
    """Return the reason for a kind of problem; `text` for unknown kinds."""
    reason = OF_KIND.get(kind, kind)
    return reason if reason in TITLES else "text"


def group_by_reason(findings: Iterable[StepProblem]) -> list[Reason]:
    """Return the problems by reason, in the order of the report; each broken rule is a reason."""
    found: dict[tuple[str, str], Reason] = {}
    for finding in findings:
        key = finding.reason, finding.detail
        new = Reason(key=finding.reason, detail=finding.detail, example=finding)
        reason = found.setdefault(key, new)
        reason.example = min(reason.example, finding, key=lambda each: each.tick)
        reason.by_agent[finding.agent] += 1
        if finding.step:
            reason.by_step[finding.step] += 1
    return [reason for key in TITLES for reason in found.values() if reason.key == key]
