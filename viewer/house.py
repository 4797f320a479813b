"""What the app serves: a folder of runs, and what it may do with them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from graphs.loop.rules import Rules
from models.chat import Chat
from models.embedding.embedder import Embedder, open_embedder
from world.means import Means
from world.runs.folder import RunFolder, list_runs
from world.runs.spec import RunSpec


@dataclass(frozen=True, kw_only=True)
class Minds:
    """Models that were opened to answer what the app asks."""

    chats: tuple[Chat, Chat]
    """Fast and strong; the same chat where one model answers for both."""
    means: Means
    rules: Rules
    """What every question obeys."""
    why: tuple[str, ...] = ()
    """Which models answer and why, a line each."""


class OpenMinds(Protocol):
    """Opens models; what it opens is closed with the block."""

    def __call__(self, spec: RunSpec, model: str | None = None) -> AbstractContextManager[Minds]:
        """Open the models a run is asked with, or another one; ModelError when there is none."""
        ...


def _embedder(spec: RunSpec) -> Embedder:
    """Open the embedder of a run; keys go to no server that only the run names."""
    return open_embedder(spec.models.embedder)


@dataclass(frozen=True, kw_only=True)
class House:
    """The runs that are watched here."""

    runs: Path
    """The folder of runs; nothing outside of it is read or written."""
    minds: OpenMinds
    embedder: Callable[[RunSpec], Embedder] = _embedder
    """Opens what compares the memories of a run."""
    command: Sequence[str] = ("smolville",)
    """The command line's first words, with which runs are begun and gone on with."""
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The surroundings of runs that are begun here."""
    token: str = ""
    """What a stranger must show; empty on loopback."""

    def names(self) -> list[str]:
        """Return the runs' names, latest first."""
        return list_runs(self.runs)

    def folder(self, name: str) -> RunFolder:
        """Return a run's folder; RunError when there is none, or its name leads elsewhere."""
        return RunFolder.open(self.runs, name)
