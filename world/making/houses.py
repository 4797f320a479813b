"""Plan a town's houses for a number of bedrooms, each house with a name of its own."""

from collections.abc import Iterable, Iterator
from itertools import count

from world.making.asking import Maker
from world.making.building import Building
from world.making.parts import Parts

SHARED = 3
"""One house in this many has two bedrooms."""


def plan_houses(
    maker: Maker, taken: Iterable[str], beds: int
) -> tuple[list[Building], tuple[str, ...]]:
    """Return houses with this number of bedrooms, and the addresses of the bedrooms."""
    houses, homes = list[Building](), list[str]()
    names = _free_names(maker.parts, taken)
    while len(homes) < beds:
        name = next(names)
        is_shared = maker.draw("house", name) % SHARED == 0 and beds - len(homes) > 1
        house, bedrooms = _plan_house(maker.parts, name, 2 if is_shared else 1)
        houses.append(house)
        homes += bedrooms
    return houses, tuple(homes)


def plan_cottage(parts: Parts, taken: Iterable[str]) -> tuple[Building, str]:
    """Return a house for one person, and the address of its bedroom."""
    house, (bedroom,) = _plan_house(parts, next(_free_names(parts, taken)), 1)
    return house, bedroom


def _plan_house(parts: Parts, name: str, bedrooms: int) -> tuple[Building, list[str]]:
    """Return a house, and the addresses of its bedrooms."""
    bedroom = parts.house.bedroom
    called = [bedroom.name, f"second {bedroom.name}"][:bedrooms]
    rooms = [room.room() for room in parts.house.rooms] + [bedroom.room(each) for each in called]
    house = Building(name=name, rooms=tuple(rooms), is_home=True)
    return house, [f"{name}: {each}" for each in called]


def _free_names(parts: Parts, taken: Iterable[str]) -> Iterator[str]:
    """Yield names for houses, with numbers when all of the list are used."""
    folded = {name.casefold() for name in taken}
    for turn in count(1):
        for name in parts.houses:
            numbered = name if turn == 1 else f"{name} {turn}"
            if numbered.casefold() not in folded:
                yield numbered
