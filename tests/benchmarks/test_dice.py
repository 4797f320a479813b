"""Dice as a model: they fill any schema, and the official client talks to them."""

import json
import random

import pytest
from langchain_core.messages import HumanMessage

from benchmarks.dice import dice_server
from smolville.graphs.catalogue import STEPS
from smolville.lab.evaluation.dice import Filler
from smolville.models.open import open_chat

SCHEMA = {
    "type": "object",
    "properties": {
        "who": {"enum": ["Ada", "Ben", "Cy"]},
        "minutes": {"type": "integer", "minimum": 5, "maximum": 60},
        "text": {"type": "string", "maxLength": 30},
    },
    "required": ["who", "minutes", "text"],
    "additionalProperties": False,
}


async def test_the_official_client_talks_to_them_and_equal_seeds_answer_alike() -> None:
    asked = [HumanMessage("Walter sits by the fountain with his notebook.")]
    with dice_server() as spec:
        chat, _ = open_chat(spec, env={})
        texts = [
            (await chat.ask(asked, schema=SCHEMA, seed=seed, temperature=1.0, max_tokens=99)).text
            for seed in (1, 1, 2)
        ]
        await chat.aclose()
    assert texts[0] == texts[1] != texts[2]
    answer = json.loads(texts[0])
    assert answer["who"] in ("Ada", "Ben", "Cy") and 5 <= answer["minutes"] <= 60
    assert set(answer["text"].split()[:3]) <= set(asked[0].text.replace(".", "").split())


@pytest.mark.parametrize("step", STEPS, ids=lambda step: str(step.name))
def test_the_schema_of_every_step_is_filled(step) -> None:  # type: ignore[no-untyped-def]
    schema = step.answer.model_json_schema()
    filler = Filler(["some", "words"], random.Random(step.name), known=schema.get("$defs", {}))
    assert set(filler.fill(schema)) == set(schema["properties"])
