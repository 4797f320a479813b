"""Keywords chosen by a model: names stay, words are those of the text, and code helps out."""

from dataclasses import replace
from typing import Any

import pytest

from smolville.agents.errors import RunError
from smolville.graphs.loop.ledger import MemoryJournal
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import Rules
from smolville.graphs.scenes import MILO, ROSA
from smolville.lab.extract_keywords import (
    NAME,
    STEP,
    ChosenKeywords,
    choose_keywords,
    keyword_templates,
)
from smolville.prompts.contract import BoundTemplate
from smolville.prompts.lint import lint
from smolville.prompts.prompt import TemplateBook
from tests.fixtures.pauses import Pauses
from tests.fixtures.scripted import Scripted, chat_of

TEXT = "Walter Brandt met Junko at the harbour, where two old ferries lay in a storm."


async def chosen(
    text: str, *replies: Any, num_ctx: int | None = None
) -> tuple[ChosenKeywords, Scripted]:
    """What comes of these replies, and the model that gave them."""
    model = Scripted(replies={NAME: list(replies)})
    chat = replace(chat_of(model), num_ctx=num_ctx)
    client = ModelClient(
        fast=chat,
        strong=chat,
        journal=MemoryJournal(),
        seed=0,
        rules=Rules(repairs=1, examples=0),
        templates=TemplateBook(keyword_templates()),
        backoff=Pauses(),
    )
    return await choose_keywords(text, ["Junko Mori"], client), model


@pytest.mark.parametrize(
    "reply",
    [
        {"keywords": ["ferry", "storm"]},
        {"tags": ["storm", "ferry"]},
        ["storm", "ferry"],
    ],
)
async def test_names_stay_and_the_chosen_words_come_in_the_order_of_the_text(reply: Any) -> None:
    found, model = await chosen(TEXT, reply)
    assert found == (("Walter Brandt", "Junko", "ferry", "storm"), False)
    assert len(model.asked) == 1


async def test_a_word_that_the_text_lacks_is_asked_for_again() -> None:
    found, model = await chosen(TEXT, {"keywords": ["boat"]}, {"keywords": ["ferry"]})
    assert "`keywords`: got 'boat'. Write one of: " in model.asked[1].last
    assert found.keywords == ("Walter Brandt", "Junko", "ferry")


async def test_without_a_usable_answer_all_words_found_by_rule_are_returned() -> None:
    found, model = await chosen(TEXT, "no", {"keywords": []})
    words = ("Walter Brandt", "met", "Junko", "harbour", "two", "old", "ferry", "lay", "storm")
    assert found == (words, True)
    assert len(model.asked) == 2


async def test_where_there_is_no_choice_nobody_is_asked() -> None:
    found, model = await chosen("Junko bakes.")
    assert found == (("Junko", "bake"), False)
    assert model.asked == []


async def test_a_text_that_no_window_holds_is_refused() -> None:
    with pytest.raises(RunError, match=r"too long for this model\. .*extract_keywords"):
        await chosen("a storm and a ferry " * 500, num_ctx=1024)


def test_nothing_is_wrong_with_the_template() -> None:
    bound = BoundTemplate(f"{NAME}.jinja", "ExtractKeywordsInput", {*STEP.inputs.model_fields})
    assert lint(keyword_templates().texts, [f"{NAME}.jinja"], [bound]) == []
    one, other = (STEP.prompt.render(STEP.sample(scene)) for scene in (ROSA, MILO))
    assert one[0].text == other[0].text, "the rules are the same for every text"
