"""The state of a tile town: bodies on a map, states of objects, and recent changes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from smolville.agents.entities import Happening
from smolville.agents.persona import Persona
from smolville.agents.times import DAY_SECONDS, Clock
from smolville.history.records import ObjectState, Tile
from smolville.world.crowd import Crowd
from smolville.world.town.paths import Paths
from smolville.world.town.townmap import TownMap


@dataclass(slots=True, kw_only=True)
class TownState:
    """The present state of a tile town: `world.perception` reads it, `world.intents` changes it."""

    map: TownMap
    paths: Paths
    start_date: date
    clock: Clock
    seed: int
    personas: Mapping[str, Persona]
    """The residents' personas by name."""
    owners: Mapping[str, tuple[str, ...]]
    """The owners of each arena."""
    figures: Crowd
    """Bodies by name: first of the residents, then of visitors."""
    objects: dict[str, ObjectState] = field(default_factory=dict)
    """States of all objects that are not idle, or once were not."""
    stirred: dict[int, list[Tile]] = field(default_factory=dict)
    """Tiles that look different from a tick on, by that tick; only for the last day."""

    happenings: list[Happening] = field(default_factory=list)
    """Happenings caused by entities other than people, in order."""

    def vision_of(self, name: str) -> int:
        """Return how far a person sees, in tiles; visitors see as far as any resident does."""
        persona = self.personas.get(name)
        own = 0 if persona is None else persona.vision
        return own or max(each.vision for each in self.personas.values())

    def tiles(self, tick: int) -> dict[str, Tile]:
        """Return everybody's tile when `tick` begins, including visitors who are in town."""
        rows = zip(self.figures, self.figures.tiles(tick).tolist(), strict=True)
        everywhere = {name: (x, y) for name, (x, y) in rows}
        if len(everywhere) > len(self.personas):
            here = self.figures
            return {name: at for name, at in everywhere.items() if here[name].is_here(tick)}
        return everywhere

    def tile_of(self, name: str, tick: int) -> Tile:
        """Return somebody's tile when `tick` begins."""
        return self.figures[name].tile_at(tick, self.clock)

    def stir(self, tick: int, *tiles: Tile) -> None:
        """Record that something at `tiles` looks different from tick `tick` + 1 on."""
        self.stirred.setdefault(tick + 1, []).extend(tiles)
        # Kept for agents that have not reached that tick yet; nobody lags a day behind.
        while self.clock.at(tick - next(iter(self.stirred))) > DAY_SECONDS:
            del self.stirred[next(iter(self.stirred))]

    def change_object(self, state: ObjectState) -> None:
        """Set an object's state, visible from the next tick on."""
        self.objects[state.address] = state
        self.stir(state.tick, *self.map.tiles_of(state.address))
