"""Models' own chat templates, rendered where they can read their values and nothing else."""

import pytest

from prompts.chat_template import ChatTemplate
from prompts.errors import ChatTemplateError
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
