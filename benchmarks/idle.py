"""What an agent without anything to think about costs in a tile town."""

import time
from collections.abc import Mapping
from itertools import cycle

from smolville.agents.action import Action
from smolville.agents.times import Clock
from smolville.graphs.surroundings import Intent
from smolville.world.tile_town import TileTown
from smolville.world.town.town import Town, shipped_town

SETTLING_TICKS = 1500
"""Number of ticks after which everybody has arrived at their place and has looked around."""
LONG = 30 * 86_400


class IdleTown:
    """A town in which everybody is awake and at work, and has nothing to decide for days."""

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
        """Run one tick without minds and return its CPU seconds.

        Somebody who gets something new into sight counts as having seen it, as after a thought.
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
    """Return CPU microseconds per agent-tick while nobody walks, one person does, and many do.

    They are means, not medians, because ticks in which many people look around must count too.
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
