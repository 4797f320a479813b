"""What an evaluation asks: which moments, of which variants, how often, under which rules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson

from graphs.loop.rules import Rules
from lab.evaluation.asking import Ready
from lab.evaluation.variant import Variant
from models.request import Settings
from world.runs.spec import written

UNSHAPING = (*("timeout", "keep_alive", "strict", "strict_sense", "examples", "examples_from_run"),)
"""Settings that change no answer here."""


class Job(NamedTuple):
    """One moment to be asked once with one variant."""

    moment: Ready
    variant: int
    turn: int

    @property
    def key(self) -> tuple[str, int, int]:
        """What names its result."""
        return self.moment.moment.id, self.variant, self.turn


@dataclass(frozen=True, kw_only=True)
class Question:
    """Everything that makes one evaluation differ from another."""

    variants: tuple[Variant, ...]
    moments: tuple[Ready, ...]
    turns: int = 1
    """How often each moment is asked with each variant."""
    rules: Rules = field(default_factory=Rules)
    examples: int | None = None
    """Example cases shown with each question; None: as many as in the moment itself."""
    models: Settings = field(default_factory=Settings)

    @cached_property
    def jobs(self) -> tuple[Job, ...]:
        """All that is to be asked, in an order that suits a server's prefix cache.

        The same step of the same agent comes together, one variant after the other.
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
        """The question as plain data: two that are equal here have the same answers."""
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
        """Sixteen hex digits over all of it."""
        told = orjson.dumps(self.asked, option=orjson.OPT_SORT_KEYS)
        return blake2b(told, digest_size=8).hexdigest()

    def told_apart(self, other: Mapping[str, Any]) -> Iterator[str]:
        """Yield what another question has otherwise, in words."""
        yield from (name for name, value in self.asked.items() if other.get(name) != value)


def _model(variant: Variant) -> str:
    """Return which model answers, and how: the same address may serve another one today."""
    chat = variant.chat
    return f"{chat.name}{', constrained' if chat.constrains else ''}"


def _digest(moments: tuple[Ready, ...]) -> str:
    """Return hex digits over what the moments are."""
    digest = blake2b(digest_size=8)
    for each in moments:
        call = each.moment.attempts[0].call
        told = (each.moment.id, str(each.moment.seed), call.inputs, call.recalled, call.examples)
        digest.update("\x1f".join(told).encode("utf-8", "surrogatepass") + b"\x1e")
    return digest.hexdigest()
