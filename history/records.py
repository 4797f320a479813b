"""The rows of a run's history, the batch that one commit writes, and the tables that hold them.

A table has one column per field of its rows.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from json import dumps, loads
from operator import attrgetter
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import orjson
from pydantic import TypeAdapter

from smolville.agents.action import Action, Talk, TalkLine
from smolville.agents.entities import EntityMind, Happening
from smolville.agents.memory import Change, Memory
from smolville.agents.mind import Mind
from smolville.agents.needs import NeedsRow
from smolville.agents.routines import Reuse
from smolville.agents.stream import MemoryDraw
from smolville.graphs.loop.ledger import (
    Call,
    CallKey,
    CallReading,
    RecallRecord,
    StepOutcome,
    StepRecord,
)

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


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedAttempt:
    """One call of a step, and the parse result of its reply."""

    call: Call
    reading: CallReading | None
    """How the reply was read; None if the step ended before that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """One step: how it ended, and its attempts in order."""

    record: StepRecord
    attempts: tuple[RecordedAttempt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thought:
    """One run of the mind graph with its steps."""

    row: ThoughtRow
    steps: tuple[StepView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTalk:
    """One talk with its steps."""

    talk: Talk
    tick: int
    """Tick at which the talk was granted and held."""
    steps: tuple[StepView, ...]


class UseKey(NamedTuple):
    """The key of a use of a step within its run."""

    owner: str
    """The agent whose thought it belongs to, or the id of the talk."""
    tick: int
    step: str
    ordinal: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StepUse:
    """One use of a step, with the fields shown in lists."""

    key: UseKey
    agent: str
    outcome: StepOutcome
    attempts: int
    model: str
    """The model that was asked first."""
    template: str
    """Version of the prompt template that was used."""
    problems: tuple[str, ...]
    """What was wrong with the first reply."""
    mends: tuple[str, ...]
    """What was mended in the first reply."""
    odd: tuple[str, ...] = ()
    """Sentences on what in the accepted answer makes no sense."""
    odd_kinds: tuple[str, ...] = ()
    """The kind of each oddity in `odd` (`parsers.problem.SENSE_KINDS`)."""


M = TypeVar("M", Mind, EntityMind)

_KINDS: dict[type, TypeAdapter[Any]] = {kind: TypeAdapter(kind) for kind in (Mind, EntityMind)}


def write_mind(mind: Mind | EntityMind) -> bytes:
    """Return a mind as JSON."""
    return orjson.dumps({"mind": orjson.Fragment(_KINDS[type(mind)].dump_json(mind))})


def read_mind(blob: bytes, kind: type[M]) -> M:
    """Return the mind in some JSON. Raises ValueError for other data."""
    mind: M = _KINDS[kind].validate_python(orjson.loads(blob)["mind"])
    return mind


Row = TypeVar("Row")
Cell = str | int | float | bytes | None


class Codec(NamedTuple):
    """Functions that write and read a value that is not a plain cell."""

    write: Callable[[Any], Cell]
    read: Callable[[Any], Any]


def _read_path(text: str) -> tuple[Tile, ...]:
    pairs = (part.split(",") for part in text.split())
    return tuple((int(x), int(y)) for x, y in pairs)


def write_list(items: Iterable[str]) -> str:
    """Return texts as a JSON list, in order."""
    return dumps(list(items), ensure_ascii=False, separators=(",", ":"))


def _recall(cells: dict[str, Any]) -> RecallRecord:
    cells |= {name: tuple(cells.get(name, ())) for name in ("queries", "ids", "about")}
    return RecallRecord(**cells)


TEXTS = Codec(write_list, lambda text: tuple(loads(text)))
RECALLS = Codec(
    lambda recalls: dumps(list(map(asdict, recalls)), ensure_ascii=False),
    lambda text: tuple(map(_recall, loads(text))),
)
PATH = Codec(lambda path: " ".join(f"{x},{y}" for x, y in path), _read_path)
FLAG = Codec(int, bool)
SIZES = Codec(lambda numbers: dumps(list(numbers)), lambda text: tuple(map(int, loads(text))))
LEVELS = Codec(lambda levels: dumps(levels, separators=(",", ":")), lambda text: dict(loads(text)))


def _columns(row: type, prefix: str = "", leave: Sequence[str] = ()) -> dict[str, str]:
    return {item.name: prefix + item.name for item in fields(row) if item.name not in leave}


@dataclass(frozen=True)
class Table(Generic[Row]):
    """One table: its name, its columns, and the conversion between row objects and cells."""

    name: str
    build: Callable[..., Row]
    """Builds a row from its columns, given by name."""
    columns: dict[str, str]
    """Attribute path of each column in the row, by column: `place`, `action.place`."""
    codecs: dict[str, Codec] = field(default_factory=dict)
    extra: tuple[str, ...] = ()
    """Further columns that are not attributes of the row; they come last."""

    def cells(self, row: Row, *extra: Cell) -> list[Cell]:
        """Return the cells of a row, in the order of the columns."""
        cells: list[Cell] = list(self._get(row))
        for index, write in self._writers:
            cells[index] = write(cells[index])
        return [*cells, *extra]

    def row(self, cells: Sequence[Any]) -> Row:
        """Return the row from cells selected by `listing`; any error may mean damage."""
        values = dict(zip(self.columns, cells, strict=True))
        for column, codec in self.codecs.items():
            values[column] = codec.read(values[column])
        return self.build(**values)

    def read(self, connection: sqlite3.Connection, rest: str, *given: object) -> list[Row]:
        """Return rows; `rest` is the part of the query after the table's name."""
        return list(map(self.row, connection.execute(f"{self.select} {rest}", given)))

    @cached_property
    def insert(self) -> str:
        """The statement that writes one row."""
        names = (*self.columns, *self.extra)
        marks = ", ".join("?" * len(names))
        return f"INSERT INTO {self.name} ({_quote_names(names)}) VALUES ({marks})"  # noqa: S608

    @cached_property
    def listing(self) -> str:
        """The column list of a SELECT."""
        return _quote_names(tuple(self.columns))

    @cached_property
    def select(self) -> str:
        """The beginning of a statement that reads rows."""
        return f"SELECT {self.listing} FROM {self.name}"  # noqa: S608

    @cached_property
    def _get(self) -> Callable[[Row], tuple[Any, ...]]:
        return attrgetter(*self.columns.values())

    @cached_property
    def _writers(self) -> list[tuple[int, Callable[[Any], Cell]]]:
        order = list(self.columns)
        return [(order.index(column), codec.write) for column, codec in self.codecs.items()]


def _quote_names(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


_KEY = _columns(CallKey, "key.")


def _deed(*, agent: str, tick: int, outcome: Any, reason: str, **action: Any) -> Deed:
    return Deed(agent=agent, tick=tick, action=Action(**action), outcome=outcome, reason=reason)


def _reading(**values: Any) -> CallReading:
    key = CallKey(**{name: values.pop(name) for name in _KEY})
    return CallReading(key=key, **values)


MOVES = Table("moves", Move, _columns(Move), {"path": PATH})
DEEDS = Table(
    "deeds",
    _deed,
    _columns(Deed, leave=("action",)) | _columns(Action, "action."),
    {"partners": TEXTS, "fallback": FLAG, "nowhere": FLAG},
)
OBJECTS = Table("objects", ObjectState, _columns(ObjectState))
TALKS = Table(
    "talks",
    lambda **values: Talk(**values, lines=()),
    _columns(Talk, leave=("lines",)),
    {"participants": TEXTS},
    extra=("tick",),
)
LINES = Table(
    "lines", TalkLine, _columns(TalkLine), {"fallback": FLAG}, extra=("talk", "n", "tick")
)
THOUGHTS = Table("thoughts", ThoughtRow, _columns(ThoughtRow), {"stimuli": TEXTS, "path": TEXTS})
STEPS = Table(
    "steps",
    StepRecord,
    _columns(StepRecord),
    {"problems": TEXTS, "odd": TEXTS, "odd_kinds": TEXTS, "recalls": RECALLS},
    extra=("n",),
)
READINGS = Table(
    "readings",
    _reading,
    _KEY | _columns(CallReading, leave=("key",)),
    {"accepted": FLAG, "mends": TEXTS, "problems": TEXTS, "kinds": TEXTS},
)
MEMORIES = Table("memories", Memory, _columns(Memory), {"keywords": TEXTS, "evidence": TEXTS})
INTERVENTIONS = Table("interventions", Intervention, _columns(Intervention))
DRAWS = Table("draws", MemoryDraw, _columns(MemoryDraw), {"memories": TEXTS, "sizes": SIZES})
REUSES = Table("reuses", Reuse, _columns(Reuse), {"tasks": TEXTS})
NEEDS = Table("needs", NeedsRow, _columns(NeedsRow), {"levels": LEVELS})
HAPPENINGS = Table("happenings", Happening, _columns(Happening))

PLAIN: tuple[Table[Any], ...] = (
    *(MOVES, DEEDS, OBJECTS, THOUGHTS, READINGS, INTERVENTIONS, REUSES, DRAWS, HAPPENINGS, NEEDS),
)
"""Tables whose rows are the list of their name in a commit, written unchanged."""
