"""Worked cases of a step: the shipped ones, and how cases are shown in front of the real one."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from jinja2 import Environment, Template

from prompts.contract import FAULTS, broken_at, check_contract, read_facts
from prompts.folder import FOLDER

FILE = "_examples.jinja"
"""The template that shows cases with their answers."""


class ShippedCase(NamedTuple):
    """A case of a step that comes with the program, and an answer to it that is good."""

    case: str
    """As the step itself writes its cases, in a few short lines."""
    answer: Mapping[str, Any]


class Case(NamedTuple):
    """A case and its answer, as they are shown."""

    lines: tuple[str, ...]
    answer: str
    """JSON."""


@cache
def shipped_cases(step: str) -> tuple[ShippedCase, ...]:
    """Return the cases in `examples/<step>.json`, in their order; none where there is no file."""
    path = FOLDER / "examples" / f"{step}.json"
    if not path.is_file():
        return ()
    told = json.loads(path.read_text(encoding="utf-8"))
    return tuple(ShippedCase(each["case"], each["answer"]) for each in told)


def examples_template(environment: Environment) -> Template:
    """Return the template that shows cases; raises PromptContractError when it does not fit."""
    check_contract(
        FILE,
        read_facts(environment, FILE),
        "examples_text",
        ("examples",),
        environment.globals,
        blocks=("human",),
    )
    return environment.get_template(FILE)


def examples_text(template: Template, cases: Sequence[tuple[str, str]]) -> str:
    """Return the text that shows cases, each given as its text and its answer's JSON."""
    shown = [Case(tuple(case.splitlines()), answer) for case, answer in cases]
    context = template.new_context({"examples": shown})
    try:
        return "".join(template.blocks["human"](context)).strip()
    except FAULTS as error:
        raise broken_at(error, FILE) from error
