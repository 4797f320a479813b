"""A town in a folder, and the town of a run: its map, its people, their past, and its faults."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

from smolville.agents.entities import Plot
from smolville.agents.errors import RunError, TownError
from smolville.agents.norms import TownRule
from smolville.agents.persona import Persona
from smolville.agents.places import arena_of
from smolville.history.folder import RunFolder
from smolville.history.records import Tile
from smolville.world.meaning import find_person
from smolville.world.town.norms import read_norms
from smolville.world.town.paths import Approaches, Paths
from smolville.world.town.tiled import MapError
from smolville.world.town.townfiles import (
    PLOT_FILE,
    PersonaFile,
    Residents,
    TownFile,
    TownSettings,
    nearest,
    read_history,
    read_people,
    read_plot,
    read_settings,
)
from smolville.world.town.townmap import TownMap, read_map

MOST_COMPANY = 6
"""Maximum number of people who are told that nobody else of the town can be met."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Town:
    """The checked contents of a town's folder."""

    folder: Path
    name: str
    description: str
    start_date: date
    """The date of day 1."""
    map: TownMap
    paths: Paths
    approaches: Approaches
    personas: Mapping[str, Persona]
    """Personas by full name, in the order of their files."""
    casts: Mapping[int, tuple[str, ...]]
    """Full names in each cast, by its size, the smallest cast first."""
    history: Mapping[str, tuple[str, ...]]
    """Whispers about the past, by the full name of the person who hears them."""
    norms: tuple[TownRule, ...] = ()
    """The rules of the town, in the order of their file."""
    plot: Plot | None = None
    """The outline of the story that comes to the town; None without one."""

    @classmethod
    def load(cls, folder: Path) -> "Town":
        """Return the town in a folder.

        Raises TownError with the first fault and the number of faults; `check_town` returns all.
        """
        try:
            plot = folder / PLOT_FILE
            text = plot.read_bytes() if plot.is_file() else b""
            files = town_hash(folder)
        except OSError:
            files, text = "", b""
        return _read_once(folder, files, text)

    def cast(self, size: int | None = None, names: str | None = None) -> tuple[Persona, ...]:
        """Return the people of a run: the town's cast of `size`, the people in `names`, or all.

        `names` are full names or unambiguous first names, separated by commas.
        Raises TownError for an unknown size or name; it lists those that exist.
        """
        if names is not None:
            if size is not None:
                raise TownError("Ask for a number of agents or for names, not for both.")
            found = [self.find(name).name for name in names.split(",") if name.strip()]
            if not found:
                raise TownError(f"No name is given.{nearest('', self.personas)}")
            for name in found:
                if found.count(name) > 1:
                    raise TownError(f"{name} is named twice.")
            return self.together(found)
        if size is None:
            return tuple(self.personas.values())
        if size not in self.casts:
            sizes = ", ".join(map(str, self.casts)) or "none; name the agents instead"
            raise TownError(f"{self.name} has no cast of {size}; it has casts of {sizes}.")
        return self.together(self.casts[size])

    def together(self, names: Sequence[str]) -> tuple[Persona, ...]:
        """Return these people; of a small part of a town, each knows who else is there."""
        people = (self.personas.get(name) or self.find(name) for name in names)
        return tuple(self.in_company(person, names) for person in people)

    def in_company(self, person: Persona, people: Sequence[str]) -> Persona:
        """Return somebody in a run of these people, who knows who else is there if they are few."""
        if len(people) == len(self.personas) or len(people) > MOST_COMPANY:
            return person
        others = tuple(name for name in people if name != person.name)
        return person.model_copy(update={"company": others})

    def find(self, name: str) -> Persona:
        """Return the person with a full name, or with an unambiguous first name.

        Raises RunError with the nearest names.
        """
        return self.personas[find_person(name, tuple(self.personas), self.name)]


def owners_of(town_map: TownMap, personas: Iterable[Persona]) -> dict[str, tuple[str, ...]]:
    """Return the owners of each private arena; public arenas are left out.

    A bedroom belongs to the people who sleep there. Every other room in a private sector belongs to
    all who live in the sector. Flats are an exception (`flat 1 kitchen`): the rooms of a flat
    belong to the people who sleep in a room with the same first two words (`flat 1 bedroom`).
    """
    people = sorted(personas, key=lambda persona: persona.name)
    found: dict[str, tuple[str, ...]] = {}
    for address, arena in town_map.arenas.items():
        sleepers = tuple(each.name for each in people if each.home == address)
        if not sleepers and town_map.sectors[arena.sector].is_private:
            residents = [each for each in people if each.home.startswith(f"{arena.sector}: ")]
            same = tuple(each.name for each in residents if _part(each.home) == _part(address))
            sleepers = same or tuple(each.name for each in residents)
        if sleepers:
            found[address] = sleepers
    return found


def _part(address: str) -> tuple[str, ...]:
    """Return the first two words of an arena's name."""
    return tuple(address.split(": ", 1)[-1].split()[:2])


@lru_cache(maxsize=4)
def _read_once(folder: Path, files: str, plot: bytes) -> Town:
    """Return the town in a folder; it is read only once for the same hash of files, and plot."""
    town, faults = read_town(folder)
    if faults or town is None:
        more = len(faults) - 1
        raise TownError(faults[0] + (f" (and {more} more faults)" if more else ""))
    return town


def check_town(folder: Path) -> list[str]:
    """Return a sentence for every fault of the town in a folder; empty if there is none."""
    try:
        return read_town(folder)[1]
    except TownError as error:
        return [str(error)]


def read_town(folder: Path) -> tuple[Town | None, list[str]]:
    """Return the town in a folder (None if a file is unusable), and a sentence for every fault.

    A part that depends on a faulty part is not checked until the faulty one is repaired.
    """
    settings, file, faults = read_settings(folder)
    people = read_people(folder)
    faults += people.faults
    if people.is_whole:
        faults += _faults_of_casts(settings, file, people.names) if settings else ()
        faults += _faults_of_relationships(people)
    history: dict[str, tuple[str, ...]] = {}
    if settings is not None and settings.history is not None and people.is_whole:
        history, wrong = read_history(folder / settings.history, people.names)
        faults += wrong
    town_map = None
    try:
        if settings is not None:
            town_map, wrong = read_map(folder / settings.map)
            faults += wrong or _faults_of_map(town_map, people.found)
    except MapError as error:
        faults.append(str(error))
    if settings is None or town_map is None or not people.is_whole:
        return None, faults
    personas = {item.persona.name: item.persona for item in people.found}
    norms, wrong = read_norms(folder, town_map, tuple(personas.values()))
    plot, odd = read_plot(folder, people.names)
    faults += [*wrong, *odd]
    sizes = sorted((size for size in settings.casts if size.isdecimal()), key=int)
    town = Town(
        folder=folder,
        name=settings.name,
        description=settings.description,
        start_date=settings.start_date,
        map=town_map,
        paths=Paths(town_map),
        approaches=Approaches(town_map),
        personas=MappingProxyType(personas),
        casts=MappingProxyType({int(size): settings.casts[size] for size in sizes}),
        history=MappingProxyType(history),
        norms=norms,
        plot=plot,
    )
    return town, faults


def _faults_of_map(town_map: TownMap, personas: Sequence[PersonaFile]) -> Iterator[str]:
    """Yield a sentence for every fault of a map, alone or together with the persona files."""
    for item in town_map.objects.values():
        walls = [tile for tile in item.rect.tiles() if not town_map.is_walkable(tile)]
        if walls:
            at = ", ".join(str(tile) for tile in walls[:4])
            yield (
                f"{town_map.sheet.file}: `{item.address}` stands on a wall at {at}; "
                "clear the layer `walls` there or move the object."
            )
    yield from _unreachable(town_map)
    for each in personas:
        yield from _faults_of_places(town_map, each)
    yield from _faults_of_beds(town_map, personas)


def _unreachable(town_map: TownMap) -> Iterator[str]:
    """Yield a sentence for every arena and object that is cut off from the rest of the town.

    The rest is the connected region of tiles that has most arenas. Objects in a reported arena are
    not reported again. Objects that stand only on walls are not reported.
    """
    places = {each: town_map.tiles_of(each) for each in (*town_map.arenas, *town_map.objects)}
    regions: dict[Tile, Tile] = {}
    for start in (tile for tiles in places.values() for tile in tiles):
        edge = [] if start in regions else [start]
        while edge:
            x, y = here = edge.pop()
            if here not in regions and town_map.is_walkable(here):
                regions[here] = start
                edge += ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1))
    seen = Counter(
        region
        for address in town_map.arenas
        for region in sorted({regions[tile] for tile in places[address]})
    )
    main = max(seen, key=lambda region: seen[region], default=None)
    cut_off: set[str] = set()
    for address, tiles in places.items():
        if any(regions[tile] == main for tile in tiles):
            continue
        cut_off.add(address)
        if arena_of(address) != address and (arena_of(address) in cut_off or not tiles):
            continue
        way = f"open a way to {tiles[0]}" if tiles else "it has no tile that one can stand on"
        yield (
            f"{town_map.sheet.file}: the place `{address}` cannot be reached "
            f"from the rest of the town; {way}."
        )


def _faults_of_places(town_map: TownMap, item: PersonaFile) -> Iterator[str]:
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
            sentence = f"`known_places` names {address!r}, which the map does not have."
            sentence += nearest(address, (*town_map.sectors, *town_map.arenas))
            yield item.file.fault(sentence, "known_places")


def _faults_of_beds(town_map: TownMap, personas: Sequence[PersonaFile]) -> Iterator[str]:
    for home in dict.fromkeys(item.persona.home for item in personas):
        who = [item for item in personas if item.persona.home == home]
        beds = sum(bed.capacity for bed in town_map.beds_in(home))
        if home in town_map.arenas and beds < len(who):
            names = ", ".join(item.persona.name for item in who)
            told = f"`home` is {home!r}, where the beds hold {beds} but {len(who)} people live"
            yield who[0].file.fault(f"{told}: {names}.", "home")


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
        if size != str(len(cast)) or len(set(cast)) != len(cast):
            told = f'the cast "{size}" lists {len(set(cast))} people; its name is their number.'
            yield file.fault(told, "casts", size)
        for name in cast:
            if name not in names:
                sentence = f'the cast "{size}" lists {name!r}, who has no persona file.'
                yield file.fault(sentence + nearest(name, names), "casts", size)


def shipped_town() -> Path:
    """Return the folder of the town that is shipped with the program."""
    return Path(str(files("smolville.towns"))) / "smolville"


def folder_of(folder: RunFolder) -> Path:
    """Return the folder of a run's town.

    It is inside the run's folder if the run has its own copy. Otherwise it is the folder with which
    the run was begun, or the shipped town.
    """
    if folder.town_path.is_dir():
        return folder.town_path
    return Path(folder.spec.town) if folder.spec.town else shipped_town()


def town_of(folder: RunFolder) -> Town:
    """Return the town of a run; raises RunError if it has changed since the run was begun."""
    if not folder.spec.town_hash:
        raise RunError(
            f"the run {folder.name!r} lives in a world of its own ({folder.spec.town_name}), not "
            "in a tile town"
        )
    where = folder_of(folder)
    if not where.is_dir():
        raise TownError(
            f"the town of the run {folder.name!r} is gone: there is no folder {str(where)!r}; "
            "put it back to go on"
        )
    try:
        now = town_hash(where)
    except OSError as error:
        raise TownError(f"the town in {str(where)!r} cannot be read: {error}") from error
    if now != folder.spec.town_hash:
        raise RunError(
            f"the town in {str(where)!r} was changed after the run {folder.name!r} began; "
            "put it back as it was, or begin a new run"
        )
    return Town.load(where)


def town_hash(folder: Path) -> str:
    """Return 16 hex digits: the hash of everything in a town's folder that a run depends on."""
    state = hashlib.sha256()
    suffixes = (".toml", ".tmj", ".csv")
    for path in sorted(folder.rglob("*")):
        if path.suffix in suffixes and path != folder / PLOT_FILE and path.is_file():
            state.update(path.relative_to(folder).as_posix().encode() + b"\0")
            state.update(path.read_bytes() + b"\0")
    return state.hexdigest()[:16]
