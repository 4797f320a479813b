"""One dated record of a memory stream, and the changes to it."""

import re
from dataclasses import dataclass, replace
from typing import Literal

MemoryKind = Literal["event", "thought", "talk", "dream"]
ChangeKind = Literal["access", "rate", "strengthen", "expire"]

PROVISIONAL: dict[str, float] = {"event": 3.0, "thought": 5.0, "talk": 5.0, "dream": 3.0}
"""Provisional importance of a memory until it is rated, by kind; always marked as provisional."""

BY_RULE = "hear_whispers"
"""Name, in memory ids, of the node that turns whispers into memories without a model call."""
WHISPERED = (BY_RULE, "heed_inner_voice")
"""Names, in memory ids, of all nodes that turn whispers into memories."""
_OWN = re.compile(r"\b(?:I|[Mm]y|[Mm]e|[Mm]ine|[Mm]yself)\b")
_TO_ME = re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE)


def is_own_thought(whisper: str) -> bool:
    """Return whether a whisper is in its listener's words: it says "I" or "my", and no "you"."""
    return _OWN.search(whisper) is not None and _TO_ME.search(whisper) is None


LIFETIME_SECONDS = 30 * 86_400
"""Seconds after which a memory expires (30 days, as in the original) and is not recalled any
more."""


def memory_id(agent: str, tick: int, step: str, ordinal: int, n: int) -> str:
    """Return a memory's id, made from the agent, tick and step that created the memory.

    A running number would depend on the order in which thoughts are computed.
    """
    return f"{agent}/{tick}/{step}/{ordinal}/{n}"


def for_plans(name: str) -> str:
    """Return the prefix for the text of a memory about something that a person agreed to do."""
    return f"For {name}'s plans: "


def dreamt(name: str, dream: str) -> str:
    """Return a dream's text with the prefix that marks it as a dream in every prompt."""
    return f"{name} dreamt: {dream}"


_QUOTE = re.compile(
    r'^(?:On [^":]+ at \d\d:\d\d(?:, in confidence)?, )?(?P<who>[^:"]{1,60}) said: "(?P<words>.*)"$'
)


def quote(when: str, who: str, words: str, *, is_secret: bool = False) -> str:
    """Return the text of the memory of a line: its words as they were said, the date beside them.

    `when` is `Monday 6 May at 09:07`.
    """
    return f'On {when}{", in confidence" if is_secret else ""}, {who} said: "{words}"'


def read_quote(text: str) -> tuple[str, str] | None:
    """Return the speaker and the words of a remembered line; None for any other memory.

    Memories of earlier versions have no date beside the words.
    """
    found = _QUOTE.match(text.strip())
    return None if found is None else (found["who"], found["words"])


_SAID = re.compile(r'\bsaid: "(?P<words>.*)"$', re.DOTALL)


def quoted_words(text: str) -> str:
    """Return the words that a memory quotes at its end, as an agreement does; empty if none."""
    found = _SAID.search(text.strip())
    return found["words"] if found else ""


IN_CONFIDENCE = "told in confidence"
"""Predicate of the memory of a line that was told as a secret."""


def is_confidential(memory: "Memory") -> bool:
    """Return True for a memory of something told in confidence, which is never news to pass on."""
    return memory.predicate == IN_CONFIDENCE


def is_quote(text: str) -> bool:
    """Return True for the text of a memory of what somebody said, in their own words."""
    return read_quote(text) is not None


def step_of(memory_id: str) -> str:
    """Return the name of the step that made the memory with this id; empty for another id."""
    return "".join(memory_id.split("/")[2:3])


def agent_of(memory_id: str) -> str:
    """Return the name of the agent whose memory has this id."""
    return memory_id.partition("/")[0]


def is_whispered(memory_id: str) -> bool:
    """Return True for the id of a memory that comes from a whisper or from the town's history."""
    return step_of(memory_id) in WHISPERED


def is_from_before(memory: "Memory") -> bool:
    """Return True for what somebody knew before the run: a whisper at its first tick."""
    return memory.tick == 0 and is_whispered(memory.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One record (Park et al. 2023, section 4.1): content, time, importance and evidence."""

    id: str
    agent: str
    kind: MemoryKind
    text: str
    created: int
    """Town second of its creation."""
    tick: int
    accessed: int
    """Town second of the last access, from which recency is computed."""
    importance: int | None = None
    """Importance as rated by the model, 1 to 10; None until it is rated."""
    subject: str = ""
    predicate: str = ""
    object: str = ""
    keywords: tuple[str, ...] = ()
    expires: int | None = None
    evidence: tuple[str, ...] = ()
    """Ids of the memories it is based on."""
    depth: int = 0
    """0 for what was seen or said; a thought is one level deeper than its deepest evidence."""
    strength: int = 1
    """Number of times that exactly the same event was observed."""

    @property
    def weight(self) -> float:
        """The memory's current importance: as rated, or else the provisional one of its kind."""
        return float(self.importance) if self.importance is not None else PROVISIONAL[self.kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A later change to a memory: accessed, rated, repeated or expired; stored with its tick."""

    id: str
    """Id of the memory."""
    kind: ChangeKind
    tick: int
    at: int
    """Town second of the change."""
    value: int | None = None
    """The new rating; only for changes of the kind `rate`."""
    reason: str = ""
    """Reason for the rating, in the model's words."""


def apply_change(memory: Memory, change: Change) -> Memory:
    """Return `memory` after `change`; the time of the last access never decreases."""
    accessed = max(memory.accessed, change.at)
    match change.kind:
        case "access":
            return replace(memory, accessed=accessed)
        case "rate":
            return replace(memory, importance=change.value)
        case "strengthen":
            return replace(memory, accessed=accessed, strength=memory.strength + 1)
        case "expire":
            return replace(memory, expires=change.at)
