"""The state of a tile town, and its perception: what people see, and who may see something new.

People see a square box around them, limited to the arena in which they stand. Happenings are caused
by entities; functions say who perceives them, and which places they close.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date

import numpy as np

from smolville.agents.action import describe_action, on_the_way
from smolville.agents.entities import HEARD, SEEN, Happening
from smolville.agents.norms import Hours, RuleScope, TownRule
from smolville.agents.persona import Persona
from smolville.agents.places import arena_of, object_of, sector_of
from smolville.agents.times import DAY, DAY_SECONDS, Clock, minute_of
from smolville.graphs.surroundings import Percept, Senses, Sight, Stimulus
from smolville.history.records import ObjectState, Tile
from smolville.world.body_state import Crowd, Visitor, introduce_visitors
from smolville.world.town.paths import Paths
from smolville.world.town.townmap import TownMap


@dataclass(slots=True, kw_only=True)
class TownState:
    """The present state of a tile town; `world.intents` changes it."""

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


def senses(town: TownState, agent: str, tick: int, stimuli: tuple[Stimulus, ...]) -> Senses:
    """Return everything `agent` senses as `tick` begins."""
    figure = town.figures[agent]
    at = town.clock.at(tick)
    tile = town.tile_of(agent, tick)
    here = town.map.arena_at(tile)
    seen = town.map.sights(tile, town.personas[agent].vision)
    visible = [address for address in seen.objects if arena_of(address) == here]
    return Senses(
        tick=tick,
        at=at,
        start_date=town.start_date,
        stimuli=stimuli,
        body=figure.body(here, tick, introduce_visitors(town.figures, agent)),
        percepts=() if figure.is_asleep() else percepts(town, agent, tick),
        heard=() if figure.is_asleep() else heard(town, here, tick),
        sights=_sights(town, here, seen.arenas, seen.objects),
        used={address: is_taken(town, address, agent, tick) for address in visible},
    )


def percepts(town: TownState, agent: str, tick: int) -> tuple[Percept, ...]:
    """Return the events that an agent perceives in its box and arena, nearest first.

    There are at most as many as the persona's `attention`. All observers see everybody where they
    were when `tick` began.
    """
    persona = town.personas[agent]
    here = town.tile_of(agent, tick)
    arena = town.map.arena_at(here)
    found: list[Percept] = []
    for name, tile, distance in town.figures.near(tick, here, persona.vision):
        figure = town.figures[name]
        is_seen = name != agent and figure.is_here(tick) and figure.action is not None
        if is_seen and town.map.arena_at(tile) == arena:
            percept = figure.percept(arena, distance, town.clock.at(tick))
            is_visitor = isinstance(figure, Visitor)  # Their operator says what they do.
            if figure.is_walking(tick) and figure.action is not None and not is_visitor:
                way = on_the_way(figure.action, arena)
                if way != figure.action.activity:
                    told = describe_action(name, way)
                    percept = replace(percept, activity=way, text=told, predicate="is", object=way)
            began = figure.tile_at(town.clock.tick_at(percept.origin), town.clock)
            found.append(replace(percept, stays=town.map.arena_at(began) == arena))
    found += _unusual(town, here, arena, persona.vision, tick)
    found += lying_about(town, here, arena, persona.vision, tick)
    found.sort(key=lambda percept: (percept.distance, percept.subject, percept.text))
    return tuple(found[: persona.attention])


def is_taken(town: TownState, address: str, agent: str, tick: int) -> bool:
    """Return whether others use an object to its full capacity when `tick` begins."""
    capacity = town.map.objects[address].capacity
    return len(town.figures.users(address, tick, without=agent)) >= capacity


def _unusual(town: TownState, here: Tile, arena: str, vision: int, tick: int) -> list[Percept]:
    """Return the objects in sight whose state is unusual.

    An object is left out if its state only shows that somebody is using it now.
    """
    found: list[Percept] = []
    for thing in town.map.objects_in(arena):
        address = thing.address
        state = town.objects.get(address)
        if state is None or state.state == thing.idle_state:
            continue
        distance = min(near(here, tile) for tile in town.map.tiles_of(address))
        if distance > vision or _is_used(town, state, tick):
            continue
        found.append(
            Percept(
                subject=address,
                predicate="is",
                object=state.state,
                text=f"the {thing.name} is {state.state}",
                place=arena,
                distance=distance,
                is_person=False,
                origin=town.clock.at(state.tick),
            )
        )
    return found


def _is_used(town: TownState, state: ObjectState, tick: int) -> bool:
    """Return True if an object's state is not worth a percept, because somebody is using it.

    A state that an intervention set after the use began is worth a percept.
    """
    using = town.figures.users(state.address, tick)
    if state.by or not using:
        return bool(using)
    actions = [town.figures[name].action for name in using]
    since = town.clock.at(state.tick)
    return any(action is not None and action.start >= since for action in actions)


def _sights(
    town: TownState, here: str, arenas: tuple[str, ...], objects: tuple[str, ...]
) -> tuple[Sight, ...]:
    """Return the arenas in sight, with their objects.

    Unusual states of objects are given only for `here`, the arena of the observer.
    """
    inside: dict[str, list[str]] = {arena: [] for arena in arenas}
    states: dict[str, list[tuple[str, str]]] = {arena: [] for arena in arenas}
    for address in objects:
        arena, thing = arena_of(address), object_of(address)
        inside.setdefault(arena, []).append(thing)
        state = town.objects.get(address) if arena == here else None
        if state is not None and state.state != town.map.objects[address].idle_state:
            states.setdefault(arena, []).append((thing, state.state))
    return tuple(
        Sight(
            arena=arena,
            objects=tuple(things),
            states=tuple(states.get(arena, ())),
            owners=town.owners.get(arena, ()),
            is_elsewhere=arena != here,
        )
        for arena, things in inside.items()
    )


def near(one: Tile, other: Tile) -> int:
    """Return the distance of two tiles for vision (Chebyshev, in tiles)."""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def watchers(
    tiles: Mapping[str, Tile], vision: Mapping[str, int], stirred: Collection[Tile]
) -> list[str]:
    """Return the people with one of the `stirred` tiles in their box, in the order of `tiles`."""
    if not stirred or not tiles:
        return []
    spots = np.array(list(stirred))
    reach = np.array([vision[name] for name in tiles])
    apart = np.abs(np.array(list(tiles.values()))[:, None] - spots).max(axis=2)
    sees = (apart <= reach[:, None]).any(axis=1)
    return [name for name, does in zip(tiles, sees.tolist(), strict=True) if does]


def components(tiles: Mapping[str, Tile], reach: int) -> list[tuple[str, ...]]:
    """Return groups whose members are linked by distances of at most `reach`."""
    left = dict(tiles)
    groups: list[tuple[str, ...]] = []
    while left:
        first = next(iter(left))
        edge, group = [left.pop(first)], [first]
        while edge:
            here = edge.pop()
            for name in [name for name, tile in left.items() if near(here, tile) <= reach]:
                edge.append(left.pop(name))
                group.append(name)
        groups.append(tuple(sorted(group)))
    return groups
