"""One person's life: memories with their changes, plans, bonds and thoughts."""

from collections import defaultdict
from json import loads
from typing import Any

from graphs.loop.ledger import OUTCOMES
from viewer.playback.history_query import HistoryQuery
from viewer.playback.minds import bonds_of, mind_in, plan_of
from viewer.playback.run_state import RunState

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
_STEPS = """
SELECT tick, outcome, COUNT(*), SUM(attempts), TOTAL(odd_kinds != '[]') FROM steps
WHERE owner = ? AND tick <= ? GROUP BY tick, outcome
"""
_THOUGHTS = """
SELECT tick, at, stimuli, path, intent, failed, milliseconds FROM thoughts
WHERE agent = ? AND tick <= ? ORDER BY tick
"""


def person(showing: RunState, n: int) -> Json:
    """Return the life of the person with this number; LookupError where there is none."""
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
        "needs": None,
    }
    return {**found, "faults": list(showing.faults)} if showing.faults else found


def _persona(showing: RunState, name: str) -> Json:
    """Return a person's description, as far as the town has one."""
    persona = showing.drawn.town.personas.get(name) if showing.drawn else None
    return persona.model_dump(include=set(TOLD)) if persona else {"name": name}


def _memories(showing: RunState, name: str) -> list[Json]:
    """Return memories with all later ratings, accesses and reinforcements, and their expiry."""
    made: dict[int, Json] = {}

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

    def change(kind: str, tick: int, at: int, numbers: str, value: int | None, why: str) -> None:
        for number in loads(numbers):
            _change(made[number], kind, tick, at, value, why)

    _whole(showing, name, "memories", _MEMORIES, read)
    _whole(showing, name, "changes of memories", _CHANGES, change)
    return list(made.values())


def _change(memory: Json, kind: str, tick: int, at: int, value: int | None, why: str) -> None:
    """Record a later change to a memory."""
    if kind == "rate":
        memory["importance"].append([tick, value, why])
    elif kind == "access":
        memory["accessed"].append(tick)
    elif kind == "strengthen":
        memory["strength"].append([tick, memory["strength"][-1][1] + 1])
    elif kind == "expire":
        memory["expires"] = at


def _mind(showing: RunState, name: str) -> Json:
    """Return plans, bonds and current concerns, each with its changes over time."""
    plans: list[Row] = []
    bonds: list[Row] = []
    currently: list[Row] = []
    held: dict[str, tuple[str, str]] = {}

    def read(tick: int, blob: bytes) -> None:
        mind = mind_in(showing.unpacker.unpack(blob))
        if mind is None:
            return
        plan = plan_of(mind)
        if plan is not None and (not plans or plans[-1][1] != plan):
            plans.append([tick, plan])
        for other, bond in bonds_of(mind).items():
            if held.get(other) != bond:
                held[other] = bond
                bonds.append([tick, other, *bond])
        if not currently or currently[-1][1] != mind["currently"]:
            currently.append([tick, mind["currently"]])

    _whole(showing, name, "minds", _MINDS, read)
    return {"plans": plans, "bonds": bonds, "currently": currently}


def _thoughts(showing: RunState, name: str) -> list[Row]:
    """Return thoughts with the worst outcome of their steps, and counts of calls and oddities."""
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

    _whole(showing, name, "steps", _STEPS, step)
    return _whole(showing, name, "thoughts", _THOUGHTS, read)


def _how_bad(outcome: str) -> int:
    """Return the rank of an outcome from good to bad."""
    return OUTCOMES.index(outcome) if outcome in OUTCOMES else len(OUTCOMES)


def _whole(showing: RunState, name: str, what: str, query: str, read: Any) -> list[Any]:
    """Return a person's readable rows."""
    given = (name, showing.until)
    return showing.faults.whole(what, HistoryQuery(showing.connection, query, given), read)
