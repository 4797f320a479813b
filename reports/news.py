"""Traces who told whom: the path of a piece of news through a town, with its evidence.

The path is derived by rule from the recorded texts. A text tells the news if it contains enough of
the news's keywords, of which rare ones weigh more. A person knows the news if they have a memory
that tells it, or have said it. They heard it from the person who told it in a talk with them before
they knew it; of several such talks, the last one counts. If a speaker says "I", their name is added
to the line. A memory from a talk in which no single line contains enough of the keywords is traced
to that talk, without a line.

Limitations: News told in quite different words, or in pieces over many talks, is missed. A memory
that shares the words but means something else ("no party") is taken for the news. A question ("is
there a party?") counts as telling, because it lets the other person know. What people know from
their personas is in no memory: they count as knowing it when they first say it. "Seen" means that
the person perceived the news themselves.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from smolville.agents.action import Talk, TalkLine
from smolville.agents.keywords import EMPTY, OWNING, WORD
from smolville.agents.memory import Memory, is_whispered
from smolville.history.reader import RunReader

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
SHORTEST_STEM = 4
"""Minimum number of letters that must remain of a word when an ending is removed."""
FEW_WORDS = 3
"""If somebody types at most this many words, all of them must occur in a text."""
ENOUGH = 0.5
"""Share of a longer text's keywords that another text must contain to tell the same."""
ALIKE = 0.6
"""Share of common words from which on two memories tell the same."""
_FIRST = re.compile(r"\b(?:I|me|my|mine|myself)\b", re.IGNORECASE)


def content_words(text: str) -> frozenset[str]:
    """Return the meaningful words of a text, without their endings, in lower case."""
    found = (OWNING.sub("", word) for word in WORD.findall(text.casefold()))
    return frozenset(_stem(word) for word in found if len(word) > 1 and word not in EMPTY)


def _stem(word: str) -> str:
    """Return a word without its usual English ending: `lantern` for `lanterns`."""
    if word.endswith("ies") and len(word) > SHORTEST_STEM:
        return f"{word[:-3]}y"
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            word = word[: -len(ending)]
            return word[:-1] if word[-1] == word[-2] and word[-1] not in "lsz" else word
    if word.endswith("s") and not word.endswith("ss") and len(word) >= SHORTEST_STEM:
        return word[:-1]
    return word


@dataclass(frozen=True, kw_only=True)
class Subject:
    """The keywords of a piece of news."""

    words: Mapping[str, float]
    """The weight of each keyword: rare words weigh more. The weights add up to 1."""
    least: float
    """The minimum share of the keywords that a text must contain to tell the same."""

    def share(self, text: str) -> float:
        """Return the share of the subject's keywords that a text contains, from 0 to 1."""
        return sum(self.words.get(word, 0.0) for word in content_words(text))

    def is_in(self, text: str, by: str = "") -> bool:
        """Return True if a text is about the subject; who says `I` in it is named by `by`."""
        named = f"{text} {by}" if _FIRST.search(text) else text
        return bool(self.words) and self.share(named) >= self.least


def subject_of(text: str, known: Mapping[str, int], *, typed: bool = False) -> Subject:
    """Return the keywords of a text; `known` counts in how many texts each word occurs.

    Another text is about the subject if it contains enough of these keywords. It must contain all
    of them if `text` is short and was `typed` by somebody.
    """
    most = max(known.values(), default=1)
    raw = {
        word: math.log(1 + (most + 1) / (known.get(word, 0) + 1))
        for word in sorted(content_words(text))
    }
    total = sum(raw.values())
    return Subject(
        words={word: weight / total for word, weight in raw.items()},
        least=0.999 if typed and len(raw) <= FEW_WORDS else ENOUGH,
    )


class NewsLine(NamedTuple):
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


@dataclass(frozen=True, kw_only=True)
class TownKnowledge:
    """Memories and lines of a town's people, up to a tick."""

    people: tuple[str, ...]
    memories: Mapping[str, Sequence[Memory]]
    """Memories by person, the oldest first."""
    talks: Sequence[Talk]
    at: int
    """Town second up to which the data is complete."""

    @property
    def every_memory(self) -> Iterator[Memory]:
        """The memories of all people."""
        return (memory for mine in self.memories.values() for memory in mine)

    def memory(self, memory_id: str) -> Memory | None:
        """Return a memory by its id."""
        return next((memory for memory in self.every_memory if memory.id == memory_id), None)


def known_at(reader: RunReader, tick: int, at: int) -> TownKnowledge:
    """Return what people remember and have said when `tick` is completed."""
    with reader.snapshot():
        people = reader.agents()
        memories = {name: reader.memories(name, tick) for name in people}
        talks = reader.talks(until=tick)
        return TownKnowledge(people=people, memories=memories, talks=talks, at=at)


def path_of_memory(known: TownKnowledge, memory: Memory) -> NewsPath:
    """Return the path of the news in a memory."""
    is_own = _FIRST.search(memory.text)
    return _path(known, f"{memory.text} {memory.agent}" if is_own else memory.text, typed=False)


def path_of_words(known: TownKnowledge, words: str) -> NewsPath:
    """Return the path of news described in a few words."""
    return _path(known, words, typed=True)


def _path(known: TownKnowledge, text: str, *, typed: bool) -> NewsPath:
    """Follow a subject through the town, moment by moment; lines come before memories."""
    every = {memory.text for memory in known.every_memory}
    counts = Counter(word for each in every for word in content_words(each))
    follower = _Follower(subject_of(text, counts, typed=typed), known.talks)
    subject = follower.subject
    lines = [
        NewsLine(talk, line)
        for talk in known.talks
        for line in talk.lines
        if line.at < known.at and subject.is_in(line.text, line.speaker)
    ]
    told = [each for each in known.every_memory if subject.is_in(each.text, each.agent)]
    steps: list[tuple[int, int, str, NewsLine | Memory]] = [
        *((each.line.at, 0, each.line.speaker, each) for each in lines),
        *((each.created, 1, each.id, each) for each in told),
    ]
    for *_, step in sorted(steps, key=lambda each: each[:3]):
        if isinstance(step, NewsLine):
            follower.follow_line(step)
        else:
            follower.follow_memory(step)
    knowing = sorted(follower.knowing.values(), key=lambda each: (each.at, each.name))
    kept = {each.name for each in knowing}
    heard = {name: tellings[-1] for name, tellings in follower.heard.items() if name not in kept}
    unknowing = tuple(name for name in known.people if name not in kept | heard.keys())
    return NewsPath(subject=subject, knowing=tuple(knowing), heard=heard, unknowing=unknowing)


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
        held = self.knowing.get(memory.agent)
        if held is None or held.memory is None:
            how = held or self._explain_origin(memory)
            self.knowing[memory.agent] = replace(how, memory=memory)

    def _explain_origin(self, memory: Memory) -> HeardNews:
        name, at = memory.agent, memory.created
        if is_whispered(memory.id):
            return HeardNews(name=name, at=at, how="given")
        if self.heard[name]:
            return self._from(name, at, "told")
        if memory.kind == "event" and memory.subject == "announcement":
            return HeardNews(name=name, at=at, how="announced")
        if memory.kind == "event":
            seen = memory.subject if memory.subject != name else ""
            return HeardNews(name=name, at=at, how="seen", by=seen)
        over = [each for each in self.talks if name in each.participants and each.end <= at]
        if "/conclude_talk/" in memory.id and over:
            talk = max(over, key=lambda each: (each.end, each.id))
            others = talk.others(name)
            by = others[0] if len(others) == 1 else ""
            return HeardNews(name=name, at=at, how="talk", talk=talk, by=by)
        is_first = not self.knowing and "/conclude_talk/" not in memory.id
        return HeardNews(name=name, at=at, how="own" if is_first else "untraced")

    def _from(self, name: str, at: int, otherwise: How) -> HeardNews:
        """Return how a person got the news: by the last talk's best line, or else `otherwise`."""
        heard = self.heard[name]
        if not heard:
            return HeardNews(name=name, at=at, how=otherwise)
        last = [each for each in heard if each.talk.id == heard[-1].talk.id]
        best = max(last, key=lambda each: (self.subject.share(each.line.text), -each.line.at))
        at, by = best.line.at, best.line.speaker
        return HeardNews(name=name, at=at, how="told", telling=best, talk=best.talk, by=by)


def rumours(memories: Iterable[Memory]) -> list[list[Memory]]:
    """Return the facts that two or more people remember from talks; the best-known comes first."""
    groups: list[tuple[frozenset[str], list[Memory]]] = []
    for memory in sorted(memories, key=lambda each: (each.created, each.id)):
        is_plan = memory.text.startswith(f"For {memory.agent}'s plans: ")
        if "/conclude_talk/" not in memory.id or memory.kind != "thought" or is_plan:
            continue
        found = content_words(memory.text) - content_words(memory.agent)
        for held, group in groups:
            if found and len(found & held) >= ALIKE * len(found | held):
                group.append(memory)
                break
        else:
            groups.append((found, [memory]))
    alike = [group for _, group in groups if len(owners(group)) > 1]
    return sorted(alike, key=lambda group: (-len(owners(group)), group[0].created, group[0].id))


def owners(group: Iterable[Memory]) -> list[str]:
    """Return the names of the people who hold the memories of a group, without repetition."""
    return list(dict.fromkeys(memory.agent for memory in group))
