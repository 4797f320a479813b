"""What people in the tile town see: a square box, limited to the arena they stand in."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from agents.places import arena_of, object_of
from graphs.context import Senses
from graphs.surroundings import Percept, Sight, Stimulus
from history.records import ObjectState, Tile
from world.watching import near

if TYPE_CHECKING:
    from world.tile_town import TileTown


class Perception:
    """Computes what somebody in a tile town sees."""

    def __init__(self, town: "TileTown") -> None:
        self._town = town

    def senses(self, agent: str, tick: int, stimuli: tuple[Stimulus, ...]) -> Senses:
        """Return everything `agent` senses as `tick` begins."""
        town = self._town
        figure = town.figures[agent]
        at = town.clock.at(tick)
        tiles = town.tiles(tick)
        tile = tiles[agent]
        seen = town.town.map.sights(tile, town.personas[agent].vision)
        return Senses(
            tick=tick,
            at=at,
            start_date=town.start_date,
            why=stimuli,
            own=figure.body(town.town.map.arena_at(tile), tick, town.introduced(agent)),
            events=() if figure.is_asleep() else self.percepts(agent, tick, tiles),
            places=self._sights(seen.arenas, seen.objects),
            used={address: self.is_taken(address, agent, tick) for address in seen.objects},
        )

    def percepts(self, agent: str, tick: int, tiles: Mapping[str, Tile]) -> tuple[Percept, ...]:
        """Return the events in an agent's box and arena, nearest first, up to its attention.

        `tiles` are everybody's positions when `tick` begins: the same for all observers.
        """
        town = self._town
        persona = town.personas[agent]
        here = tiles[agent]
        arena = town.town.map.arena_at(here)
        found: list[Percept] = []
        for name, tile in tiles.items():
            distance = near(here, tile)
            if name == agent or distance > persona.vision:
                continue
            figure = town.figures[name]
            if figure.action is not None and town.town.map.arena_at(tile) == arena:
                found.append(figure.percept(arena, distance, town.clock.at(tick)))
        found += self._unusual(here, arena, persona.vision, tick)
        found.sort(key=lambda percept: (percept.distance, percept.subject, percept.text))
        return tuple(found[: persona.attention])

    def is_taken(self, address: str, agent: str, tick: int) -> bool:
        """Return whether others use an object to full capacity when `tick` begins."""
        capacity = self._town.town.map.objects[address].capacity
        return len(self.users(address, tick, without=agent)) >= capacity

    def users(self, address: str, tick: int, *, without: str = "") -> list[str]:
        """Return who uses an object: has arrived at it, and is not called away by a talk."""
        return [
            name
            for name, figure in self._town.figures.items()
            if name != without
            and figure.is_settled
            and figure.action is not None
            and figure.action.kind != "talk"
            and figure.action.place == address
            and not figure.is_walking(tick)
        ]

    def _unusual(self, here: Tile, arena: str, vision: int, tick: int) -> list[Percept]:
        """Return the objects in sight whose unusual state is nobody's doing at the moment."""
        found: list[Percept] = []
        for thing in self._town.town.map.objects_in(arena):
            address = thing.address
            state = self._town.objects.get(address)
            if state is None or state.state == thing.idle_state:
                continue
            distance = min(near(here, tile) for tile in self._town.town.map.tiles_of(address))
            if distance > vision or self._is_used(state, tick):
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
                    origin=self._town.clock.at(state.tick),
                )
            )
        return found

    def _is_used(self, state: ObjectState, tick: int) -> bool:
        """Return True when an object's state is hidden, since somebody is seen using it.

        A state set from outside during the use is seen all the same.
        """
        users = self.users(state.address, tick)
        if state.by or not users:
            return bool(users)
        actions = [self._town.figures[name].action for name in users]
        since = self._town.clock.at(state.tick)
        return any(action is not None and action.start >= since for action in actions)

    def _sights(self, arenas: tuple[str, ...], objects: tuple[str, ...]) -> tuple[Sight, ...]:
        """Return the arenas in the box with their objects and unusual states."""
        inside: dict[str, list[str]] = {arena: [] for arena in arenas}
        states: dict[str, list[tuple[str, str]]] = {arena: [] for arena in arenas}
        for address in objects:
            arena, thing = arena_of(address), object_of(address)
            inside.setdefault(arena, []).append(thing)
            state = self._town.objects.get(address)
            if state is not None and state.state != self._town.town.map.objects[address].idle_state:
                states.setdefault(arena, []).append((thing, state.state))
        return tuple(
            Sight(
                arena=arena,
                objects=tuple(things),
                states=tuple(states.get(arena, ())),
                owners=self._town.owners.get(arena, ()),
            )
            for arena, things in inside.items()
        )
