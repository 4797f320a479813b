"""The message that sends an unreadable answer back to the model."""

from collections.abc import Sequence
from functools import cache

from jinja2 import Template

from prompts.contract import check_contract, read_facts
from prompts.environment import open_environment

FILE = "repair.jinja"
MOST_PROBLEMS = 5
"""A small model mends a few things at a time; the rest comes up again if it is still there."""


def repair_text(
    problems: Sequence[str], *, cut: bool, missing: str | None, shortened: bool = False
) -> str:
    """Return the human message that lists what is wrong and asks for the answer again.

    `problems` are full sentences, the most important first, of which five are shown; `cut` says
    that the reply ended in the middle; `missing` has, for a list whose good items are kept, the
    numbers of the items still needed (`2, 4`), else None: the whole answer is asked for;
    `shortened` says that only the beginning of the wrong answer is shown again.
    """
    template = _template()
    context = template.new_context(
        {
            "problems": tuple(problems[:MOST_PROBLEMS]),
            "cut": cut,
            "missing": missing or "",
            "shortened": shortened,
        }
    )
    return "".join(template.blocks["human"](context)).strip()


def repair_version() -> str:
    """Return the version of the repair template, as `Prompt.version` gives a step's."""
    return read_facts(open_environment(), FILE).version


@cache
def _template() -> Template:
    """Return the repair template, compiled and checked once."""
    environment = open_environment()
    check_contract(
        FILE,
        read_facts(environment, FILE),
        "repair_text",
        ("problems", "cut", "missing", "shortened"),
        environment.globals,
        blocks=("human",),
    )
    return environment.get_template(FILE)
