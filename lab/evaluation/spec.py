"""The specification of an evaluation: its moments, variants, turns and rules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson

from graphs.loop.rules import Rules
from history.spec import written
from lab.evaluation.asking import ReadyMoment
from lab.evaluation.variant import Variant
from models.request import ModelSettings

UNSHAPING = (*("timeout", "keep_alive", "strict", "strict_sense", "examples", "examples_from_run"),)
"""Settings that do not change the answers of an evaluation."""


class Job(NamedTuple):
    """One question: a moment asked once with one variant."""

    moment: ReadyMoment
    variant: int
    turn: int

    @property
    def key(self) -> tuple[str, int, int]:
        """The key of its result."""
        return self.moment.moment.id, self.variant, self.turn


@dataclass(frozen=True, kw_only=True)
class EvaluationSpec:
    """Everything that distinguishes one evaluation from another."""

    variants: tuple[Variant, ...]
    moments: tuple[ReadyMoment, ...]
    turns: int = 1
    """How often each moment is asked with each variant."""
    rules: Rules = field(default_factory=Rules)
    examples: int | None = None
    """Number of example cases shown with each question; None for as many as in the moment
    itself."""
    models: ModelSettings = field(default_factory=ModelSettings)

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        """All questions, in an order that suits a server's prefix cache.

        Questions with the same step and agent come together, one variant after the other.
        """
        moments = sorted(self.moments, key=lambda each: (each.moment.step, each.moment.agent))
        steps = dict.fromkeys(each.moment.step for each in moments)
        return tuple(
            Job(each, variant, turn)
            for step in steps
            for variant in range(len(self.variants))
            for each in moments
            if each.moment.step == step
            for turn in range(self.turns)
        )

    @cached_property
    def asked(self) -> Mapping[str, Any]:
        """The specification as plain data; equal data means the same answers."""
        settings = written(self.rules, self.models)
        return {
            "variants": [each.name.label for each in self.variants],
            "templates": [each.version for each in self.variants],
            "models": [_model(each) for each in self.variants],
            "moments": f"{len(self.moments)}, {_digest(self.moments)}",
            "turns": self.turns,
            "examples": self.examples,
            "settings": {
                name: list(value) if isinstance(value, tuple) else value
                for name, value in settings.items()
                if name not in UNSHAPING
            },
        }

    @property
    def name(self) -> str:
        """Sixteen hex digits that identify the specification."""
        told = orjson.dumps(self.asked, option=orjson.OPT_SORT_KEYS)
        return blake2b(told, digest_size=8).hexdigest()

    def told_apart(self, other: Mapping[str, Any]) -> Iterator[str]:
        """Yield the names of the parts that differ in another specification."""
        yield from (name for name, value in self.asked.items() if other.get(name) != value)


def _model(variant: Variant) -> str:
    """Return the model's name and mode, since the same address may serve another model later."""
    chat = variant.chat
    return f"{chat.name}{', constrained' if chat.constrains else ''}"


def _digest(moments: tuple[ReadyMoment, ...]) -> str:
    """Return hex digits that identify the content of the moments."""
    digest = blake2b(digest_size=8)
    for each in moments:
        call = each.moment.attempts[0].call
        told = (each.moment.id, str(each.moment.seed), call.inputs, call.recalled, call.examples)
        digest.update("\x1f".join(told).encode("utf-8", "surrogatepass") + b"\x1e")
    return digest.hexdigest()
