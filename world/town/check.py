"""Checks a town as a whole, across its files and pictures, with a clear sentence for each fault."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from pytiled_parser.tileset import Tileset

from smolville.agents.errors import TownError
from smolville.agents.persona import Persona
from smolville.agents.places import arena_of
from smolville.history.records import Tile
from smolville.world.town.norms import Norms, read_norms
from smolville.world.town.palette import tileset_of
from smolville.world.town.plot import PlotFile, read_plot
from smolville.world.town.tiled import MapError
from smolville.world.town.townfiles import (
    PersonaFile,
    Residents,
    TownFile,
    TownSettings,
    nearest,
    read_people,
    read_settings,
)
from smolville.world.town.townmap import TownMap, read_map
from smolville.world.town.whispers import WhisperFile, read_history


class TownParts:
    """The contents of a town's folder, read as far as possible, with all of their faults.

    A part that depends on a faulty part is not checked until the faulty one is repaired.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings, file, self.faults = read_settings(folder)
        self.people = read_people(folder)
        self.faults += self.people.faults
        if self.settings is not None and self.people.is_whole:
            self.faults += _faults_of_casts(self.settings, file, self.people.names)
        if self.people.is_whole:
            self.faults += _faults_of_relationships(self.people)
        self.history = self._read_history()
        self.map = self._read_map()
        self.norms = self._read_norms()
        self.plot = read_plot(folder, self.people.names) if self.people.is_whole else PlotFile()
        self.faults += self.plot.faults

    def _read_history(self) -> WhisperFile:
        """Return the town's history; it is empty if the settings name no file."""
        if self.settings is None or self.settings.history is None or not self.people.is_whole:
            return WhisperFile()
        history = read_history(self.folder / self.settings.history, self.people.names)
        self.faults += history.faults
        return history

    def _read_map(self) -> TownMap | None:
        if self.settings is None:
            return None
        try:
            town_map, faults = read_map(self.folder / self.settings.map)
        except MapError as error:
            self.faults.append(str(error))
            return None
        self.faults += faults or _faults_of_map(town_map, self.people.found)
        return town_map

    def _read_norms(self) -> Norms:
        """Return the town's rules; no rules are read if the map or a persona file is faulty."""
        if self.map is None or not self.people.is_whole:
            return Norms()
        norms = read_norms(self.folder, self.map, [item.persona for item in self.people.found])
        self.faults += norms.faults
        return norms


def check_town(folder: Path) -> list[str]:
    """Return a sentence for every fault of the town in a folder; empty if there is none.

    A missing or damaged picture also counts, although a run works without it.
    """
    try:
        parts = TownParts(folder)
        return parts.faults + (list(faults_of_looks(parts.map)) if parts.map else [])
    except TownError as error:
        return [str(error)]


def _faults_of_map(town_map: TownMap, personas: Sequence[PersonaFile]) -> Iterator[str]:
    yield from _objects_on_walls(town_map)
    yield from unreachable(town_map, [item.persona for item in personas])
    for item in personas:
        yield from _faults_of_places(town_map, item)
    yield from _faults_of_beds(town_map, personas)


def _objects_on_walls(town_map: TownMap) -> Iterator[str]:
    """Yield a sentence for every object that stands on a blocked tile."""
    for item in town_map.objects.values():
        walls = [tile for tile in item.rect.tiles() if not town_map.is_walkable(tile)]
        if walls:
            at = ", ".join(str(tile) for tile in walls[:4])
            yield (
                f"{town_map.sheet.file}: `{item.address}` stands on a wall at {at}; "
                "clear the layer `walls` there or move the object."
            )


def _faults_of_places(town_map: TownMap, item: PersonaFile) -> Iterator[str]:
    """Yield a sentence for every place in a persona file that the map does not have."""
    persona = item.persona
    for key, address in {"home": persona.home, "work": persona.work}.items():
        if address in town_map.arenas or (key == "work" and not address):
            continue
        if address in town_map.sectors:
            rooms = ", ".join(f"`{room.address}`" for room in town_map.arenas_in(address))
            sentence = f"`{key}` is {address!r}, a sector; name one of its arenas: {rooms}."
        else:
            sentence = f"`{key}` is {address!r}, which is no arena of the map."
            sentence += nearest(address, town_map.arenas)
        yield item.file.fault(sentence, key)
    for address in persona.known_places:
        if address not in town_map.arenas and address not in town_map.sectors:
            known_places = [*town_map.sectors, *town_map.arenas]
            sentence = f"`known_places` names {address!r}, which the map does not have."
            yield item.file.fault(sentence + nearest(address, known_places), "known_places")


def _faults_of_beds(town_map: TownMap, personas: Sequence[PersonaFile]) -> Iterator[str]:
    """Yield a sentence for every home that has fewer beds than residents."""
    homes = Counter(item.persona.home for item in personas)
    for home, people in homes.items():
        if home not in town_map.arenas:
            continue
        beds = sum(bed.capacity for bed in town_map.beds_in(home))
        who = [item for item in personas if item.persona.home == home]
        names = ", ".join(item.persona.name for item in who)
        if not beds:
            sentence = f"`home` is {home!r}, where there is no bed for {names}; add one to the map."
            yield who[0].file.fault(sentence, "home")
        elif beds < people:
            sentence = (
                f"`home` is {home!r}, where the beds hold {beds} but {people} people live: {names}."
            )
            yield who[0].file.fault(sentence, "home")


def _faults_of_relationships(people: Residents) -> Iterator[str]:
    """Yield a sentence for every relationship with a person who is not in the town."""
    for item in people.found:
        for other in item.persona.relationships:
            if other == item.persona.name:
                sentence = f"{other!r} has a relationship with themselves; leave it out."
            elif other not in people.names:
                sentence = f"a relationship names {other!r}, who is not in the town."
                sentence += nearest(other, people.names)
            else:
                continue
            yield item.file.fault(sentence, "relationships", other)


def _faults_of_casts(settings: TownSettings, file: TownFile, names: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for every cast of a wrong size, and for every unknown person in a cast."""
    for size, cast in settings.casts.items():
        if not size.isdecimal() or int(size) < 1 or size != str(int(size)):
            yield file.fault(f'the cast "{size}" must be a number of agents.', "casts", size)
        elif len(cast) != int(size):
            sentence = f'the cast "{size}" lists {len(cast)} names; list exactly {size}.'
            yield file.fault(sentence, "casts", size)
        for name, times in Counter(cast).items():
            if times > 1:
                sentence = f'the cast "{size}" lists {name!r} {times} times.'
                yield file.fault(sentence, "casts", size)
            if name not in names:
                sentence = f'the cast "{size}" lists {name!r}, who has no persona file.'
                yield file.fault(sentence + nearest(name, names), "casts", size)


def unreachable(town_map: TownMap, personas: Sequence[Persona]) -> Iterator[str]:
    """Yield a sentence for every home, arena and object that is cut off from the rest of the town.

    The rest is the connected region of tiles that has most arenas. Objects in a reported arena are
    not reported again. Objects that stand only on walls are not reported.
    """
    regions = label_regions(town_map)
    main = main_region(town_map, regions)
    homes = {persona.home for persona in personas}
    cut_off: set[str] = set()
    for address in (*town_map.arenas, *town_map.objects):
        tiles = town_map.tiles_of(address)
        if any(regions[tile] == main for tile in tiles):
            continue
        cut_off.add(address)
        if arena_of(address) != address and (arena_of(address) in cut_off or not tiles):
            continue
        kind = "home" if address in homes else "place"
        way = f"open a way to {tiles[0]}" if tiles else "it has no tile that one can stand on"
        yield (
            f"{town_map.sheet.file}: the {kind} `{address}` cannot be reached "
            f"from the rest of the town; {way}."
        )


def label_regions(town_map: TownMap) -> dict[Tile, int]:
    """Return, for every walkable tile, the number of the connected region it belongs to."""
    regions: dict[Tile, int] = {}
    rows, columns = np.nonzero(~town_map.blocked)
    for tile in zip(columns.tolist(), rows.tolist(), strict=True):
        if tile not in regions:
            _flood(town_map, tile, len(regions), regions)
    return regions


def _flood(town_map: TownMap, start: Tile, number: int, regions: dict[Tile, int]) -> None:
    """Assign the region's number to every tile that can be reached from `start`."""
    regions[start] = number
    edge = [start]
    while edge:
        x, y = edge.pop()
        for near in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)):
            if near not in regions and town_map.is_walkable(near):
                regions[near] = number
                edge.append(near)


def main_region(town_map: TownMap, regions: dict[Tile, int]) -> int:
    """Return the region in which the most arenas have a tile; if several, the first one."""
    seen = Counter(
        number
        for address in town_map.arenas
        for number in sorted({regions[tile] for tile in town_map.tiles_of(address)})
    )
    return max(sorted(seen), key=lambda number: seen[number], default=-1)


def faults_of_looks(town_map: TownMap) -> Iterator[str]:
    """Yield a sentence for every fault in the map's pictures."""
    file = town_map.sheet.file
    for tileset in town_map.sheet.tiled.tilesets.values():
        fault = _fault_of_image(town_map, tileset)
        if fault:
            yield f"{file}, tileset {tileset.name!r}: {fault}."
    for name, grid in {"ground": town_map.ground, "walls": town_map.walls}.items():
        numbers = np.unique(grid).tolist()
        strange = np.isin(grid, [gid for gid in numbers if not _is_known(town_map, gid)])
        if strange.any():
            y, x = (int(where[0]) for where in strange.nonzero())
            yield (
                f"{file}, layer `{name}`: the tile {int(grid[y, x])} at ({x}, {y}) is in no "
                f"tileset ({int(strange.sum())} such tiles in all)."
            )


def _fault_of_image(town_map: TownMap, tileset: Tileset) -> str:
    """Return why a tileset's image is unusable; empty if it is there, or if it names none."""
    file = town_map.sheet.tiled.map_file
    if file is None or tileset.image is None:
        return ""
    path = (file.parent / tileset.image).resolve()
    if not path.is_relative_to(file.parent.resolve()):
        return f"its image {path.name} lies outside the town's folder"
    return "" if path.is_file() else f"its image {tileset.image} is missing"


def _is_known(town_map: TownMap, gid: int) -> bool:
    """Return True for a tile number in a tileset, and for 0, which stands for no tile."""
    owner = tileset_of(town_map, gid)
    if owner is None:
        return gid == 0
    # The tiles of a collection of images are listed one by one, with gaps in their numbers.
    number = gid - owner.firstgid
    return number < owner.tile_count or number in (owner.tiles or ())
