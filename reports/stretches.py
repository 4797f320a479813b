"""Merges somebody's small consecutive activities into stretches for a story."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from smolville.agents.action import ON_THE_WAY, Action
from smolville.agents.places import arena_of, sector_of, split_address
from smolville.agents.wording import join_words
from smolville.history.memory_rows import FOREVER
from smolville.history.records import Deed, Move, Tile

MOST_ACTIVITIES = 6
"""Number of different activities after which a new stretch begins."""
LONGEST_SECONDS = 2 * 3600
MOST_EMOJI = 3
_NOTHING: Mapping[tuple[str, int], tuple[str, ...]] = MappingProxyType({})


@dataclass
class Stretch:
    """One agent's activities in one place for some time."""

    agent: str
    start: int
    """Town second at which it begins: on arrival, if the agent has to walk there."""
    place: str
    """Address of the place, `sector: arena`."""
    is_sleep: bool
    begun: int = 0
    """Town second at which the agent set out or began."""
    is_under_way: bool = False
    """True as long as the agent has not arrived: it was kept from that, or is still walking."""
    origin: str = ""
    """The house from which the agent comes to this place; empty if there is none or it is unknown.
    """
    activities: list[str] = field(default_factory=list)
    """The activities in the order of their first occurrence, without repetition."""
    emoji: list[str] = field(default_factory=list)
    fallbacks: set[str] = field(default_factory=set)
    """Activities that a fallback decided."""
    nowhere: set[str] = field(default_factory=set)
    """Activities for which the model found no place."""
    reused: set[str] = field(default_factory=set)
    """Activities whose task or place came from a routine."""
    odd: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Activities that an odd answer decided, with the sentences that say what is odd."""

    @property
    def told(self) -> str:
        """The activities in words, or that the agent is on the way."""
        if self.is_under_way:
            return f"{ON_THE_WAY}{sector_of(self.place)}" if self.place else self.activities[0]
        return join_words(self.activities)

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
        if action.fallback:
            self.fallbacks.add(action.activity)
        if action.nowhere:
            self.nowhere.add(action.activity)


def stretches(
    deeds: Iterable[Deed],
    moves: Iterable[Move] = (),
    odd: Mapping[tuple[str, int], tuple[str, ...]] = _NOTHING,
    reused: Collection[tuple[str, int]] = (),
    *,
    tick_seconds: int = 10,
    until: int = FOREVER,
) -> list[Stretch]:
    """Return everybody's accepted actions, without talks, as stretches ordered by their start.

    If `moves` are given, a stretch that begins with a walk from another house has that house as its
    origin, and begins on arrival. Who has not arrived by the tick `until`, or is kept from it, is
    told as on the way. `odd` has the sentences about odd deeds, by agent and tick. `reused` are
    deeds that follow a routine.
    """
    latest: dict[str, Stretch] = {}
    found: list[Stretch] = []
    moves = tuple(moves)
    begun_walking, walks = _walks_from_a_place(moves), _walks(moves, until)
    for deed in deeds:
        action = deed.action
        if deed.outcome != "accepted" or action.kind == "talk":
            continue
        ticks = walks.get((deed.agent, deed.tick), 0)
        arrival = None if ticks is None else action.start + ticks * tick_seconds
        stretch = latest.get(deed.agent)
        if stretch is None or not stretch.takes(action):
            stretch = Stretch(
                agent=deed.agent,
                start=action.start,
                begun=action.start,
                place=arena_of(action.place),
                is_sleep=action.kind == "sleep",
                is_under_way=True,
            )
            before = latest.get(deed.agent)
            if before is not None and (deed.agent, deed.tick) in begun_walking:
                house = sector_of(before.place)
                stretch.origin = house if house != sector_of(stretch.place) else ""
            latest[deed.agent] = stretch
            found.append(stretch)
        stretch.add(action, arrival)
        if (deed.agent, deed.tick) in odd:
            stretch.odd[action.activity] = odd[deed.agent, deed.tick]
        if (deed.agent, deed.tick) in reused:
            stretch.reused.add(action.activity)
    return found


def _walks_from_a_place(moves: Iterable[Move]) -> set[tuple[str, int]]:
    """Return agent and tick of each walk that begins where the agent's previous walk ended.

    Other walks begin on the way, after the agent has changed their mind.
    """
    stood: dict[str, Tile] = {}
    found: set[tuple[str, int]] = set()
    for move in moves:
        if stood.get(move.agent, move.path[0]) == move.path[0]:
            found.add((move.agent, move.tick))
        stood[move.agent] = move.path[-1]
    return found


def _walks(moves: Iterable[Move], until: int) -> dict[tuple[str, int], int | None]:
    """Return the length in ticks of each walk, by agent and tick; None if it did not end there.

    A walk is cut off by the agent's next one, which begins where the agent stands then.
    """
    found: dict[tuple[str, int], int | None] = {}
    latest: dict[str, Move] = {}
    for move in moves:
        before = latest.get(move.agent)
        if before is not None and move.tick < before.end_tick:
            found[move.agent, before.tick] = None
        is_over = move.end_tick <= until
        found[move.agent, move.tick] = move.end_tick - move.tick if is_over else None
        latest[move.agent] = move
    return found


def spoken_way(start: str, end: str) -> str:
    """Return the start and end of a walk in words: rooms within a house, otherwise houses."""
    before, after = split_address(start), split_address(end)
    last = -1 if before[0] == after[0] else 0
    return f"from {before[last]} to {after[last]}"


def spoken_place(address: str) -> str:
    """Return an address as people say it: `Copper Kettle Cafe, main room`."""
    return ", ".join(split_address(address))
