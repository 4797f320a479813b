"""Who told whom: the path of a piece of news through a town, with its evidence.

It is read from what was recorded, by rule. A text tells the news when it holds enough of the words
that the news turns on (`world.telling.keywords`). Somebody knows it who has a memory that tells it,
or has said it. Who got it by being told is followed to the line: somebody else said it in a talk
in which they took part, before or when their memory of it was made; of several talks, the last. Who
speaks of themselves is taken to say their own name. A memory that was drawn from a talk in which
no single line holds enough of the words is traced to that talk, without a line.

What this cannot see: news told in quite other words, or in pieces over many talks; a memory that
shares the words and means something else ("no party"); a question ("is there a party?") counts as
telling, since it lets the other know. What people know from their personas is in no memory: they
count from when they first say it. "Seen" means that a memory of something perceived tells it.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agents.action import Line, Talk
from agents.memory import Memory, is_whispered
from world.runs.reader import RunReader
from world.telling.keywords import Subject, subject_of, weights

How = Literal["given", "own", "said", "told", "talk", "seen", "untraced"]
HOWS: Mapping[How, str] = {
    "given": "was given it from outside",
    "own": "thought of it",
    "said": "was the first to say it",
    "told": "was told",
    "talk": "has it from a talk",
    "seen": "saw it",
    "untraced": "knows it; nothing recorded says from whom",
}
"""How somebody came to know, in words."""
_FIRST = re.compile(r"\b(?:I|me|my|mine|myself)\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Known:
    """What a town's people remember and have said, up to a tick."""

    people: tuple[str, ...]
    memories: Mapping[str, Sequence[Memory]]
    """By name, oldest first."""
    talks: Sequence[Talk]
    at: int
    """Town second up to which this is so."""

    def memory(self, memory_id: str) -> Memory | None:
        """Return a memory by its id."""
        every = (memory for mine in self.memories.values() for memory in mine)
        return next((memory for memory in every if memory.id == memory_id), None)


@dataclass(frozen=True, kw_only=True)
class Telling:
    """One line that tells the news."""

    talk: Talk
    line: Line


@dataclass(frozen=True, kw_only=True)
class Knowing:
    """How one person came to know."""

    name: str
    at: int
    """Town second."""
    how: How
    memory: Memory | None = None
    """The first memory that tells it; None where they only said it."""
    telling: Telling | None = None
    """The line that told them."""
    talk: Talk | None = None
    """The talk they have it from."""
    by: str = ""
    """Who told them, or was seen; empty otherwise."""

    def is_kept(self, at: int) -> bool:
        """True when a memory of it has not expired by a town second."""
        memory = self.memory
        return memory is not None and (memory.expires is None or memory.expires > at)


@dataclass(frozen=True, kw_only=True)
class NewsPath:
    """A piece of news, and how it went through the town."""

    subject: Subject
    knowing: tuple[Knowing, ...]
    """In the order in which they came to know."""
    heard: Mapping[str, Telling]
    """Who was in a talk where it was said, and kept no memory of it."""
    unknowing: tuple[str, ...]
    """Who neither knows nor heard of it."""

    def told_by(self, name: str) -> list[Knowing]:
        """Return who has it from somebody."""
        return [each for each in self.knowing if each.by == name]

    @property
    def origins(self) -> list[Knowing]:
        """Return who has it from nobody."""
        names = {each.name for each in self.knowing}
        return [each for each in self.knowing if each.by not in names]


def known_at(reader: RunReader, tick: int, at: int) -> Known:
    """Return what people remember and have said when `tick` is done."""
    with reader.snapshot():
        people = reader.agents()
        return Known(
            people=people,
            memories={name: reader.memories(name, tick) for name in people},
            talks=reader.talks(until=tick),
            at=at,
        )


def path_of_memory(known: Known, memory: Memory) -> NewsPath:
    """Return the path of what a memory tells."""
    return _path(known, subject_of(spoken(memory.text, memory.agent), _counts(known)))


def path_of_words(known: Known, words: str) -> NewsPath:
    """Return the path of news that somebody describes in a few words."""
    return _path(known, subject_of(words, _counts(known), typed=True))


def _counts(known: Known) -> Mapping[str, int]:
    return weights(memory.text for mine in known.memories.values() for memory in mine)


def _path(known: Known, subject: Subject) -> NewsPath:
    """Follow a subject through the town, moment by moment."""
    follower = _Follower(subject, known.talks)
    for step in sorted(_steps(known, subject), key=_order):
        if isinstance(step, Telling):
            follower.said(step)
        else:
            follower.remembered(step)
    knowing = sorted(follower.knowing.values(), key=lambda each: (each.at, each.name))
    kept = {each.name for each in knowing}
    heard = {name: tellings[-1] for name, tellings in follower.heard.items() if name not in kept}
    unknowing = tuple(name for name in known.people if name not in kept | heard.keys())
    return NewsPath(subject=subject, knowing=tuple(knowing), heard=heard, unknowing=unknowing)


def _steps(known: Known, subject: Subject) -> Iterator[Telling | Memory]:
    """Yield the lines and memories that tell of a subject."""
    for talk in known.talks:
        for line in talk.lines:
            if line.at < known.at and subject.is_in(spoken(line.text, line.speaker)):
                yield Telling(talk=talk, line=line)
    for memories in known.memories.values():
        for memory in memories:
            if subject.is_in(spoken(memory.text, memory.agent)):
                yield memory


def spoken(text: str, name: str) -> str:
    """Return a text with the name of whoever says `I` in it."""
    return f"{text} {name}" if _FIRST.search(text) else text


def _order(step: Telling | Memory) -> tuple[int, int, str]:
    """Sort by time; what is said comes before what is remembered of it."""
    if isinstance(step, Telling):
        return (step.line.at, 0, step.line.speaker)
    return (step.created, 1, step.id)


class _Follower:
    """Who knows what at a moment, going forward in time."""

    def __init__(self, subject: Subject, talks: Sequence[Talk]) -> None:
        self.subject = subject
        self.talks = talks
        self.knowing: dict[str, Knowing] = {}
        self.heard: defaultdict[str, list[Telling]] = defaultdict(list)

    def said(self, telling: Telling) -> None:
        """Take in a line: its speaker knows, the others have heard."""
        speaker = telling.line.speaker
        if speaker not in self.knowing:
            self.knowing[speaker] = self._from(speaker, telling.line.at, "said")
        for other in telling.talk.others(speaker):
            self.heard[other].append(telling)

    def remembered(self, memory: Memory) -> None:
        """Take in a memory: whose it is knows."""
        name = memory.agent
        held = self.knowing.get(name)
        if held is None:
            self.knowing[name] = replace(self._came(memory), memory=memory)
        elif held.memory is None or self._tells_better(memory, held.memory):
            self.knowing[name] = replace(held, memory=memory)

    def _tells_better(self, memory: Memory, held: Memory) -> bool:
        """True for what was drawn from a talk, beside the record of the whole talk."""
        return (
            memory.created == held.created
            and held.kind == "talk"
            and memory.kind == "thought"
            and self.subject.share(memory.text) >= self.subject.share(held.text)
        )

    def _came(self, memory: Memory) -> Knowing:
        """Return how somebody came to a memory."""
        name, at = memory.agent, memory.created
        if memory.kind == "event" and not self.heard[name]:
            seen = memory.subject if memory.subject != name else ""
            return Knowing(name=name, at=at, how="seen", by=seen)
        if is_whispered(memory.id):
            return Knowing(name=name, at=at, how="given")
        if "/conclude_talk/" in memory.id and not self.heard[name]:
            return self._gathered(memory)
        return self._from(name, at, "untraced" if self.knowing else "own")

    def _gathered(self, memory: Memory) -> Knowing:
        """Return from which talk somebody has a memory that no line of it tells."""
        name, at = memory.agent, memory.created
        over = [talk for talk in self.talks if name in talk.participants and talk.end <= at]
        if not over:
            return Knowing(name=name, at=at, how="untraced")
        talk = max(over, key=lambda each: (each.end, each.id))
        others = talk.others(name)
        by = others[0] if len(others) == 1 else ""
        return Knowing(name=name, at=at, how="talk", talk=talk, by=by)

    def _from(self, name: str, at: int, otherwise: How) -> Knowing:
        """Return who told somebody, best line first; else that nobody did."""
        heard = self.heard[name]
        if not heard:
            return Knowing(name=name, at=at, how=otherwise)
        last = [each for each in heard if each.talk.id == heard[-1].talk.id]
        best = max(last, key=lambda each: (self.subject.share(each.line.text), -each.line.at))
        return Knowing(
            name=name,
            at=best.line.at,
            how="told",
            telling=best,
            talk=best.talk,
            by=best.line.speaker,
        )
