"""Queries for the state at a moment: progress, bodies, walks, minds, objects, and templates.

Plain queries on a connection: the owner uses them when it opens a run, the reader for any tick.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from json import loads
from typing import TYPE_CHECKING

import orjson

from smolville.agents.errors import RunError
from smolville.agents.times import Clock
from smolville.history.calls import Unpacker
from smolville.history.memory_rows import FOREVER
from smolville.history.records import Intervention, MindRow, Move, ObjectState, Tile
from smolville.history.spec import RunSpec
from smolville.history.tables import INTERVENTIONS, MOVES, OBJECTS
from smolville.prompts.folder import Texts, shipped_texts

if TYPE_CHECKING:
    from smolville.graphs.catalogue import Template

EDITED = "templates"
"""Kind of the intervention that changes templates."""
COMINGS = ("visitor_enters", "visitor_calls")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunGoal:
    """The goal of a run: until when it was asked to go on."""

    at: int
    """Town second of the goal."""
    tick: int
    """The last tick that was done when the goal was set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentState:
    """The last recorded state of one agent."""

    body: str | None
    """The body's state as JSON, as last committed; None before the first commit."""
    mind: MindRow | None
    """The mind's last checkpoint; None before the first thought."""
    done: int | None
    """The last committed tick of the agent; None before the first commit."""


def watermark_of(connection: sqlite3.Connection) -> int | None:
    """Return the tick up to which every agent's history is complete; None before any commit."""
    row = connection.execute("SELECT watermark FROM commits ORDER BY seq DESC LIMIT 1").fetchone()
    return None if row is None else int(row[0])


def body_at(connection: sqlite3.Connection, agent: str, tick: int = FOREVER) -> str | None:
    """Return the state of an agent's body in the town at the end of `tick`, as JSON."""
    row = connection.execute(
        "SELECT state FROM bodies WHERE agent = ? AND tick <= ? ORDER BY tick DESC LIMIT 1",
        (agent, tick),
    ).fetchone()
    return None if row is None else str(row[0])


def mind_at(
    connection: sqlite3.Connection, unpacker: Unpacker, agent: str, tick: int = FOREVER
) -> MindRow | None:
    """Return an agent's last checkpoint as of `tick`."""
    row = connection.execute(
        "SELECT tick, checkpoint_id, blob FROM minds WHERE agent = ? AND tick <= ? "
        "ORDER BY tick DESC LIMIT 1",
        (agent, tick),
    ).fetchone()
    if row is None:
        return None
    blob = unpacker.unpack(row[2])
    return MindRow(agent=agent, tick=row[0], checkpoint_id=row[1], blob=blob)


def objects_at(connection: sqlite3.Connection, tick: int = FOREVER) -> dict[str, ObjectState]:
    """Return the last state of every object that ever changed, by address."""
    rows = connection.execute(
        f"{OBJECTS.select} WHERE tick <= ? ORDER BY address, tick, rowid", (tick,)
    )
    return {row.address: row for row in map(OBJECTS.row, rows)}


def interventions_after(connection: sqlite3.Connection, tick: int) -> list[Intervention]:
    """Return the interventions that take effect after `tick`, in order."""
    rows = connection.execute(f"{INTERVENTIONS.select} WHERE tick > ? ORDER BY tick, n", (tick,))
    return [INTERVENTIONS.row(cells) for cells in rows]


def latest_goal(connection: sqlite3.Connection) -> RunGoal | None:
    """Return the goal that was last set for the run, else None."""
    row = connection.execute("SELECT at, tick FROM goals ORDER BY seq DESC LIMIT 1").fetchone()
    return None if row is None else RunGoal(at=row[0], tick=row[1])


def keep_templates(connection: sqlite3.Connection, templates: Mapping[str, "Template"]) -> None:
    """Write templates by name and version; templates already stored stay unchanged."""
    connection.executemany(
        "INSERT OR IGNORE INTO templates (name, hash, text) VALUES (?, ?, ?)",
        [
            (name, each.version, orjson.dumps(each.files).decode())
            for name, each in templates.items()
        ],
    )


def template_files(connection: sqlite3.Connection, name: str, version: str) -> Texts | None:
    """Return one version of a template with its partials, by file name, else None."""
    query = "SELECT text FROM templates WHERE name = ? AND hash = ?"
    row = connection.execute(query, (name, version)).fetchone()
    return None if row is None else orjson.loads(row[0])


def sets_of(connection: sqlite3.Connection, spec: RunSpec) -> list[tuple[int, Texts]]:
    """Return a run's template sets, each with the tick at which its use began.

    The first set was used from tick 0.
    """
    versions = dict(spec.prompts)
    found = [(0, _texts(connection, versions, spec.name))]
    for each in interventions_after(connection, -1):
        if each.kind == EDITED:
            versions |= orjson.loads(each.text)
            found.append((each.tick, _texts(connection, versions, spec.name)))
    return found


def texts_at(connection: sqlite3.Connection, spec: RunSpec, tick: int) -> Texts:
    """Return the templates in force at a tick, by file name."""
    return [texts for since, texts in sets_of(connection, spec) if since <= tick][-1]


def _texts(connection: sqlite3.Connection, versions: Mapping[str, str], run: str) -> Texts:
    """Return template files by name: these versions, and shipped files for all other templates.

    So a step that is newer than the run uses its shipped template. Raises RunError when a version
    is missing.
    """
    return {**shipped_texts(), **dict(_files(connection, versions, run))}


def _files(
    connection: sqlite3.Connection, versions: Mapping[str, str], run: str
) -> Iterator[tuple[str, str]]:
    for name, version in versions.items():
        files = template_files(connection, name, version)
        if files is None:
            raise RunError(
                f"run {run!r} has lost its template {name!r} ({version}): its history is damaged"
            )
        yield from files.items()


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One stay of a visitor, or one call from outside."""

    name: str
    about: str
    came: int
    """Tick at which the visitor came or called."""
    left: int | None
    """Tick from which the visitor is gone; None while the visitor stays."""
    by_telephone: bool


def comings(
    connection: sqlite3.Connection, until: int = FOREVER
) -> Iterator[tuple[str, int, str, str]]:
    """Yield (name, tick, kind, about) for each visit and each call from outside, earliest first.

    `about` is what the operator wrote about the visitor or caller; it may be empty.
    """
    rows = connection.execute(
        "SELECT target, tick, kind, text FROM interventions WHERE kind IN (?, ?) AND tick <= ? "
        "ORDER BY tick, n",
        (*COMINGS, until),
    ).fetchall()
    for name, tick, kind, text in rows:
        yield name, tick, kind, str(loads(text).get("about", ""))


def visits_until(connection: sqlite3.Connection, until: int) -> list[Visit]:
    """Return who came or called up to a tick, as known at the end of that tick."""
    found = []
    for name, tick, kind, about in comings(connection, until):
        is_call = kind == "visitor_calls"
        left = tick if is_call else _find_departure(connection, name, tick, until)
        visit = Visit(name=name, about=about, came=tick, left=left, by_telephone=is_call)
        found.append(visit)
    return found


def _find_departure(connection: sqlite3.Connection, name: str, came: int, until: int) -> int | None:
    """Return the tick from which a visitor who came at tick `came` is gone; None if they stay."""
    row = connection.execute(
        "SELECT MIN(tick) FROM interventions WHERE kind = 'visitor_leaves' AND target = ? "
        "AND tick >= ? AND tick <= ?",
        (name, came, until),
    ).fetchone()
    body = None if row[0] is None else body_at(connection, name, row[0])
    left = -1 if body is None else int(loads(body)["left"])
    return left if left >= 0 else None


def tile_at(move: Move, tick: int, clock: Clock) -> Tile:
    """Return the tile that a walking agent has reached at the start of `tick`."""
    walked = clock.tiles_walked(max(0, tick - move.tick))
    return move.path[min(walked, len(move.path) - 1)]


def moves_between(
    connection: sqlite3.Connection, agent: str | None, since: int, until: int
) -> list[Move]:
    """Return the walks under way from tick `since` to `until`; `agent` None means everybody."""
    whose, given = ("", ()) if agent is None else (" AND agent = ?", (agent,))
    rows = connection.execute(
        f"{MOVES.select} WHERE tick <= ? AND end_tick >= ?{whose} ORDER BY tick, agent, rowid",
        (until, since, *given),
    )
    return [MOVES.row(cells) for cells in rows]


def last_move(connection: sqlite3.Connection, agent: str, tick: int = FOREVER) -> Move | None:
    """Return the last walk that an agent began up to a tick, else None."""
    cells = connection.execute(
        f"{MOVES.select} WHERE agent = ? AND tick <= ? ORDER BY tick DESC, rowid DESC LIMIT 1",
        (agent, tick),
    ).fetchone()
    return None if cells is None else MOVES.row(cells)
