"""The app's configuration: the folder of runs that it serves, and what it needs to act on runs."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from smolville.history.folder import RunFolder, list_runs
from smolville.history.spec import RunSpec

if TYPE_CHECKING:
    from smolville.graphs.loop.rules import Rules
    from smolville.models.chat import Chat
    from smolville.models.embedding.embedder import Embedder
    from smolville.world.run_resources import RunResources


@dataclass(frozen=True, kw_only=True)
class AppModels:
    """The models that answer questions from the app."""

    chats: "tuple[Chat, Chat]"
    """The fast and the strong chat model; the same object if one model serves as both."""
    means: "RunResources"
    rules: "Rules"
    """Rules for every question."""
    why: tuple[str, ...] = ()
    """One line per model: which model answers, and why it was chosen."""


class OpenMinds(Protocol):
    """Opens models as a context manager, which closes them at the end."""

    def __call__(
        self, spec: RunSpec, model: str | None = None
    ) -> AbstractContextManager[AppModels]:
        """Open the models of a run, or `model` if given; raises ModelError if that fails."""
        ...


def _embedder(spec: RunSpec) -> "Embedder":
    """Open the embedder of a run.

    No key is sent to a server that is named by the run's settings but not by the user.
    """
    from smolville.models.embedding.embedder import open_embedder

    return open_embedder(spec.models.embedder)


@dataclass(frozen=True, kw_only=True)
class AppConfig:
    """The runs served by the app, and how to act on them."""

    runs: Path
    """The folder of runs; nothing outside of it is read or written."""
    minds: OpenMinds
    embedder: "Callable[[RunSpec], Embedder]" = _embedder
    """Opens the embedder that compares the memories of a run."""
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
