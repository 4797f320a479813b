"""A full description of a step's template: its text, inputs, answers, and their problems.

The problem messages are real: a good answer to the step's sample is corrupted in the ways in which
small models fail, and each variant is read by the step's own parser like a model's reply.
"""

import json
import re
import types
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, cast, get_args, get_origin

from pydantic import BaseModel

from smolville.graphs.catalogue import SAMPLES
from smolville.graphs.loop.step import AnyStep
from smolville.parsers.answer import Answer, Shape, shape_of
from smolville.parsers.instructions import describe_field
from smolville.parsers.problem import KINDS
from smolville.parsers.prompt_inputs import PromptInput, read_field_notes
from smolville.prompts.environment import MACROS
from smolville.prompts.folder import Texts
from smolville.prompts.prompt import TemplateSet

Values = dict[str, Any]

LONG = "and so on, " * 100
WORDS = "I am not sure what to write here"
WRONG: dict[type, tuple[Any, ...]] = {
    bool: ("maybe",),
    int: (99, 0, -5, WORDS),
    str: ("", LONG, "25:00", WORDS, {}),
    list: ([], WORDS),
    type(None): (WORDS, 99),
}
"""Wrong values that replace a correct one, by its type."""
_INDEX = re.compile(r"\.\d+\b")

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


@dataclass(frozen=True, slots=True)
class AnswerFault:
    """A problem that an answer can have."""

    kind: str
    """One of `parsers.problem.KINDS`."""
    field: str
    """Dotted path of the field, without item numbers; empty for the whole reply."""
    sentence: str
    """The message to the model."""


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
    """The text of the template and of its partials, by file name."""
    formatters: dict[str, str]
    """The text of each macro in `_macros.jinja` that the template calls, by name."""
    input_model: str
    variables: tuple[InputField, ...]
    cards: dict[str, tuple[InputField, ...]]
    """The fields of each card (a record that variables hold), by the name of its type."""
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
    doc_lines = (step.fallback.__doc__ or "").strip().splitlines()
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
        fallback=doc_lines[0].removeprefix("Return ") if doc_lines else "",
        messages=tuple(faults_of(step)),
    )


def _formatters(text: str, names: set[str]) -> dict[str, str]:
    """Return the source of the macros with these names."""
    return {found[1]: found[0] for found in _MACRO.finditer(text) if found[1] in names}


def _fields(model: type[BaseModel]) -> tuple[InputField, ...]:
    """Return the fields of an input model, or of a card (a record that a variable holds)."""
    notes = read_field_notes(model) if issubclass(model, PromptInput) else {}
    return tuple(
        InputField(name, _type_name(field.annotation), " ".join(notes.get(name, "").split()))
        for name, field in model.model_fields.items()
    )


def _cards(model: type[BaseModel]) -> dict[str, tuple[InputField, ...]]:
    """Return the fields of all cards that a model's fields contain, by card name."""
    found: dict[str, tuple[InputField, ...]] = {}
    waiting = [field.annotation for field in model.model_fields.values()]
    while waiting:
        kind = waiting.pop(0)
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found[kind.__name__] = _fields(kind)
            waiting = [*(field.annotation for field in kind.model_fields.values()), *waiting]
        else:
            waiting = [*get_args(kind), *waiting]
    return found


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
            AnswerField(
                place, describe_field(field), field.description, not field.optional, field.aliases
            )
        )
        if inner is not None and inner.kind == "object":
            brackets = "[]" if field.kind == "list" else ""
            found += _answer_fields(inner, f"{place}{brackets}.")
    return found


def faults_of(step: AnyStep) -> list[AnswerFault]:
    """Return the problems that a step's answer can have, one for each kind and field."""
    inputs = SAMPLES[step.name]
    context = {**step.context(inputs), "choices": dict(step.choices(inputs))}
    found: dict[tuple[str, str], AnswerFault] = {}
    for reply, is_cut in _replies(step, inputs):
        for problem in step.parser.read(reply, context, cut=is_cut).problems:
            field = _INDEX.sub("[]", f".{problem.field}")[1:]
            fault = AnswerFault(problem.kind, field, problem.message)
            known = found.get((fault.kind, fault.field))
            if known is None or len(fault.sentence) < len(known.sentence):
                found[fault.kind, fault.field] = fault
    return sorted(found.values(), key=lambda each: (KINDS.index(each.kind), each.field))


def _replies(step: AnyStep, inputs: Any) -> Iterator[tuple[str, bool]]:
    """Yield faulty replies, each with a flag: whether it counts as cut off by the server."""
    good: Values = json.loads(step.fallback(inputs).model_dump_json())
    text = json.dumps(good, ensure_ascii=False)
    yield WORDS, False
    yield text[: len(text) // 2], True
    yield f'{text[:-1]} "{WORDS}', False
    for base in (good, json.loads(step.answer.example().model_dump_json())):
        for spoilt in (base, *_spoil(base)):
            yield json.dumps(spoilt), False


def _spoil(value: Any) -> Iterator[Any]:
    """Yield copies of a value with one fault each; of a list only the last item is spoilt."""
    yield from WRONG.get(type(value), ())
    if isinstance(value, dict):
        for name, inner in value.items():
            yield {key: each for key, each in value.items() if key != name}
            yield from ({**value, name: wrong} for wrong in _spoil(inner))
    elif isinstance(value, list) and value:
        yield from (value[:1], [*value, value[0]], value[::-1], value * 20)
        yield from ([*value[:-1], wrong] for wrong in _spoil(value[-1]))
