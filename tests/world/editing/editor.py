"""Somebody who edits templates while a town lives, and what came of it."""

import asyncio
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from smolville.history.folder import RunFolder
from smolville.history.observers import RunObserver
from smolville.history.reader import RunReader
from smolville.history.records import Intervention
from smolville.models.chat import Chat
from smolville.prompts.folder import WatchedFolder, shipped_texts
from smolville.world.run_resources import RunResources
from smolville.world.simulation import open_simulation
from tests.whole.lives import HOUR, standin

STEP = "decompose"
"""Asked all day, whenever an hour is split into its parts."""
FILE = f"{STEP}.jinja"
MARK = "Think of the weather, too."
UNTIL = 13 * HOUR
NINE = 9 * HOUR // 10
"""The tick at nine o'clock."""


def text(mark: str = MARK, name: str = FILE) -> str:
    """A shipped template with one sentence more among its rules."""
    return shipped_texts()[name].replace("\n\nRules:\n", f"\n{mark}\n\nRules:\n", 1)


@dataclass
class Editor(RunObserver):
    """Does something to the templates when a tick is done, and hears what the town says of it."""

    due: dict[int, Callable[[], object]] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    def on_tick(self, tick: int) -> None:
        for wanted in [wanted for wanted in self.due if wanted <= tick]:
            self.due.pop(wanted)()

    def on_edit(self, told: str) -> None:
        self.said.append(told)

    def on_edit_refused(self, told: str) -> None:
        self.refusals.append(told)


@dataclass
class Mine:
    """A folder of templates, edited long before anybody looks."""

    path: Path

    def write(self, words: str, name: str = FILE) -> None:
        """Write a file."""
        (self.path / name).write_text(words, encoding="utf-8")
        self._rest(name)

    def remove(self, name: str = FILE) -> None:
        """Take a file away."""
        (self.path / name).unlink()
        self._rest()

    def _rest(self, *names: str) -> None:
        for path in (self.path, *(self.path / name for name in names)):
            os.utime(path, (1_700_000_000, 1_700_000_000))


def live(
    folder: RunFolder,
    until: int,
    mine: Mine | None = None,
    editor: Editor | None = None,
    chat: Chat | None = None,
) -> Editor:
    """Live a run, looking at a folder of templates before every tick."""
    chat, editor = chat or standin(), editor or Editor()
    watched = None if mine is None else WatchedFolder(mine.path, every=0)
    with open_simulation(folder, (chat, chat), editor, RunResources(prompts=watched)) as simulation:
        asyncio.run(simulation.run(until))
    return editor


def edits(folder: RunFolder) -> list[Intervention]:
    """The recorded edits of templates."""
    with RunReader(folder) as reader:
        return [each for each in reader.interventions() if each.kind == "templates"]


def asked(folder: RunFolder, step: str = STEP) -> Iterator[tuple[int, str, bool]]:
    """The tick of each call of a step, its template, and whether it shows the mark."""
    with RunReader(folder) as reader:
        for owner in reader.agents():
            for tick in [row.tick for row in reader.thoughts(owner)]:
                thought = reader.thought(owner, tick)
                for used in thought.steps if thought is not None else ():
                    if used.record.step == step:
                        for each in used.attempts:
                            yield tick, each.call.template, MARK in each.call.messages
