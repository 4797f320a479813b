"""Carries out intents in the tile town: walks, arrivals, uses of objects, talks."""

from collections.abc import Sequence
from dataclasses import replace

from smolville.agents.action import Action, Talk
from smolville.agents.chance import pick
from smolville.agents.places import OUTDOORS, arena_of, object_of
from smolville.history.records import Deed, Move, ObjectState, Tile
from smolville.world.adapter import Changes
from smolville.world.body_state import BodyState, is_calling, occupied, refuse
from smolville.world.perception import TownState, is_taken, near
from smolville.world.town.townmap import TownMap


def hold_talk(town: TownState, tick: int, talk: Talk) -> Changes:
    """Keep all participants of a talk busy: they walk to each other, and stay until the end."""
    changes = Changes()
    first, *others = talk.participants
    if is_calling(town.figures, first):
        town.figures[first] = occupied(town.figures, first, talk)
        spots = {name: town.tile_of(name, tick) for name in others}
    else:
        spots = _spots(town, talk.participants, tick)
    for name, spot in spots.items():
        figure = town.figures[name]
        changes.add(_leave(town, figure, tick))
        changes.add(_walk(town, occupied(town.figures, name, talk), (spot,), tick))
    return changes


def begin_action(town: TownState, name: str, action: Action, tick: int) -> Changes:
    """Let somebody set out for an action's place, or refuse the action."""
    figure = town.figures[name]
    here = figure.tile_at(tick, town.clock)
    if action.kind == "wait":
        action = replace(action, place=town.map.arena_at(here))
    goals = _goals(town, name, action, here, tick)
    if town.paths.distance_to(here, goals) is None:
        why = f"there is no way to {action.place!r}"
        return Changes(deeds=[refuse(town.figures, name, tick, action, why)])
    changes = _leave(town, figure, tick, keep=action.place)
    changes.add(_walk(town, replace(figure, action=action), goals, tick))
    if not town.figures[name].is_walking(tick):
        changes.add(arrive(town, name, tick))
    return changes


def _walk(town: TownState, figure: BodyState, goals: Sequence[Tile], tick: int) -> Changes:
    name, action = figure.agent, figure.action
    assert action is not None
    here = figure.tile_at(tick, town.clock)
    path = (here,) if here in goals else town.paths.path(here, goals)
    moves: list[Move] = []
    if len(path) > 1:
        ticks = town.clock.ticks_to_walk(len(path) - 1)
        moves = [Move(agent=name, tick=tick, end_tick=tick + ticks, path=tuple(path))]
    elif figure.is_walking(tick):
        moves = [Move(agent=name, tick=tick, end_tick=tick, path=(here,))]
    town.figures[name] = replace(
        figure,
        tile=here,
        walk=moves[0] if moves else None,
        is_settled=action.kind == "talk",
    )
    town.stir(tick, here)
    return Changes(deeds=[Deed(agent=name, tick=tick, action=action)], moves=moves)


def arrive(town: TownState, name: str, tick: int) -> Changes:
    """Let somebody whose walk has ended use their object, or find it occupied."""
    figure = town.figures[name]
    assert figure.action is not None
    action, place = figure.action, figure.action.place
    if not object_of(place):
        town.figures[name] = replace(figure, is_settled=True)
        return Changes()
    if is_taken(town, place, name, tick):
        why = f"the {object_of(place)} is in use"
        town.figures[name] = replace(
            figure,
            is_settled=True,
            refused=why,
            refused_place=place,
            action=replace(action, place=arena_of(place), object_state="", object_emoji=""),
        )
        deed = Deed(agent=name, tick=tick, action=action, outcome="refused", reason=why)
        return Changes(deeds=[deed])
    town.figures[name] = replace(figure, is_settled=True)
    if not action.object_state:
        return Changes()
    state = ObjectState(
        address=place,
        tick=tick,
        state=action.object_state,
        emoji=action.object_emoji,
        by=name,
    )
    town.change_object(state)
    return Changes(objects=[state])


def _leave(town: TownState, figure: BodyState, tick: int, keep: str = "") -> Changes:
    """Release the object in use; it becomes idle if nobody else uses it."""
    place = figure.action.place if figure.action else ""
    if not object_of(place) or place == keep:
        return Changes()
    # A state that somebody else gave the object becomes visible when its user leaves.
    town.stir(tick, *town.map.tiles_of(place))
    state = town.objects.get(place)
    if state is None or state.by != figure.agent:
        return Changes()
    idle = ObjectState(address=place, tick=tick, state=town.map.objects[place].idle_state)
    town.change_object(idle)
    return Changes(objects=[idle])


def _goals(town: TownState, name: str, action: Action, here: Tile, tick: int) -> tuple[Tile, ...]:
    """Return the tiles where an action can be done, free ones if possible; empty if unknown."""
    if action.place in (OUTDOORS, town.map.arena_at(here)):
        return (here,)
    if action.place not in town.map:
        return ()
    tiles = town.map.tiles_of(action.place)
    if here in tiles:
        return (here,)
    taken = {
        figure.walk.path[-1] if figure.walk else figure.tile
        for figure in _in_sight(town, name, tick)
    }
    free = tuple(tile for tile in tiles if tile not in taken) or tiles
    if object_of(action.place):
        return free
    return (pick(free, town.seed, name, tick, "spot"),) if free else ()


def _meeting(town: TownState, first: str, second: str, tick: int) -> tuple[Tile, Tile]:
    here, there = town.tile_of(first, tick), town.tile_of(second, tick)
    clock = town.clock
    taken = [
        figure.tile_at(tick, clock)
        for figure in _in_sight(town, first, tick)
        if figure.agent != second
    ]
    if near(here, there) == 1:
        return here, there
    return town.paths.meeting(here, there, taken) or (here, there)


def _spots(town: TownState, people: Sequence[str], tick: int) -> dict[str, Tile]:
    """Return the tiles on which people meet: the first two half-way, the others beside them."""
    first, second, *joining = people
    spots = dict(zip((first, second), _meeting(town, first, second, tick), strict=True))
    place = town.map.arena_at(spots[first])
    for name in joining:
        around = [tile for spot in spots.values() for tile in tiles_beside(town.map, spot)]
        beside = [
            tile
            for tile in dict.fromkeys(around)
            if tile not in spots.values() and town.map.arena_at(tile) == place
        ]
        here = town.tile_of(name, tick)
        way = (here,) if here in beside else town.paths.path(here, beside) if beside else ()
        spots[name] = way[-1] if way else here
    return spots


def tiles_beside(town_map: TownMap, goal: Tile) -> list[Tile]:
    """Return the tiles of a room that touch `goal`, row by row."""
    x, y = goal
    around = [(x + right, y + down) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    room = town_map.arena_at(goal)
    return [
        tile
        for tile in around
        if tile != goal and town_map.is_walkable(tile) and town_map.arena_at(tile) == room
    ]


def _in_sight(town: TownState, name: str, tick: int) -> list[BodyState]:
    tile = town.tile_of(name, tick)
    here = town.map.arena_at(tile)
    return [
        town.figures[other]
        for other, at, _ in town.figures.near(tick, tile, town.vision_of(name))
        if other != name and town.map.arena_at(at) == here and town.figures[other].is_here(tick)
    ]


def meeting_ticks(town: TownState, people: Sequence[str], tick: int) -> int:
    """Return the number of ticks that people need to meet for a talk."""
    spots = _spots(town, people, tick)
    ways = [
        town.paths.distance(town.tile_of(name, tick), spot) or 0 for name, spot in spots.items()
    ]
    return town.clock.ticks_to_walk(max(ways))
