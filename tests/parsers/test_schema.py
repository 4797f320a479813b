"""The JSON schemas that hold a server's decoding to an answer."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from smolville.parsers.answer import Answer
from smolville.parsers.ground_block import Grounding
from smolville.parsers.plan_day import DayOutline
from smolville.parsers.plan_hours import HourlyPlan
from smolville.parsers.react import Reaction
from smolville.parsers.reflect_insights import Insights

HONOURED = {
    "type", "enum", "pattern", "minimum", "maximum", "minLength", "maxLength", "minItems",
    "maxItems", "items", "properties", "required", "additionalProperties", "anyOf",
}  # fmt: skip


def nodes(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every schema within a schema."""
    yield schema
    for inner in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        yield from nodes(inner)
    if "items" in schema:
        yield from nodes(schema["items"])


def test_only_keywords_that_servers_honour_are_used(answer: type[Answer]) -> None:
    for node in nodes(answer.call_schema({})):
        assert node.keys() <= HONOURED


def test_every_field_is_required_in_order_and_no_other_is_allowed(answer: type[Answer]) -> None:
    schema = answer.call_schema({})
    assert schema["required"] == list(schema["properties"]) == list(answer.model_fields)
    for node in nodes(schema):
        if node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])


def test_the_example_fits_the_schema(answer: type[Answer]) -> None:
    example = json.loads(answer.example().model_dump_json())
    asked = {}
    if answer is Grounding:
        asked = {key: [value] for key, value in example.items()}
    elif answer is HourlyPlan:
        asked = {f"{key}.length": [1, 2] for key in example}
    jsonschema.validate(example, answer.call_schema(asked))


def test_llama_cpp_makes_a_grammar_of_the_schema(answer: type[Answer]) -> None:
    server = pytest.importorskip("xllamacpp", reason="no llama.cpp server is installed")
    grammar = server.json_schema_to_grammar(json.dumps(answer.call_schema({})))
    for name in answer.model_fields:
        assert name in grammar


def test_this_calls_choices_are_the_only_values_allowed() -> None:
    schema = Grounding.call_schema({"A": [0, 1, 2], "C": [0, 4]})
    assert schema["properties"] == {
        "A": {"type": "integer", "enum": [0, 1, 2]},
        "C": {"type": "integer", "enum": [0, 4]},
    }
    assert schema["required"] == ["A", "C"]
    assert schema["additionalProperties"] is False


def test_without_choices_a_field_that_may_be_null_is_null() -> None:
    assert Reaction.call_schema({"person": []})["properties"]["person"] == {"type": "null"}


@pytest.mark.parametrize(
    ("choices", "mistake"),
    [
        ({"choice": []}, "'choice' are empty"),
        *(({path: [1]}, "no field of") for path in ("choices", "reason[].x", "choice.name", "")),
    ],
)
def test_choices_that_no_field_can_have_are_a_mistake_of_the_caller(
    choices: dict[str, Any], mistake: str
) -> None:
    with pytest.raises(ValueError, match=mistake):
        Reaction.call_schema(choices)


def test_a_list_for_which_there_is_nothing_to_choose_is_not_asked() -> None:
    schema = DayOutline.call_schema({"go_to[]": []})
    assert "go_to" not in schema["properties"] and "go_to" not in schema["required"]
    with pytest.raises(ValueError, match="are empty"):
        Insights.call_schema({"insights[].because[]": []})
