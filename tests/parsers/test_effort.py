"""The work of reading grows with the reply, never faster, and ends at a length no answer has."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from smolville.parsers.answer import Answer
from smolville.parsers.reader import AnswerParser
from smolville.parsers.reading.syntax import LONGEST_REPLY

HOSTILE = [
    '{"a": ', "{'", '"// ', "<think>", "1. a?\n", '{"a":1}', '{"number":1,"importance":2}\n',
    "<|im_end|>{", "x:\nAssistant:\n", "it's ",
]  # fmt: skip


def steps_of(work: Callable[[], Any]) -> int:
    """How many functions of this room or of the standard library the work calls."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def work(answer: type[Answer], piece: str, length: int) -> int:
    """What it costs to read a reply of this length, made of a hostile piece."""
    text = '{"ratings": [' + piece * (length // len(piece))
    return steps_of(lambda: AnswerParser(answer=answer).read(text))


@pytest.mark.parametrize("piece", HOSTILE, ids=repr)
def test_a_reply_twice_as_long_takes_twice_the_work(piece: str, answers: Any) -> None:
    answer = answers["rate_importance"]
    work(answer, piece, 100)
    assert work(answer, piece, 8000) <= 2.3 * work(answer, piece, 4000) + 4000


@pytest.mark.parametrize("piece", HOSTILE[:3:2], ids=repr)
def test_what_lies_beyond_the_longest_answer_costs_no_work(piece: str, answers: Any) -> None:
    answer = answers["rate_importance"]
    thoughts = 200_000 // len(piece) * 4 if "think" in piece else 0
    longest = work(answer, piece, 2 * LONGEST_REPLY)
    assert work(answer, piece, 200_000) <= 1.2 * longest + 4000 + thoughts
