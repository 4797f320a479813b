"""A maker whose model is the stand-in, or any other chat, for tests of new people."""

import asyncio
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel

from smolville.graphs.loop.ledger import MemoryJournal
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import Rules
from smolville.models.standin.model import StandIn
from smolville.prompts.making import making_templates, making_texts
from smolville.prompts.prompt import TemplateBook
from smolville.world.making.maker import Maker, read_parts
from smolville.world.making.settling import NewResident, find_vacancy, settle
from tests.fixtures.scripted import chat_of
from tests.fixtures.small_town import edit_map, layer, write_small_town


def write_village(folder: Path) -> Path:
    """Write the small town with private houses, as the shipped town has them."""

    def close(data: dict[str, Any]) -> None:
        for sector in layer(data, "sectors")["objects"]:
            if sector["name"].endswith("Cottage"):
                sector["properties"] = [{"name": "private", "type": "bool", "value": True}]

    write_small_town(folder)
    edit_map(folder, close)
    return folder


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


def person_made(
    folder: Path, maker: Maker | None = None, *, name: str = "", overwrite: bool = False
) -> NewResident:
    """A person made for a town; nothing is written."""
    vacancy = find_vacancy(folder, name, overwrite=overwrite)
    return asyncio.run(settle(maker or maker_of(), vacancy, name=name, about="", memories=5))


def texts_of(folder: Path) -> dict[str, bytes]:
    """Path inside a folder to contents, of every file."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
