"""Perception in the tile town: what people see, and who may see something new.

People see a square box around them, limited to the arena in which they stand.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from smolville.agents.action import describe_action, on_the_way
from smolville.agents.places import arena_of, object_of
from smolville.graphs.context import Percept, Senses, Sight, Stimulus
from smolville.history.records import ObjectState, Tile
from smolville.world.body_state import Visitor, introduce_visitors
from smolville.world.town_state import TownState, heard, lying_about


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


def is_stirred(town: TownState, tick: int, agents: Collection[str]) -> bool:
    """Return whether these people may see something that looks different from `tick` on."""
    spots = town.stirred.get(tick, ())
    tiles = {name: town.tile_of(name, tick) for name in agents}
    return bool(watchers(tiles, {name: town.vision_of(name) for name in agents}, spots))


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
