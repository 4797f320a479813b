"""The events of a run as plain data for web pages, each with its text and its moment.

`reports.story` shows the same events as Markdown.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from smolville.agents.action import Talk, describe_action
from smolville.agents.entities import Happening
from smolville.agents.memory import Memory
from smolville.agents.times import minute_of
from smolville.agents.wording import join_words
from smolville.history.later_tables import happenings_between
from smolville.history.reader import RunReader
from smolville.history.records import Deed, Intervention, ThoughtRow
from smolville.reports.entries import HAPPENING_SIGNS
from smolville.reports.from_outside import (
    VISITS,
    EndedChange,
    is_told,
    outside_words,
    read_ended_changes,
)
from smolville.reports.oddities import read_oddities
from smolville.reports.reused import reused_deeds
from smolville.reports.stretches import Stretch, spoken_place, stretches

Kind = Literal["doing", "talk", "insight", "thought", "town", "refusal", "outside", "failure"]
KINDS: Mapping[Kind, str] = {
    "doing": "What people did",
    "talk": "Talks",
    "insight": "Insights",
    "thought": "Thoughts and dreams",
    "town": "Weather and happenings",
    "refusal": "What could not be",
    "outside": "From outside",
    "failure": "Thoughts that failed",
}
"""Kinds of events, with their headings."""


@dataclass(frozen=True, kw_only=True)
class LineEvent:
    """One line of a talk."""

    speaker: str
    text: str
    at: int
    fallback: bool
    odd: tuple[str, ...] = ()
    """Sentences on what makes no sense in the line."""


@dataclass(frozen=True, kw_only=True)
class TownEvent:
    """One event in a town."""

    at: int
    """Town second of the event."""
    rank: int
    """Position among events at the same moment; the lowest rank comes first."""
    kind: Kind
    who: tuple[str, ...]
    text: str
    more: tuple[str, ...] = ()
    """Quotes that belong to the event: insights, or texts from outside."""
    lines: tuple[LineEvent, ...] = ()
    emoji: tuple[str, ...] = ()
    tick: int | None = None
    """Tick of the first person's thought that decided the event."""
    talk: str = ""
    fallback: bool = False
    """True if a fallback decided the event or a part of it."""
    nowhere: bool = False
    """True if the model found no place for the event or for a part of it."""
    reused: bool = False
    """True if the event or a part of it came from a routine."""
    odd: tuple[str, ...] = ()
    """Sentences on what makes no sense in the event or in a part of it."""

    def holds(self, words: str) -> bool:
        """Return True if every word of `words` occurs in the event."""
        texts = [self.text, *self.more, *self.who, *(line.text for line in self.lines)]
        whole = " ".join(texts).casefold()
        return all(word in whole for word in words.casefold().split())


def happenings(reader: RunReader, tick: int) -> list[TownEvent]:
    """Return all events up to a tick, in order."""
    with reader.snapshot():
        deeds = reader.deeds(until=tick)
        moves = reader.moves(until=tick)
        talks = reader.talks(until=tick)
        thoughts = reader.thoughts(until=tick)
        memories = [each for name in reader.agents() for each in reader.memories(name, tick)]
        acts = [each for each in reader.interventions() if each.tick <= tick]
        odd = read_oddities(reader, tick)
        reused = reused_deeds(reader.reuses(until=tick), deeds)
        made = happenings_between(reader.connection, until=tick)
        ended = read_ended_changes(reader, tick)
    ticks = {(row.agent, row.tick) for row in thoughts}
    seconds = reader.spec.tick_seconds
    doing = stretches(deeds, moves, odd.deeds, reused, tick_seconds=seconds, until=tick)
    found = [
        *_doings(doing, deeds, ticks),
        *_refusals(deeds, ticks),
        *(_talk(talk, odd.of_lines(talk)) for talk in talks),
        *_insights(memories),
        *_thoughts(memories, acts),
        *(_in_town(each, reader.spec.tick_seconds) for each in made),
        *(_outside(each, reader.spec.tick_seconds) for each in acts if is_told(each)),
        *(_ended(each, reader.spec.tick_seconds) for each in ended),
        *(_failure(row) for row in thoughts if row.failed),
    ]
    return sorted(found, key=lambda each: (each.at, each.rank, each.who))


def _doings(
    found: Sequence[Stretch], deeds: Sequence[Deed], ticks: set[tuple[str, int]]
) -> Iterator[TownEvent]:
    """Yield people's activities, with small ones merged into stretches."""
    began = {
        (deed.agent, deed.action.start): deed.tick
        for deed in reversed(deeds)
        if deed.outcome == "accepted"
    }
    yield from _asleep(found)
    for stretch in found:
        if _is_night(stretch):
            continue
        tick = began.get((stretch.agent, stretch.begun))
        yield TownEvent(
            at=stretch.start,
            rank=1,
            kind="doing",
            who=(stretch.agent,),
            text=_doing(stretch),
            emoji=tuple(stretch.emoji),
            tick=tick if (stretch.agent, tick) in ticks else None,
            fallback=bool(stretch.fallbacks),
            nowhere=bool(stretch.nowhere),
            reused=bool(stretch.reused),
            odd=tuple(each for sentences in stretch.odd.values() for each in sentences),
        )


def _asleep(found: Iterable[Stretch]) -> Iterator[TownEvent]:
    """Yield one event for all people who are asleep at a midnight."""
    sleepers: dict[int, list[Stretch]] = {}
    for stretch in found:
        if _is_night(stretch):
            sleepers.setdefault(stretch.start, []).append(stretch)
    for at, some in sleepers.items():
        who = tuple(stretch.agent for stretch in some)
        yield TownEvent(
            at=at,
            rank=1,
            kind="doing",
            who=who,
            text=f"{join_words(who)} {'is' if len(who) == 1 else 'are'} asleep.",
            emoji=("😴",),
            fallback=any(stretch.fallbacks for stretch in some),
        )


def _is_night(stretch: Stretch) -> bool:
    return stretch.is_sleep and not stretch.is_under_way and minute_of(stretch.start) == 0


def _doing(stretch: Stretch) -> str:
    """Return a stretch as a sentence."""
    place = spoken_place(stretch.place)
    if stretch.origin:
        place += f", coming from {stretch.origin}"
    where = f" ({place})" if place else ""
    if stretch.is_sleep and not stretch.is_under_way:
        return f"{stretch.agent} goes to bed{where}."
    return f"{describe_action(stretch.agent, stretch.told)}{where}."


def _refusals(deeds: Sequence[Deed], ticks: set[tuple[str, int]]) -> Iterator[TownEvent]:
    """Yield the actions and talks that the town refused."""
    for deed in deeds:
        if deed.outcome == "accepted":
            continue
        action = deed.action
        wish = describe_action(deed.agent, action.activity).replace(" is ", " would be ", 1)
        yield TownEvent(
            at=action.start,
            rank=1,
            kind="refusal",
            who=(deed.agent, *action.partners),
            text=f"{wish}, but {deed.reason.rstrip('.')}.",
            tick=deed.tick if (deed.agent, deed.tick) in ticks else None,
            fallback=action.fallback,
            nowhere=action.nowhere,
        )


def _talk(talk: Talk, odd: Sequence[tuple[str, ...]]) -> TownEvent:
    """Return a talk with its lines; `odd` has what is odd about each line, in sentences."""
    began, *others = talk.participants
    place = spoken_place(talk.place)
    return TownEvent(
        at=talk.start,
        rank=2,
        kind="talk",
        who=talk.participants,
        text=f"{began} talks with {join_words(others)}{f' ({place})' if place else ''}.",
        lines=tuple(
            LineEvent(
                speaker=line.speaker,
                text=line.text,
                at=line.at,
                fallback=line.fallback,
                odd=senseless,
            )
            for line, senseless in zip(talk.lines, odd, strict=True)
        ),
        talk=talk.id,
        fallback=any(line.fallback for line in talk.lines),
    )


def _insights(memories: Iterable[Memory]) -> Iterator[TownEvent]:
    """Yield each reflection with its insights."""
    groups: dict[tuple[int, str], list[Memory]] = {}
    for memory in memories:
        if "/reflect_insights/" in memory.id:
            groups.setdefault((memory.created, memory.agent), []).append(memory)
    for (at, agent), found in groups.items():
        yield TownEvent(
            at=at,
            rank=3,
            kind="insight",
            who=(agent,),
            text=f"{agent} reflects.",
            more=tuple(memory.text for memory in found),
            tick=found[0].tick,
        )


def _thoughts(memories: Iterable[Memory], acts: Iterable[Intervention]) -> Iterator[TownEvent]:
    """Yield single thoughts and dreams, except those that people had at the start of the run."""
    carried = {(each.target, 0) for each in acts if each.kind == "history" and each.tick == 0}
    for memory in memories:
        if memory.kind not in ("thought", "dream") or "/reflect_insights/" in memory.id:
            continue
        if "/plan_" in memory.id or (memory.agent, memory.tick) in carried:
            continue
        verb = "dreams" if memory.kind == "dream" else "thinks"
        verb = "keeps in mind" if "/conclude_talk/" in memory.id else verb
        yield TownEvent(
            at=memory.created,
            rank=3,
            kind="thought",
            who=(memory.agent,),
            text=f"{memory.agent} {verb}:",
            more=(memory.text.removeprefix(f"For {memory.agent}'s plans: "),),
            tick=memory.tick,
        )


def _in_town(each: Happening, seconds: int) -> TownEvent:
    """Return the event of a happening that an entity caused."""
    return TownEvent(
        at=each.tick * seconds,
        rank=0,
        kind="town",
        who=(each.who,) if each.who else (),
        text=each.text,
        emoji=(HAPPENING_SIGNS[each.kind],),
    )


def _outside(each: Intervention, seconds: int) -> TownEvent:
    """Return the event of an operator's intervention."""
    is_person = each.kind in ("whisper", "history", *VISITS)
    text, quote = outside_words(each)
    return TownEvent(
        at=each.tick * seconds,
        rank=0,
        kind="outside",
        who=(each.target,) if is_person else (),
        text=text,
        more=(quote,) if quote else (),
    )


def _ended(each: EndedChange, seconds: int) -> TownEvent:
    """Return the event of a change from outside that has ended."""
    who = (each.by,) if each.by else ()
    return TownEvent(at=each.tick * seconds, rank=0, kind="outside", who=who, text=each.sentence)


def _failure(row: ThoughtRow) -> TownEvent:
    """Return the event of a failed thought."""
    return TownEvent(
        at=row.at,
        rank=4,
        kind="failure",
        who=(row.agent,),
        text=f"A thought of {row.agent} failed and left nothing behind:",
        more=(row.failed,),
        tick=row.tick,
    )
