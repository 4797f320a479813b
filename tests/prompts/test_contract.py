"""A template that does not fit its input model is refused in one sentence that says why."""

import pytest

from smolville.parsers.prompt_inputs import PromptInput
from smolville.prompts.contract import PromptContractError
from smolville.prompts.prompt import Prompt


class VisitInput(PromptInput):
    """An input model of the tests."""

    guest: str
    hour: int


GOOD = """{% block system %}
Be kind. {{ format }}
{% endblock %}
{% block human %}
{{ guest }} comes at {{ hour }}.
{% endblock %}
"""


def _refused(overlay, text, kind=VisitInput):
    with pytest.raises(PromptContractError) as caught:
        Prompt("visit", kind, "Write JSON.", environment=overlay("visit.jinja", text))
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("", "no blocks"),
        ("{% block system %}{% endblock %}", "the blocks `system`"),
        (GOOD.replace("human", "user"), "the blocks `system`, `user`"),
        (GOOD + "{% block more %}{% endblock %}", "the blocks `system`, `human`, `more`"),
    ],
)
def test_other_blocks_are_refused(overlay, text, has):
    told = _refused(overlay, text)
    assert told == f"visit.jinja: it has {has}; it needs exactly the blocks `system`, `human`"


@pytest.mark.parametrize("name", ["_none.jinja", "../pyproject.toml", "/etc/passwd"])
def test_a_partial_that_is_not_in_the_folder_is_named(overlay, name):
    told = _refused(overlay, GOOD.replace("Be kind.", f'{{% include "{name}" %}}'))
    assert told == f"visit.jinja, line 2: there is no template {name}"
