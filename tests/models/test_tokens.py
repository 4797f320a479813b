"""The estimator of tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage

from smolville.models.tokens import estimate_minimum, estimate_prompt, estimate_tokens

PROSE = (
    "Isabella Rodriguez is the owner of Hobbs Cafe. She loves to make people feel welcome, and she "
    "is always looking for ways to make the cafe a place where people can come to relax and enjoy "
    "themselves."
)
MEMORIES = """1. [Monday 6 May, 07:40] Klaus Mueller is walking to the library (importance 2)
2. [Monday 6 May, 08:15] Maria Lopez said that the mayor's election worries her (importance 7)
3. [Monday 6 May, 09:30] the stove at Hobbs Cafe is burning (importance 9)"""
ANSWER = (
    '{"subtasks": [{"activity": "grinding the coffee", "minutes": 15}, '
    '{"activity": "setting the tables by the window", "minutes": 25}]}'
)
COUNTED = [
    (PROSE, 41, 47),
    (MEMORIES, 82, 104),
    (ANSWER, 37, 42),
]
"""Texts with the fewest and the most tokens among Qwen 2, Llama 3, Phi-3, Gemma and DeepSeek."""


@pytest.mark.parametrize(("text", "fewest", "most"), COUNTED)
def test_the_estimate_is_near_what_real_vocabularies_count(
    text: str, fewest: int, most: int
) -> None:
    estimate = estimate_tokens(text)
    assert 0.8 * fewest <= estimate <= 1.2 * most
    assert estimate_minimum(estimate) <= fewest


@given(st.text(max_size=200), st.text(max_size=200))
def test_more_text_never_has_fewer_tokens(text: str, more: str) -> None:
    whole = estimate_tokens(f"{text} {more}")
    assert whole >= max(estimate_tokens(text), estimate_tokens(more))
    assert whole <= estimate_tokens(text) + estimate_tokens(more) + 1


def test_no_text_has_no_tokens_and_a_message_has_its_frame() -> None:
    assert estimate_tokens("") == 0
    assert estimate_prompt([HumanMessage("")]) > 0
