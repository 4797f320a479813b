"""Models' own chat templates, rendered where they can read their values and nothing else."""

import pytest
from jinja2 import Environment

from smolville.prompts.chat_template import ChatTemplate
from smolville.prompts.errors import ChatTemplateError
from tests.fixtures.chat_templates import CHATML, GEMMA, THINKING

TALK = [
    {"role": "system", "content": "You live in a town."},
    {"role": "user", "content": "  Soup, or <b>salad</b>?"},
]


def test_the_string_is_the_templates_own_up_to_where_the_answer_begins() -> None:
    assert ChatTemplate(CHATML).write(TALK) == (
        "<|im_start|>system\nYou live in a town.<|im_end|>\n"
        "<|im_start|>user\n  Soup, or <b>salad</b>?<|im_end|>\n<|im_start|>assistant\n"
    )


def test_tokens_and_further_values_reach_the_template() -> None:
    told = ChatTemplate(GEMMA, bos="<bos>").write(TALK[1:])
    assert told.startswith("<bos><start_of_turn>user\nSoup")
    quiet = ChatTemplate(THINKING).write(TALK, enable_thinking=False)
    assert quiet.endswith("<think>\n\n</think>\n\n")
    assert ChatTemplate(THINKING).write(TALK).endswith("<think>\n")


def test_what_templates_use_beyond_jinja_is_there() -> None:
    text = "{% for m in messages %}{{ m | tojson }}{% break %}{% endfor %}{{ strftime_now('%Y') }}"
    told = ChatTemplate(text).write([{"role": "user", "content": "<é>"}])
    assert told.startswith('{"role": "user", "content": "<é>"}2')


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{% for m in messages %}", "line 1: Unexpected end of template"),
        ("\n{% generation %}", "line 2: Encountered unknown tag 'generation'"),
        (GEMMA, "System role not supported"),
        ("{{ messages[5].content.strip() }}", "has no element 5"),
    ],
)
def test_one_that_fails_or_refuses_is_told_in_a_sentence(text: str, why: str) -> None:
    with pytest.raises(ChatTemplateError, match=why):
        ChatTemplate(text).write(TALK)


def test_a_strangers_template_reaches_nothing_of_this_program() -> None:
    for text in ("{{ messages.__class__.__mro__ }}", "{{ raise_exception.__globals__.json }}"):
        with pytest.raises(ChatTemplateError, match="unsafe"):
            ChatTemplate(text).write(TALK)
    with pytest.raises(ChatTemplateError, match="too big"):
        ChatTemplate("{% for i in range(999999999) %}{% endfor %}").write(TALK)


def grown(made: str) -> str:
    """Return a template that makes something of a namespace's value a hundred times over."""
    loop = "{% for i in range(100) %}{% set ns.x = " + made + " %}{% endfor %}"
    return "{% set ns = namespace(x='ab') %}" + loop + "{{ ns.x }}"


@pytest.mark.parametrize(
    "text",
    [
        *map(grown, ("ns.x ~ ns.x", "ns.x + ns.x", "[ns.x, ns.x]", "ns.x.join(ns.x)")),
        *map(grown, ("namespace(a=ns.x, b=ns.x)", "dict(a=ns.x, b=ns.x)", "ns", "ns.x.encode()")),
        *map(grown, ("(ns.x | length) * 9999999999 * 9999999999", "messages | tojson(indent=99)")),
        "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
        "{{ range(99999) | map('default', messages) | list }}",
        "{{ lipsum(99999999) }}",
        "{{ messages * 99999999 }}",
        "{{ strftime_now('%Y' ~ '" + "%Y" * 99 + "') }}",
        "".join(f"{{% for a{n} in messages %}}" for n in range(30)) + "{% endfor %}" * 30,
    ],
)
def test_a_strangers_template_takes_little_time_and_memory(text: str) -> None:
    with pytest.raises(ChatTemplateError, match=r"^[^\n]+$"):
        ChatTemplate(text).write(TALK)


@pytest.mark.parametrize(
    "text",
    [
        "{% for m in messages if m.role != 'tool' %}{{ loop.index }}/{{ loop.length }} {{ m.role }}"
        "{% if not loop.last %}, {% endif %}{% else %}nobody{% endfor %}",
        "{% for k, v in messages[0].items() %}{{ k ~ '=' ~ v ~ 1 }}{% endfor %}{{ messages[1:] }}",
        "{% macro m(a, b=2) %}{{ a }}{{ b }}{{ varargs }}{{ kwargs }}{{ caller() }}{% endmacro %}"
        "{% call m(1, 2, 3, c=4) %}<b>{% endcall %}",
        "{% set x %}{{ messages[0].content[:3] }}{% endset %}{{ x | upper | list | join('-') }}",
        "{% for a in [[1, [2]], [3]] recursive %}{{ loop(a) if a is iterable else a }}{% endfor %}",
        "{{ 1 < 2 < messages | length }} {{ 'You' in messages[0].content }} {{ 'x' not in 'axb' }}",
        "{{ messages | map(attribute='role') | join(' ') }} {{ [3, 1, 2] | sort | sum }}",
        "{{ messages | selectattr('role', 'equalto', 'user') | list | length }} {{ 7 % 4 * 2 }}",
        "{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}{% endfor %}"
        "{{ ns.n }}{{ messages[ns.n - 1].content.strip().split(',')[-1] }}{{ missing }}",
    ],
)
def test_counting_changes_nothing_that_a_template_writes(text: str) -> None:
    plain = Environment(trim_blocks=True, lstrip_blocks=True).from_string(text)
    assert ChatTemplate(text).write(TALK) == plain.render(messages=TALK)
