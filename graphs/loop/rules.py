"""What every question of a run obeys: how often it is repaired, shown what, asked of whom."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Tier = Literal["fast", "strong"]
History = Literal["last", "full", "none"]
"""What a repair shows of what went before: the last wrong answer, all of them, or nothing (the very
same question again, for comparison)."""
Anchors = Literal["on", "soft", "off"]
"""What stands in a day before a model fills it: promises and sleep always, work where it is not
`off`, meals where it is `on`."""
EVERY_KIND = "any"
"""Stands for every kind of what makes no sense in an answer."""


@dataclass(frozen=True, kw_only=True)
class StepRule:
    """What an operator changed about one step; None for what the step itself declares."""

    tier: Tier | None = None
    temperature: float | None = None
    max_tokens: int | None = None


AS_DECLARED = StepRule()
"""Of a step that is asked as it declares."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """How a run asks its models."""

    repairs: int = 3
    """Repairs before a step falls back."""
    strict: bool = False
    """Whether the run stops where a step would fall back."""
    strict_sense: tuple[str, ...] = ()
    """Kinds of oddity (`parsers.problem.SENSE_KINDS`, or `EVERY_KIND`) that stop the run, too."""
    history: History = "last"
    examples: int = 0
    """At most so many example cases are shown with a question."""
    examples_from_run: bool = False
    """Whether answers of this run may serve as examples, beside the shipped ones."""
    anchors: Anchors = "on"
    """What stands in a day before a model fills it."""
    steps: Mapping[str, StepRule] = field(default_factory=dict)
    """Step to what is different for it; `AS_DECLARED` for every other."""
