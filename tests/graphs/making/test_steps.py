"""The steps that make people: they answer, are repaired with a sentence, and give up."""

from typing import Any

import pytest

from smolville.graphs.context import MindContext
from smolville.graphs.loop.graph import ask_step
from smolville.graphs.loop.ledger import MemoryJournal
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import Rules
from smolville.graphs.making.steps import MAKING
from smolville.graphs.scenes import ROSA
from smolville.models.standin.rule import Dice
from smolville.prompts.contract import BoundTemplate
from smolville.prompts.lint import lint
from smolville.prompts.making import FOLDER, making_templates, making_texts
from smolville.prompts.prompt import TemplateBook
from tests.fixtures.pauses import Pauses
from tests.fixtures.scripted import Scripted, chat_of

STEPS = {step.name: step for step in MAKING}
EACH = pytest.mark.parametrize("name", sorted(STEPS))
"""Tokens of a sample's prompt: the smallest models read these with room to spare."""


def good(name: str) -> dict[str, Any]:
    """The stand-in's answer to a step's sample."""
    step = STEPS[name]
    return step.standin(step.sample(ROSA), Dice(1)).answer


async def asked(name: str, *replies: Any, repairs: int = 1, inputs: Any = None) -> tuple[Any, Any]:
    """What a step ended with after these replies, and the model that gave them."""
    model = Scripted(replies={name: list(replies)})
    chat = chat_of(model)
    client = ModelClient(
        fast=chat,
        strong=chat,
        journal=MemoryJournal(),
        seed=0,
        rules=Rules(repairs=repairs, examples=0),
        templates=TemplateBook(making_templates()),
        backoff=Pauses(),
    )
    context = MindContext(owner="test", tick=0, thinkers={}, client=client)
    step = STEPS[name]
    done = await ask_step(step, context, inputs or step.sample(ROSA), agent="test")
    return done, model


@EACH
async def test_a_step_answers_and_gives_up_with_an_answer_of_code(name: str) -> None:
    done, model = await asked(name, good(name))
    assert done.finished[0].record.outcome == "clean" and len(model.asked) == 1
    done, model = await asked(name, "no", "no")
    step = STEPS[name]
    assert done.finished[0].record.outcome == "fallback" and len(model.asked) == 2
    assert done.answer == step.fallback(step.sample(ROSA))
    assert step.parser.read(done.answer.model_dump_json(), step.context(step.sample(ROSA))).value


WRONG = [
    ("invent_person", {"name": "Rosa"}, "Write 'Rosa Marin'."),
    ("invent_person", {"age": 12}, "Write a whole number from 18 to 95."),
    ("invent_person", {"work": "the moon"}, "got 'the moon'. Write one of:"),
    ("tell_story", {"currently": "I want to buy a boat as soon as I can."}, "with 'I' in it"),
    (
        "tell_story",
        {"learned": "She was a sailor for years and saw all of the seven seas."},
        "Use the name Rosa",
    ),
    ("tell_story", {"place": "the sea"}, "got 'the sea'. Write one of:"),
    ("tell_bond", {"bond": "enemies"}, "got 'enemies'. Write one of: 'friends', 'rivals'."),
    ("tell_bond", {"fact": "Rosa often walks along the river."}, "Use the name Olga in it."),
]


@pytest.mark.parametrize(("name", "wrong", "sentence"), WRONG)
async def test_a_wrong_answer_comes_back_with_what_is_wrong(
    name: str, wrong: dict[str, Any], sentence: str
) -> None:
    done, model = await asked(name, {**good(name), **wrong}, good(name))
    assert sentence in model.asked[1].last
    assert done.finished[0].record.outcome == "repaired"


def memories(*told: str) -> dict[str, Any]:
    """An answer with these memories."""
    return {"memories": [{"number": at, "memory": each} for at, each in enumerate(told, 1)]}


async def test_memories_go_on_from_their_beginnings() -> None:
    told = memories("a storm broke the mast of the ferry", "I collect stamps with ships on them")
    done, _ = await asked("tell_memories", told)
    assert done.finished[0].record.outcome == "mended"
    first = done.answer.memories[0].memory
    assert first == "I came to this town because a storm broke the mast of the ferry"


async def test_memories_that_are_right_stay_and_only_the_others_are_asked_again() -> None:
    wrong = memories("I came here on foot in a snowstorm", "You like to collect your stamps")
    right = {"memories": [{"number": 2, "memory": "I collect stamps with ships on them"}]}
    done, model = await asked("tell_memories", wrong, right)
    assert 'without "you"' in model.asked[1].last
    kept = [each.memory for each in done.answer.memories]
    assert kept == [
        "I came here on foot in a snowstorm",
        "I collect stamps with ships on them",
    ]


def test_nothing_is_wrong_with_the_shipped_templates() -> None:
    bound = [
        BoundTemplate(
            f"{step.name}.jinja", step.inputs.__name__, frozenset(step.inputs.model_fields)
        )
        for step in MAKING
    ]
    own = [path.name for path in FOLDER.glob("*.jinja")]
    assert {name for name in own if not name.startswith("_")} == {f"{name}.jinja" for name in STEPS}
    assert lint(making_texts(), own, bound) == []
