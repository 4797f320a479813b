"""Answers that a reader has labelled: sensible ones pass, and many senseless ones are caught.

`tests/recordings/read_written/answers.jsonl` holds answers as they were written, before any check:
71 sensible ones, most of a capable writer, and 62 senseless ones of Qwen2.5-Coder 1.5B.
"""

from collections import Counter

import pytest

from benchmarks.checks import ANY, FORM, RECORDED, labelled, tally

SEEN = Counter[str]


@pytest.fixture(scope="module")
def seen() -> dict[str, SEEN]:
    return tally(labelled(RECORDED / "read_written"))


def test_no_check_objects_to_a_sensible_answer(seen: dict[str, SEEN]) -> None:
    assert set(seen["sensible"]) - {"of", ANY, FORM} == set()
    assert seen["sensible"][FORM] == 0
    assert seen["sensible"]["of"] == 71


def test_many_senseless_answers_are_objected_to(seen: dict[str, SEEN]) -> None:
    assert seen["senseless"]["of"] == 62
    assert seen["senseless"][ANY] >= 19
