"""The changes that one thought or talk makes to memories; the commit adds them to the streams."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from smolville.agents.keywords import keywords_of
from smolville.agents.memory import (
    LIFETIME_SECONDS,
    Change,
    ChangeKind,
    Memory,
    MemoryKind,
    memory_id,
)
from smolville.graphs.components import KEYWORDS
from smolville.graphs.context import Thinker


@dataclass(frozen=True, kw_only=True)
class Draft:
    """New memories, changes to existing ones, and how often each step was used.

    A draft is immutable: each method returns a new one. A thought that fails leaves nothing behind,
    since its draft is discarded with its state.
    """

    memories: tuple[Memory, ...] = ()
    """New memories in the order in which they were made."""
    changes: tuple[Change, ...] = ()
    accessed: frozenset[str] = frozenset()
    """Ids of the memories that `changes` marks as accessed."""
    uses: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """Number of times that each step was used, which is the ordinal of its next use."""

    def count_use(self, step: str) -> "Draft":
        """Return the draft with one more use of `step` counted."""
        return replace(self, uses={**self.uses, step: self.ordinal(step) + 1})

    def ordinal(self, step: str) -> int:
        """Return the ordinal of the next use of `step`, from 0."""
        return self.uses.get(step, 0)

    def with_memory(
        self,
        me: Thinker,
        kind: MemoryKind,
        text: str,
        *,
        step: str,
        ordinal: int = 0,
        triple: tuple[str, str, str] = ("", "", ""),
        importance: int | None = None,
        evidence: Sequence[str] = (),
    ) -> tuple["Draft", Memory | None]:
        """Return the draft with a new memory, and the memory.

        If an older memory has exactly the same text, that memory is strengthened instead, and None
        is returned in place of a new one.
        """
        around = me.surroundings
        own = (memory for memory in self.memories if memory.text == text)
        old = me.stream.with_text(text, around.at) or next(own, None)
        if old is not None:
            return self._with_changes(me, "strengthen", old.id), None
        subject, predicate, thing = triple
        memory = Memory(
            id=memory_id(me.name, around.tick, step, ordinal, self._count(step, ordinal)),
            agent=me.name,
            kind=kind,
            text=text,
            created=around.at,
            tick=around.tick,
            accessed=around.at,
            importance=importance,
            subject=subject or me.name,
            predicate=predicate,
            object=thing,
            keywords=_keywords(me, text),
            expires=around.at + LIFETIME_SECONDS,
            evidence=tuple(evidence),
            depth=self._depth(me, kind, evidence),
        )
        return replace(self, memories=(*self.memories, memory)), memory

    def with_rating(self, me: Thinker, memory: str, importance: int) -> "Draft":
        """Return the draft with an importance rating, 1 to 10, for a memory."""
        return self._with_changes(me, "rate", memory, value=importance)

    def with_access(self, me: Thinker, memories: Sequence[str]) -> "Draft":
        """Return the draft with these memories marked as accessed now, each once."""
        new = [memory for memory in dict.fromkeys(memories) if memory not in self.accessed]
        changed = self._with_changes(me, "access", *new)
        return replace(changed, accessed=self.accessed | frozenset(new))

    def get(self, me: Thinker, memory: str) -> Memory:
        """Return a memory by its id, from this draft or the agent's stream (KeyError otherwise)."""
        own = next((each for each in self.memories if each.id == memory), None)
        return own or me.stream.get(memory)

    def weight(self, memory: Memory) -> float:
        """Return a memory's importance, as this draft has rated it or as it was before."""
        rated = (each.value for each in self.changes if (each.id, each.kind) == (memory.id, "rate"))
        return next((float(each) for each in rated if each is not None), memory.weight)

    def latest(self, me: Thinker, count: int) -> list[Memory]:
        """Return the agent's last `count` memories including those of this draft, oldest first."""
        return [*me.stream.latest(count), *self.memories][-count:]

    def _with_changes(
        self, me: Thinker, kind: ChangeKind, *memories: str, value: int | None = None
    ) -> "Draft":
        tick, at = me.surroundings.tick, me.surroundings.at
        new = (Change(id=each, kind=kind, tick=tick, at=at, value=value) for each in memories)
        return replace(self, changes=(*self.changes, *new))

    def _count(self, step: str, ordinal: int) -> int:
        use = [step, str(ordinal)]
        return sum(1 for memory in self.memories if memory.id.split("/")[2:4] == use)

    def _depth(self, me: Thinker, kind: MemoryKind, evidence: Sequence[str]) -> int:
        if kind != "thought":
            return 0
        return 1 + max((self.get(me, memory).depth for memory in evidence), default=0)


def _keywords(me: Thinker, text: str) -> tuple[str, ...]:
    if not me.has(KEYWORDS):
        return ()
    return keywords_of(text, (me.name, *me.persona.relationships))
