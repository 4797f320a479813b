"""The tile town as a world adapter: bodies on a map, perception, occupancy, objects, talks."""

import logging
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from smolville.agents.action import Talk
from smolville.agents.chance import pick, shuffle_items
from smolville.agents.entities import SEEN, Happening, PublicPlace, Resident, Setting
from smolville.agents.mind import KnownPlace
from smolville.agents.norms import TownRule
from smolville.agents.persona import Persona
from smolville.agents.places import OUTDOORS, arena_of, object_of, sector_of
from smolville.agents.times import DAY_SECONDS, Clock
from smolville.graphs.surroundings import Intent, Percept, Senses, Stimulus
from smolville.history.records import Intervention, ObjectState, Tile
from smolville.world.adapter import Changes, Locality, World
from smolville.world.body_state import BodyState, is_calling
from smolville.world.intents import (
    arrive,
    begin_action,
    hold_talk,
    meeting_ticks,
    tiles_beside,
)
from smolville.world.perception import (
    TownState,
    closings,
    components,
    near,
    percepts,
    senses,
    spot_of,
    watchers,
)
from smolville.world.town.paths import FARTHEST, Approaches, Cells
from smolville.world.town.town import Town, owners_of
from smolville.world.town.townmap import TownMap

LOG = logging.getLogger("smolville")


class TownLocality:
    """Distances in ticks between the people of a tile town.

    They sense and affect each other only within one room (arena) or outdoors, and only within
    sight. So a person in another room must first come in, on foot and through the doors.
    """

    def __init__(
        self, town_map: TownMap, approaches: Approaches, people: Mapping[str, Persona], clock: Clock
    ) -> None:
        """Store the people, how far each of them sees from now on, and the length of a tick."""
        self._vision = np.array([each.vision for each in people.values()], np.int64)
        self._speed = clock.tiles_per_tick
        self._approaches = approaches
        self._extent = np.zeros(len(town_map.rooms), np.int64)
        """By room, the length of its longest object in tiles, minus one."""
        numbers = {room: number for number, room in enumerate(town_map.rooms)}
        for thing in town_map.objects.values():
            room, size = arena_of(thing.address), max(thing.rect.width, thing.rect.height) - 1
            number = numbers[room]
            self._extent[number] = max(size, self._extent[number])
        self._room_at = town_map.room_at

    def ticks_around(self, row: int, tiles: Cells) -> tuple[Cells, Cells]:
        """Return the ticks that others need to come near a person, and the person to reach them.

        For the first result, the person stays where they are; for the second, the others do. Long
        objects count as near if one end is: from one end of a table, people see what is done at the
        other end. Walks through doors are measured up to `FARTHEST` tiles.
        """
        here = tiles[row]
        rooms = self._room_at[tiles[:, 1], tiles[:, 0]]
        apart = np.maximum(np.abs(tiles[:, 0] - here[0]), np.abs(tiles[:, 1] - here[1]))
        reach = np.maximum(self._vision, self._vision[row])
        beyond = apart - reach
        coming, going = beyond - self._extent[rooms[row]], beyond - self._extent[rooms]
        elsewhere = np.flatnonzero((rooms != rooms[row]) & (apart <= FARTHEST))
        if len(elsewhere):
            tile, theirs = (int(here[0]), int(here[1])), tiles[elsewhere]
            steps = self._approaches.steps(int(rooms[row]), theirs)
            coming[elsewhere] = np.maximum(coming[elsewhere], steps)
            into = self._approaches.steps_from(tile, rooms[elsewhere].tolist())
            going[elsewhere] = np.maximum(going[elsewhere], into)
        return self._ticks(coming), self._ticks(going)

    def _ticks(self, tiles: Cells) -> Cells:
        """Return the number of ticks in which this number of tiles can be walked."""
        ticks = tiles if self._speed == 1 else -(-tiles // self._speed)
        return np.maximum(ticks, 0)


class TileTown(World):
    """The shipped kind of world (`world.adapter.World`), a town of tiles."""

    def __init__(self, town: Town, cast: Sequence[Persona], clock: Clock, seed: int) -> None:
        super().__init__([_at_home(town, persona) for persona in cast], clock)
        self.town = town
        self.norms, self.start_date = town.norms, town.start_date
        self.state = TownState(
            map=town.map,
            paths=town.paths,
            start_date=town.start_date,
            clock=clock,
            seed=seed,
            personas={persona.name: persona for persona in cast},
            owners=owners_of(town.map, town.personas.values()),
            figures=self.figures,
        )
        self._vision = {persona.name: persona.vision for persona in cast}
        self._reach = max(self._vision.values()) + clock.tiles_per_tick + town.map.widest
        """Number of tiles beyond which two people cannot affect each other within a tick.

        Somebody who sees one end of a long table also sees what is done at its other end, and both
        people may have walked.
        """
        self._locality = TownLocality(town.map, town.approaches, self.state.personas, clock)
        self._alert_until = -1
        """Tick up to which everybody looks around, because a restored state does not hold what
        changed.
        """

    @property
    def townspeople(self) -> tuple[str, ...]:
        """Names that no visitor may have: those of all residents, in this run or not."""
        return tuple(dict.fromkeys((*self.names, *self.town.personas)))

    def norms_at(self, tick: int) -> tuple[TownRule, ...]:
        """Return the town's rules, including rules on places that are closed at a tick."""
        return (*self.norms, *closings(self.state, tick))

    def setting(self) -> Setting:
        """Return the town's public places, and everybody in this run with their home."""
        town = self.town
        homes = {sector_of(persona.home) for persona in town.personas.values()}
        fronts = {
            sector.name: max(arenas, key=lambda arena: arena.rect.area).address
            for sector in town.map.sectors.values()
            if not sector.is_private
            and sector.name not in homes
            and (arenas := town.map.arenas_in(sector.name))
        }
        people = self.state.personas.values()
        return Setting(
            town=town.description,
            places=tuple(PublicPlace(name=name, front=front) for name, front in fronts.items()),
            people=tuple(Resident(name=each.name, home=each.home) for each in people),
        )

    def let_happen(self, happenings: Sequence[Happening]) -> None:
        """Put happenings that entities caused into the town; people near them will look around."""
        for each in happenings:
            # Kept for agents that have not reached that tick yet; nobody lags a day behind.
            over = self.clock.at(each.tick) - DAY_SECONDS
            kept = [old for old in self.state.happenings if old.until > over]
            self.state.happenings = [*kept, each]
            if each.kind in SEEN:
                self.state.stir(each.tick - 1, spot_of(self.town.map, each.place))

    def known_at_start(self, persona: Persona) -> dict[str, KnownPlace]:
        """Return home, work, the places named in a persona file and the homes of people one knows.

        Each has its contents.
        """
        town_map = self.town.map
        known = [sector_of(persona.home), persona.work, *persona.known_places]
        arenas = [
            arena
            for arena in town_map.arenas.values()
            if arena.address in known
            or sector_of(arena.address) in known
            or set(self.state.owners.get(arena.address, ())) & persona.relationships.keys()
        ]
        return {
            arena.address: KnownPlace(
                objects=tuple(thing.name for thing in town_map.objects_in(arena.address)),
                owners=self.state.owners.get(arena.address, ()),
            )
            for arena in arenas
        }

    def way_in(self, name: str, place: str, tick: int) -> tuple[Tile, ...]:
        """Return the path on which somebody comes in from outdoors to a free tile of a place."""
        goals = self._free_tiles(place, tick)
        if not goals:
            return ()
        goal = pick(goals, self.state.seed, name, tick, "enter")
        way = self.town.paths.path(goal, self.town.map.tiles_of(OUTDOORS))
        # If there are no outdoor tiles nearby, the visitor appears directly at the goal.
        return way[::-1] or (goal,)

    def way_to(self, name: str, place: str, tick: int) -> tuple[Tile, ...]:
        """Return the path on which a visitor goes to a free tile of a place."""
        here = self.tile_at(name, tick)
        if not object_of(place) and arena_of(place) == self.town.map.arena_at(here):
            return (here,)
        goals = self._free_tiles(place, tick)
        if not goals:
            return ()
        return self.town.paths.path(here, (pick(goals, self.state.seed, name, tick, "go"),))

    def way_after(self, name: str, other: str, tick: int) -> tuple[Tile, ...]:
        """Return the path to a tile beside somebody out of sight, or beside their walk's end."""
        figure = self.figures[other]
        here, there = self.tile_at(name, tick), self.tile_at(other, tick)
        if self._see_each_other(name, here, there):
            return ()
        goal = figure.walk.path[-1] if figure.walk and figure.is_walking(tick) else there
        taken = set(self.state.tiles(tick).values()) - {here}
        beside = [tile for tile in tiles_beside(self.town.map, goal) if tile not in taken]
        return self.town.paths.path(here, beside or (goal,))

    def way_out(self, name: str, tick: int) -> tuple[Tile, ...]:
        """Return the path on which a visitor leaves: to the nearest tile outdoors."""
        here = self.tile_at(name, tick)
        return self.town.paths.path(here, self.town.map.tiles_of(OUTDOORS)) or (here,)

    def _free_tiles(self, place: str, tick: int) -> Sequence[Tile]:
        if place != OUTDOORS and place not in self.town.map:
            return ()
        tiles = self.town.map.tiles_of(place)
        taken = set(self.state.tiles(tick).values())
        return tuple(tile for tile in tiles if tile not in taken) or tiles

    def _see_each_other(self, name: str, here: Tile, there: Tile) -> bool:
        """Return whether somebody on one tile sees the other tile: near, and in the same room."""
        is_near = near(here, there) <= self.state.vision_of(name)
        return is_near and self.town.map.arena_at(here) == self.town.map.arena_at(there)

    def place_at(self, tile: Tile, place: str) -> str:
        """Return the address of a visitor's place: the room, even if an object was requested."""
        return self.town.map.arena_at(tile)

    def seen_from(self, tick: int, tile: Tile) -> None:
        """Record that a tile looks different from `tick` on.

        The thoughts of that same tick already see the change.
        """
        self.state.stir(tick - 1, tile)

    def holder(self, intervention: Intervention, agents: Sequence[str]) -> str:
        """Return the agent whose cluster sees a visitor's new action.

        It is the agent nearest to the visitor. If nobody is near or the visitor is not in town, it
        is the person whom the visitor talks with, or else any agent.
        """
        found = super().holder(intervention, agents)
        visitor = self.figures.get(intervention.target)
        if visitor is None or is_calling(self.figures, intervention.target):
            return found
        here = visitor.tile_at(intervention.tick, self.clock)
        everywhere = self.state.tiles(intervention.tick)
        far = {name: near(here, everywhere[name]) for name in agents}
        closest = min(agents, key=lambda name: (far[name], name))
        return closest if far[closest] <= self._reach else found

    def arrivals(self, tick: int, agents: Sequence[str]) -> dict[str, Changes]:
        """Let those who have arrived use the object they came for; conflicts are decided by lot."""
        here = [
            name
            for name in agents
            if not self.figures[name].is_settled and not self.figures[name].is_walking(tick)
        ]
        order = shuffle_items(here, self.state.seed, tick, "take")
        return {name: arrive(self.state, name, tick) for name in order}

    def percepts(self, agent: str, tick: int) -> tuple[Percept, ...]:
        """Return the events in sight of somebody."""
        return percepts(self.state, agent, tick)

    def clusters(
        self, tick: int, agents: Sequence[str], active: Collection[str]
    ) -> list[tuple[str, ...]]:
        """Return groups of people near each other that have an active member."""
        everywhere = self.state.tiles(tick)
        visitors = [each.agent for each in self.visitors(tick)]
        groups = components({name: everywhere[name] for name in (*agents, *visitors)}, self._reach)
        if visitors:
            # People who see the same visitor can affect each other, however far apart they are.
            own = [tuple(name for name in group if name not in visitors) for group in groups]
            groups = [group for group in own if group]
        return [group for group in groups if any(name in active for name in group)]

    def locality(self, tick: int) -> Locality | None:
        """Return the distances between people; None while a visitor is in town.

        People who see the same visitor affect each other, even if they are far apart.
        """
        return None if self.visitors(tick) else self._locality

    def surroundings(self, agent: str, tick: int, stimuli: tuple[Stimulus, ...]) -> Senses:
        """Return what an agent perceives of the town."""
        return senses(self.state, agent, tick, stimuli)

    def resolve(self, tick: int, order: Sequence[str], intents: Mapping[str, Intent]) -> Changes:
        """Carry out or refuse intents in this order; talks come after the agents' own actions."""
        changes = Changes()
        for name in order:
            action = intents[name].action
            if action is not None:
                changes.add(begin_action(self.state, name, action, tick))
        changes.add(self.grant_talks(tick, order, intents))
        return changes

    def why_not_talk(self, name: str, other: str, tick: int) -> str:
        """Return why two people cannot talk; empty if they can."""
        figure = self.figures.get(other)
        is_nowhere = figure is None or other == name or not figure.is_here(tick)
        if is_nowhere or is_calling(self.figures, name):
            return super().why_not_talk(name, other, tick)
        here, there = (self.figures[each].tile_at(tick, self.clock) for each in (name, other))
        if not self._see_each_other(name, here, there):
            return f"{other} is out of sight"
        why = super().why_not_talk(name, other, tick)
        return why or ("" if self.town.paths.path(here, (there,)) else "there is no way")

    def meeting(self, people: Sequence[str], tick: int) -> tuple[str, int]:
        """Return where people talk, and the town second when they have met."""
        first = people[0]
        if is_calling(self.figures, first):
            there = self.figures[people[1]].tile_at(tick, self.clock)
            return self.town.map.arena_at(there), self.clock.at(tick)
        place = self.town.map.arena_at(self.figures[first].tile_at(tick, self.clock))
        ticks = meeting_ticks(self.state, people, tick)
        return place, self.clock.at(tick + ticks)

    def hold(self, tick: int, talk: Talk) -> Changes:
        """Keep everybody in a talk busy."""
        return hold_talk(self.state, tick, talk)

    def deliver(self, intervention: Intervention) -> Changes:
        """Whisper to an agent, or set an object's state; an unknown object is ignored."""
        if intervention.kind == "object_state":
            if intervention.target not in self.town.map.objects:
                LOG.warning("nothing is called %r in %s", intervention.target, self.town.name)
                return Changes()
            state = ObjectState(
                address=intervention.target, tick=intervention.tick, state=intervention.text
            )
            self.state.change_object(state)
            # It takes effect at this very tick, before anybody has thought.
            self.state.stir(state.tick - 1, *self.town.map.tiles_of(state.address))
            return Changes(objects=[state])
        return super().deliver(intervention)

    def next_tick(self, tick: int, agents: Sequence[str]) -> int:
        """Return the first tick after `tick` at which anything may happen."""
        soon = tick + 1
        figures = [self.figures[name] for name in agents]
        walkers = (*figures, *self.visitors(tick))
        if (
            tick < self._alert_until
            or self._watchers(soon, agents, self.state.stirred.get(soon, ()))
            or any(figure.is_walking(tick) for figure in walkers)
        ):
            return soon
        at = self.clock.at(soon)
        due = [self.clock.tick_at(figure.due(at)) for figure in figures]
        arriving = (each.tick for each in self.state.happenings if each.tick >= soon)
        return max(soon, min((*due, *arriving)))

    def restore(
        self,
        tick: int,
        bodies: Mapping[str, str],
        objects: Mapping[str, ObjectState],
        seen: Mapping[str, Collection[str]],
    ) -> None:
        """Restore a committed state whose last tick is `tick`."""
        super().restore(tick, bodies, objects, seen)
        self.state.objects = dict(objects)
        self.state.stirred.clear()
        self._alert_until = tick + 1

    def watching(self, tick: int, agents: Sequence[str]) -> Sequence[str]:
        """Return who may see something new because something near them moved or changed."""
        if tick <= self._alert_until:
            return agents
        # When somebody leaves a crowd, others may notice what exceeded their attention before.
        stirred = [*self.figures.stirring(tick), *self.state.stirred.get(tick, ())]
        # A visitor whose talk has ended is free again, which no thought would reveal.
        stirred += [
            each.tile_at(tick, self.clock)
            for each in self.visitors(tick)
            if each.talk is not None and self.clock.tick_at(each.talk.end) == tick
        ]
        return self._watchers(tick, agents, stirred)

    def _watchers(self, tick: int, agents: Sequence[str], stirred: Collection[Tile]) -> list[str]:
        tiles = {name: self.state.tile_of(name, tick) for name in agents}
        return watchers(tiles, self._vision, stirred)


def _at_home(town: Town, persona: Persona) -> BodyState:
    beds = town.map.beds_in(persona.home)
    place = beds[0].address if beds else persona.home
    return BodyState(agent=persona.name, tile=town.map.tiles_of(place)[0])
