"""A template that does not fit its input model is refused in one sentence that says why."""

import pytest

from smolville.graphs.catalogue import SAMPLES
from smolville.parsers.prompt_inputs import PromptInput
from smolville.prompts.contract import PromptContractError
from smolville.prompts.prompt import Prompt


class VisitInput(PromptInput):
    """An input model of the tests."""

    guest: str
    hour: int


class ClashingInput(PromptInput):
    """An input model with names that prompts use themselves."""

    format: str
    memory_list: str


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


def test_a_template_that_fits_is_taken(overlay):
    prompt = Prompt("visit", VisitInput, "Write JSON.", environment=overlay("visit.jinja", GOOD))
    system, human = prompt.invoke(VisitInput(guest="Ida", hour=5))
    assert (system.text, human.text) == ("Be kind. Write JSON.", "Ida comes at 5.")


def test_a_broken_contract_is_a_type_error():
    assert issubclass(PromptContractError, TypeError)


def test_a_field_that_nothing_shows_is_named(overlay):
    told = _refused(overlay, GOOD.replace("{{ hour }}", "five"))
    assert told == "visit.jinja, line 4: nothing shows `hour`, which VisitInput has"


def test_an_unknown_variable_is_named_with_its_line(overlay):
    told = _refused(overlay, GOOD.replace("{{ hour }}", "{{ hour }} {{ our }}"))
    assert told == "visit.jinja, line 5: `our` does not exist (did you mean `hour`?)"


def test_an_unknown_variable_of_a_partial_is_named_with_the_partials_line(overlay):
    overlay("_mood.jinja", "You feel\n{{ mood }}.\n")
    told = _refused(overlay, GOOD.replace("Be kind.", '{% include "_mood.jinja" %}'))
    assert "_mood.jinja, line 2: `mood` does not exist" in told


def test_a_function_of_jinja_is_no_variable_of_ours(overlay):
    assert "`range`" in _refused(overlay, GOOD.replace("kind", "{{ range(9) }}"))


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


@pytest.mark.parametrize("stray", ["Hello.\n", "{{ guest }}\n", "{% if guest %}{% endif %}\n"])
def test_what_stands_outside_of_the_blocks_is_refused(overlay, stray):
    told = _refused(overlay, GOOD + stray)
    assert "outside of the blocks is never shown" in told and "line " in told


def test_a_field_that_has_the_name_of_a_formatter_is_refused(overlay):
    told = _refused(overlay, GOOD, ClashingInput)
    assert told == (
        "ClashingInput has the field `format`, `memory_list`, a name that prompts use themselves; "
        "give the field another name"
    )


@pytest.mark.parametrize(
    ("broken", "line"),
    [("{{ guest", 5), ("{{ guest | shout }}", 5), ("{% endfor %}", 5)],
)
def test_a_template_that_cannot_be_compiled_is_named_with_its_line(overlay, broken, line):
    told = _refused(overlay, GOOD.replace("{{ guest }}", broken))
    assert told.startswith(f"visit.jinja, line {line}: ")


def test_a_missing_template_is_named():
    with pytest.raises(PromptContractError, match=r"there is no template visit\.jinja"):
        Prompt("visit", VisitInput, "Write JSON.")


@pytest.mark.parametrize("name", ["_none.jinja", "../pyproject.toml", "/etc/passwd"])
def test_a_partial_that_is_not_in_the_folder_is_named(overlay, name):
    told = _refused(overlay, GOOD.replace("Be kind.", f'{{% include "{name}" %}}'))
    assert told == f"visit.jinja, line 2: there is no template {name}"


def test_an_include_must_name_its_file(overlay):
    told = _refused(overlay, GOOD.replace("Be kind.", "{% include guest %}"))
    assert told == "visit.jinja, line 2: it includes a file that it does not name in plain text"


@pytest.mark.parametrize("step", sorted(SAMPLES))
def test_an_emptied_template_is_refused(overlay, step):
    empty = "{% block system %}{% endblock %}\n{% block human %}{% endblock %}\n"
    kind = type(SAMPLES[step])
    with pytest.raises(PromptContractError) as caught:
        Prompt(step, kind, "Write JSON.", environment=overlay(f"{step}.jinja", empty))
    assert all(f"`{name}`" in str(caught.value) for name in kind.model_fields)
