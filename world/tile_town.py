"""The tile town as an adapter: bodies on a map, perception, occupancy, object states, talks."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date

from agents.action import Talk
from agents.mind import KnownPlace
from agents.persona import Persona
from agents.places import sector_of
from graphs.surroundings import Intent, Stimulus
from world.adapter import Changes
from world.clock import Clock
from world.figure import FIGURE, PAUSE_SECONDS, Figure
from world.happening import Happening
from world.perception import Perception
from world.records import Intervention, ObjectState, Tile
from world.senses import Senses
from world.town import Town
from world.townmap import TownMap
from world.watching import components, watchers

LOG = logging.getLogger("smolville")


class TileTown:
    """The shipped kind of world (`world.adapter.World`)."""

    def __init__(self, town: Town, cast: Sequence[Persona], clock: Clock, seed: int) -> None:
        self.town = town
        self.clock = clock
        self.personas = {persona.name: persona for persona in cast}
        self.objects: dict[str, ObjectState] = {}
        """State of every object that differs from idle, or once did."""
        self.figures = {persona.name: self._at_home(persona) for persona in cast}
        self._vision = {persona.name: persona.vision for persona in cast}
        self._reach = max(self._vision.values()) + clock.tiles_per_tick + _widest(town.map)
        """Farther apart, two people cannot matter to each other within a tick: whoever sees one end
        of a long table also sees what is done at its other end."""
        self._seen: dict[str, Collection[str]] = {name: frozenset() for name in self.personas}
        self._stirred: dict[int, list[Tile]] = {}
        """Tick to the tiles where something changed that shows from this tick on."""
        self._alert_until = -1
        """Up to this tick everybody looks around: a restored state does not know what stirred."""
        self.perception = Perception(self)
        self._happening = Happening(self, seed)

    @property
    def start_date(self) -> date:
        """The date of day 1."""
        return self.town.start_date

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody who takes part."""
        return tuple(self.personas)

    def known_at_start(self, persona: Persona) -> dict[str, KnownPlace]:
        """Return home, work and the places the persona file names, with what is in them."""
        town_map = self.town.map
        wanted = [sector_of(persona.home), persona.work, *persona.known_places]
        arenas = [arena for arena in town_map.arenas.values() if _is_known(arena.address, wanted)]
        return {
            arena.address: KnownPlace(
                objects=tuple(thing.name for thing in town_map.objects_in(arena.address))
            )
            for arena in arenas
        }

    def tiles(self, tick: int) -> dict[str, Tile]:
        """Return where everybody stands when `tick` begins."""
        return {name: figure.tile_at(tick, self.clock) for name, figure in self.figures.items()}

    def arrivals(self, tick: int, agents: Sequence[str]) -> dict[str, Changes]:
        """Let those who have arrived take what they came for, or find it taken."""
        return self._happening.arrivals(tick, agents)

    def stimuli(self, tick: int, agents: Sequence[str]) -> dict[str, tuple[Stimulus, ...]]:
        """Return who must think at this tick, and why."""
        at = self.clock.at(tick)
        tiles = self.tiles(tick)
        watching = set(self._watching(tick, tiles))
        due: dict[str, tuple[Stimulus, ...]] = {}
        for name in agents:
            figure = self.figures[name]
            why = figure.stimuli(at)
            awake = not figure.is_asleep() and not figure.is_talking(at)
            if name in watching and awake and figure.resting_until <= at and not why:
                seen = self._seen[name]
                if any(
                    each.key not in seen for each in self.perception.percepts(name, tick, tiles)
                ):
                    why = (Stimulus(kind="sight"),)
            if why:
                due[name] = why
        return due

    def clusters(
        self, tick: int, agents: Sequence[str], active: Collection[str]
    ) -> list[tuple[str, ...]]:
        """Return groups of people near each other in which somebody is active."""
        everywhere = self.tiles(tick)
        groups = components({name: everywhere[name] for name in agents}, self._reach)
        return [group for group in groups if any(name in active for name in group)]

    def surroundings(self, agent: str, tick: int, stimuli: tuple[Stimulus, ...]) -> Senses:
        """Return an agent's window on the town."""
        return self.perception.senses(agent, tick, stimuli)

    def settle(self, agent: str, tick: int, seen: Collection[str]) -> None:
        """Take note of a thought that ended well."""
        self._seen[agent] = frozenset(seen)
        self.figures[agent] = self.figures[agent].settled(self.clock.at(tick))

    def excuse(self, agent: str, tick: int) -> None:
        """Leave an agent whose thought failed alone for ten minutes."""
        until = self.clock.at(tick) + max(PAUSE_SECONDS, self.clock.tick_seconds)
        self.figures[agent] = replace(self.figures[agent], resting_until=until)

    def resolve(self, tick: int, order: Sequence[str], intents: Mapping[str, Intent]) -> Changes:
        """Let intents happen or refuse them, in this order."""
        return self._happening.resolve(tick, order, intents)

    def hold(self, tick: int, talk: Talk) -> Changes:
        """Occupy all who take part in a talk."""
        return self._happening.hold(tick, talk)

    def deliver(self, intervention: Intervention) -> Changes:
        """Whisper to an agent, or set an object's state; what is not there stays as it is."""
        if intervention.kind == "object_state":
            if intervention.target not in self.town.map.objects:
                LOG.warning("nothing is called %r in %s", intervention.target, self.town.name)
                return Changes()
            state = ObjectState(
                address=intervention.target, tick=intervention.tick, state=intervention.text
            )
            self.change_object(state)
            return Changes(objects=[state])
        figure = self.figures[intervention.target]
        heard = (*figure.whispers, intervention.text)
        self.figures[intervention.target] = replace(figure, whispers=heard)
        return Changes()

    def next_tick(self, tick: int, agents: Sequence[str]) -> int:
        """Return the first tick after `tick` at which anything may happen."""
        soon = tick + 1
        figures = [self.figures[name] for name in agents]
        if (
            tick < self._alert_until
            or self._stirred
            or any(figure.is_walking(tick) for figure in figures)
        ):
            return soon
        at = self.clock.at(soon)
        return max(soon, min(self.clock.tick_at(figure.due(at)) for figure in figures))

    def bodies(self, agents: Sequence[str]) -> dict[str, str]:
        """Return bodies as JSON."""
        return {name: FIGURE.dump_json(self.figures[name]).decode() for name in agents}

    def restore(
        self,
        tick: int,
        bodies: Mapping[str, str],
        objects: Mapping[str, ObjectState],
        seen: Mapping[str, Collection[str]],
    ) -> None:
        """Take up a committed state, whose last tick is `tick`."""
        self.figures.update({name: FIGURE.validate_json(body) for name, body in bodies.items()})
        self.objects = dict(objects)
        self._seen.update({name: frozenset(keys) for name, keys in seen.items()})
        self._stirred.clear()
        self._alert_until = tick + 1

    def stir(self, tick: int, *tiles: Tile) -> None:
        """Note that something at `tiles` looks different when the tick after `tick` begins."""
        self._stirred.setdefault(tick + 1, []).extend(tiles)

    def change_object(self, state: ObjectState) -> None:
        """Set an object's state, to be seen from the next tick on."""
        self.objects[state.address] = state
        self.stir(state.tick, *self.town.map.tiles_of(state.address))

    def _watching(self, tick: int, tiles: Mapping[str, Tile]) -> list[str]:
        """Return who may see something new: what moved or changed since the last tick is near."""
        if tick <= self._alert_until:
            return list(tiles)
        # Whoever leaves a crowd makes room for what nobody had attention for.
        stirred = [
            tile
            for name, figure in self.figures.items()
            if figure.walk is not None and figure.walk.tick < tick <= figure.walk.end_tick
            for tile in (figure.tile_at(tick - 1, self.clock), tiles[name])
        ]
        for changed in [changed for changed in self._stirred if changed <= tick]:
            stirred += self._stirred.pop(changed)
        rested = [
            tiles[name]
            for name, figure in self.figures.items()
            if 0 < figure.resting_until and self.clock.tick_at(figure.resting_until) == tick
        ]
        return watchers(tiles, self._vision, stirred + rested)

    def _at_home(self, persona: Persona) -> Figure:
        """Return somebody's body as a run begins: in bed, or at least at home."""
        beds = self.town.map.beds_in(persona.home)
        place = beds[0].address if beds else persona.home
        return Figure(agent=persona.name, tile=self.town.map.tiles_of(place)[0])


def _widest(town_map: TownMap) -> int:
    """Return how far one end of the longest object lies from its other end, in tiles."""
    rects = [thing.rect for thing in town_map.objects.values()]
    return max((max(rect.width, rect.height) - 1 for rect in rects), default=0)


def _is_known(arena: str, wanted: Sequence[str]) -> bool:
    """True when an arena, or its whole sector, is among the addresses `wanted`."""
    return arena in wanted or sector_of(arena) in wanted
