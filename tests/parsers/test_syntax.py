"""JSON found in what small models write, and never made up from what they left off."""

from typing import Any

import pytest

from smolville.parsers.reading.syntax import read_values

READABLE: list[tuple[str, Any]] = [
    ("{'a': 'x', 'b': True, 'c': None}", {"a": "x", "b": True, "c": None}),
    ("{'a': 'it's fine', 'b': 2}", {"a": "it's fine", "b": 2}),
    ("{'a': 'the kids' room', 'b': 2}", {"a": "the kids' room", "b": 2}),
    ('{"a": "He said "hi", and left", "b": 1}', {"a": 'He said "hi", and left', "b": 1}),
    ('{"a": "x"\n "b": 2}', {"a": "x", "b": 2}),
    ('{"a": "x\ny"}', {"a": "x\ny"}),
    ('{"a": 1, # one\n"b": 2}', {"a": 1, "b": 2}),
    ('{"a": 8/10}', {"a": "8/10"}),
    ('{"a": 07:40}', {"a": "07:40"}),
    ('{"a": 15 min, "b": 1}', {"a": "15 min", "b": 1}),
    ('{"a": , "b": 1}', {"a": None, "b": 1}),
    ('{"a": 1, ... }', {"a": 1}),
    ('{"a": [{"x": 1} {"x": 2}]}', {"a": [{"x": 1}, {"x": 2}]}),
    ('{"a": [{"x": 1}, {"x": 2]}', {"a": [{"x": 1}, {"x": 2}]}),
    ('{"a": "x"]}', {"a": "x"}),
    ('{"a": {"b": "c"', {"a": {"b": "c"}}),
    ('{"a": 12\n', {"a": 12}),
    ('{"a": true', {"a": True}),
    ('Sure! [As asked] {"a": 1} Bye.', {"a": 1}),
    ('```\n{"a": 1,}\n```\nI hope {this} helps!', {"a": 1}),
    ('so {"a": 0} it is</think>\n{"a": 1}', {"a": 1}),
    ('\ufeff{"a": 1}', {"a": 1}),
    ("{\n  a: Because I like it,\n  b: talk\n}", {"a": "Because I like it", "b": "talk"}),
]


@pytest.mark.parametrize(("text", "value"), READABLE)
def test_a_slip_of_syntax_is_read_over(text: str, value: Any) -> None:
    (found,) = read_values(text)
    assert (found.value, found.fault) == (value, "")
    assert found.mends or text in {'{"a": "x\ny"}', '\ufeff{"a": 1}'}


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "hello', '{"a": 12', '{"a": 1.', '{"a": tru', '{"a": [1, 2', '{"a": [1, 2,',
        '{"a"', '{"a":', '{"a": 1, "b', '{"a": 1, "b": "x\\', "{'a': 'x", '{"a": "x",\n\n',
        '```json\n{"a": "x", "b": "and then',
    ],
)  # fmt: skip
def test_a_value_cut_in_the_middle_is_never_made_whole(text: str) -> None:
    (found,) = read_values(text)
    assert found.fault == "cut"


def test_a_quote_that_never_closes_is_told_from_a_cut() -> None:
    (found,) = read_values('{"a": "unclosed, "b": false}')
    assert found.fault == "quotes"


@pytest.mark.parametrize("text", ['{"a" = 1, "b" = false}', '{"a" "x", "b" 2}', '{"a": 1, "}'])
def test_a_name_without_its_colon_is_told_from_a_wrong_quote(text: str) -> None:
    (found,) = read_values(text)
    assert found.fault == "names"


@pytest.mark.parametrize(
    "text", ["", " \n", "hello", "{", "<think>on and on {", "I will {maybe} go", "[so it is]"]
)
def test_nothing_is_found_in_mere_words(text: str) -> None:
    assert [found for found in read_values(text) if not found.fault] == []
