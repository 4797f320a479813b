"""The events of a run as plain data, each with its text and its moment, for the story and pages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from smolville.agents.action import Talk, TalkLine, describe_action
from smolville.agents.entities import Happening
from smolville.agents.memory import Memory
from smolville.agents.times import minute_of
from smolville.agents.wording import join_words
from smolville.history.moments import happenings_between
from smolville.history.reader import RunReader
from smolville.history.records import Deed, Intervention, ThoughtRow
from smolville.reports.from_outside import VISITS, is_told, outside_words, read_ended_changes
from smolville.reports.stretches import (
    Sentences,
    Stretch,
    read_oddities,
    reused_deeds,
    spoken_place,
    stretches,
)

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
SIGNS: dict[str, str] = {
    "weather": "🌤️",
    "news": "🗞️",
    "closing": "🚪",
    "market": "🎪",
    "power cut": "🔦",
    "letter": "✉️",
    "notice": "📌",
}
"""Emoji before happenings that entities caused, by kind."""


@dataclass(frozen=True, kw_only=True)
class TownEvent:
    """One event in a town."""

    at: int
    """Town second of the event."""
    rank: int
    """Position among events at the same moment; the lowest rank comes first."""
    kind: Kind
    who: tuple[str, ...] = ()
    text: str
    more: tuple[str, ...] = ()
    """Quotes that belong to the event: insights, or texts from outside."""
    emoji: tuple[str, ...] = ()
    tick: int | None = None
    """Tick of the first person's thought that decided the event."""
    odd: Sentences = ()
    """Sentences on what makes no sense in the event or in a part of it."""
    odd_lines: tuple[Sentences, ...] = ()
    """The same for each line of a talk."""
    record: Talk | Memory | Deed | Intervention | None = None
    """The talk, thought, refused deed or intervention that the event is."""

    @property
    def lines(self) -> tuple[TalkLine, ...]:
        """The lines of a talk."""
        return self.record.lines if isinstance(self.record, Talk) else ()

    def holds(self, words: str) -> bool:
        """Return True if every word of `words` occurs in the event."""
        texts = [self.text, *self.more, *self.who, *(line.text for line in self.lines)]
        whole = " ".join(texts).casefold()
        return all(word in whole for word in words.casefold().split())


def happenings(reader: RunReader, tick: int, agent: str | None = None) -> list[TownEvent]:
    """Return all events up to a tick in order, or only those that concern an agent."""
    with reader.snapshot():
        deeds = reader.deeds(agent, until=tick)
        moves = reader.moves(agent, until=tick)
        talks = reader.talks(agent, until=tick)
        thoughts = reader.thoughts(agent, until=tick)
        names = reader.agents() if agent is None else (agent,)
        memories = [each for name in names for each in reader.memories(name, tick)]
        acts = [each for each in reader.interventions() if each.tick <= tick]
        odd = read_oddities(reader, tick)
        reused = reused_deeds(reader.reuses(until=tick), deeds)
        made = happenings_between(reader.connection, until=tick)
        ended = list(read_ended_changes(reader, tick))
    ticks = {(row.agent, row.tick) for row in thoughts}
    seconds = reader.spec.tick_seconds
    doing = stretches(deeds, moves, odd.deeds, reused, tick_seconds=seconds, until=tick)
    found = [
        *_doings(doing, ticks),
        *(_refusal(deed, ticks) for deed in deeds if deed.outcome != "accepted"),
        *(_talk(talk, odd.of_lines(talk)) for talk in talks),
        *_thoughts(memories, acts),
        *(_in_town(each, seconds) for each in made if agent is None or each.who in ("", agent)),
        *(_outside(each, seconds) for each in acts if is_told(each)),
        *(
            TownEvent(
                at=at * seconds, rank=0, kind="outside", who=(by,) if by else (), text=sentence
            )
            for at, by, sentence in ended
        ),
        *(_failure(row) for row in thoughts if row.failed),
    ]
    return sorted(found, key=lambda each: (each.at, each.rank, each.who))


def _doings(found: Sequence[Stretch], ticks: set[tuple[str, int]]) -> Iterator[TownEvent]:
    """Yield people's activities; all people who are asleep at a midnight are one event."""
    asleep: dict[int, list[str]] = {}
    for each in found:
        if each.is_sleep and not each.is_under_way and minute_of(each.start) == 0:
            asleep.setdefault(each.start, []).append(each.agent)
            continue
        yield TownEvent(
            at=each.start,
            rank=1,
            kind="doing",
            who=(each.agent,),
            text=each.describe(),
            emoji=tuple(each.emoji),
            tick=each.tick if (each.agent, each.tick) in ticks else None,
            odd=tuple(each.odd),
        )
    for at, names in asleep.items():
        text = f"{join_words(names)} {'is' if len(names) == 1 else 'are'} asleep."
        yield TownEvent(at=at, rank=1, kind="doing", who=tuple(names), text=text, emoji=("😴",))


def _refusal(deed: Deed, ticks: set[tuple[str, int]]) -> TownEvent:
    action = deed.action
    if action.kind == "talk":
        wish = f"{deed.agent} would talk with {join_words(action.partners)}"
    else:
        wish = describe_action(deed.agent, action.activity).replace(" is ", " would be ", 1)
    return TownEvent(
        at=action.start,
        rank=1,
        kind="refusal",
        who=(deed.agent, *action.partners),
        text=f"{wish}, but {deed.reason.rstrip('.')}.",
        tick=deed.tick if (deed.agent, deed.tick) in ticks else None,
        record=deed,
    )


def _talk(talk: Talk, odd: Sequence[Sentences]) -> TownEvent:
    """Return a talk; `odd` has what is odd about each line, in sentences."""
    began, *others = talk.participants
    place = f" ({spoken_place(talk.place)})" if talk.place else ""
    return TownEvent(
        at=talk.start,
        rank=2,
        kind="talk",
        who=talk.participants,
        text=f"{began} talks with {join_words(others)}{place}.",
        odd_lines=tuple(odd),
        record=talk,
    )


def _thoughts(memories: Iterable[Memory], acts: Iterable[Intervention]) -> Iterator[TownEvent]:
    """Yield reflections with their insights, and single thoughts and dreams.

    Plans are left out, and so are the memories with which a run began.
    """
    carried = {each.target for each in acts if each.kind == "history" and each.tick == 0}
    insights: dict[tuple[int, str], list[Memory]] = {}
    for memory in memories:
        if memory.kind not in ("thought", "dream") or "/plan_" in memory.id:
            continue
        if "/reflect_insights/" in memory.id:
            insights.setdefault((memory.created, memory.agent), []).append(memory)
            continue
        if memory.tick == 0 and memory.agent in carried:
            continue
        verb = "dreams" if memory.kind == "dream" else "thinks"
        yield TownEvent(
            at=memory.created,
            rank=3,
            kind="thought",
            who=(memory.agent,),
            text=f"{memory.agent} {'keeps in mind' if '/conclude_talk/' in memory.id else verb}:",
            more=(memory.text.removeprefix(f"For {memory.agent}'s plans: "),),
            tick=memory.tick,
            record=memory,
        )
    for (at, agent), found in insights.items():
        yield TownEvent(
            at=at,
            rank=3,
            kind="insight",
            who=(agent,),
            text=f"{agent} reflects:",
            more=tuple(memory.text for memory in found),
            tick=found[0].tick,
        )


def _in_town(each: Happening, seconds: int) -> TownEvent:
    return TownEvent(
        at=each.tick * seconds,
        rank=0,
        kind="town",
        who=(each.who,) if each.who else (),
        text=each.text,
        emoji=(SIGNS[each.kind],),
    )


def _outside(each: Intervention, seconds: int) -> TownEvent:
    text, quote = outside_words(each)
    return TownEvent(
        at=each.tick * seconds,
        rank=0,
        kind="outside",
        who=(each.target,) if each.kind in ("whisper", "history", *VISITS) else (),
        text=text,
        more=(quote,) if quote else (),
        record=each,
    )


def _failure(row: ThoughtRow) -> TownEvent:
    return TownEvent(
        at=row.at,
        rank=4,
        kind="failure",
        who=(row.agent,),
        text=f"A thought of {row.agent} failed and left nothing behind:",
        more=(row.failed,),
        tick=row.tick,
    )
