"""Merges somebody's small consecutive activities into stretches for a story."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import compress

from smolville.agents.action import ON_THE_WAY, Action, Talk, describe_action
from smolville.agents.places import arena_of, sector_of, split_address
from smolville.agents.routines import BROUGHT, Reuse
from smolville.agents.times import moment
from smolville.agents.wording import format_count, join_words
from smolville.history.moments import FOREVER
from smolville.history.reader import RunReader
from smolville.history.records import Deed, Move

MOST_ACTIVITIES = 6
"""Number of different activities after which a new stretch begins."""
LONGEST_SECONDS = 2 * 3600
MOST_EMOJI = 3
FALLBACK = "(fallback)"
"""Mark of an action that was decided by a fallback instead of a model."""
NOWHERE = "(nowhere)"
"""Mark of an action for which the model found no place, so it is done where the person stood."""
REUSED = "(reused)"
"""Mark of an action whose task or place came from a routine, without asking a model."""
ODD = "(odd)"
"""Mark of an accepted answer that makes no sense according to a check."""
MARKS = (FALLBACK, NOWHERE, REUSED, ODD)


@dataclass
class Stretch:
    """One agent's activities in one place for some time."""

    agent: str
    start: int
    """Town second at which it begins: on arrival, if the agent has to walk there."""
    place: str
    """Address of the place, `sector: arena`."""
    is_sleep: bool
    begun: int
    """Town second at which the agent set out or began."""
    tick: int
    """Tick of its first deed."""
    is_under_way: bool = True
    """True as long as the agent has not arrived: it was kept from that, or is still walking."""
    activities: list[str] = field(default_factory=list)
    """The activities in the order of their first occurrence, without repetition."""
    marks: set[tuple[str, str]] = field(default_factory=set)
    """Activities with one of the `MARKS`."""
    emoji: list[str] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    """What is odd about the answers that decided it, in sentences."""

    def takes(self, action: Action) -> bool:
        """Return True if an action continues this stretch."""
        is_sleep = action.kind == "sleep"
        if is_sleep != self.is_sleep or arena_of(action.place) != self.place:
            return False
        if is_sleep or action.activity in self.activities:
            return True
        is_long = action.start - self.begun >= LONGEST_SECONDS
        return not is_long and len(self.activities) < MOST_ACTIVITIES

    def add(self, action: Action, arrival: int | None) -> None:
        """Add an action that begins on `arrival`; None if the agent never arrives for it."""
        if arrival is not None and self.is_under_way:
            self.activities, self.emoji, self.is_under_way = [], [], False
            self.start = arrival
        elif arrival is None and not self.is_under_way:
            return
        if action.activity not in self.activities:
            self.activities.append(action.activity)
        if action.emoji not in self.emoji and len(self.emoji) < MOST_EMOJI:
            self.emoji.append(action.emoji)

    def describe(self) -> str:
        """Return the stretch as a sentence, with a mark after each activity that has one."""
        if self.is_under_way:
            told = f"{ON_THE_WAY}{sector_of(self.place)}" if self.place else self.activities[0]
            return f"{describe_action(self.agent, told)}."
        # A building that the last activity names is not named again.
        is_named = sector_of(self.place) in self.activities[-1] and not self.is_sleep
        rooms = split_address(self.place)[1:] if self.place and is_named else ()
        place = ", ".join(rooms) or spoken_place(self.place)
        where = f" ({place})" if place else ""
        if self.is_sleep:
            mark = f" {FALLBACK}" if any(mark == FALLBACK for _, mark in self.marks) else ""
            return f"{self.agent} goes to bed{where}{mark}."
        things = [
            " ".join((each, *(mark for mark in MARKS if (each, mark) in self.marks)))
            for each in self.activities
        ]
        return f"{describe_action(self.agent, join_words(things))}{where}."


def stretches(
    deeds: Iterable[Deed],
    moves: Iterable[Move] = (),
    odd: Mapping[tuple[str, int], Collection[str]] | None = None,
    reused: Collection[tuple[str, int]] = (),
    *,
    tick_seconds: int = 10,
    until: int = FOREVER,
) -> list[Stretch]:
    """Return everybody's accepted actions, without talks, as stretches ordered by their start.

    If `moves` are given, a stretch that begins with a walk begins on arrival. Who has not arrived
    by the tick `until`, or is kept from it, is told as on the way. `odd` has the sentences about
    odd deeds, by agent and tick. `reused` are deeds that follow a routine.
    """
    latest: dict[str, Stretch] = {}
    found: list[Stretch] = []
    walks = _walks(moves, until)
    for deed in deeds:
        action, key = deed.action, (deed.agent, deed.tick)
        if deed.outcome != "accepted" or action.kind == "talk":
            continue
        ticks = walks.get(key, 0)
        stretch = latest.get(deed.agent)
        if stretch is None or not stretch.takes(action):
            stretch = Stretch(
                agent=deed.agent,
                start=action.start,
                begun=action.start,
                tick=deed.tick,
                place=arena_of(action.place),
                is_sleep=action.kind == "sleep",
            )
            latest[deed.agent] = stretch
            found.append(stretch)
        sentences = (odd or {}).get(key, ())
        stretch.odd += sentences
        is_marked = (action.fallback, action.nowhere, key in reused, bool(sentences))
        stretch.marks |= {(action.activity, mark) for mark in compress(MARKS, is_marked)}
        stretch.add(action, None if ticks is None else action.start + ticks * tick_seconds)
    return found


def _walks(moves: Iterable[Move], until: int) -> dict[tuple[str, int], int | None]:
    """Return the length in ticks of each walk by agent and tick.

    The length is None for a walk that does not end: it is cut off by the agent's next one, or it
    goes on beyond `until`.
    """
    lengths: dict[tuple[str, int], int | None] = {}
    latest: dict[str, Move] = {}
    for move in moves:
        before = latest.get(move.agent)
        if before is not None and move.tick < before.end_tick:
            lengths[move.agent, before.tick] = None
        ends = move.end_tick <= until
        lengths[move.agent, move.tick] = move.end_tick - move.tick if ends else None
        latest[move.agent] = move
    return lengths


def spoken_way(start: str, end: str) -> str:
    """Return the start and end of a walk in words: rooms within a house, otherwise houses."""
    before, after = split_address(start), split_address(end)
    last = -1 if before[0] == after[0] else 0
    return f"from {before[last]} to {after[last]}"


def spoken_place(address: str) -> str:
    """Return an address as people say it: `Copper Kettle Cafe, main room`."""
    return ", ".join(split_address(address))


DECIDING = ("plan_hours", "react", "replan", "decompose", "ground_block")
"""Steps of a thought that decide what somebody does, and where."""
Sentences = tuple[str, ...]


@dataclass(frozen=True)
class Oddities:
    """What is odd about a run's deeds and lines, in sentences."""

    deeds: Mapping[tuple[str, int], Sentences]
    """Sentences by the agent and tick of the thought that decided the deed."""
    said: Mapping[tuple[str, str], tuple[Sentences, ...]]
    """Sentences by talk and speaker, for each line that a model wrote, in order."""

    def of_lines(self, talk: Talk) -> list[Sentences]:
        """Return the sentences about each line of a talk."""
        left = {name: iter(self.said.get((talk.id, name), ())) for name in talk.participants}
        return [next(left.get(line.speaker, iter(())), ()) for line in talk.lines]


def read_oddities(reader: RunReader, tick: int) -> Oddities:
    """Return the oddities of a run up to a tick."""
    deeds: defaultdict[tuple[str, int], Sentences] = defaultdict(tuple)
    said: defaultdict[tuple[str, str], list[tuple[int, Sentences]]] = defaultdict(list)
    for step in reader.steps(until=tick):
        if step.step == "say":
            said[step.owner, step.agent].append((step.ordinal, step.odd))
        elif step.odd and step.step in DECIDING:
            deeds[step.agent, step.tick] += step.odd
    ordered = {key: sorted(lines, key=lambda line: line[0]) for key, lines in said.items()}
    return Oddities(deeds, {key: tuple(odd for _, odd in lines) for key, lines in ordered.items()})


def reused_deeds(reuses: Iterable[Reuse], deeds: Iterable[Deed]) -> frozenset[tuple[str, int]]:
    """Return the agent and tick of the deeds whose task or place came from a routine."""
    found: set[tuple[str, int]] = set()
    of_agents: defaultdict[str, list[Reuse]] = defaultdict(list)
    for each in reuses:
        of_agents[each.agent].append(each)
    for deed in deeds:
        action = deed.action
        if action.kind == "do" and any(
            covers(each, deed.tick, action.activity, action.start) for each in of_agents[deed.agent]
        ):
            found.add((deed.agent, deed.tick))
    return frozenset(found)


def covers(reuse: Reuse, tick: int, activity: str, start: int) -> bool:
    """Return True if an activity that begins at a town second follows a reused routine."""
    is_then = reuse.tick <= tick and reuse.since <= start < reuse.until
    return is_then and activity in reuse.tasks


def format_reuse(reuse: Reuse, tick_seconds: int) -> str:
    """Return a reuse as a sentence: the routine, its new use, and where it was learnt."""
    what = "the tasks" if reuse.kind == "tasks" else "the place"
    is_same = reuse.similarity == 1
    alike = "" if is_same else f" of “{reuse.matched}” (similarity {reuse.similarity:.3f})"
    learnt = (
        "brought from another run"
        if reuse.learnt == BROUGHT
        else f"learnt on day {moment(reuse.learnt * tick_seconds)}"
    )
    return (
        f"For “{reuse.activity}” {what}{alike} came from a routine, {learnt}; no model was asked."
    )


def format_reuses(counted: Mapping[str, int]) -> str:
    """Return a sentence on how often routines were reused; empty if never."""
    if not any(counted.values()):
        return ""
    tasks = format_count(counted["tasks"], "activity", "activities")
    spots = format_count(counted["spots"], "place")
    return f"Reused from routines without a call: the tasks of {tasks}, {spots}."
