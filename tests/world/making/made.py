"""A maker whose model is the stand-in, or any other chat, for tests of new towns and people."""

import asyncio
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel

from smolville.graphs.loop.ledger import MemoryJournal
from smolville.graphs.loop.model_client import ModelClient
from smolville.graphs.loop.rules import Rules
from smolville.graphs.making.catalogue import check_making_templates
from smolville.models.standin.model import StandIn
from smolville.prompts.making import making_texts
from smolville.prompts.prompt import TemplateBook
from smolville.world.making.asking import Maker
from smolville.world.making.parts import read_parts
from smolville.world.making.settling import NewResident, find_vacancy, settle
from smolville.world.making.town_maker import MadeTown, make_town, write_town
from tests.fixtures.scripted import chat_of


def maker_of(model: BaseChatModel | None = None, *, seed: int = 0, repairs: int = 3) -> Maker:
    """A maker that asks this model, by default the stand-in."""
    chat = chat_of(model or StandIn(seed=seed))
    texts = making_texts()
    client = ModelClient(
        fast=chat,
        strong=chat,
        journal=MemoryJournal(),
        seed=seed,
        rules=Rules(repairs=repairs, examples=0),
        templates=TemplateBook(check_making_templates(texts)),
    )
    return Maker(client=client, parts=read_parts(texts))


def town_made(maker: Maker, *, people: int = 3, about: str = "", memories: int = 4) -> MadeTown:
    """A town that the maker made."""
    return asyncio.run(make_town(maker, people=people, about=about, memories=memories))


def town_written(folder: Path, maker: Maker | None = None, **wanted: Any) -> Path:
    """The folder of a town that was made and written there."""
    write_town(town_made(maker or maker_of(), **wanted), folder, overwrite=False)
    return folder


def person_made(
    folder: Path, maker: Maker | None = None, *, name: str = "", overwrite: bool = False
) -> NewResident:
    """A person made for a town; nothing is written."""
    vacancy = find_vacancy(folder, name, overwrite=overwrite)
    return asyncio.run(settle(maker or maker_of(), vacancy, name=name, about="", memories=3))


def texts_of(folder: Path) -> dict[str, bytes]:
    """Path inside a folder to contents, of every file."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
