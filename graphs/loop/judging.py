"""Judge an answer that parses: accept it, accept it as odd, ask again, or stop a strict run."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

import orjson
from pydantic import BaseModel

from smolville.agents.errors import StoppedError
from smolville.graphs.loop.repairing import read_inputs
from smolville.graphs.loop.rules import EVERY_KIND, Rules
from smolville.graphs.loop.state import StepState
from smolville.graphs.loop.step import AnyStep
from smolville.graphs.sense.check import CheckContext, SenseVerdict, judge
from smolville.graphs.sense.copying import EVERYWHERE, headings_in
from smolville.graphs.sense.phrases import phrase_checks
from smolville.graphs.sense.words import free_texts
from smolville.parsers.answer import Answer, Shape, shape_of
from smolville.parsers.problem import Problem
from smolville.prompts.prompt import TemplateSet

_QUOTED = re.compile(r'"([^"\n]{8,120})"')

ANOTHER = "The same model would stop here again: go on with another --model"


class JudgedReply(NamedTuple):
    """The result of reading a reply and checking the sense of its answer."""

    answer: Answer | None
    """The accepted answer; None if the model is asked again or the step is given up."""
    kept: tuple[BaseModel, ...] = ()
    """Items of a list answer that have no problem."""
    problems: tuple[Problem, ...] = ()
    """Why the answer is not accepted."""
    odd: tuple[Problem, ...] = ()
    """What makes no sense in the answer, although it may be accepted."""
    spare: Answer | None = None
    """The answer, to be accepted if the model gives no better one; None if it must not be
    accepted."""


def judged_answer(
    step: AnyStep,
    state: StepState,
    read: JudgedReply,
    templates: TemplateSet,
    *,
    is_last: bool,
) -> JudgedReply:
    """Return a read reply after judging its answer: accepted, or replaced by its problems.

    The model is asked about a doubtful answer only once: a small model that does not see the fault
    the first time never does.
    """
    answer = read.answer
    if answer is None:
        return read
    verdict = verdict_on(step, state, answer, templates)
    is_doubted = bool(verdict.doubted) and state.spare is None and not is_last
    if not verdict.refused and not is_doubted:
        return JudgedReply(answer, read.kept, odd=verdict.odd)
    problems = (*verdict.refused, *verdict.doubted)
    return JudgedReply(
        None,
        problems=problems,
        odd=verdict.odd,
        spare=None if verdict.refused else answer,
    )


def verdict_on(
    step: AnyStep, state: StepState, answer: Answer, templates: TemplateSet
) -> SenseVerdict:
    """Return the verdict of all checks on an answer: general, of the step, and of the templates."""
    checks = (*EVERYWHERE, *step.sense, *phrase_checks(templates.phrases, step.name))
    return judge(checks, answer, read_inputs(state), shown_with(step, state, templates.language))


def shown_with(step: AnyStep, state: StepState, language: str) -> CheckContext:
    """Return what the step's prompt showed besides its inputs."""
    kind: type[Answer] = step.answer
    examples = [*_example_texts(kind), *_quoted_in(state)]
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


def _quoted_in(state: StepState) -> tuple[str, ...]:
    """Return the phrases that a prompt's rules quote as examples of wording."""
    return _find_quoted_phrases(str(state.first[0].text)) if state.first else ()


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
