"""Stored mind states read as plain data, for speed: a person's page reads hundreds of them.

A blob is what `graphs.checkpoints.Saved` writes: JSON with the mind under `mind`.
"""

from typing import Any

import orjson

Json = dict[str, Any]


def mind_in(blob: bytes) -> Json | None:
    """Return the mind in a checkpoint's blob, None where it holds none."""
    found: Json | None = orjson.loads(blob)["mind"]
    return found


def strokes_of(blob: bytes) -> list[str]:
    """Return the day's plan in broad strokes from the mind in a blob."""
    mind = mind_in(blob)
    plan = mind["plan"] if mind else None
    return [activity for _, activity in plan["strokes"]] if plan else []


def plan_of(mind: Json) -> Json | None:
    """Return a mind's plan: its strokes, and its blocks with the tasks within them."""
    plan = mind["plan"]
    if plan is None:
        return None
    head = {"day": plan["day"], "wake": plan["wake"], "strokes": plan["strokes"]}
    return {**head, "blocks": _blocks(plan["blocks"])}


def bonds_of(mind: Json) -> dict[str, tuple[str, str]]:
    """Return a mind's view of others: name to relationship and feeling."""
    return {
        name: (each["relationship"], each["feeling"]) for name, each in mind["impressions"].items()
    }


def _blocks(parts: list[Json]) -> list[Json]:
    """Return the hours of a plan; neighbouring parts of one hour are its tasks."""
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
