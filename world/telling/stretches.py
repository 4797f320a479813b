"""Merges what somebody does one small thing after the other into stretches that can be told."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from agents.action import Action
from agents.places import arena_of, split_address
from world.records import Deed

MOST_ACTIVITIES = 6
"""After so many different things a new stretch begins."""
LONGEST_SECONDS = 2 * 3600
MOST_EMOJI = 3


@dataclass
class Stretch:
    """What one agent does in one place for a while."""

    agent: str
    start: int
    place: str
    """`sector: arena`."""
    is_sleep: bool
    activities: list[str] = field(default_factory=list)
    """Each once, in the order in which they first came."""
    emoji: list[str] = field(default_factory=list)
    fallbacks: set[str] = field(default_factory=set)
    """Activities that a declared fallback decided."""
    nowhere: set[str] = field(default_factory=set)
    """Activities for which the model found no place."""

    def takes(self, action: Action) -> bool:
        """True when an action goes on with this stretch."""
        is_sleep = action.kind == "sleep"
        if is_sleep != self.is_sleep or arena_of(action.place) != self.place:
            return False
        if is_sleep or action.activity in self.activities:
            return True
        is_long = action.start - self.start >= LONGEST_SECONDS
        return not is_long and len(self.activities) < MOST_ACTIVITIES

    def add(self, action: Action) -> None:
        """Take an action in."""
        if action.activity not in self.activities:
            self.activities.append(action.activity)
        if action.emoji not in self.emoji and len(self.emoji) < MOST_EMOJI:
            self.emoji.append(action.emoji)
        if action.fallback:
            self.fallbacks.add(action.activity)
        if action.nowhere:
            self.nowhere.add(action.activity)


def stretches(deeds: Iterable[Deed]) -> list[Stretch]:
    """Return everybody's accepted deeds, without talks, as stretches by their start."""
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
