"""One dated record of a memory stream, and every later change to it."""

from dataclasses import dataclass
from typing import Literal

MemoryKind = Literal["event", "thought", "talk", "dream"]
ChangeKind = Literal["access", "rate", "strengthen", "expire"]

PROVISIONAL: dict[str, float] = {"event": 3.0, "thought": 5.0, "talk": 5.0, "dream": 3.0}
"""The importance a memory counts with until it is rated, by kind; always marked as provisional."""

BY_RULE = "hear_whispers"
"""What makes a memory of a whisper without a call, as ids name it."""
WHISPERED = (BY_RULE, "heed_inner_voice")
"""What makes a memory of a whisper at all."""

LIFETIME_SECONDS = 30 * 86_400
"""A memory expires after 30 days, as in the original; an expired one is not recalled."""


def memory_id(agent: str, tick: int, step: str, ordinal: int, n: int) -> str:
    """Return a memory's id: where it was made, never a counter that depends on who came first."""
    return f"{agent}/{tick}/{step}/{ordinal}/{n}"


def agent_of(memory_id: str) -> str:
    """Return whose memory an id names."""
    return memory_id.partition("/")[0]


def is_whispered(memory_id: str) -> bool:
    """True for the id of a memory that came of an operator's whisper, or of the town's history."""
    return memory_id.split("/")[2:3] in ([step] for step in WHISPERED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One record (Park et al. 2023, section 4.1): what, when, how important, resting on what."""

    id: str
    agent: str
    kind: MemoryKind
    text: str
    created: int
    """Town seconds."""
    tick: int
    accessed: int
    """Town second of the last access; recency counts from here."""
    importance: int | None = None
    """1 to 10 as rated by the model; None until then."""
    subject: str = ""
    predicate: str = ""
    object: str = ""
    keywords: tuple[str, ...] = ()
    expires: int | None = None
    evidence: tuple[str, ...] = ()
    """Ids of the memories it rests on."""
    depth: int = 0
    """0 for what was seen or said; a thought is one deeper than its deepest evidence."""
    strength: int = 1
    """How often the very same thing was met."""

    @property
    def weight(self) -> float:
        """The importance it counts with now: rated, else provisional by kind."""
        return float(self.importance) if self.importance is not None else PROVISIONAL[self.kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A later change to a memory: looked at, rated, met again or expired; a row with its tick."""

    id: str
    """Of the memory."""
    kind: ChangeKind
    tick: int
    at: int
    """Town seconds."""
    value: int | None = None
    """The rating, for `rate`."""
    reason: str = ""
    """Why it was rated so, in the model's words."""
