"""The rules for all questions of a run: repairs, examples, strictness and changes per step."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from graphs.loop.step import AnyStep

Tier = Literal["fast", "strong"]
History = Literal["last", "full", "none"]
"""Which wrong answers a repair shows: the last one, all of them, or none (exactly the same question
again, for comparison)."""
Anchors = Literal["on", "soft", "off"]
"""What is fixed in a day before a model fills it: promises and sleep always, work unless `off`,
meals only if `on`."""
Shapes = Literal["full", "narrow"]
"""What a model is asked: whole answers, or only to choose among what code prepares."""
EVERY_KIND = "any"
"""Stands for every kind of oddity in an answer."""


@dataclass(frozen=True, kw_only=True)
class StepRule:
    """An operator's changes to one step; None for what the step itself declares."""

    tier: Tier | None = None
    temperature: float | None = None
    max_tokens: int | None = None


AS_DECLARED = StepRule()
"""The rule of a step that is asked as it declares."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Rules by which a run asks its models."""

    repairs: int = 3
    """Number of repairs before a step falls back."""
    strict: bool = False
    """Whether the run stops instead of using a fallback."""
    strict_sense: tuple[str, ...] = ()
    """Kinds of oddity (`parsers.problem.SENSE_KINDS`, or `EVERY_KIND`) that also stop the run."""
    history: History = "last"
    examples: int = 0
    """Number of example cases shown with a question at most."""
    examples_from_run: bool = False
    """Whether answers of this run may serve as examples, besides the shipped ones."""
    anchors: Anchors = "on"
    """What is fixed in a day before a model fills it."""
    shapes: Shapes = "full"
    """What a model is asked: models below two billion parameters do well only to choose
    (docs/small-models.md)."""
    without: tuple[str, ...] = ()
    """Names of the components of the mind that are left out (`graphs.components`), in its order."""
    routine_similarity: float | None = None
    """Least similarity of two activities for which a routine is reused; None: nothing is reused, as
    in runs of versions that had no routines."""
    fast_repairs: int | None = None
    """Number of repairs of the steps of the fast tier, where its model has others."""
    fast_examples: int | None = None
    """Number of examples for the steps of the fast tier, where its model has others."""
    steps: Mapping[str, StepRule] = field(default_factory=dict)
    """Changes by step; `AS_DECLARED` for every other step."""

    def tier_of(self, step: "AnyStep") -> Tier:
        """Return the tier of a step's first attempt: the operator's, else the step's own."""
        return self.steps.get(step.name, AS_DECLARED).tier or step.tier

    def repairs_of(self, step: "AnyStep") -> int:
        """Return the number of repairs of a step before it falls back."""
        own = self.fast_repairs if self.tier_of(step) == "fast" else None
        return self.repairs if own is None else own

    def examples_of(self, step: "AnyStep") -> int:
        """Return the number of example cases shown with a step's question at most.

        Narrow questions need none: their examples are answers to whole ones.
        """
        if self.shapes == "narrow":
            return 0
        own = self.fast_examples if self.tier_of(step) == "fast" else None
        return self.examples if own is None else own
