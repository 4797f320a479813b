"""Merge somebody's small consecutive activities into stretches worth telling."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from agents.action import Action
from agents.places import arena_of, split_address
from history.records import Deed

MOST_ACTIVITIES = 6
"""Number of different activities after which a new stretch begins."""
LONGEST_SECONDS = 2 * 3600
MOST_EMOJI = 3


@dataclass
class Stretch:
    """One agent's activities in one place for a while."""

    agent: str
    start: int
    place: str
    """`sector: arena`."""
    is_sleep: bool
    activities: list[str] = field(default_factory=list)
    """Each activity once, in the order of their first occurrence."""
    emoji: list[str] = field(default_factory=list)
    fallbacks: set[str] = field(default_factory=set)
    """Activities that a declared fallback decided."""
    nowhere: set[str] = field(default_factory=set)
    """Activities for which the model found no place."""

    def takes(self, action: Action) -> bool:
        """Return True when an action continues this stretch."""
        is_sleep = action.kind == "sleep"
        if is_sleep != self.is_sleep or arena_of(action.place) != self.place:
            return False
        if is_sleep or action.activity in self.activities:
            return True
        is_long = action.start - self.start >= LONGEST_SECONDS
        return not is_long and len(self.activities) < MOST_ACTIVITIES

    def add(self, action: Action) -> None:
        """Add an action."""
        if action.activity not in self.activities:
            self.activities.append(action.activity)
        if action.emoji not in self.emoji and len(self.emoji) < MOST_EMOJI:
            self.emoji.append(action.emoji)
        if action.fallback:
            self.fallbacks.add(action.activity)
        if action.nowhere:
            self.nowhere.add(action.activity)


def stretches(deeds: Iterable[Deed]) -> list[Stretch]:
    """Return everybody's accepted actions, without talks, as stretches ordered by their start."""
    latest: dict[str, Stretch] = {}
    found: list[Stretch] = []
    for deed in deeds:
        action = deed.action
        if deed.outcome != "accepted" or action.kind == "talk":
            continue
        stretch = latest.get(deed.agent)
        if stretch is None or not stretch.takes(action):
            stretch = Stretch(
                agent=deed.agent,
                start=action.start,
                place=arena_of(action.place),
                is_sleep=action.kind == "sleep",
            )
            latest[deed.agent] = stretch
            found.append(stretch)
        stretch.add(action)
    return found


def spoken_place(address: str) -> str:
    """Return an address as people say it: `Copper Kettle Cafe, main room`."""
    return ", ".join(split_address(address))
