"""A template from somebody else reaches nothing outside its own inputs."""

import pytest

from smolville.prompts.contract import PromptContractError
from smolville.prompts.errors import PromptError
from smolville.prompts.prompt import Prompt
from tests.prompts.test_contract import GOOD, VisitInput

REFUSALS = (PromptError, PromptContractError)
DOUBLED = (
    "{% macro f(x, n) %}{% if n %}{{ f(?, n - 1) }}{% else %}{{ x }}{% endif %}{% endmacro %}"
    "{{ f('abcd', 60) }}"
)
"""A macro that makes something of a text sixty times over."""
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
    "{{ guest.encode().ljust(10000000000) }}",
    "{{ (1).to_bytes(10000000000) }}",
    "{{ [1] | batch(10000000000, 'x') | list | length }}",
    "{{ 5 | round(-10000000000) }}",
    "{{ guest | tojson(indent=10000000000) }}",
    "{{ ['a'] | sort(attribute='" + "a," * 100_000 + "a') }}",
    "{{ guest" + " | replace('a', 'aaaaaaaaaa')" * 12 + " }}",
    "{{ 'a'" + " | replace('a', 'aaaaaaaaaa')" * 12 + " }}",
    DOUBLED.replace("?", "x ~ x"),
    DOUBLED.replace("?", "x + x"),
    DOUBLED.replace("?", "[x, x]"),
    DOUBLED.replace("?", "{'a': x, 'b': x}"),
    DOUBLED.replace("?", "[x, x] | join"),
    DOUBLED.replace("?", "''.join([x, x])"),
    DOUBLED.replace("?", "x.replace('', x)"),
    DOUBLED.replace("?", "[x] | map('replace', '', x) | first"),
    DOUBLED.replace("?", "(x | length) * 2 ~ x ~ x"),
    "{% macro f(n) %}{% set x %}{{ n }}{{ n }}{% endset %}{{ f(x) }}{% endmacro %}{{ f('ab') }}",
    "{% macro f(n) %}{{ f(n * n) }}{% endmacro %}{{ f(3) }}",
    "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}",
    "{% macro f(n) %}{% if n %}{{ f(n - 1, varargs, varargs) }}{% else %}{{ varargs }}{% endif %}"
    "{% endmacro %}{{ f(60, 1) }}",
    "".join(f"{{% for a{n} in 'abcdefghij' %}}" for n in range(12)) + "x" + "{% endfor %}" * 12,
    "".join(f"{{% for a{n} in 'ab' %}}" for n in range(30)) + "x" + "{% endfor %}" * 30,
    "{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}",
    "{{ " + "9" * 5000 + " }}",
    "{{ self.human() }}",
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
