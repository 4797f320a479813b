"""The results of one thought or talk, for the commit."""

from dataclasses import dataclass, field

from agents.action import Talk
from agents.memory import Change, Memory
from agents.mind import Mind
from agents.needs import NeedsRow
from agents.rare_memories import MemoryDraw
from agents.routines import Reuse
from graphs.loop.ledger import FinishedStep
from graphs.surroundings import Intent
from history.records import ThoughtRow


@dataclass(kw_only=True)
class ThoughtOutcome:
    """The results of one thought or talk for the commit."""

    agent: str
    intent: Intent | None = None
    row: ThoughtRow | None = None
    talk: Talk | None = None
    memories: list[Memory] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    finished: list[FinishedStep] = field(default_factory=list)
    reused: list[Reuse] = field(default_factory=list)
    draws: list[MemoryDraw] = field(default_factory=list)
    felt: list[NeedsRow] = field(default_factory=list)
    need_at: int = 0
    """Town second at which a need is due, if the agent goes on as intended; 0 for none."""
    mind: Mind | None = None
    """The new mind; None when the thought failed."""
