"""Whose rooms are whose: who lives in which arena of a town."""

from collections.abc import Iterable

from agents.persona import Persona
from world.town.townmap import TownMap


def owners_of(town_map: TownMap, personas: Iterable[Persona]) -> dict[str, tuple[str, ...]]:
    """Return the people at home in each arena that is somebody's; public ones are left out.

    A bedroom belongs to those who sleep there. In a private sector every other room belongs to
    all who live in it, but for a part of its own (`flat 1 kitchen`): that belongs to whoever sleeps
    in a room with the same first two words.
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
