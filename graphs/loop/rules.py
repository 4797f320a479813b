"""The rules for all questions of a run: repairs, examples, strictness, and changes to steps."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Tier = Literal["fast", "strong"]
History = Literal["last", "full"]
"""Which wrong answers a repair shows: the last one, or all of them."""
Anchors = Literal["on", "soft", "off"]
"""What code fixes in a day before a model fills it: promises and sleep always, work unless `off`,
meals only if `on`."""


@dataclass(frozen=True, kw_only=True)
class StepRule:
    """An operator's changes to one step; None keeps the step's own value."""

    tier: Tier | None = None
    temperature: float | None = None
    max_tokens: int | None = None


AS_DECLARED = StepRule()
"""The rule that changes nothing in a step."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Rules by which a run asks its models."""

    repairs: int = 3
    """Number of repairs before a step falls back."""
    strict: bool = False
    """Whether the run stops instead of using a fallback."""
    history: History = "last"
    examples: int = 0
    """Maximum number of example cases shown with a question, the same ones each time."""
    anchors: Anchors = "on"
    """What is fixed in a day before a model fills it."""
    without: tuple[str, ...] = ()
    """Names of the components of the mind that are left out, in the order of
    `graphs.components`."""
    routine_similarity: float | None = None
    """Minimum similarity of two activities for a routine to be reused. None reuses nothing, as in
    runs of versions without routines."""
    steps: Mapping[str, StepRule] = field(default_factory=dict)
    """Changes by step name; `AS_DECLARED` for every other step."""

    def tier_of(self, step: Any) -> Tier:
        """Return the tier of a step's first attempt: the operator's choice, or the step's own."""
        return self.steps.get(step.name, AS_DECLARED).tier or step.tier
