"""No input is gathered for nothing: whatever changes in it changes the rendered text.

Only the other one's name before their line is not shown in a talk of two, whose roles tell it.
What only belongs to narrower questions is empty in every sample. A persona's habits as fields
are for code: what it lays of them into a day is shown as that day.
"""

import pytest

from smolville.graphs.catalogue import SAMPLES
from smolville.parsers.prompt_inputs import PromptInput
from smolville.prompts.prompt import Prompt


def _variants(value, path):
    """Every value that differs from `value` in one place, with the path of that place."""
    if isinstance(value, PromptInput):
        for field in type(value).model_fields:
            for place, other in _variants(getattr(value, field), f"{path}.{field}"):
                yield place, value.model_copy(update={field: other})
    elif isinstance(value, tuple):
        yield from _tuple_variants(value, path)
    elif isinstance(value, bool):
        yield path, not value
    elif value is not None:
        yield path, value + 7 if isinstance(value, int) else f"{value} quite otherwise"


def _tuple_variants(items, path):
    """The tuple without its last item, and with each item varied."""
    if items:
        yield f"{path} without its last", items[:-1]
    for number, item in enumerate(items):
        for place, other in _variants(item, f"{path}[{number}]"):
            yield place, (*items[:number], other, *items[number + 1 :])


def _empty(sample):
    """The fields of a sample that hold nothing: they belong to narrower questions."""
    return [name for name in type(sample).model_fields if getattr(sample, name) in (None, ())]


@pytest.mark.parametrize("step", sorted(SAMPLES))
def test_every_field_changes_the_text(step):
    sample = SAMPLES[step]
    prompt = Prompt(step, type(sample), "Write JSON.")
    plain = prompt.render(sample)
    variants = list(_variants(sample, step))
    varied = {place.split(".")[1].split("[")[0].split()[0] for place, _ in variants}
    assert varied == set(type(sample).model_fields) - {*_empty(sample)}
    silent = [place for place, other in variants if prompt.render(other) == plain]
    assert silent == (["say.lines[1].speaker"] if step == "say" else [])
