"""The specification of an evaluation: its variants, moments, turns and rules."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from smolville.graphs.checking import check_templates
from smolville.graphs.loop.rules import Rules
from smolville.history.spec import flatten_settings
from smolville.lab.evaluation.asking import ReadyMoment
from smolville.lab.evaluation.results import VariantName
from smolville.lab.moments.files import set_name
from smolville.models.chat import Chat
from smolville.models.request import ModelSettings
from smolville.prompts.errors import PromptError
from smolville.prompts.folder import SHIPPED, Texts, find_template_folder, read_overlaid_texts
from smolville.prompts.prompt import TemplateSet

OWN = "its own"
"""Name of the templates that a moment was originally asked with."""


@dataclass(frozen=True, kw_only=True)
class Variant:
    """A template set and a model."""

    name: VariantName
    chat: Chat = field(repr=False)
    templates: TemplateSet = field(repr=False)

    @property
    def version(self) -> str:
        """Eight hex digits that identify the templates."""
        return set_name(self.templates.texts)


def template_sets(
    prompts: Iterable[Path], own: Texts | None = None
) -> tuple[tuple[str, TemplateSet], ...]:
    """Return template sets, each with the name of its folder as typed.

    Without folders, the only set is `own`, or the shipped templates. Raises PromptError for an
    invalid folder, and for templates that do not fit.
    """
    sets = tuple((str(each), _templates(each)) for each in dict.fromkeys(prompts))
    return sets or ((SHIPPED, TemplateSet()) if own is None else (OWN, TemplateSet(own)),)


def variants_of(
    sets: Sequence[tuple[str, TemplateSet]], chats: Iterable[Chat]
) -> tuple[Variant, ...]:
    """Return a variant for every combination of template set and model."""
    return tuple(
        Variant(name=VariantName(prompts=name, model=chat.spec), chat=chat, templates=templates)
        for chat in chats
        for name, templates in sets
    )


def _templates(folder: Path) -> TemplateSet:
    """Return the templates of a folder; an error message begins with the folder's name."""
    found = find_template_folder(folder)
    if found is None:
        return TemplateSet()
    texts = read_overlaid_texts(found)
    try:
        return check_templates(texts)
    except PromptError as error:
        raise type(error)(f"{folder}: {error}") from error


UNSHAPING = ("timeout", "keep_alive", "strict", "strict_sense", "examples")
"""Settings that do not change the answers of an evaluation."""


class Job(NamedTuple):
    """One question: a moment asked once with one variant."""

    moment: ReadyMoment
    variant: int
    turn: int

    @property
    def key(self) -> tuple[str, int, int]:
        """The key of the question's result."""
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
        """The specification as plain data, without settings that cannot change an answer."""
        settings = flatten_settings(self.rules, self.models)
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
        data = orjson.dumps(self.asked, option=orjson.OPT_SORT_KEYS)
        return blake2b(data, digest_size=8).hexdigest()

    def differing_parts(self, other: Mapping[str, Any]) -> Iterator[str]:
        """Yield the names of the parts that differ in another specification."""
        yield from (name for name, value in self.asked.items() if other.get(name) != value)


def _model(variant: Variant) -> str:
    """Return the name of a variant's model, and whether its decoding is constrained.

    The spec is not enough: the same address may serve another model later.
    """
    chat = variant.chat
    return f"{chat.name}{', constrained' if chat.constrains else ''}"


def _digest(moments: tuple[ReadyMoment, ...]) -> str:
    """Return hex digits that identify the content of the moments."""
    digest = blake2b(digest_size=8)
    for each in moments:
        call = each.moment.attempts[0].call
        parts = (each.moment.id, str(each.moment.seed), call.inputs, call.recalled, call.examples)
        digest.update("\x1f".join(parts).encode("utf-8", "surrogatepass") + b"\x1e")
    return digest.hexdigest()
