"""Somebody is added to a town that is there: what else is in its files stays as it was."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel

from smolville.agents.errors import TownError
from smolville.graphs.loop.ledger import MemoryJournal
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import Rules
from smolville.models.standin.model import StandIn
from smolville.prompts.making import making_templates, making_texts
from smolville.prompts.prompt import TemplateBook
from smolville.world.making import Maker, NewResident, read_parts, settle
from smolville.world.town.town import Town, check_town
from tests.fixtures.scripted import Scripted, chat_of
from tests.fixtures.small_town import edit_map, edit_text, layer, write_small_town


def write_village(folder: Path) -> Path:
    """Write the small town with private houses, as the shipped town has them."""

    def close(data: dict[str, Any]) -> None:
        for sector in layer(data, "sectors")["objects"]:
            if sector["name"].endswith("Cottage"):
                sector["properties"] = [{"name": "private", "type": "bool", "value": True}]

    write_small_town(folder)
    edit_map(folder, close)
    return folder


@pytest.fixture
def village(tmp_path: Path) -> Path:
    """A small town whose houses are private."""
    return write_village(tmp_path / "village")


def maker_of(model: BaseChatModel | None = None, *, seed: int = 0, repairs: int = 3) -> Maker:
    """A maker that asks this model, by default the stand-in."""
    chat = chat_of(model or StandIn(seed=seed))
    client = ModelClient(
        fast=chat,
        strong=chat,
        journal=MemoryJournal(),
        seed=seed,
        rules=Rules(repairs=repairs, examples=0),
        templates=TemplateBook(making_templates()),
    )
    return Maker(client=client, parts=read_parts(making_texts()))


def person_made(folder: Path, maker: Maker | None = None) -> NewResident:
    """A person made for a town; nothing is written."""
    town = Town.load(folder)
    return asyncio.run(settle(maker or maker_of(), town, name="", about="", memories=5))


def settled(folder: Path, made: NewResident) -> Town:
    """The town with somebody new in it."""
    for name, text in made.texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert check_town(folder) == []
    return Town.load(folder)


def test_somebody_new_has_a_bed_of_their_own_and_is_known_by_others(village: Path) -> None:
    path = village / "personas" / "ada.toml"
    edit_text(path, "[relationships]\n", "# whom they know\n[relationships] # by heart\n")
    old = path.read_text(encoding="utf-8")
    before = Town.load(village)
    made = person_made(village)
    assert made.texts == person_made(village).texts, "the same seed gives the same person"
    town = settled(village, made)
    new = town.personas[made.name]
    assert len(town.personas) == len(before.personas) + 1
    assert new.home not in {each.home for each in before.personas.values()}
    assert {**before.map.objects, f"{new.home}: guest bed": None}.keys() == town.map.objects.keys()
    assert set(new.relationships) == set(made.told) <= set(before.personas)
    for other in new.relationships:
        assert new.first_name in town.personas[other].relationships[new.name]
    assert len(town.history[new.name]) == 5 == len(set(town.history[new.name]))
    text = path.read_text(encoding="utf-8").splitlines()
    assert set(old.splitlines()) < set(text) and len(text) == len(old.splitlines()) + 1


def test_one_after_another_finds_a_bed_until_no_floor_is_free(village: Path) -> None:
    homes = [each.home for each in Town.load(village).personas.values()]
    with pytest.raises(TownError, match=r"Every bedroom of Smalltown is taken\. Open .*map\.tmj"):
        for seed in range(50):
            made = person_made(village, maker_of(seed=seed))
            homes.append(settled(village, made).personas[made.name].home)
    assert len(homes) == len(set(homes)) > 3


def test_a_model_that_never_answers_leaves_a_person_of_code(village: Path) -> None:
    (village / "history.csv").unlink()
    edit_text(village / "town.toml", 'history = "history.csv"\n', "")
    maker = maker_of(Scripted(otherwise=lambda step, inputs: "no"), repairs=0)
    made = person_made(village, maker)
    assert list(settled(village, made).history) == [made.name]
    assert maker.describe_outcomes().startswith("7 answers: 0 at once, 0 repaired, 7 fallbacks")
