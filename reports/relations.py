"""Relations: who talked with whom, and how relationships and feelings changed over a run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from smolville.agents.action import Talk
from smolville.agents.closeness import WARMTH
from smolville.agents.mind import Impression
from smolville.history.reader import RunReader
from smolville.reports.present import mind_of

Turn = Literal["grows", "cools", "unclear"]
TURNS: Mapping[Turn, str] = {
    "grows": "grows warmer",
    "cools": "cools",
    "unclear": "says neither",
}
"""Directions in which a feeling changes, in words."""

Mood = Literal["warm", "cool", "mixed"]
MOODS: Mapping[Mood, str] = {"warm": "warm", "cool": "cool", "mixed": "of two minds"}
"""Moods of two people towards each other, in words."""

WARM_FROM = 0.75
"""Warmth (`agents.closeness.WARMTH`) from which on a feeling counts as warm."""


@dataclass(frozen=True, kw_only=True)
class Feeling:
    """One person's relationship to another and feeling for them, from a moment on."""

    who: str
    of: str
    at: int
    """Town second from which the feeling holds."""
    tick: int
    """Tick of the thought in which the feeling changed."""
    relationship: str
    feeling: str
    before: str = ""
    """The previous feeling; empty if there was none."""
    was: str = ""
    """The previous relationship."""
    talk: str = ""
    """Id of the talk after which the feeling changed."""
    closeness: float | None = None
    """How close the person feels to the other, from 0 to 1; None in runs that did not count it."""
    first: float | None = None
    """How close the person felt before any talk."""

    @property
    def turn(self) -> Turn:
        """The direction of the change: the feeling turns warm, turns cold, or neither."""
        was, now = tone(self.before), tone(self.feeling)
        if now > 0 >= was:
            return "grows"
        return "cools" if now < 0 <= was else "unclear"

    @property
    def is_changed(self) -> bool:
        """Return True if the relationship or feeling has other words than before."""
        return self.feeling != self.before or self.relationship != self.was


@dataclass(frozen=True, kw_only=True)
class Relationship:
    """The relationship of two people up to a moment."""

    pair: tuple[str, str]
    talks: tuple[Talk, ...]
    feelings: tuple[Feeling, ...]
    """The feelings of both people, in chronological order."""

    def last(self, who: str) -> Feeling | None:
        """Return the latest feeling of one person for the other."""
        return next((each for each in reversed(self.feelings) if each.who == who), None)

    @property
    def mood(self) -> Mood | None:
        """The present mood of the two people, by the words of their feelings; None if unclear."""
        tones = {tone(last.feeling) for who in self.pair if (last := self.last(who))}
        if {1, -1} <= tones:
            return "mixed"
        return "warm" if 1 in tones else "cool" if -1 in tones else None

    @property
    def closeness(self) -> float | None:
        """The mean closeness of the two people, as far as known; None if unknown for both."""
        lasts = [last.closeness for who in self.pair if (last := self.last(who))]
        values = [each for each in lasts if each is not None]
        return sum(values) / len(values) if values else None

    def course(self, who: str) -> list[tuple[int, float]]:
        """Return the closeness of one person by town second, at first and after each talk."""
        own = [each for each in self.feelings if each.who == who and each.closeness is not None]
        first = [(each.at, each.first) for each in own[:1] if each.first is not None]
        return [*first, *((each.at, each.closeness or 0.0) for each in own)]


@dataclass(frozen=True, kw_only=True)
class Relations:
    """All talks and feelings of a run."""

    people: tuple[str, ...]
    talks: Sequence[Talk]
    feelings: Sequence[Feeling]
    """All feelings in chronological order."""

    def bonds(self, until: int) -> list[Relationship]:
        """Return the pairs with a talk or feeling by a town second, most talks first."""
        talks: dict[tuple[str, ...], list[Talk]] = {}
        feelings: dict[tuple[str, ...], list[Feeling]] = {}
        for talk in self.talks:
            for pair in combinations(sorted(talk.participants), 2) if talk.start <= until else ():
                talks.setdefault(pair, []).append(talk)
        for each in self.feelings:
            if each.at <= until:
                feelings.setdefault(tuple(sorted((each.who, each.of))), []).append(each)
        found = [
            Relationship(
                pair=(pair[0], pair[1]),
                talks=tuple(talks.get(pair, ())),
                feelings=tuple(feelings.get(pair, ())),
            )
            for pair in talks.keys() | feelings.keys()
        ]
        return sorted(found, key=lambda bond: (-len(bond.talks), bond.pair))


def relations(reader: RunReader, tick: int) -> Relations:
    """Return who talked with whom, and all feelings, up to a tick."""
    with reader.snapshot():
        talks = reader.talks(until=tick)
        feelings = sorted(_feelings(reader, tick, talks), key=lambda each: (each.at, each.who))
        return Relations(people=reader.agents(), talks=talks, feelings=feelings)


def tone(feeling: str) -> int:
    """Return 1 for a warm feeling, -1 for a cold one, and 0 for a neutral or unknown one.

    A feeling is one of the words that the conclusion of a talk may choose, in any language of
    prompts.
    """
    warmth = WARMTH.get(feeling, 0.0)
    return -1 if warmth < 0 else int(warmth >= WARM_FROM)


def _feelings(reader: RunReader, tick: int, talks: Sequence[Talk]) -> Iterator[Feeling]:
    """Yield the changes of relationships and feelings in the thoughts after a talk."""
    held: dict[str, Mapping[str, Impression]] = {}
    for row in reader.thoughts(until=tick):
        if "conclude_talk" not in row.path or row.failed:
            continue
        mind = mind_of(reader, row.agent, row.tick)
        if mind is None:
            continue
        before, held[row.agent] = held.get(row.agent, {}), mind.impressions
        for name, now in mind.impressions.items():
            was = before.get(name)
            if was is not None and (was.at, was.talks) == (now.at, now.talks):
                continue
            over = [
                talk.id
                for talk in talks
                if {row.agent, name} <= set(talk.participants) and talk.end <= row.at
            ]
            yield Feeling(
                who=row.agent,
                of=name,
                at=now.at or row.at,
                tick=row.tick,
                relationship=now.relationship,
                feeling=now.feeling,
                before=was.feeling if was else "",
                was=was.relationship if was else "",
                talk=over[-1] if over else "",
                closeness=now.closeness,
                first=now.course[0][1] if now.course else None,
            )
