"""The shipped example cases of each step, and the text that shows examples in a prompt."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from jinja2 import Environment, Template
from pydantic import BaseModel

from smolville.prompts.contract import BoundTemplate, check_contract, write_block
from smolville.prompts.environment import FixedText, compiled
from smolville.prompts.facts import read_facts
from smolville.prompts.folder import FOLDER

FILE = "_examples.jinja"
"""The template that shows example cases with their answers."""
BOUND_EXAMPLES = BoundTemplate(FILE, "examples_text", frozenset({"examples"}), ("human",))
Cases = Sequence[tuple[str, str]]
"""Example cases: the text of each, and its answer's JSON."""


class ShippedCase(NamedTuple):
    """A shipped case of a step, with a good answer to it."""

    case: str
    """The case in a few short lines, in the same form as real cases of the step."""
    answer: Mapping[str, Any]


@cache
def shipped_cases(step: str) -> tuple[ShippedCase, ...]:
    """Return the cases in `examples/<step>.json`, in order; empty if there is no such file."""
    path = FOLDER / "examples" / f"{step}.json"
    if not path.is_file():
        return ()
    told = json.loads(path.read_text(encoding="utf-8"))
    return tuple(ShippedCase(each["case"], each["answer"]) for each in told)


def first_cases(step: str, answer: type[BaseModel], count: int) -> Cases:
    """Return a step's first shipped cases, at most `count`: the same ones in every prompt."""
    return tuple(
        (each.case, answer.model_validate(each.answer).model_dump_json())
        for each in shipped_cases(step)[:count]
    )


def examples_template(environment: Environment) -> Template:
    """Return the template that shows cases. Raises PromptContractError for an invalid one."""
    check_contract(BOUND_EXAMPLES, read_facts(environment, FILE), environment.globals)
    return compiled(environment, FILE)


def examples_text(template: Template, cases: Cases) -> str:
    """Return the text of the cases, each given as its text and its answer as it is written."""
    shown = [
        {
            "lines": case.splitlines(),
            "answer": FixedText(f"\n{answer}") if "\n" in answer else answer,
        }
        for case, answer in cases
    ]
    context = template.new_context({"examples": shown})
    return write_block(template, "human", context, FILE)
