"""What an agent costs that has nothing to think about, in a tile town."""

import time
from collections.abc import Mapping
from itertools import cycle

from agents.action import Action
from agents.times import Clock
from graphs.surroundings import Intent
from world.tile_town import TileTown
from world.town.town import Town, shipped_town

SETTLING_TICKS = 1500
"""Until then everybody has arrived wherever they were sent, and has looked around."""
LONG = 30 * 86_400


class IdleTown:
    """A town in which everybody is awake, at work, and has nothing to decide for days."""

    def __init__(self, cast: int) -> None:
        town = Town.load(shipped_town())
        self.people = town.cast(cast)
        self.world = TileTown(town, self.people, Clock(), seed=0)
        self.tick = 0
        self._seen: dict[str, set[str]] = {persona.name: set() for persona in self.people}
        self.send({persona.name: persona.work or persona.home for persona in self.people})
        for _ in range(SETTLING_TICKS):
            self.live()

    def send(self, places: Mapping[str, str]) -> None:
        """Let people begin something long at a place, and walk there."""
        at = self.world.clock.at(self.tick)
        intents = {}
        for name, place in places.items():
            action = Action(kind="do", activity="working", place=place, start=at, end=at + LONG)
            intents[name] = Intent(action=action)
        self.world.resolve(self.tick, list(intents), intents)

    def live(self) -> float:
        """Live one tick without minds and return its CPU seconds.

        Who comes to see something new has seen it afterwards, as if a mind had thought of it.
        """
        world, tick, names = self.world, self.tick, self.world.names
        started = time.process_time()
        world.arrivals(tick, names)
        due = world.stimuli(tick, names)
        world.next_tick(tick, names)
        spent = time.process_time() - started
        for name, stimuli in due.items():
            seen = self._seen[name]
            seen.update(each.key for each in world.surroundings(name, tick, stimuli).percepts())
            world.settle(name, tick, seen)
        self.tick += 1
        return spent


def idle_microseconds(cast: int, ticks: int) -> dict[str, float]:
    """Return CPU microseconds per agent-tick while nobody walks, one does, and many do.

    The mean, not the median: a tick in which many look up belongs to it.
    """
    town = IdleTown(cast)
    homes = cycle([persona.home for persona in town.people])
    spent: dict[str, float] = {}
    for name, walkers in (("nobody_walks", 0), ("one_walks", 1), ("ten_walk", 10)):
        total = 0.0
        for _ in range(ticks):
            for persona in town.people[:walkers]:
                if not town.world.figures[persona.name].is_walking(town.tick):
                    town.send({persona.name: next(homes)})
            total += town.live()
        spent[name] = 1e6 * total / (ticks * cast)
    return spent
