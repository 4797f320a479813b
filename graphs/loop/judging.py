"""Judge an answer that parses by all checks, and stop a strict run."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

import orjson

from smolville.agents.errors import StoppedError
from smolville.graphs.loop.repairing import read_inputs
from smolville.graphs.loop.rules import EVERY_KIND, Rules
from smolville.graphs.loop.state import StepState
from smolville.graphs.loop.step import AnyStep
from smolville.graphs.sense.check import (
    EVERYWHERE,
    CheckContext,
    SenseVerdict,
    headings_in,
    judge,
)
from smolville.graphs.sense.words import free_texts
from smolville.parsers.answer import Answer, Shape, shape_of

_QUOTED = re.compile(r'"([^"\n]{8,120})"')

ANOTHER = "The same model would stop here again: go on with another --model"


def verdict_on(step: AnyStep, state: StepState, answer: Answer, language: str) -> SenseVerdict:
    """Return the verdict of all checks on an answer: the general ones, and those of the step."""
    shown = shown_with(step, state, language)
    return judge((*EVERYWHERE, *step.sense), answer, read_inputs(state), shown)


def shown_with(step: AnyStep, state: StepState, language: str) -> CheckContext:
    """Return what the step's prompt showed besides its inputs."""
    kind: type[Answer] = step.answer
    quoted = _find_quoted_phrases(str(state.first[0].text)) if state.first else ()
    examples = [*_example_texts(kind), *quoted]
    for _, answer in state.showing.all_examples if state.showing else ():
        examples += [text for _, text in free_texts(orjson.loads(answer))]
    inputs = read_inputs(state)
    asked = [str(message.text) for message in state.first]
    return CheckContext(
        headings=frozenset().union(*(headings_in(text) for text in asked)),
        examples=tuple(examples),
        descriptions=_descriptions(kind),
        given="\n".join(text for _, text in free_texts(inputs.model_dump())),
        language=language,
        choices=frozenset(step.choices(inputs)) | _find_fixed_choices(kind),
    )


@lru_cache(maxsize=64)
def _find_quoted_phrases(rules: str) -> tuple[str, ...]:
    """Return the phrases between quotation marks in a prompt's first message."""
    return tuple(_QUOTED.findall(rules))


@cache
def _example_texts(answer: type[Answer]) -> tuple[str, ...]:
    """Return the free texts of the example in the format instructions."""
    return tuple(text for _, text in free_texts(answer.example().model_dump()))


@cache
def _descriptions(answer: type[Answer]) -> tuple[str, ...]:
    """Return the descriptions of an answer's fields in the format instructions."""
    return tuple(field.description for _, field in _fields(shape_of(answer)) if field.description)


@cache
def _find_fixed_choices(answer: type[Answer]) -> frozenset[str]:
    """Return the paths of the fields whose values come from a fixed list."""
    return frozenset(path for path, field in _fields(shape_of(answer)) if field.fixed)


def _fields(shape: Shape, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield an answer's fields with their paths, such as `items[].place`."""
    for name, field in shape.fields.items():
        yield f"{path}{name}", field
        inner = field.item if field.kind == "list" else field
        if inner is not None and inner.kind == "object":
            yield from _fields(inner, f"{path}{name}{'[].' if field.kind == 'list' else '.'}")


def stop_at_fallback(step: str, state: StepState, rules: Rules) -> None:
    """Raise StoppedError, with the problems of the last reply, if the run is strict."""
    if not rules.strict:
        return
    wrong = " ".join(state.problems) or "no reason known"
    calls = "1 call" if len(state.readings) == 1 else f"{len(state.readings)} calls"
    raise StoppedError(
        f"{state.agent} got no clean answer for the step `{step}` after "
        f"{calls}, and the run is strict. Last problems: {wrong} {ANOTHER}"
    )


def stop_at_odd(step: str, state: StepState, rules: Rules) -> None:
    """Raise StoppedError with the oddities if the run is strict about one of their kinds."""
    wanted = rules.strict_sense
    odd = [each for each in state.odd if each.kind in wanted or EVERY_KIND in wanted]
    if odd:
        kinds = ", ".join(dict.fromkeys(each.kind for each in odd))
        raise StoppedError(
            f"{state.agent}'s answer for the step `{step}` makes no sense ({kinds}), and the run "
            f"is strict about that. What is odd: {' '.join(map(str, odd))} {ANOTHER}"
        )
