"""Templates that cannot be asked with are refused with file and line, before anybody asks."""

import pytest

from smolville.graphs.catalogue import check_templates
from smolville.prompts.errors import PromptContractError, PromptFolderError
from smolville.prompts.folder import shipped_texts

SAY = shipped_texts()["say.jinja"]
PLACE = SAY[: SAY.index("{{ place }}")].count("\n") + 1
"""The line on which `say` shows the place."""


def with_file(name: str, text: str) -> dict[str, str]:
    """The shipped templates, one of them otherwise."""
    return {**shipped_texts(), name: text}


def test_the_shipped_templates_can_be_asked_with() -> None:
    assert check_templates(shipped_texts()).texts == shipped_texts()


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("say.jinja", SAY.replace("{{ place }}", "{{ plce }}"), f"say.jinja, line {PLACE}"),
        ("say.jinja", SAY.replace("{{ place }}", ""), "`place`"),
        ("say.jinja", SAY.replace("{{ place }}", "{{ place / 2 }}"), f"line {PLACE}: unsupported"),
        ("say.jinja", "", "say.jinja: it has no blocks"),
        ("_who.jinja", "{{ me.nose }}", "_who.jinja, line 1"),
        ("_examples.jinja", "{% block human %}{{ examples[0].nose }}{% endblock %}", "line 1"),
        (
            "repair.jinja",
            "{% block human %}{{ cut }}{{ missing }}{{ problems }}\n"
            "{{ shortened.x.y }}{% endblock %}",
            "repair.jinja, line 2",
        ),
    ],
)
def test_a_template_that_does_not_fit_is_refused(name: str, text: str, told: str) -> None:
    with pytest.raises(PromptContractError) as caught:
        check_templates(with_file(name, text))
    assert told in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("sy.jinja", "there is no step for sy.jinja (did you mean `say`?)"),
        ("zzzz.jinja", "there are: advance_plot, answer_interview, choose_"),
        ("_whoo.jinja", "no template includes _whoo.jinja (did you mean `_who`?)"),
    ],
)
def test_a_file_that_nothing_asks_with_is_named_with_the_nearest(name: str, told: str) -> None:
    with pytest.raises(PromptFolderError) as caught:
        check_templates(with_file(name, "anything"))
    assert told in str(caught.value)
