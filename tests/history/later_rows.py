"""Made-up rows of the tables that came later to the history than the others."""

from collections.abc import Callable

from smolville.agents.entities import PLOT, Happening
from smolville.agents.needs import NeedsRow
from smolville.agents.rare_memories import MemoryDraw
from smolville.agents.routines import Reuse


def happening(tick: int, agent: str) -> Happening:
    """A letter of a tick."""
    return Happening(
        entity=PLOT,
        tick=tick,
        kind="letter",
        text=f"letter {tick}",
        place="a: b",
        who=agent,
        until=tick * 10 + 60,
    )


def reuse(tick: int, agent: str, prose: Callable[..., str]) -> Reuse:
    """Tasks that were done as before, with words drawn by `prose`."""
    return Reuse(
        agent=agent,
        tick=tick,
        kind="tasks",
        activity=prose(4, tick),
        matched=prose(4, "old", tick),
        similarity=0.912,
        learnt=tick - 5,
        since=tick * 10,
        until=tick * 10 + 3600,
        tasks=(prose(3, "one", tick), prose(3, "two", tick)),
    )


def drawn(tick: int, agent: str) -> MemoryDraw:
    """Two memories that came up by themselves."""
    return MemoryDraw(
        agent=agent,
        tick=tick,
        step="dream",
        memories=(f"{agent}/{tick}/perceive/0/0", f"{agent}/{tick}/perceive/0/1"),
        sizes=(1, 3),
        among=40,
        clusters=12,
        alike=0.6,
    )


def felt(tick: int, agent: str) -> NeedsRow:
    """The levels of two needs, of which one is urgent."""
    return NeedsRow(
        agent=agent,
        tick=tick,
        at=tick * 10 - 3,
        levels={"hunger": 81.5, "rest": 30.25},
        urgent="hunger",
    )
