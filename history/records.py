"""The rows of a run's history, and the batch of rows that one commit writes."""

from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import orjson
from pydantic import TypeAdapter

from smolville.agents.action import Action, Talk
from smolville.agents.entities import EntityMind, Happening
from smolville.agents.memory import Change, Memory
from smolville.agents.mind import Mind
from smolville.agents.needs import NeedsRow
from smolville.agents.routines import Reuse
from smolville.agents.stream import MemoryDraw
from smolville.graphs.loop.ledger import CallReading, StepRecord

Tile = tuple[int, int]
"""Column and row on the map, counted from 0 at the upper left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One walk, as a single row from start to end rather than a row per tile."""

    agent: str
    tick: int
    """Tick at whose start the agent stands on the first tile of the path."""
    end_tick: int
    """Tick at whose start the agent stands on the last tile."""
    path: tuple[Tile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """An intent and its outcome: what an agent wanted to do, and what the town let happen."""

    agent: str
    tick: int
    action: Action
    """The action as it takes place if accepted, or as it was wanted if refused."""
    outcome: Literal["accepted", "refused"] = "accepted"
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectState:
    """An object's state from a tick on."""

    address: str
    tick: int
    state: str
    """State in plain words; the object's idle state when nobody uses it any more."""
    emoji: str = ""
    by: str = ""
    """The agent who caused it; empty for an operator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtRow:
    """One run of the mind graph."""

    agent: str
    tick: int
    at: int
    stimuli: tuple[str, ...]
    path: tuple[str, ...]
    """The graph's nodes in the order they ran."""
    intent: str = ""
    """The result of the thought in words; empty when the agent goes on as before."""
    failed: str = ""
    """Why the thought failed; a failed thought leaves nothing else behind."""
    milliseconds: float = 0.0
    started: float = field(default=0.0, compare=False)
    """Wall-clock time in epoch seconds. It is only for traces and has no effect on the town."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MindRow:
    """A mind after a thought, or after an entity's turn."""

    agent: str
    tick: int
    blob: bytes
    """The mind as JSON (`read_mind`)."""


WishKind = Literal[
    "whisper",
    "object_state",
    "history",
    "announcement",
    "visitor_enters",
    "visitor_walks",
    "visitor_acts",
    "visitor_talks",
    "visitor_calls",
    "visitor_leaves",
]
"""Kinds of requests that an operator can make to a running town."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervention:
    """An operator's change to a run, with the tick from which it holds."""

    id: str
    tick: int
    kind: WishKind | Literal["reembedded", "templates", "visitor_says"]
    target: str
    """What it is about: an agent's or a visitor's name, an object's address, the embedder that
    compares memories from then on, or the edited template files, separated by commas. Empty for
    what everybody hears."""
    text: str
    """The text said or the new state; for templates, JSON with the new version by name; for
    visitors who come, call or speak, JSON as well (`world.wishes`)."""


@dataclass(slots=True, kw_only=True)
class CommitBatch:
    """Everything one cluster of agents changes at one tick; written in one transaction."""

    tick: int
    at: int
    agents: tuple[str, ...]
    """All agents of the cluster; they have completed this tick once the batch is written."""
    watermark: int | None = None
    """The tick up to which every agent's history is complete once the batch is written; None:
    `tick`."""
    reached: dict[str, int] = field(default_factory=dict)
    """The last ticks of agents of other clusters who have advanced without a commit of their
    own."""
    bodies: dict[str, str] = field(default_factory=dict)
    """State of each agent's body, as JSON."""
    moves: list[Move] = field(default_factory=list)
    deeds: list[Deed] = field(default_factory=list)
    objects: list[ObjectState] = field(default_factory=list)
    talks: list[Talk] = field(default_factory=list)
    thoughts: list[ThoughtRow] = field(default_factory=list)
    steps: list[StepRecord] = field(default_factory=list)
    readings: list[CallReading] = field(default_factory=list)
    memories: list[Memory] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    minds: list[MindRow] = field(default_factory=list)
    reuses: list[Reuse] = field(default_factory=list)
    draws: list[MemoryDraw] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)
    needs: list[NeedsRow] = field(default_factory=list)
    interventions: list[Intervention] = field(default_factory=list)


M = TypeVar("M", Mind, EntityMind)

_KINDS: dict[type, TypeAdapter[Any]] = {kind: TypeAdapter(kind) for kind in (Mind, EntityMind)}


def write_mind(mind: Mind | EntityMind) -> bytes:
    """Return a mind as JSON."""
    return orjson.dumps({"mind": orjson.Fragment(_KINDS[type(mind)].dump_json(mind))})


def read_mind(blob: bytes, kind: type[M]) -> M:
    """Return the mind in some JSON. Raises ValueError for other data."""
    mind: M = _KINDS[kind].validate_python(orjson.loads(blob)["mind"])
    return mind
