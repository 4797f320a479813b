"""The place tree: each arena lies in a sector, and each object in an arena."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol, TypeVar

from smolville.agents.places import join_address
from smolville.world.town.tiled import NamedRect, Rect, Sheet

BED_ENDINGS = ("bed", "beds")


MOST_USERS = 10_000
"""Largest capacity of an object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sector:
    """A house, a shop or a park: the first part of an address."""

    name: str
    rect: Rect
    is_private: bool = False
    """True for people's homes."""

    @property
    def address(self) -> str:
        """The sector's own name."""
        return self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Arena:
    """A room, or a part of an outdoor place."""

    name: str
    sector: str
    rect: Rect

    @property
    def address(self) -> str:
        """The arena's address, `sector: arena`."""
        return join_address(self.sector, self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class TownObject:
    """An object that people use: a stove, a bed, a bench."""

    name: str
    arena: str
    """Address of the object's arena, `sector: arena`."""
    rect: Rect
    capacity: int
    """Number of people who can use the object at the same time."""
    idle_state: str
    """The object's state while nobody uses it."""

    @property
    def address(self) -> str:
        """The object's address, `sector: arena: object`."""
        return join_address(self.arena, self.name)

    @property
    def is_bed(self) -> bool:
        """True for objects whose name has a word for a bed; a bedside table is not a bed."""
        return any(word.endswith(BED_ENDINGS) for word in self.name.casefold().split())


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceTree:
    """All places of a map by address, in the map's order."""

    sectors: Mapping[str, Sector]
    arenas: Mapping[str, Arena]
    objects: Mapping[str, TownObject]


class _Place(Protocol):
    """The fields shared by the three kinds of places."""

    @property
    def name(self) -> str: ...

    @property
    def address(self) -> str: ...

    @property
    def rect(self) -> Rect: ...


_P = TypeVar("_P", bound=_Place)


def place_tree(sheet: Sheet) -> tuple[PlaceTree, list[str]]:
    """Return the place tree of a sheet, and a sentence for every rectangle that does not fit.

    Arenas are placed after the sectors, and objects after the arenas. So a fault is reported at its
    cause, and not at its effects.
    """
    faults: list[str] = []
    sectors = _unique(
        [
            Sector(
                name=mark.name, rect=mark.rect, is_private=mark.properties.get("private") is True
            )
            for mark in sheet.marked["sectors"]
        ],
        faults,
    )
    faults += _overlaps("sectors", sectors)
    arenas: dict[str, Arena] = {}
    if not sheet.faults and not faults:
        arenas = _unique(list(_arenas(sheet, sectors, faults)), faults)
        faults += _overlaps("arenas", arenas)
    objects: dict[str, TownObject] = {}
    if not sheet.faults and not faults:
        objects = _unique(list(_objects(sheet, arenas, faults)), faults)
    tree = PlaceTree(
        sectors=MappingProxyType(sectors),
        arenas=MappingProxyType(arenas),
        objects=MappingProxyType(objects),
    )
    return tree, [f"{sheet.file}: {fault}" for fault in faults]


def _arenas(sheet: Sheet, sectors: Mapping[str, Sector], faults: list[str]) -> Iterator[Arena]:
    for mark, sector in _match_outer_places(
        sheet.marked["arenas"], "arena", sectors, "sector", faults
    ):
        yield Arena(name=mark.name, sector=sector.address, rect=mark.rect)


def _objects(sheet: Sheet, arenas: Mapping[str, Arena], faults: list[str]) -> Iterator[TownObject]:
    for mark, arena in _match_outer_places(
        sheet.marked["objects"], "object", arenas, "arena", faults
    ):
        yield _object(mark, arena.address, faults)


def _unique(places: Sequence[_P], faults: list[str]) -> dict[str, _P]:
    """Return places by address; duplicate addresses are recorded as faults."""
    found: dict[str, _P] = {}
    for place in places:
        first = found.setdefault(place.address, place)
        if first is not place:
            faults.append(
                f"`{place.address}` is there twice ({first.rect}; {place.rect}); rename one."
            )
    return found


def _match_outer_places(
    marks: Sequence[NamedRect],
    kind: str,
    outer: Mapping[str, _P],
    outer_kind: str,
    faults: list[str],
) -> Iterator[tuple[NamedRect, _P]]:
    """Yield each rectangle with the outer place that contains it.

    A rectangle that lies in no outer place is left out, and recorded as a fault.
    """
    for mark in marks:
        home = next((place for place in outer.values() if place.rect.holds(mark.rect)), None)
        if home is not None:
            yield mark, home
            continue
        partly = [place.address for place in outer.values() if place.rect.intersect(mark.rect)]
        where = f"reaches out of {_quote_names(partly)}" if partly else f"lies in no {outer_kind}"
        faults.append(
            f"the {kind} {mark.name!r} ({mark.rect}) {where}; "
            f"move it so that it lies wholly in one {outer_kind}."
        )


def _object(mark: NamedRect, arena: str, faults: list[str]) -> TownObject:
    """Return the object of a rectangle, with its capacity and idle state."""
    address = join_address(arena, mark.name)
    capacity = mark.properties.get("capacity", mark.rect.area)
    if (
        isinstance(capacity, bool)
        or not isinstance(capacity, int)
        or not (1 <= capacity <= MOST_USERS)
    ):
        faults.append(
            f"`{address}`: capacity must be a whole number from 1 to {MOST_USERS:,}, not "
            f"{capacity!r}."
        )
        capacity = mark.rect.area
    state = mark.properties.get("state", "idle")
    if not isinstance(state, str) or not state.strip():
        faults.append(f"`{address}`: state must be a short text such as idle, not {state!r}.")
        state = "idle"
    return TownObject(
        name=mark.name,
        arena=arena,
        rect=mark.rect,
        capacity=capacity,
        idle_state=state.strip(),
    )


def _overlaps(kind: str, places: Mapping[str, _P]) -> Iterator[str]:
    """Yield a sentence for every two places of one kind that share tiles."""
    items = list(places.values())
    for index, one in enumerate(items):
        for other in items[index + 1 :]:
            shared = one.rect.intersect(other.rect)
            if shared is not None:
                yield f"the {kind} `{one.address}` and `{other.address}` share {shared}; part them."


def _quote_names(names: Sequence[str]) -> str:
    """Return names in backticks, joined by commas."""
    return ", ".join(f"`{name}`" for name in names)
