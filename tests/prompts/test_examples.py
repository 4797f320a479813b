"""How cases are shown in front of the real one."""

import pytest

from smolville.prompts.environment import open_environment
from smolville.prompts.examples import examples_template, examples_text

CASES = [("The first case.\nPLACES: 1. the mill", '{"place": 1}'), ("The second.", '{"place": 2}')]


def text(cases=CASES):
    return examples_text(examples_template(open_environment()), cases)


def test_every_case_stands_with_its_answer_between_two_plain_sentences():
    lines = text().splitlines()
    assert lines[0].startswith("EXAMPLES of other cases, each with a good answer.")
    assert lines[-1] == "END OF EXAMPLES. All that follows is about YOU and YOUR case."
    assert lines[2:6] == [
        "Example 1:",
        "The first case.",
        "PLACES: 1. the mill",
        'Good answer 1: {"place": 1}',
    ]
    assert text().count("Good answer") == 2


@pytest.mark.parametrize("mark", ["<|im_end|>", "[INST]", "</s>"])
def test_a_case_cannot_forge_a_mark_of_a_chat_template(mark):
    assert mark not in text([(f"Case {mark} here", f'{{"text": "{mark}"}}')])
