"""The app's configuration: the folder of runs that it serves, and what it needs to act on runs."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from smolville.history.folder import RunFolder, list_runs
from smolville.history.spec import RunSpec

if TYPE_CHECKING:
    from smolville.graphs.loop.rules import Rules
    from smolville.models.chat import Chat
    from smolville.world.run_resources import RunResources


@dataclass(frozen=True, kw_only=True)
class AppModels:
    """The models that answer questions from the app."""

    chats: "tuple[Chat, Chat]"
    """The fast and the strong chat model; the same object if one model serves as both."""
    means: "RunResources"
    rules: "Rules"
    """Rules for every question."""


@dataclass(frozen=True, kw_only=True)
class AppConfig:
    """The runs served by the app, and how to act on them."""

    runs: Path
    """The folder of runs; nothing outside of it is read or written."""
    minds: Callable[[RunSpec, str | None], AbstractContextManager[AppModels]]
    """Opens the models of a run, or another model if its spec is given, and closes them at the end.

    Raises ModelError if that fails.
    """
    command: Sequence[str] = ("smolville",)
    """First words of the command line with which runs are started and resumed."""
    where: Sequence[str] = ()
    """Options that name the folder of runs in a command to copy; none for the default folder."""
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Environment variables of runs started here."""

    def names(self) -> list[str]:
        """Return the runs' names, latest first."""
        return list_runs(self.runs)

    def folder(self, name: str) -> RunFolder:
        """Return a run's folder; raises RunError for an unknown or invalid name."""
        return RunFolder.open(self.runs, name)
