"""What happened in a run as plain data: for pages, where each thing is text and has its moment.

`world.telling.story` tells the same as Markdown.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agents.action import Talk, told
from agents.memory import Memory
from agents.times import minute_of
from world.records import Deed, Intervention, ThoughtRow
from world.runs.reader import RunReader
from world.telling.entries import TOLD_ELSEWHERE, VISITS, visit_sentence
from world.telling.stretches import Stretch, spoken_place, stretches

Kind = Literal["doing", "talk", "insight", "thought", "refusal", "outside", "failure"]
KINDS: Mapping[Kind, str] = {
    "doing": "What people did",
    "talk": "Talks",
    "insight": "Insights",
    "thought": "Thoughts and dreams",
    "refusal": "What could not be",
    "outside": "From outside",
    "failure": "Thoughts that failed",
}
"""Kinds of happenings, as they are called."""
OUTSIDE: Mapping[str, str] = {
    "whisper": "An inner voice tells {target}",
    "history": "The past comes back to {target}",
    "object_state": "{target} is now",
    "reembedded": "Memories are compared by another embedder",
    "templates": "From here on with other templates ({target})",
    "announcement": "It is announced to everybody",
}
"""Kinds of interventions in words; one that is not here is told by its own name."""


@dataclass(frozen=True, kw_only=True)
class Said:
    """One line of a talk."""

    speaker: str
    text: str
    at: int
    fallback: bool


@dataclass(frozen=True, kw_only=True)
class Happening:
    """One thing that happened."""

    at: int
    """Town second."""
    rank: int
    """Of several at one moment, the lower comes first."""
    kind: Kind
    who: tuple[str, ...]
    text: str
    more: tuple[str, ...] = ()
    """Quotes that belong to it: insights, what was said from outside."""
    lines: tuple[Said, ...] = ()
    emoji: tuple[str, ...] = ()
    tick: int | None = None
    """Of the thought of the first person in which it was decided."""
    talk: str = ""
    fallback: bool = False
    """True when a declared fallback decided it, or a part of it."""
    nowhere: bool = False
    """True when the model found no place for it, or for a part of it."""

    def holds(self, words: str) -> bool:
        """True when every word stands somewhere in it."""
        texts = [self.text, *self.more, *self.who, *(line.text for line in self.lines)]
        whole = " ".join(texts).casefold()
        return all(word in whole for word in words.casefold().split())


def happenings(reader: RunReader, tick: int) -> list[Happening]:
    """Return everything that happened up to a tick, in its order."""
    with reader.snapshot():
        deeds = reader.deeds(until=tick)
        talks = reader.talks(until=tick)
        thoughts = reader.thoughts(until=tick)
        everybody = reader.agents()
        memories = [each for name in everybody for each in reader.memories(name, tick)]
        acts = [each for each in reader.interventions() if each.tick <= tick]
    ticks = {(row.agent, row.tick) for row in thoughts}
    seconds = reader.spec.tick_seconds
    found = [
        *_doings(deeds, ticks),
        *_refusals(deeds, ticks),
        *map(_talk, talks),
        *_insights(memories),
        *_thoughts(memories, acts),
        *(_outside(each, seconds) for each in acts if is_told(each)),
        *(_failure(row) for row in thoughts if row.failed),
    ]
    return sorted(found, key=lambda each: (each.at, each.rank, each.who))


def _doings(deeds: Sequence[Deed], ticks: set[tuple[str, int]]) -> Iterator[Happening]:
    """Yield what people did, small things together."""
    began = {
        (deed.agent, deed.action.start): deed.tick
        for deed in reversed(deeds)
        if deed.outcome == "accepted"
    }
    found = stretches(deeds)
    yield from _asleep(found)
    for stretch in found:
        if _is_night(stretch):
            continue
        tick = began.get((stretch.agent, stretch.start))
        yield Happening(
            at=stretch.start,
            rank=1,
            kind="doing",
            who=(stretch.agent,),
            text=_doing(stretch),
            emoji=tuple(stretch.emoji),
            tick=tick if (stretch.agent, tick) in ticks else None,
            fallback=bool(stretch.fallbacks),
            nowhere=bool(stretch.nowhere),
        )


def _asleep(found: Iterable[Stretch]) -> Iterator[Happening]:
    """Yield those who sleep at a midnight, all together."""
    sleepers: dict[int, list[Stretch]] = {}
    for stretch in found:
        if _is_night(stretch):
            sleepers.setdefault(stretch.start, []).append(stretch)
    for at, some in sleepers.items():
        who = tuple(stretch.agent for stretch in some)
        yield Happening(
            at=at,
            rank=1,
            kind="doing",
            who=who,
            text=f"{listed(who)} {'is' if len(who) == 1 else 'are'} asleep.",
            emoji=("😴",),
            fallback=any(stretch.fallbacks for stretch in some),
        )


def _is_night(stretch: Stretch) -> bool:
    return stretch.is_sleep and minute_of(stretch.start) == 0


def _doing(stretch: Stretch) -> str:
    """Return a stretch as a sentence."""
    place = spoken_place(stretch.place)
    where = f" ({place})" if place else ""
    if stretch.is_sleep:
        return f"{stretch.agent} goes to bed{where}."
    return f"{told(stretch.agent, listed(stretch.activities))}{where}."


def _refusals(deeds: Sequence[Deed], ticks: set[tuple[str, int]]) -> Iterator[Happening]:
    """Yield what people wanted and the town did not let happen."""
    for deed in deeds:
        if deed.outcome == "accepted":
            continue
        action = deed.action
        wish = told(deed.agent, action.activity).replace(" is ", " would be ", 1)
        yield Happening(
            at=action.start,
            rank=1,
            kind="refusal",
            who=(deed.agent, *action.partners),
            text=f"{wish}, but {deed.reason.rstrip('.')}.",
            tick=deed.tick if (deed.agent, deed.tick) in ticks else None,
            fallback=action.fallback,
            nowhere=action.nowhere,
        )


def _talk(talk: Talk) -> Happening:
    """Return a talk with its lines."""
    began, *others = talk.participants
    place = spoken_place(talk.place)
    return Happening(
        at=talk.start,
        rank=2,
        kind="talk",
        who=talk.participants,
        text=f"{began} talks with {listed(others)}{f' ({place})' if place else ''}.",
        lines=tuple(
            Said(speaker=line.speaker, text=line.text, at=line.at, fallback=line.fallback)
            for line in talk.lines
        ),
        talk=talk.id,
        fallback=any(line.fallback for line in talk.lines),
    )


def _insights(memories: Iterable[Memory]) -> Iterator[Happening]:
    """Yield each reflection with its insights."""
    groups: dict[tuple[int, str], list[Memory]] = {}
    for memory in memories:
        if "/reflect_insights/" in memory.id:
            groups.setdefault((memory.created, memory.agent), []).append(memory)
    for (at, agent), found in groups.items():
        yield Happening(
            at=at,
            rank=3,
            kind="insight",
            who=(agent,),
            text=f"{agent} reflects.",
            more=tuple(memory.text for memory in found),
            tick=found[0].tick,
        )


def _thoughts(memories: Iterable[Memory], acts: Iterable[Intervention]) -> Iterator[Happening]:
    """Yield thoughts and dreams that stand alone, but for what a run began with."""
    carried = {(each.target, 0) for each in acts if each.kind == "history" and each.tick == 0}
    for memory in memories:
        if memory.kind not in ("thought", "dream") or "/reflect_insights/" in memory.id:
            continue
        if "/plan_" in memory.id or (memory.agent, memory.tick) in carried:
            continue
        verb = "dreams" if memory.kind == "dream" else "thinks"
        verb = "keeps in mind" if "/conclude_talk/" in memory.id else verb
        yield Happening(
            at=memory.created,
            rank=3,
            kind="thought",
            who=(memory.agent,),
            text=f"{memory.agent} {verb}:",
            more=(memory.text.removeprefix(f"For {memory.agent}'s plans: "),),
            tick=memory.tick,
        )


def is_told(each: Intervention) -> bool:
    """Return whether something is no part of a run's past, and shows nowhere else."""
    return each.kind not in TOLD_ELSEWHERE and (each.tick > 0 or each.kind != "history")


def _outside(each: Intervention, seconds: int) -> Happening:
    """Return what an operator did."""
    is_person = each.kind in ("whisper", "history", *VISITS)
    text, quote = outside_words(each)
    return Happening(
        at=each.tick * seconds,
        rank=0,
        kind="outside",
        who=(each.target,) if is_person else (),
        text=text,
        more=(quote,) if quote else (),
    )


def outside_words(each: Intervention) -> tuple[str, str]:
    """Return what an operator did as a sentence, and what is quoted below it."""
    if each.kind in VISITS:
        return visit_sentence(each), ""
    # What is recorded of templates are their versions, for the program alone.
    quote = "" if each.kind == "templates" else each.text
    words = OUTSIDE.get(each.kind, f"{each.kind.replace('_', ' ').capitalize()} ({{target}})")
    target = spoken_place(each.target)
    # A target may hold braces of its own: it is put in as it is, never read as a format.
    said = words.replace("{target}", target)
    return f"{said}:" if quote else f"{said}.", quote


def _failure(row: ThoughtRow) -> Happening:
    """Return a thought that failed."""
    return Happening(
        at=row.at,
        rank=4,
        kind="failure",
        who=(row.agent,),
        text=f"A thought of {row.agent} failed and left nothing behind:",
        more=(row.failed,),
        tick=row.tick,
    )


def listed(items: Sequence[str]) -> str:
    """Return `a, b and c`; an empty text for none."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"
