"""The memories one thought reads and makes; they become the stream's at the commit."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from agents.memory import LIFETIME_SECONDS, Change, Memory, MemoryKind, memory_id
from agents.persona import Persona
from agents.recall import Recollection
from agents.stream import MemoryStream, Vector

Embed = Callable[[Sequence[str]], Awaitable[Sequence[Vector]]]


@dataclass(kw_only=True)
class Notebook:
    """One thought's window on its agent's memory stream.

    The stream is read as it was when the thought began. What is remembered, rated or looked at
    here is collected, and carried out by the tick's commit: a thought that fails leaves nothing.
    """

    persona: Persona
    stream: MemoryStream
    embed: Embed
    tick: int
    at: int
    memories: list[Memory] = field(default_factory=list)
    """Made by this thought, in order."""
    changes: list[Change] = field(default_factory=list)
    _accessed: set[str] = field(default_factory=set)

    def remember(
        self,
        kind: MemoryKind,
        text: str,
        *,
        step: str,
        ordinal: int = 0,
        triple: tuple[str, str, str] = ("", "", ""),
        importance: int | None = None,
        evidence: Sequence[str] = (),
    ) -> Memory | None:
        """Keep a memory and return it; an exact duplicate strengthens the old one (None)."""
        old = self.stream.with_text(text, self.at) or self._drafted(text)
        if old is not None:
            self.changes.append(Change(id=old.id, kind="strengthen", tick=self.tick, at=self.at))
            return None
        n = sum(1 for memory in self.memories if memory.id.split("/")[2:4] == [step, str(ordinal)])
        subject, predicate, thing = triple
        memory = Memory(
            id=memory_id(self.persona.name, self.tick, step, ordinal, n),
            agent=self.persona.name,
            kind=kind,
            text=text,
            created=self.at,
            tick=self.tick,
            accessed=self.at,
            importance=importance,
            subject=subject or self.persona.name,
            predicate=predicate,
            object=thing,
            expires=self.at + LIFETIME_SECONDS,
            evidence=tuple(evidence),
            depth=self._depth(kind, evidence),
        )
        self.memories.append(memory)
        return memory

    def rate(self, memory: str, importance: int, reason: str = "") -> None:
        """Give a memory its importance, 1 to 10."""
        self.changes.append(
            Change(
                id=memory, kind="rate", tick=self.tick, at=self.at, value=importance, reason=reason
            )
        )

    def get(self, memory: str) -> Memory:
        """Return a memory of the stream or of this thought by its id (KeyError otherwise)."""
        for draft in self.memories:
            if draft.id == memory:
                return draft
        return self.stream.get(memory)

    def latest(self, count: int, kinds: Sequence[MemoryKind] = ()) -> list[Memory]:
        """Return the last `count` memories, this thought's own included, oldest first."""
        own = [memory for memory in self.memories if not kinds or memory.kind in kinds]
        return [*self.stream.latest(count, kinds), *own][-count:]

    async def recall(self, queries: Sequence[str], count: int) -> list[Recollection]:
        """Return the `count` memories that come back for any of `queries`, best first.

        What comes back is looked at: its last access is now, for everything after this tick.
        """
        best: dict[str, Recollection] = {}
        persona = self.persona
        for vector in await self.embed(queries):
            for found in self.stream.recall(
                vector, self.at, count, persona.weights, persona.recency_decay
            ):
                known = best.get(found.memory.id)
                if known is None or found.score > known.score:
                    best[found.memory.id] = found
        chosen = sorted(best.values(), key=lambda found: (-found.score, found.memory.id))[:count]
        for found in chosen:
            self._look_at(found.memory.id)
        return chosen

    def _look_at(self, memory: str) -> None:
        if memory not in self._accessed:
            self._accessed.add(memory)
            self.changes.append(Change(id=memory, kind="access", tick=self.tick, at=self.at))

    def _drafted(self, text: str) -> Memory | None:
        return next((memory for memory in self.memories if memory.text == text), None)

    def _depth(self, kind: MemoryKind, evidence: Sequence[str]) -> int:
        if kind != "thought":
            return 0
        return 1 + max((self.get(memory).depth for memory in evidence), default=0)
