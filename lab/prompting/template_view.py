"""A full description of a step's template: its text, its inputs, and the possible answers."""

import re
import types
from dataclasses import asdict, dataclass
from typing import Any, cast, get_args, get_origin

from pydantic import BaseModel

from graphs.loop.step import AnyStep
from lab.prompting.faults import AnswerFault, faults_of
from parsers.answer import Answer, shape_of
from parsers.shape import Shape
from parsers.wording import allowed
from prompts.environment import MACROS
from prompts.folder import Texts
from prompts.prompt import TemplateSet

_MACRO = re.compile(r"\{%-?\s*macro\s+(\w+).*?\{%-?\s*endmacro\s*-?%\}", re.S)


@dataclass(frozen=True, slots=True)
class InputField:
    """A variable of a template, or an attribute of a value it shows."""

    name: str
    type: str
    """The type as Python source: `tuple[Recalled, ...]`."""
    meaning: str


@dataclass(frozen=True, slots=True)
class AnswerField:
    """A field of an answer."""

    path: str
    """Dotted path, with `[]` for the items of a list."""
    rule: str
    meaning: str
    is_required: bool
    aliases: tuple[str, ...]
    """Other accepted names of the field."""


@dataclass(frozen=True, kw_only=True)
class TemplateView:
    """A step's template with its contracts for inputs and answer."""

    step: str
    version: str
    tier: str
    temperature: float
    max_tokens: int
    """Maximum number of tokens of the reply."""
    sheds: tuple[str, ...]
    """Lists whose entries are dropped when the prompt is too long, in the order of dropping."""
    files: dict[str, str]
    """The template and its partials: file name to text."""
    formatters: dict[str, str]
    """The macros of `_macros.jinja` that it calls: name to text."""
    input_model: str
    variables: tuple[InputField, ...]
    cards: dict[str, tuple[InputField, ...]]
    """The fields of the card types used by the variables, by type name."""
    instructions: str
    """The text that the template shows as `format`."""
    answer_model: str
    fields: tuple[AnswerField, ...]
    schema: dict[str, Any]
    """The JSON schema to which a server may constrain the reply."""
    fallback: str
    """What happens when there is no usable answer."""
    messages: tuple[AnswerFault, ...]
    """The problem messages that a model can get about its answer."""

    def plain(self) -> dict[str, object]:
        """Return plain data with stable keys."""
        return asdict(self)


def show_step(step: AnyStep, texts: Texts | None = None) -> TemplateView:
    """Return a step's template from these texts; None means the shipped ones.

    Raises PromptContractError when it does not fit.
    """
    prompt = TemplateSet(texts).prompt(step)
    facts, answer = prompt.facts, cast(type[Answer], step.answer)
    told = (step.fallback.__doc__ or "").strip().splitlines()
    return TemplateView(
        step=step.name,
        version=prompt.version,
        tier=step.tier,
        temperature=step.temperature,
        max_tokens=step.max_tokens,
        sheds=step.sheds,
        files={name: text for name, text in facts.texts.items() if name != MACROS},
        formatters=_formatters(facts.texts.get(MACROS, ""), facts.formatters),
        input_model=step.inputs.__name__,
        variables=_fields(step.inputs),
        cards=_cards(step.inputs),
        instructions=prompt.answer_instructions,
        answer_model=answer.__name__,
        fields=tuple(_answer_fields(shape_of(answer), "")),
        schema=answer.call_schema({}),
        fallback=told[0].removeprefix("Return ") if told else "",
        messages=tuple(faults_of(step)),
    )


def _formatters(text: str, names: set[str]) -> dict[str, str]:
    """Return the source of the macros with these names."""
    return {found[1]: found[0] for found in _MACRO.finditer(text) if found[1] in names}


def _fields(model: type[BaseModel]) -> tuple[InputField, ...]:
    """Return the fields of an input model or of a card."""
    return tuple(
        InputField(name, _type_name(field.annotation), " ".join((field.description or "").split()))
        for name, field in model.model_fields.items()
    )


def _cards(model: type[BaseModel]) -> dict[str, tuple[InputField, ...]]:
    """Return the fields of all cards that a model's fields contain, by card name."""
    found: dict[str, tuple[InputField, ...]] = {}
    for field in model.model_fields.values():
        for card in _models_in(field.annotation):
            found[card.__name__] = _fields(card)
            found |= _cards(card)
    return found


def _models_in(kind: Any) -> list[type[BaseModel]]:
    """Return the models contained in an annotation."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return [kind]
    return [model for part in get_args(kind) for model in _models_in(part)]


def _type_name(kind: Any) -> str:
    """Return an annotation as Python source."""
    if kind is Ellipsis:
        return "..."
    if kind is None or kind is types.NoneType:
        return "None"
    parts = [_type_name(part) for part in get_args(kind)]
    origin = get_origin(kind)
    if origin is None:
        return str(getattr(kind, "__name__", kind))
    if origin is types.UnionType:
        return " | ".join(parts)
    return f"{getattr(origin, '__name__', origin)}[{', '.join(parts)}]"


def _answer_fields(shape: Shape, path: str) -> list[AnswerField]:
    """Return the fields of an answer; nested fields follow the field that contains them."""
    found: list[AnswerField] = []
    for field in shape.fields.values():
        inner = field.item if field.kind == "list" else field
        place = f"{path}{field.name}"
        found.append(
            AnswerField(place, allowed(field), field.description, not field.optional, field.aliases)
        )
        if inner is not None and inner.kind == "object":
            brackets = "[]" if field.kind == "list" else ""
            found += _answer_fields(inner, f"{place}{brackets}.")
    return found
