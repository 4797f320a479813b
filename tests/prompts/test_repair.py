"""The message that sends an unreadable answer back."""

from smolville.prompts.repair import RepairPrompt


def test_at_most_five_problems_are_shown():
    text = RepairPrompt().text([f"Problem {n}." for n in range(9)], cut=False, missing=None)
    assert "5. Problem 4." in text
    assert "Problem 5" not in text


def test_a_cut_answer_is_asked_to_be_shorter():
    assert "shorter" in RepairPrompt().text([], cut=True, missing=None)
    assert "shorter" not in RepairPrompt().text([], cut=False, missing=None)


def test_only_the_missing_items_are_asked_for_again():
    text = RepairPrompt().text(
        ["`place` of the item with `task` 2: got 9."], cut=False, missing="2, 4"
    )
    assert "only for these numbers: 2, 4." in text
    assert "whole JSON" not in text


def test_an_answer_that_is_shown_in_part_is_not_to_be_gone_on_with():
    text = RepairPrompt().text(["`text`: too long."], cut=True, missing=None, shortened=True)
    assert "Only the beginning of your answer is shown above. Do not go on with it" in text
    assert "keep the rest" not in text and "write the whole JSON again" in text


def test_a_problem_that_quotes_template_syntax_is_shown_as_it_is():
    problem = "`text`: got '{{ me }}'."
    assert problem in RepairPrompt().text([problem], cut=False, missing=None)
