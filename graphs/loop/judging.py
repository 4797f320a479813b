"""Hold an answer that parses to the sense checks of its step: accept it, mark it, or ask again."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

import orjson
from pydantic import BaseModel

from graphs.loop.repairing import shown
from graphs.loop.state import StepState
from graphs.loop.step import AnyStep
from graphs.sense.check import Shown, Verdict, judge
from graphs.sense.copying import EVERYWHERE
from graphs.sense.echo import ECHO_CHECKS, headings_in, instructions_in
from graphs.sense.phrases import phrase_checks
from graphs.sense.words import free_texts
from parsers.answer import Answer, shape_of
from parsers.problem import Problem
from parsers.shape import Shape
from prompts.prompt import TemplateSet

_QUOTED = re.compile(r'"([^"\n]{8,120})"')


class Judged(NamedTuple):
    """What came of reading a reply, and of holding its answer to the checks."""

    answer: Answer | None
    """None when it is to be asked again, or given up."""
    kept: tuple[BaseModel, ...] = ()
    """Items of a list answer that nothing is said against."""
    problems: tuple[Problem, ...] = ()
    """Why it is not accepted."""
    odd: tuple[Problem, ...] = ()
    """What makes no sense in it, though it may be accepted."""
    spare: Answer | None = None
    """The answer, where it may be accepted if nothing better comes."""


def judged_answer(
    step: AnyStep,
    state: StepState,
    read: Judged,
    templates: TemplateSet,
    *,
    is_last: bool,
) -> Judged:
    """Return what was read, its answer held to the checks: accepted or not.

    What is in doubt is asked about once: a small model that does not see it then never does.
    """
    answer = read.answer
    if answer is None:
        return read
    verdict = verdict_on(step, state, answer, templates)
    is_doubted = bool(verdict.doubted) and state.spare is None and not is_last
    if not verdict.refused and not is_doubted:
        return Judged(answer, read.kept, odd=verdict.odd)
    problems = (*verdict.refused, *verdict.doubted)
    return Judged(
        None,
        problems=problems,
        odd=verdict.odd,
        spare=None if verdict.refused else answer,
    )


def verdict_on(step: AnyStep, state: StepState, answer: Answer, templates: TemplateSet) -> Verdict:
    """Return what all checks say of an answer: everybody's, the step's, the templates' phrases."""
    checks = (*EVERYWHERE, *ECHO_CHECKS, *step.sense, *phrase_checks(templates.phrases, step.name))
    return judge(checks, answer, shown(state), shown_with(step, state, templates.language))


def shown_with(step: AnyStep, state: StepState, language: str) -> Shown:
    """Return what stood in a step's prompt beside its inputs."""
    kind: type[Answer] = step.answer
    examples = [*_example_texts(kind), *_quoted_in(state)]
    for example in state.showing.examples if state.showing else ():
        examples += [text for _, text in free_texts(orjson.loads(example.answer))]
    inputs = shown(state)
    asked = [str(message.text) for message in state.first]
    return Shown(
        headings=frozenset().union(*(headings_in(text) for text in asked)),
        instructions=tuple(each for text in asked for each in instructions_in(text)),
        examples=tuple(examples),
        descriptions=_descriptions(kind),
        given="\n".join(text for _, text in free_texts(inputs.model_dump())),
        language=language,
        choices=frozenset(step.choices(inputs)) | _fixed(kind),
    )


def _quoted_in(state: StepState) -> tuple[str, ...]:
    """Return the phrases that the rules of a prompt quote, to show how something is written."""
    return _quoted(str(state.first[0].text)) if state.first else ()


@lru_cache(maxsize=64)
def _quoted(rules: str) -> tuple[str, ...]:
    """Return the phrases between quotation marks in a prompt's first message."""
    return tuple(_QUOTED.findall(rules))


@cache
def _example_texts(answer: type[Answer]) -> tuple[str, ...]:
    """Return the free texts of the example that the format shows."""
    return tuple(text for _, text in free_texts(answer.example().model_dump()))


@cache
def _descriptions(answer: type[Answer]) -> tuple[str, ...]:
    """Return what the format says of an answer's fields."""
    return tuple(field.description for _, field in _fields(shape_of(answer)) if field.description)


@cache
def _fixed(answer: type[Answer]) -> frozenset[str]:
    """Return the paths of the fields that are one of a few words."""
    return frozenset(path for path, field in _fields(shape_of(answer)) if field.fixed)


def _fields(shape: Shape, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield an answer's fields with their paths, `items[].place`."""
    for name, field in shape.fields.items():
        yield f"{path}{name}", field
        inner = field.item if field.kind == "list" else field
        if inner is not None and inner.kind == "object":
            yield from _fields(inner, f"{path}{name}{'[].' if field.kind == 'list' else '.'}")
