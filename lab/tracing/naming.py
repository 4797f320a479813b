"""How trees and spans are called: names for people, and ids that are the same at every reading."""

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b

from agents.times import clock, minute_of
from graphs.loop.ledger import OUTCOMES
from world.runs.folder import RunSpec

DIGITS = 8
"""Hex digits of a thought's or talk's id within its run."""
SPAN_DIGITS = 32
MOST_NAMED = 3
"""So many steps a thought's name has at most; `+2` says that there are two more."""


def thought_digits(owner: str, tick: int) -> str:
    """Return the digits that name a thought or talk within its run, and within forks of it."""
    return blake2b(f"{owner}\0{tick}".encode(), digest_size=DIGITS // 2).hexdigest()


def span_id(spec: RunSpec, *parts: object) -> str:
    """Return a span's id: another one in a run of the same name that was begun anew."""
    told = "\0".join(map(str, (spec.name, spec.created, *parts)))
    return blake2b(told.encode(), digest_size=SPAN_DIGITS // 2).hexdigest()


def thread(run: str, *names: str) -> str:
    """Return under what the trees of an agent, or of a talk's people, belong together."""
    return f"{run}/{' & '.join(names)}"


def thought_name(agent: str, at: int, did: str) -> str:
    """Return a thought's name, `Nadia Farouk · 07:40 · ground_block`."""
    return f"{agent} · {clock(minute_of(at))} · {did}"


def talk_name(participants: Iterable[str], at: int) -> str:
    """Return a talk's name, `Nadia Farouk & Junko Mori · 10:20 · talk`."""
    return thought_name(" & ".join(participants), at, "talk")


def what_was_done(steps: Sequence[str], path: Sequence[str], failed: str = "") -> str:
    """Return what a thought did: its steps, or where it ended when it asked nothing.

    Steps stand in their order, each once with how often: `say ×4`.
    """
    if not steps:
        return "failed" if failed else (path[-1] if path else "nothing")
    counts = Counter(steps)
    told = [step if n == 1 else f"{step} ×{n}" for step, n in counts.items()]
    more = len(told) - MOST_NAMED
    return ", ".join(told[:MOST_NAMED]) + (f" +{more}" if more > 0 else "")


def worst(outcomes: Iterable[str]) -> str:
    """Return the worst of some steps' outcomes; empty when there is none."""
    return max(outcomes, key=_how_bad, default="")


def _how_bad(outcome: str) -> int:
    """Return where an outcome stands from good to bad; what is no step's outcome is the worst."""
    return OUTCOMES.index(outcome) if outcome in OUTCOMES else len(OUTCOMES)
