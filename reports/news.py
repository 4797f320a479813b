"""Traces who told whom: the path of a piece of news through a town, with its evidence.

The path is derived by rule from the recorded texts. A text tells the news if it contains enough of
the news's keywords (`reports.keywords`). A person knows the news if they have a memory that tells
it, or have said it. They heard it from the person who told it in a talk with them before they knew
it; of several such talks, the last one counts. If a speaker says "I", their name is added to the
line. A memory from a talk in which no single line contains enough of the keywords is traced to that
talk, without a line.

Limitations: News told in quite different words, or in pieces over many talks, is missed. A memory
that shares the words but means something else ("no party") is taken for the news. A question ("is
there a party?") counts as telling, because it lets the other person know. What people know from
their personas is in no memory: they count as knowing it when they first say it. "Seen" means that
the person perceived the news themselves.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from smolville.agents.action import Talk, TalkLine
from smolville.agents.memory import Memory, is_whispered
from smolville.history.reader import RunReader
from smolville.reports.keywords import Subject, content_words, subject_of, weights

How = Literal["given", "own", "said", "told", "talk", "announced", "seen", "untraced"]
HOWS: Mapping[How, str] = {
    "given": "heard it from an inner voice",
    "own": "thought of it",
    "said": "was the first to say it",
    "told": "was told",
    "talk": "has it from a talk",
    "announced": "heard it announced",
    "seen": "saw it",
    "untraced": "knows it; nothing recorded says from whom",
}
"""Ways in which somebody comes to know news, in words."""
_FIRST = re.compile(r"\b(?:I|me|my|mine|myself)\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class TownKnowledge:
    """Memories and lines of a town's people, up to a tick."""

    people: tuple[str, ...]
    memories: Mapping[str, Sequence[Memory]]
    """Memories by person, the oldest first."""
    talks: Sequence[Talk]
    at: int
    """Town second up to which the data is complete."""

    def memory(self, memory_id: str) -> Memory | None:
        """Return a memory by its id."""
        every = (memory for mine in self.memories.values() for memory in mine)
        return next((memory for memory in every if memory.id == memory_id), None)


@dataclass(frozen=True, kw_only=True)
class NewsLine:
    """One line that tells the news."""

    talk: Talk
    line: TalkLine


@dataclass(frozen=True, kw_only=True)
class HeardNews:
    """How one person came to know the news."""

    name: str
    at: int
    """Town second at which the person came to know it."""
    how: How
    memory: Memory | None = None
    """The first memory that tells the news; None if the person only said it."""
    telling: NewsLine | None = None
    """The line that told the person, if any."""
    talk: Talk | None = None
    """The talk in which the person was told, if any."""
    by: str = ""
    """Who told the person, or was seen by them; otherwise empty."""

    def is_kept(self, at: int) -> bool:
        """Return True if the memory of the news has not expired at a town second."""
        memory = self.memory
        return memory is not None and (memory.expires is None or memory.expires > at)


@dataclass(frozen=True, kw_only=True)
class NewsPath:
    """A piece of news, and its way through the town."""

    subject: Subject
    knowing: tuple[HeardNews, ...]
    """How each person came to know the news, in chronological order."""
    heard: Mapping[str, NewsLine]
    """People in a talk where the news was told who kept no memory of it."""
    unknowing: tuple[str, ...]
    """People who neither know the news nor have heard it."""

    def told_by(self, name: str) -> list[HeardNews]:
        """Return the people who heard the news from `name`."""
        return [each for each in self.knowing if each.by == name]

    @property
    def origins(self) -> list[HeardNews]:
        """Return the people who knew the news without hearing it from anybody."""
        names = {each.name for each in self.knowing}
        return [each for each in self.knowing if each.by not in names]


def known_at(reader: RunReader, tick: int, at: int) -> TownKnowledge:
    """Return what people remember and have said when `tick` is completed."""
    with reader.snapshot():
        people = reader.agents()
        return TownKnowledge(
            people=people,
            memories={name: reader.memories(name, tick) for name in people},
            talks=reader.talks(until=tick),
            at=at,
        )


def path_of_memory(known: TownKnowledge, memory: Memory) -> NewsPath:
    """Return the path of the news in a memory."""
    return _path(known, subject_of(add_speaker_name(memory.text, memory.agent), _counts(known)))


def path_of_words(known: TownKnowledge, words: str) -> NewsPath:
    """Return the path of news described in a few words."""
    return _path(known, subject_of(words, _counts(known), typed=True))


def _counts(known: TownKnowledge) -> Mapping[str, int]:
    return weights(memory.text for mine in known.memories.values() for memory in mine)


def _path(known: TownKnowledge, subject: Subject) -> NewsPath:
    """Follow a subject through the town, moment by moment."""
    follower = _Follower(subject, known.talks)
    for step in sorted(_steps(known, subject), key=_order):
        if isinstance(step, NewsLine):
            follower.follow_line(step)
        else:
            follower.follow_memory(step)
    knowing = sorted(follower.knowing.values(), key=lambda each: (each.at, each.name))
    kept = {each.name for each in knowing}
    heard = {name: tellings[-1] for name, tellings in follower.heard.items() if name not in kept}
    unknowing = tuple(name for name in known.people if name not in kept | heard.keys())
    return NewsPath(subject=subject, knowing=tuple(knowing), heard=heard, unknowing=unknowing)


def _steps(known: TownKnowledge, subject: Subject) -> Iterator[NewsLine | Memory]:
    """Yield the lines and memories that tell of a subject, in chronological order."""
    for talk in known.talks:
        for line in talk.lines:
            if line.at < known.at and subject.is_in(add_speaker_name(line.text, line.speaker)):
                yield NewsLine(talk=talk, line=line)
    for memories in known.memories.values():
        for memory in memories:
            if subject.is_in(add_speaker_name(memory.text, memory.agent)):
                yield memory


def add_speaker_name(text: str, name: str) -> str:
    """Return a text with the speaker's name added if it says `I`."""
    return f"{text} {name}" if _FIRST.search(text) else text


def _order(step: NewsLine | Memory) -> tuple[int, int, str]:
    """Return a sort key: by time; at the same time, lines come before memories."""
    if isinstance(step, NewsLine):
        return (step.line.at, 0, step.line.speaker)
    return (step.created, 1, step.id)


class _Follower:
    """Tracks who knows the news, moving forward in time."""

    def __init__(self, subject: Subject, talks: Sequence[Talk]) -> None:
        self.subject = subject
        self.talks = talks
        self.knowing: dict[str, HeardNews] = {}
        self.heard: defaultdict[str, list[NewsLine]] = defaultdict(list)

    def follow_line(self, telling: NewsLine) -> None:
        """Process a line: its speaker knows the news, and the others in the talk have heard it."""
        speaker = telling.line.speaker
        if speaker not in self.knowing:
            self.knowing[speaker] = self._from(speaker, telling.line.at, "said")
        for other in telling.talk.others(speaker):
            self.heard[other].append(telling)

    def follow_memory(self, memory: Memory) -> None:
        """Process a memory: its owner knows the news."""
        name = memory.agent
        held = self.knowing.get(name)
        if held is None:
            self.knowing[name] = replace(self._explain_origin(memory), memory=memory)
        elif held.memory is None or self._tells_better(memory, held.memory):
            self.knowing[name] = replace(held, memory=memory)

    def _tells_better(self, memory: Memory, held: Memory) -> bool:
        """Return whether a thought on a talk tells as much as `held`, the record of that talk."""
        return (
            memory.created == held.created
            and held.kind == "talk"
            and memory.kind == "thought"
            and self.subject.share(memory.text) >= self.subject.share(held.text)
        )

    def _explain_origin(self, memory: Memory) -> HeardNews:
        """Return how the owner of a memory came to know the news."""
        name, at = memory.agent, memory.created
        if memory.kind == "event" and not self.heard[name]:
            if memory.subject == "announcement":
                return HeardNews(name=name, at=at, how="announced")
            seen = memory.subject if memory.subject != name else ""
            return HeardNews(name=name, at=at, how="seen", by=seen)
        if is_whispered(memory.id):
            return HeardNews(name=name, at=at, how="given")
        if "/conclude_talk/" in memory.id and not self.heard[name]:
            return self._find_source_talk(memory)
        return self._from(name, at, "untraced" if self.knowing else "own")

    def _find_source_talk(self, memory: Memory) -> HeardNews:
        """Return the last talk before a memory as its source; no line of it told the news."""
        name, at = memory.agent, memory.created
        over = [talk for talk in self.talks if name in talk.participants and talk.end <= at]
        if not over:
            return HeardNews(name=name, at=at, how="untraced")
        talk = max(over, key=lambda each: (each.end, each.id))
        others = talk.others(name)
        by = others[0] if len(others) == 1 else ""
        return HeardNews(name=name, at=at, how="talk", talk=talk, by=by)

    def _from(self, name: str, at: int, otherwise: How) -> HeardNews:
        """Return how a person got the news: by the last talk's best line, or else `otherwise`."""
        heard = self.heard[name]
        if not heard:
            return HeardNews(name=name, at=at, how=otherwise)
        last = [each for each in heard if each.talk.id == heard[-1].talk.id]
        best = max(last, key=lambda each: (self.subject.share(each.line.text), -each.line.at))
        return HeardNews(
            name=name,
            at=best.line.at,
            how="told",
            telling=best,
            talk=best.talk,
            by=best.line.speaker,
        )


ALIKE = 0.6
"""Share of common words from which on two memories tell the same."""


def group_alike(memories: Iterable[Memory]) -> list[list[Memory]]:
    """Return memories grouped by fact; the fact known to most people comes first."""
    groups: list[tuple[frozenset[str], list[Memory]]] = []
    for memory in memories:
        found = content_words(memory.text) - content_words(memory.agent)
        for held, group in groups:
            if found and len(found & held) >= ALIKE * len(found | held):
                group.append(memory)
                break
        else:
            groups.append((found, [memory]))
    alike = [group for _, group in groups]
    return sorted(alike, key=lambda group: (-len(owners(group)), group[0].created, group[0].id))


def rumours(memories: Iterable[Memory]) -> list[list[Memory]]:
    """Return the facts that two or more people remember from talks; the best-known comes first."""
    facts = (each for each in memories if _is_fact(each))
    return [group for group in group_alike(facts) if len(owners(group)) > 1]


def rumours_of(known: TownKnowledge) -> list[list[Memory]]:
    """Return the facts that spread from person to person, found among all known memories."""
    every = [each for mine in known.memories.values() for each in mine]
    return rumours(sorted(every, key=lambda each: (each.created, each.id)))


def owners(group: Iterable[Memory]) -> list[str]:
    """Return the names of the people who hold the memories of a group, without repetition."""
    return list(dict.fromkeys(memory.agent for memory in group))


def _is_fact(memory: Memory) -> bool:
    """Return True for a fact that somebody remembers from a talk, but not a plan."""
    drawn = "/conclude_talk/" in memory.id and memory.kind == "thought"
    return drawn and not is_plan(memory)


def is_plan(memory: Memory) -> bool:
    """Return True for a plan that somebody made in a talk."""
    return memory.text.startswith(f"For {memory.agent}'s plans: ")
