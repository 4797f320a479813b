"""One person's life: memories with their changes, plans, bonds and thoughts."""

from collections import defaultdict
from json import loads
from typing import Any

import orjson

from smolville.agents.needs import NEEDS, Needs
from smolville.graphs.loop.ledger import OUTCOMES
from smolville.history.moments import needs_of
from smolville.viewer.playback.run_state import Json, RunState

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
_STEPS = """
SELECT tick, outcome, COUNT(*), SUM(attempts), TOTAL(odd_kinds != '[]') FROM steps
WHERE owner = ? AND tick <= ? GROUP BY tick, outcome
"""
_THOUGHTS = """
SELECT tick, at, stimuli, path, intent, failed, milliseconds FROM thoughts
WHERE agent = ? AND tick <= ? ORDER BY tick
"""


def person(showing: RunState, n: int) -> Json:
    """Return the life of the person with number `n`."""
    name = showing.names[n]
    return {
        "n": n,
        "until": showing.until,
        "persona": _persona(showing, name),
        "memories": _memories(showing, name),
        **_mind(showing, name),
        "thoughts": _thoughts(showing, name),
        "needs": _needs(showing, name),
    }


def _rows(showing: RunState, name: str, query: str) -> list[tuple[Any, ...]]:
    return showing.connection.execute(query, (name, showing.until)).fetchall()


def _persona(showing: RunState, name: str) -> Json:
    persona = showing.drawn.town.personas.get(name)
    return persona.model_dump(include=set(TOLD)) if persona else {"name": name}


def _memories(showing: RunState, name: str) -> list[Json]:
    made: dict[int, Json] = {}
    for number, key, kind, text, at, tick, *rest in _rows(showing, name, _MEMORIES):
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
    for kind, tick, at, numbers, value, why in _rows(showing, name, _CHANGES):
        for number in loads(numbers):
            _change(made[number], kind, tick, at, value, why)
    return list(made.values())


def _change(memory: Json, kind: str, tick: int, at: int, value: int | None, why: str) -> None:
    if kind == "rate":
        memory["importance"].append([tick, value, why])
    elif kind == "access":
        memory["accessed"].append(tick)
    elif kind == "strengthen":
        memory["strength"].append([tick, memory["strength"][-1][1] + 1])
    elif kind == "expire":
        memory["expires"] = at


def _mind(showing: RunState, name: str) -> Json:
    """Return a person's plans, bonds, current concerns and goals, each with its changes."""
    found: dict[str, list[Row]] = {key: [] for key in ("plans", "bonds", "currently", "goals")}
    held: dict[str, tuple[str, str]] = {}

    def note(key: str, tick: int, value: object, before: object = None) -> None:
        rows = found[key]
        if value != (rows[-1][1] if rows else before):
            rows.append([tick, value])

    for tick, blob in _rows(showing, name, _MINDS):
        mind = mind_in(showing.unpacker.unpack(blob))
        if mind is None:
            continue
        if mind["plan"] is not None:
            note("plans", tick, _plan_of(mind["plan"]))
        for other, each in mind["impressions"].items():
            bond = (each["relationship"], each["feeling"])
            if held.get(other) != bond:
                held[other] = bond
                found["bonds"].append([tick, other, *bond])
        note("currently", tick, mind["currently"])
        note("goals", tick, " ".join(each["text"] for each in mind.get("goals", ())), "")
    return found


def _thoughts(showing: RunState, name: str) -> list[Row]:
    asked: defaultdict[int, list[tuple[str, int, int, float]]] = defaultdict(list)
    for tick, *counts in _rows(showing, name, _STEPS):
        asked[tick].append(tuple(counts))
    found = []
    for tick, at, stimuli, path, intent, failed, milliseconds in _rows(showing, name, _THOUGHTS):
        ends = asked[tick]
        worst = max((end for end, *_ in ends), key=OUTCOMES.index, default="")
        steps, calls, odd = (int(sum(each[i] for each in ends)) for i in (1, 2, 3))  # type: ignore[misc]
        head = [tick, at, loads(stimuli), loads(path), intent]
        found.append([*head, worst, failed, steps, calls, round(milliseconds, 1), odd])
    return found


def _needs(showing: RunState, name: str) -> Json | None:
    """Return the levels of needs, by town second, and their bounds; None if none is known."""
    persona = showing.drawn.town.personas.get(name)
    needs = persona.needs if persona else Needs()
    rows = [[each.at, each.levels] for each in needs_of(showing.connection, name, 0, showing.until)]
    return (
        {"bounds": {each: needs.of(each).bound for each in NEEDS}, "rows": rows} if rows else None
    )


def mind_in(blob: bytes) -> Json | None:
    """Return the mind in a blob (`history.records`), None if it holds none.

    It is read as plain data because that is fast: a person's page reads hundreds of blobs.
    """
    found: Json | None = orjson.loads(blob)["mind"]
    return found


def _plan_of(plan: Json) -> Json:
    """Return a plan's broad strokes, and its blocks with tasks.

    Consecutive parts of one hour become one block, and are its tasks. A part that belongs to no
    hour becomes a block without tasks.
    """
    blocks: list[Json] = []
    for part in plan["blocks"]:
        task, hour = _task(part), part["part_of"]
        last = blocks[-1] if blocks else None
        if hour and last and last["tasks"] and last["activity"] == hour:
            last["tasks"].append(task)
            last["end"] = task["end"]
        else:
            own = {"activity": hour, "tasks": [task]} if hour else {"tasks": []}
            blocks.append({**task, **own})
    return {"day": plan["day"], "wake": plan["wake"], "strokes": plan["strokes"], "blocks": blocks}


def _task(part: Json) -> Json:
    spot = part["spot"] or {}
    return {
        "start": part["start"],
        "end": part["start"] + part["minutes"],
        "activity": part["activity"],
        "place": spot.get("place", ""),
        "fallback": bool(part["fallback"] or spot.get("fallback")),
        "source": part.get("source", ""),
    }
