"""A template from somebody else reaches nothing outside its own inputs."""

import pytest

from prompts.contract import PromptContractError
from prompts.errors import PromptError
from prompts.prompt import Prompt
from tests.prompts.test_contract import GOOD, VisitInput

REFUSALS = (PromptError, PromptContractError)
ESCAPES = (
    "{{ guest.__class__.__mro__ }}",
    "{{ guest['__class__'] }}",
    "{{ (guest | attr('__class__')).__subclasses__() }}",
    "{{ guest.format.__globals__ }}",
    "{{ '{0.__class__}'.format(guest) }}",
    "{{ self.__init__.__globals__ }}",
    "{{ cycler.__init__.__globals__.os.environ }}",
    "{% for n in range(999999999) %}x{% endfor %}",
    '{% include "/etc/passwd" %}',
    '{% include "../../pyproject.toml" %}',
    "{% include guest %}",
    '{% import "/etc/passwd" as stolen %}{{ stolen }}',
    "{{ 'x' * 10000000000 }}",
    "{{ 10000000000 * [guest] }}",
    "{{ 10 ** 10 ** 10 }}",
    "{{ '%010000000000d' % 1 }}",
    "{{ guest.ljust(10000000000) }}",
    "{{ '{:>10000000000}'.format(guest) }}",
    "{{ guest | center(10000000000) }}",
    "{{ '%010000000000d' | format(1) }}",
)


def test_numbers_may_be_multiplied(overlay):
    text = GOOD.replace("{{ guest }} comes", "{{ guest }} {{ hour * 60 % 7 }} comes")
    prompt = Prompt("visit", VisitInput, "JSON.", environment=overlay("visit.jinja", text))
    assert f"Ida {5 * 60 % 7} comes" in str(prompt.invoke(VisitInput(guest="Ida", hour=5)))


@pytest.mark.parametrize("escape", ESCAPES)
def test_an_escape_is_refused(overlay, escape):
    text = GOOD.replace("{{ guest }} comes", "{{ guest }} " + escape + " comes")
    with pytest.raises(REFUSALS):
        prompt = Prompt("visit", VisitInput, "JSON.", environment=overlay("visit.jinja", text))
        prompt.invoke(VisitInput(guest="Ida", hour=5))
