"""The messages between an engine and its workers: plain data as JSON, validated on arrival.

A thought is a function of a mind, its surroundings, its memories and the run's rules. It returns a
mind, an intent and records. All of these are defined here, except that vectors, and the mind with
which a thought begins, are sent beside a message, as bytes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import TypeAdapter

from smolville.agents.memory import Change, Memory
from smolville.agents.norms import TownRule
from smolville.agents.persona import Persona
from smolville.graphs.loop.ledger import Call
from smolville.graphs.loop.rules import Rules
from smolville.graphs.surroundings import Senses
from smolville.models.request import ModelSettings
from smolville.world.thinkers import ThoughtOutcome


@dataclass(frozen=True, kw_only=True)
class TierModel:
    """The servers that run one tier's model, as specs; their API keys are never sent."""

    spec: str
    """Name of the model in all records."""
    servers: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class WorkerSetup:
    """Everything about a run that a worker needs; it is sent only once."""

    cast: tuple[str, ...]
    seed: int
    embedder: str
    keywords: str
    fast: TierModel
    strong: TierModel
    asking: ModelSettings
    rules: Rules
    templates: tuple[tuple[int, Mapping[str, str]], ...]
    """Each set of templates by file name, with the tick from which the run uses it."""
    patience: float
    """Seconds for which an unreachable server is asked again."""
    workers: int
    """Number of workers, which share the slots of each server."""


@dataclass(frozen=True, kw_only=True)
class ThoughtRequest:
    """One thought to be made, with everything new about its agent since the last request."""

    persona: Persona
    around: Senses
    norms: tuple[TownRule, ...]
    without: frozenset[str]
    """Names of the components that are left out."""
    known: int
    """Number of memories that the worker already has."""
    memories: tuple[Memory, ...]
    """The new memories; their vectors are sent beside this, as the bytes of float32 numbers."""
    changes: tuple[Change, ...]
    """Later changes to new and known memories."""
    stored: tuple[Call, ...]
    """Calls of this thought that were journaled before a crash."""


@dataclass(frozen=True, kw_only=True)
class WorkerNews:
    """An event during a thought, which is reported to the engine at once."""

    kind: Literal["call", "served", "given_up", "told"]
    """The kind of event.

    `call` is a call with its reply; `served` is a call that the journal answered; `given_up` is a
    call that was never answered; `told` is a sentence about a server.
    """
    call: Call | None = None
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class ThoughtReply:
    """The end of a thought: its outcome, or the reason why the run must stop."""

    outcome: ThoughtOutcome | None = None
    stopped: str = ""


SETUP = TypeAdapter(WorkerSetup)
REQUEST = TypeAdapter(ThoughtRequest)
NEWS = TypeAdapter(WorkerNews)
REPLY = TypeAdapter(ThoughtReply)
