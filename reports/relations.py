"""Relations: who talked with whom, and how people feel about each other up to a moment."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from smolville.agents.action import Talk
from smolville.agents.closeness import WARMTH
from smolville.agents.mind import Impression
from smolville.history.reader import RunReader
from smolville.reports.present import mind_of

MOODS: Mapping[str, str] = {"warm": "warm", "cool": "cool", "mixed": "of two minds"}
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
    closeness: float | None = None
    """How close the person feels to the other, from 0 to 1; None in runs that did not count it."""


@dataclass(frozen=True, kw_only=True)
class Relationship:
    """The relationship of two people up to a moment."""

    pair: tuple[str, str]
    talks: tuple[Talk, ...]
    lasts: Mapping[str, Feeling]
    """The latest feeling of each of the two for the other, by name."""

    @property
    def mood(self) -> str:
        """The present mood of the two people, by the words of their feelings; empty if unclear."""
        tones = {tone(last.feeling) for last in self.lasts.values()}
        if {1, -1} <= tones:
            return "mixed"
        return "warm" if 1 in tones else "cool" if -1 in tones else ""

    @property
    def closeness(self) -> float | None:
        """The mean closeness of the two people, as far as known; None if unknown for both."""
        values = [last.closeness for last in self.lasts.values() if last.closeness is not None]
        return sum(values) / len(values) if values else None


@dataclass(frozen=True, kw_only=True)
class Relations:
    """All talks and feelings of a run."""

    people: tuple[str, ...]
    talks: Sequence[Talk]
    feelings: Sequence[Feeling]
    """All feelings in chronological order."""

    def bonds(self, until: int) -> list[Relationship]:
        """Return the pairs with a talk or feeling by a town second, most talks first."""
        talks: dict[tuple[str, str], list[Talk]] = {}
        lasts: dict[tuple[str, str], dict[str, Feeling]] = {}
        for talk in self.talks:
            for one, other in combinations(sorted(talk.participants), 2):
                if talk.start <= until:
                    talks.setdefault((one, other), []).append(talk)
        for each in self.feelings:
            if each.at <= until:
                one, other = sorted((each.who, each.of))
                lasts.setdefault((one, other), {})[each.who] = each
        found = [
            Relationship(pair=pair, talks=tuple(talks.get(pair, ())), lasts=lasts.get(pair, {}))
            for pair in talks.keys() | lasts.keys()
        ]
        return sorted(found, key=lambda bond: (-len(bond.talks), bond.pair))


def relations(reader: RunReader, tick: int) -> Relations:
    """Return who talked with whom, and all feelings, up to a tick."""
    with reader.snapshot():
        feelings = sorted(_feelings(reader, tick), key=lambda each: (each.at, each.who))
        talks = reader.talks(until=tick)
        return Relations(people=reader.agents(), talks=talks, feelings=feelings)


def tone(feeling: str) -> int:
    """Return 1 for a warm feeling, -1 for a cold one, and 0 for a neutral or unknown one.

    A feeling is one of the words that the conclusion of a talk may choose, in any language of
    prompts.
    """
    warmth = WARMTH.get(feeling, 0.0)
    return -1 if warmth < 0 else int(warmth >= WARM_FROM)


def _feelings(reader: RunReader, tick: int) -> Iterator[Feeling]:
    """Yield the changes of relationships and feelings in the thoughts after a talk."""
    held: dict[str, Mapping[str, Impression]] = {}
    for row in reader.thoughts(until=tick):
        mind = None
        if "conclude_talk" in row.path and not row.failed:
            mind = mind_of(reader, row.agent, row.tick)
        if mind is None:
            continue
        before, held[row.agent] = held.get(row.agent, {}), mind.impressions
        for name, now in mind.impressions.items():
            was = before.get(name)
            if was is None or (was.at, was.talks) != (now.at, now.talks):
                yield Feeling(
                    who=row.agent,
                    of=name,
                    at=now.at or row.at,
                    tick=row.tick,
                    relationship=now.relationship,
                    feeling=now.feeling,
                    closeness=now.closeness,
                )
