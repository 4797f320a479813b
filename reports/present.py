"""The town at a moment of a run: everybody's place and action, from the history alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from smolville.agents.action import Action
from smolville.agents.mind import Mind
from smolville.agents.places import OUTDOORS
from smolville.agents.times import Clock
from smolville.history.reader import RunReader
from smolville.history.records import ObjectState, Tile, read_mind
from smolville.world.body_state import FIGURE
from smolville.world.town.townmap import TownMap


@dataclass(frozen=True, kw_only=True)
class Presence:
    """One agent's place and action at a moment."""

    name: str
    tile: Tile | None
    """The agent's tile; None before the run's first commit."""
    place: str
    """The agent's place: `sector: arena`, or `outdoors`; empty if unknown."""
    action: Action | None
    is_walking: bool
    is_talking: bool
    way: tuple[str, str] | None = None
    """The places where the agent's walk between two rooms begins and ends.

    None if the agent is on no such walk.
    """


@dataclass(frozen=True, kw_only=True)
class UnusualObject:
    """An object in an unusual state."""

    state: ObjectState
    at: int
    """Town second at which the state began."""


def presences(reader: RunReader, town_map: TownMap, tick: int) -> list[Presence]:
    """Return everybody's position and action when `tick` is completed."""
    return [presence(reader, town_map, tick, name) for name in reader.agents()]


def unusual(reader: RunReader, town_map: TownMap, tick: int) -> list[UnusualObject]:
    """Return the objects in an unusual state when `tick` is completed.

    Objects whose state was set by an operator come first.
    """
    seconds = reader.spec.tick_seconds
    found = [
        UnusualObject(state=state, at=state.tick * seconds)
        for address, state in reader.object_states(tick).items()
        if address in town_map.objects and state.state != town_map.objects[address].idle_state
    ]
    return sorted(found, key=lambda each: (each.state.by != "", each.state.address))


def mind_of(reader: RunReader, agent: str, tick: int) -> Mind | None:
    """Return an agent's mind when `tick` is completed; None before its first thought."""
    row = reader.mind(agent, tick)
    return None if row is None else read_mind(row.blob, Mind)


def in_sight(people: Sequence[Presence], name: str, vision: int) -> tuple[str, ...]:
    """Return the people whom an agent can see, nearest first (`world.perception`).

    They are in the agent's place and at most `vision` tiles away in each direction.
    """
    me = next(each for each in people if each.name == name)
    found = []
    for each in people:
        if each.name == name or each.place != me.place or me.tile is None or each.tile is None:
            continue
        distance = max(abs(each.tile[0] - me.tile[0]), abs(each.tile[1] - me.tile[1]))
        if distance <= vision:
            found.append((distance, each.name))
    return tuple(name for _, name in sorted(found))


def standing_on(people: list[Presence], tile: Tile) -> list[Presence]:
    """Return the people who stand on a tile."""
    return [each for each in people if each.tile == tile]


def objects_on(town_map: TownMap, tile: Tile, states: Mapping[str, ObjectState]) -> dict[str, str]:
    """Return the objects that cover a tile, with their states."""
    found = [item for item in town_map.objects.values() if tile in item.rect]
    return {
        item.address: states[item.address].state if item.address in states else item.idle_state
        for item in found
    }


def is_talking(reader: RunReader, tick: int, name: str) -> bool:
    """Return whether somebody is in a talk when `tick` is completed."""
    body = reader.body(name, tick)
    at = Clock(reader.spec.tick_seconds).at(tick + 1)
    return body is not None and FIGURE.validate_json(body).is_talking(at)


def presence(reader: RunReader, town_map: TownMap, tick: int, name: str) -> Presence:
    """Return the place and action of a person or visitor when `tick` is completed."""
    clock = Clock(reader.spec.tick_seconds)
    body = reader.body(name, tick)
    if body is None:
        return Presence(
            name=name, tile=None, place="", action=None, is_walking=False, is_talking=False
        )
    figure = FIGURE.validate_json(body)
    after = tick + 1
    tile = figure.tile_at(after, clock)
    walk = figure.walk if figure.is_walking(after) else None
    ends = [town_map.arena_at(walk.path[end]) for end in (0, -1)] if walk else ["", ""]
    return Presence(
        name=name,
        tile=tile,
        place=town_map.arena_at(tile) if tile in town_map.frame else OUTDOORS,
        action=figure.action,
        is_walking=figure.is_walking(after),
        is_talking=figure.is_talking(clock.at(after)),
        way=(ends[0], ends[1]) if ends[0] != ends[1] else None,
    )
