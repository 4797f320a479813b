"""What each thought and talk cost: its calls and their tokens, without the texts."""

import sqlite3
from dataclasses import dataclass

OwnerTick = tuple[str, int]
"""Whose (an agent, or a talk's id) and at which tick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Calls and tokens; None for tokens that no server told."""

    calls: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None


def spent_by_thought(connection: sqlite3.Connection, until: int) -> dict[OwnerTick, Spent]:
    """Return what was spent by each thought and talk up to a tick that asked anything."""
    rows = connection.execute(
        "SELECT owner, tick, COUNT(*), SUM(prompt_tokens), SUM(completion_tokens), "
        "SUM(cached_tokens) FROM committed_calls WHERE tick <= ? GROUP BY owner, tick",
        (until,),
    )
    return {
        (owner, tick): Spent(
            calls=calls, prompt_tokens=asked, completion_tokens=said, cached_tokens=cached
        )
        for owner, tick, calls, asked, said, cached in rows
    }
