"""Runs that are begun, lived, stopped and gone on with: what the tests of the whole share."""

import asyncio
from pathlib import Path

from smolville.history.digest import digest_parts
from smolville.history.folder import RunFolder
from smolville.history.observers import RunObserver
from smolville.history.reader import RunReader
from smolville.models.chat import Chat
from smolville.models.open import open_chat
from smolville.world.run_request import RunRequest, create_run
from smolville.world.simulation import Simulation, open_simulation

HOUR = 3600
DAY = 86_400
AFTERNOON = 13 * HOUR
"""By then everybody in the small town has planned and reflected, and two talks have ended."""


def standin(seed: int = 0, spec: str = "standin") -> Chat:
    """The built-in model, ready to be asked."""
    return open_chat(spec, seed=seed)[0]


def begin(runs: Path, name: str, asked: RunRequest, chat: Chat | None = None) -> RunFolder:
    """A run's folder, made and not yet lived."""
    chat = chat or standin(asked.seed)
    return create_run(runs, name, asked, (chat, chat))


def live(
    folder: RunFolder, until: int, chat: Chat | None = None, watch: RunObserver | None = None
) -> list[str]:
    """Live a run until a town second; what was mended on opening it."""
    chat = chat or standin(folder.spec.seed)
    with open_simulation(folder, (chat, chat), watch) as simulation:
        asyncio.run(_run(simulation, until, chat))
    return simulation.notes


async def _run(simulation: Simulation, until: int, chat: Chat) -> None:
    try:
        await simulation.run(until)
    finally:
        await chat.aclose()


def lived(runs: Path, name: str, asked: RunRequest, until: int) -> RunFolder:
    """A run, begun and lived until a town second."""
    folder = begin(runs, name, asked)
    live(folder, until)
    return folder


def parts(folder: RunFolder) -> dict[str, str]:
    """The digest of every table of a whole history."""
    with RunReader(folder) as reader:
        assert reader.faults() == []
        return digest_parts(reader)


def differing(one: dict[str, str], other: dict[str, str]) -> list[str]:
    """The tables in which two histories differ."""
    return [name for name in one if one[name] != other[name]]
