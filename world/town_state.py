"""The state of a tile town: bodies on a map, states of objects, happenings, recent changes.

Happenings are caused by entities; functions say who perceives them, and which places they close.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from smolville.agents.entities import HEARD, SEEN, Happening, PublicPlace, Resident, Setting
from smolville.agents.norms import Hours, RuleScope, TownRule
from smolville.agents.persona import Persona
from smolville.agents.places import sector_of
from smolville.agents.times import DAY, DAY_SECONDS, Clock, minute_of
from smolville.graphs.context import Percept
from smolville.history.records import ObjectState, Tile
from smolville.world.body_state import Crowd
from smolville.world.town.paths import Paths
from smolville.world.town.town import Town
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
        everywhere = self.figures.tiles(tick).items()
        return {name: at for name, at in everywhere if self.figures[name].is_here(tick)}

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


def setting_of(town: Town, people: Iterable[Persona]) -> Setting:
    """Return what entities know of a town: its public places, and its people with their homes."""
    homes = {sector_of(persona.home) for persona in town.personas.values()}
    places = [
        PublicPlace(name=sector.name, front=max(arenas, key=lambda arena: arena.rect.area).address)
        for sector in town.map.sectors.values()
        if not sector.is_private
        and sector.name not in homes
        and (arenas := town.map.arenas_in(sector.name))
    ]
    return Setting(
        town=town.description,
        places=tuple(places),
        people=tuple(Resident(name=each.name, home=each.home) for each in people),
    )


def take_in(town: TownState, happenings: Sequence[Happening]) -> None:
    """Put happenings caused by entities into the town, and make people near them look around."""
    for each in happenings:
        # Kept for agents that have not reached that tick yet; nobody lags a day behind.
        over = town.clock.at(each.tick) - DAY_SECONDS
        town.happenings = [old for old in town.happenings if old.until > over]
        town.happenings.append(each)
        if each.kind in SEEN:
            town.stir(each.tick - 1, spot_of(town.map, each.place))


def lying_about(
    town: TownState, here: Tile, arena: str, vision: int, tick: int
) -> Iterator[Percept]:
    """Yield the letters and notices in sight of somebody in a room."""
    for each in town.happenings:
        if each.kind not in SEEN or each.place != arena or not _lasts(town, each, tick):
            continue
        spot = spot_of(town.map, arena)
        distance = max(abs(here[0] - spot[0]), abs(here[1] - spot[1]))
        if distance <= vision:
            yield _percept(town, each, arena, distance)


def heard(town: TownState, arena: str, tick: int) -> tuple[Percept, ...]:
    """Return the happenings that people in a room hear of at a tick.

    News is heard in the building that it has reached; people elsewhere learn of it in talks.
    """
    return tuple(
        _percept(town, each, arena, 0)
        for each in town.happenings
        if each.kind in HEARD
        and _lasts(town, each, tick)
        and (each.kind != "news" or not each.place or sector_of(each.place) == sector_of(arena))
    )


def closings(town: TownState, tick: int) -> Iterator[TownRule]:
    """Yield the rules that keep guests out of places that are closed at a tick."""
    for each in town.happenings:
        if each.kind == "closing" and _lasts(town, each, tick):
            begin, end = minute_of(town.clock.at(each.tick)), minute_of(each.until) or DAY
            yield TownRule(
                text=f"{each.text.partition('. ')[0]}.",
                where=(each.place,),
                who=RuleScope(work=each.place, is_others=True),
                when=(Hours(start=begin, end=end),),
            )


def spot_of(town_map: TownMap, place: str) -> Tile:
    """Return the tile of a letter or notice at a place: a tile in the middle."""
    tiles = [tile for tile in town_map.tiles_of(place) if town_map.arena_at(tile) == place]
    return tiles[len(tiles) // 2]


def _lasts(town: TownState, happening: Happening, tick: int) -> bool:
    return happening.lasts_at(town.clock.at(happening.tick), town.clock.at(tick))


def _percept(town: TownState, happening: Happening, place: str, distance: int) -> Percept:
    return Percept(
        subject=happening.kind,
        predicate="says" if happening.kind in ("letter", "notice", "news") else "is",
        object=happening.who or place,
        text=happening.text,
        place=place,
        distance=distance,
        is_person=False,
        origin=town.clock.at(happening.tick),
    )
