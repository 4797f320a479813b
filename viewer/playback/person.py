"""One person's life: memories with their changes, plans, bonds and thoughts."""

from collections import defaultdict
from json import loads
from typing import Any

import orjson

from smolville.agents.needs import NEEDS as NAMES
from smolville.agents.needs import Needs
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.history.later_tables import NEEDS
from smolville.history.tables import has_table
from smolville.viewer.playback.damaged_history import HistoryQuery
from smolville.viewer.playback.oddities import OddMemories
from smolville.viewer.playback.run_state import RunState

Json = dict[str, Any]
Row = list[Any]
TOLD = (
    "name", "age", "innate", "learned", "currently", "lifestyle", "home", "work",
    "daily_requirement", "relationships",
)  # fmt: skip
"""The fields of a persona that are shown."""

_MEMORIES = """
SELECT n, id, kind, text, created, tick, expires, evidence, depth, importance, strength
FROM memories WHERE agent = ? AND tick <= ? ORDER BY tick, n
"""
_CHANGES = """
SELECT kind, tick, at, memories, value, reason FROM changes
WHERE agent = ? AND tick <= ? ORDER BY tick, n
"""
_MINDS = "SELECT tick, blob FROM minds WHERE agent = ? AND tick <= ? ORDER BY tick"
_NEEDS = "SELECT at, levels FROM needs WHERE agent = ? AND tick <= ? ORDER BY at, rowid"
_STEPS = """
SELECT tick, outcome, COUNT(*), SUM(attempts), TOTAL(odd_kinds != '[]') FROM steps
WHERE owner = ? AND tick <= ? GROUP BY tick, outcome
"""
_THOUGHTS = """
SELECT tick, at, stimuli, path, intent, failed, milliseconds FROM thoughts
WHERE agent = ? AND tick <= ? ORDER BY tick
"""


def person(showing: RunState, n: int) -> Json:
    """Return the life of the person with number `n`; raises LookupError if there is none."""
    if not 0 <= n < len(showing.people.names):
        raise LookupError(n)
    name = showing.people.names[n]
    found: Json = {
        "n": n,
        "until": showing.until,
        "persona": _persona(showing, name),
        "memories": _memories(showing, name),
        **_mind(showing, name),
        "thoughts": _thoughts(showing, name),
        "needs": _needs(showing, name),
    }
    return {**found, "faults": list(showing.faults)} if showing.faults else found


def _persona(showing: RunState, name: str) -> Json:
    """Return a person's description, or only the name if the town has no description."""
    persona = showing.drawn.town.personas.get(name) if showing.drawn else None
    return persona.model_dump(include=set(TOLD)) if persona else {"name": name}


def _memories(showing: RunState, name: str) -> list[Json]:
    """Return memories with their expiry and all later ratings, accesses and reinforcements."""
    made: dict[int, Json] = {}
    odd = OddMemories(showing, name)

    def read(number: int, key: str, kind: str, text: str, at: int, tick: int, *rest: Any) -> None:
        expires, evidence, depth, importance, strength = rest
        made[number] = {
            "id": key,
            "kind": kind,
            "text": text,
            "at": at,
            "tick": tick,
            "expires": expires,
            "evidence": loads(evidence),
            "depth": depth,
            "importance": [] if importance is None else [[tick, importance, ""]],
            "accessed": [],
            "strength": [[tick, strength]],
        }
        senseless = odd.of(key, tick)
        if senseless:
            made[number]["odd"] = senseless

    def change(kind: str, tick: int, at: int, numbers: str, value: int | None, why: str) -> None:
        for number in loads(numbers):
            _change(made[number], kind, tick, at, value, why)

    _read_person_rows(showing, name, "memories", _MEMORIES, read)
    _read_person_rows(showing, name, "changes of memories", _CHANGES, change)
    return list(made.values())


def _change(memory: Json, kind: str, tick: int, at: int, value: int | None, why: str) -> None:
    """Record in `memory` how it changed later."""
    if kind == "rate":
        memory["importance"].append([tick, value, why])
    elif kind == "access":
        memory["accessed"].append(tick)
    elif kind == "strengthen":
        memory["strength"].append([tick, memory["strength"][-1][1] + 1])
    elif kind == "expire":
        memory["expires"] = at


def _mind(showing: RunState, name: str) -> Json:
    """Return a person's plans, bonds and current concerns, each with its changes over time."""
    plans: list[Row] = []
    bonds: list[Row] = []
    currently: list[Row] = []
    goals: list[Row] = []
    held: dict[str, tuple[str, str]] = {}

    def read(tick: int, blob: bytes) -> None:
        mind = _mind_in(showing.unpacker.unpack(blob))
        if mind is None:
            return
        plan = _plan_of(mind)
        if plan is not None and (not plans or plans[-1][1] != plan):
            plans.append([tick, plan])
        for other, bond in _bonds_of(mind).items():
            if held.get(other) != bond:
                held[other] = bond
                bonds.append([tick, other, *bond])
        if not currently or currently[-1][1] != mind["currently"]:
            currently.append([tick, mind["currently"]])
        goal = " ".join(each["text"] for each in mind.get("goals", ()))
        if (goals[-1][1] if goals else "") != goal:
            goals.append([tick, goal])

    _read_person_rows(showing, name, "minds", _MINDS, read)
    return {"plans": plans, "bonds": bonds, "currently": currently, "goals": goals}


def _thoughts(showing: RunState, name: str) -> list[Row]:
    """Return a person's thoughts with their worst outcome, and counts of calls and oddities."""
    asked: defaultdict[int, list[tuple[str, int, int, int]]] = defaultdict(list)

    def step(tick: int, outcome: str, steps: int, calls: int, odd: float) -> None:
        asked[tick].append((outcome, steps, calls, int(odd)))

    def read(tick: int, at: int, stimuli: str, path: str, *rest: Any) -> Row:
        intent, failed, milliseconds = rest
        ends = asked[tick]
        worst = max((each[0] for each in ends), key=_how_bad, default="")
        steps, calls = sum(each[1] for each in ends), sum(each[2] for each in ends)
        head = [tick, at, loads(stimuli), loads(path), intent]
        odd = sum(each[3] for each in ends)
        return [*head, worst, failed, steps, calls, round(milliseconds, 1), odd]

    _read_person_rows(showing, name, "steps", _STEPS, step)
    return _read_person_rows(showing, name, "thoughts", _THOUGHTS, read)


def _needs(showing: RunState, name: str) -> Json | None:
    """Return the levels of needs, by town second, and their bounds; None if none is known."""
    persona = showing.drawn.town.personas.get(name) if showing.drawn else None
    needs = persona.needs if persona else Needs()
    if not has_table(showing.connection, NEEDS.name):
        return None
    read: Any = lambda at, levels: [at, loads(levels)]  # noqa: E731
    rows = _read_person_rows(showing, name, "needs", _NEEDS, read)
    bounds = {each: needs.of(each).bound for each in NAMES}
    return {"bounds": bounds, "rows": rows} if rows else None


def _how_bad(outcome: str) -> int:
    """Return the rank of an outcome from good to bad."""
    return OUTCOMES.index(outcome) if outcome in OUTCOMES else len(OUTCOMES)


def _read_person_rows(showing: RunState, name: str, what: str, query: str, read: Any) -> list[Any]:
    """Return a person's readable rows."""
    given = (name, showing.until)
    return showing.faults.read_rows(what, HistoryQuery(showing.connection, query, given), read)


def _mind_in(blob: bytes) -> Json | None:
    """Return the mind in a checkpoint's blob, None if it holds none.

    `graphs.checkpoints.Saved` writes a blob as JSON with the mind under `mind`. It is read as plain
    data because that is fast: a person's page reads hundreds of blobs.
    """
    found: Json | None = orjson.loads(blob)["mind"]
    return found


def strokes_of(blob: bytes) -> list[str]:
    """Return the day's plan in broad strokes from the mind in a blob."""
    mind = _mind_in(blob)
    plan = mind["plan"] if mind else None
    return [activity for _, activity in plan["strokes"]] if plan else []


def _plan_of(mind: Json) -> Json | None:
    """Return a mind's plan: its broad strokes and its blocks with tasks; None without a plan."""
    plan = mind["plan"]
    if plan is None:
        return None
    head = {"day": plan["day"], "wake": plan["wake"], "strokes": plan["strokes"]}
    return {**head, "blocks": _blocks(plan["blocks"])}


def _bonds_of(mind: Json) -> dict[str, tuple[str, str]]:
    """Return how a mind sees others: for each name, the relationship and the feeling."""
    return {
        name: (each["relationship"], each["feeling"]) for name, each in mind["impressions"].items()
    }


def _blocks(parts: list[Json]) -> list[Json]:
    """Return the blocks of a plan from its parts.

    Consecutive parts of one hour become one block, and are its tasks. A part that belongs to no
    hour becomes a block without tasks.
    """
    found: list[Json] = []
    for part in parts:
        task = _task(part)
        hour = part["part_of"]
        last = found[-1] if found else None
        if hour and last and last["tasks"] and last["activity"] == hour:
            last["tasks"].append(task)
            last["end"] = task["end"]
        elif hour:
            found.append({**task, "activity": hour, "tasks": [task]})
        else:
            found.append({**task, "tasks": []})
    return found


def _task(part: Json) -> Json:
    """Return one part of a plan."""
    spot = part["spot"] or {}
    return {
        "start": part["start"],
        "end": part["start"] + part["minutes"],
        "activity": part["activity"],
        "place": spot.get("place", ""),
        "fallback": bool(part["fallback"] or spot.get("fallback")),
        "source": part.get("source", ""),
    }
