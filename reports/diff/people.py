"""Deeds, talks and memories that a person has in only one of two runs."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from smolville.agents.action import Talk
from smolville.agents.wording import join_words
from smolville.history.digest import rows_by_tick
from smolville.history.reader import RunReader
from smolville.history.records import Deed
from smolville.reports.stretches import spoken_place
from smolville.reports.thought_reasons import (
    explain_thought,
    find_last_reaction,
    format_reaction_reason,
    why_talked,
)

SHARED = "; the same in the other run then, with another beginning or end"
"""Words after a deed that is in both runs at its moment."""
Pair = tuple[int, int]
Entry = tuple[Hashable, "DatedEntry"]
"""An entry, preceded by the key with which it is compared."""


@dataclass(frozen=True, kw_only=True)
class DatedDeed:
    """One deed of a person: an action or a talk, even a refused one, with moment and reason."""

    at: int
    """Town second at which the deed begins."""
    words: str
    why: str
    """The reason for the deed; empty if no thought decided it."""
    tick: int | None = None
    """Tick of the thought that decided the deed."""
    talk: str = ""
    """Id of the talk, if the deed is a talk."""
    is_shared: bool = field(default=False, compare=False)
    """True if the person does the same, in words, in the other run at that moment.

    Then the deed begins or ends at another time there.
    """

    @property
    def told(self) -> str:
        """The deed in words, and whether the other run has the same at that moment."""
        return f"{self.words}{SHARED}" if self.is_shared else self.words


@dataclass(frozen=True, kw_only=True)
class DatedEntry:
    """A talk or a memory that a person has in only one of two runs."""

    at: int
    """Town second of the talk or memory."""
    words: str
    talk: str = ""
    """Id of the talk; empty for a memory."""


@dataclass(frozen=True, kw_only=True)
class PersonDifference:
    """One person's differences between two runs, in pairs: the first run's, the second run's."""

    name: str
    told: tuple[tuple[DatedDeed, ...], tuple[DatedDeed, ...]]
    """For each run, the first deeds that only that run has, up to the requested number."""
    deeds: Pair
    """For each run, the number of deeds that only that run has."""
    talks: Pair
    memories: Pair
    said: tuple[tuple[DatedEntry, ...], tuple[DatedEntry, ...]]
    """For each run, the first talks that only that run has, up to the requested number."""
    kept: tuple[tuple[DatedEntry, ...], tuple[DatedEntry, ...]]
    """For each run, the first memories that only that run has."""

    @property
    def first(self) -> tuple[DatedDeed | None, DatedDeed | None]:
        """For each run, the first deed that only this run has; None if there is none."""
        mine, theirs = (next(iter(deeds), None) for deeds in self.told)
        return mine, theirs

    @property
    def at(self) -> int | None:
        """Town second of the first deed that differs; None if none differs."""
        return min((each.at for each in self.first if each is not None), default=None)

    @property
    def is_different(self) -> bool:
        """True if anything differs."""
        return any((*self.deeds, *self.talks, *self.memories))


def compare_people(
    one: RunReader, other: RunReader, until: int, most: int = 1
) -> list[PersonDifference]:
    """Return how the people of two runs differ before a town second.

    For each person, at most `most` deeds that only one run has are listed. Visitors count as
    people. If the ticks of the runs have different lengths, town seconds are compared.
    """
    sides = [_Life.read(reader, until) for reader in (one, other)]
    names = dict.fromkeys(
        name
        for name in (*one.agents(), *sides[0].deeds, *sides[1].deeds)
        if _is_in_both(name, one, other)
    )
    return [_compare_person(name, (one, other), sides, most) for name in names]


def _is_in_both(name: str, one: RunReader, other: RunReader) -> bool:
    """Return whether a person lives in both towns or in neither; a visitor lives in neither."""
    return (name in one.agents()) == (name in other.agents())


@dataclass(frozen=True)
class _Life:
    """The deeds, talks and memories of everybody in a run, by name."""

    deeds: Mapping[str, Sequence[Deed]]
    talks: Mapping[str, Sequence[Entry]]
    memories: Mapping[str, Sequence[Entry]]

    @classmethod
    def read(cls, reader: RunReader, until: int) -> "_Life":
        """Return the deeds, talks and memories of a run before a town second."""
        last = -(-until // reader.spec.tick_seconds) - 1
        deeds: defaultdict[str, list[Deed]] = defaultdict(list)
        for deed in reader.deeds(until=last):
            deeds[deed.agent].append(deed)
        talks: defaultdict[str, list[Entry]] = defaultdict(list)
        for talk in reader.talks(until=last):
            for name in talk.participants:
                talks[name].append((_spoken(talk), _dated_talk(talk, name)))
        memories: defaultdict[str, list[Entry]] = defaultdict(list)
        with reader.snapshot():
            for _, name, (_, _, kind, text, created, *_) in rows_by_tick(reader, "memories", last):
                kept = DatedEntry(at=created, words=text)
                memories[name].append(((kind, text, created), kept))
        return cls(deeds, talks, memories)


def _spoken(talk: Talk) -> Hashable:
    lines = tuple((line.speaker, line.text) for line in talk.lines)
    return talk.start, talk.participants, talk.place, lines


def _dated_talk(talk: Talk, name: str) -> DatedEntry:
    """Return the entry of a talk for one of its people: the others' names, and the first line."""
    others = join_words([each for each in talk.participants if each != name])
    first = next((f": “{line.text}”" for line in talk.lines), "")
    return DatedEntry(at=talk.start, words=f"talks with {others}{first}", talk=talk.id)


def _compare_person(
    name: str, readers: tuple[RunReader, RunReader], sides: Sequence[_Life], most: int
) -> PersonDifference:
    """Return what one person does differently in two runs."""
    mine, theirs = (side.deeds.get(name, ()) for side in sides)
    alone = (
        list(_only_in(mine, theirs, readers)),
        list(_only_in(theirs, mine, (readers[1], readers[0]))),
    )
    said = [side.talks.get(name, ()) for side in sides]
    kept = [side.memories.get(name, ()) for side in sides]
    talks = _entries_in(*said), _entries_in(*reversed(said))
    memories = _entries_in(*kept), _entries_in(*reversed(kept))
    return PersonDifference(
        name=name,
        told=(
            tuple(_beside(readers[0], readers[1], deed) for deed in alone[0][:most]),
            tuple(_beside(readers[1], readers[0], deed) for deed in alone[1][:most]),
        ),
        deeds=(len(alone[0]), len(alone[1])),
        talks=(len(talks[0]), len(talks[1])),
        memories=(len(memories[0]), len(memories[1])),
        said=(talks[0][:most], talks[1][:most]),
        kept=(memories[0][:most], memories[1][:most]),
    )


def _beside(reader: RunReader, other: RunReader, deed: Deed) -> DatedDeed:
    """Return a deed of a run, and whether the other run has the same at that moment."""
    dated = dated_deed(reader, deed)
    there = other.doing(deed.agent, dated.at // other.spec.tick_seconds)
    return replace(dated, is_shared=there is not None and deed_in_words(there) == dated.words)


def _only_in(
    mine: Iterable[Deed], theirs: Iterable[Deed], readers: tuple[RunReader, RunReader]
) -> Iterator[Deed]:
    """Yield the deeds of the first run that the second run does not have, in order."""
    seconds = [reader.spec.tick_seconds for reader in readers]
    left = Counter(_undated(deed, seconds[1]) for deed in theirs)
    for deed in mine:
        key = _undated(deed, seconds[0])
        if left[key]:
            left[key] -= 1
        else:
            yield deed


def _undated(deed: Deed, seconds: int) -> Hashable:
    """Return a key of a deed, with its town second instead of its tick."""
    return replace(deed, tick=deed.tick * seconds)


def _entries_in(mine: Iterable[Entry], theirs: Iterable[Entry]) -> tuple[DatedEntry, ...]:
    """Return the entries that only the first sequence has, in order."""
    left = Counter(key for key, _ in theirs)
    found = []
    for key, entry in mine:
        if left[key]:
            left[key] -= 1
        else:
            found.append(entry)
    return tuple(sorted(found, key=lambda entry: entry.at))


def dated_deed(reader: RunReader, deed: Deed) -> DatedDeed:
    """Return a deed of a run in words, with its reason."""
    talk = _talk_of(reader, deed)
    return DatedDeed(
        at=deed.tick * reader.spec.tick_seconds,
        words=deed_in_words(deed),
        why=_explain_talk(reader, deed, talk)
        if talk
        else explain_thought(reader, deed.agent, deed.tick),
        tick=deed.tick if reader.thought(deed.agent, deed.tick) else None,
        talk=talk.id if talk else "",
    )


def _talk_of(reader: RunReader, deed: Deed) -> Talk | None:
    """Return the talk that a deed began; None for any other deed."""
    if deed.action.kind != "talk":
        return None
    return next(iter(reader.talks(deed.agent, deed.tick, deed.tick)), None)


def _explain_talk(reader: RunReader, deed: Deed, talk: Talk) -> str:
    """Return who began a talk, and why."""
    thought = reader.thought(talk.participants[0], deed.tick)
    chosen = find_last_reaction(thought.steps if thought else ())
    return why_talked(talk, format_reaction_reason(chosen) if chosen else "")


def deed_in_words(deed: Deed) -> str:
    """Return what somebody does and where, and whether the town refused it."""
    action = deed.action
    partners = join_words(action.partners)
    if action.kind == "talk" and partners:
        words = f"talks with {partners}"
    elif action.kind == "wait" and partners:
        words = f"waits for {partners}"
    else:
        words = action.activity
    where = f" ({spoken_place(action.place)})" if action.place else ""
    refused = "" if deed.outcome == "accepted" else f"; refused: {deed.reason}"
    return f"{words}{where}{refused}"
