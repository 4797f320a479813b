"""Mappings between the row types of a history and its tables: one column per field."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from json import dumps, loads
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from smolville.agents.action import Action, Talk, TalkLine
from smolville.agents.entities import Happening
from smolville.agents.memory import Memory
from smolville.agents.needs import NeedsRow
from smolville.agents.routines import Reuse
from smolville.agents.stream import MemoryDraw
from smolville.graphs.loop.ledger import CallKey, CallReading, RecallRecord, StepRecord
from smolville.history.records import Deed, Intervention, Move, ObjectState, ThoughtRow, Tile

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
