"""Makes a big town of many copies of the shipped town side by side, with 25 people in each copy.

Each copy is a quarter. Everything gets the name of its quarter in every text, for example `Nadia
Ash-Farouk` of `Ash Saffron Cottage`. So all names of people and things are unique.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from smolville.world.town.town import Town, shipped_town

QUARTERS = (
    *("Alder", "Apple", "Ash", "Aspen", "Bay", "Beech", "Birch", "Box", "Cedar", "Cherry"),
    *(
        "Cypress",
        "Elder",
        "Elm",
        "Fir",
        "Gorse",
        "Hazel",
        "Heather",
        "Hemlock",
        "Holly",
        "Hornbeam",
    ),
    *(
        "Ivy",
        "Juniper",
        "Larch",
        "Laurel",
        "Lilac",
        "Linden",
        "Maple",
        "Medlar",
        "Mulberry",
        "Myrtle",
    ),
    *("Oak", "Olive", "Pear", "Pine", "Plane", "Poplar", "Quince", "Rowan", "Spruce", "Sycamore"),
)
"""One name for each of at most 40 quarters, which have 1,000 people."""


def write_tiled_town(folder: Path, quarters: int) -> None:
    """Write a town of `quarters` quarters into a new folder, for `Town.load`."""
    if not 1 <= quarters <= len(QUARTERS):
        raise ValueError(f"there can be 1 to {len(QUARTERS)} quarters, not {quarters}")
    source, names = shipped_town(), QUARTERS[:quarters]
    town = Town.load(source)
    people = [persona.name for persona in town.personas.values()]
    sectors = sorted({address.split(":")[0] for address in town.map.arenas})
    (folder / "personas").mkdir(parents=True)
    (folder / "tiles.png").write_bytes((source / "tiles.png").read_bytes())
    world = json.loads((source / "map.tmj").read_text(encoding="utf-8"))
    (folder / "map.tmj").write_text(json.dumps(_tiled_map(world, names)), encoding="utf-8")
    whispers = (source / "history.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    told = [whispers[0]]
    for quarter in names:
        renamed = {one: new for each in people for one, new in _renamed(each, quarter).items()}
        renamed |= {each: f"{quarter} {each}" for each in sectors}
        for path in sorted((source / "personas").glob("*.toml")):
            text = _replaced(path.read_text(encoding="utf-8"), renamed)
            path_here = folder / "personas" / f"{path.stem}_{quarter.lower()}.toml"
            path_here.write_text(text, encoding="utf-8")
        told += [_replaced(line, renamed) for line in whispers[1:]]
    (folder / "history.csv").write_text("".join(told), encoding="utf-8")
    settings = ['name = "Bigville"', 'map = "map.tmj"', 'history = "history.csv"']
    start = re.search(r"^start_date = .*$", (source / "town.toml").read_text("utf-8"), re.M)
    settings += [start.group() if start else ""]
    everybody = [new for name in names for each in people for new in _renamed(each, name).values()]
    settings += ["[casts]", f'"{len(everybody)}" = {json.dumps(everybody)}']
    (folder / "town.toml").write_text("\n".join(settings) + "\n", encoding="utf-8")


def _renamed(name: str, quarter: str) -> dict[str, str]:
    first, last = name.split(" ", 1)
    return {name: f"{first} {quarter}-{last}"}


def _replaced(text: str, renamed: Mapping[str, str]) -> str:
    """Return a text in which every name is replaced, the longest names first."""
    pattern = "|".join(re.escape(each) for each in sorted(renamed, key=len, reverse=True))
    return re.sub(rf"\b(?:{pattern})\b", lambda found: renamed[found.group()], text)


def _tiled_map(world: Mapping[str, Any], quarters: Sequence[str]) -> dict[str, Any]:
    """Return a Tiled map with a copy for every quarter, arranged nearly as a square."""
    across = math.ceil(math.sqrt(len(quarters) * world["height"] / world["width"]))
    down = math.ceil(len(quarters) / across)
    width, height = world["width"] * across, world["height"] * down
    layers = []
    for layer in world["layers"]:
        if "data" in layer:
            row = layer["data"]
            data = [
                row[(y % world["height"]) * world["width"] + x % world["width"]]
                for y in range(height)
                for x in range(width)
            ]
            layers.append({**layer, "width": width, "height": height, "data": data})
        else:
            objects = [
                _moved(each, number, quarter, across, world)
                for number, quarter in enumerate(quarters)
                for each in layer["objects"]
            ]
            layers.append({**layer, "objects": objects})
    return {**world, "width": width, "height": height, "layers": layers}


def _moved(
    each: Mapping[str, Any], number: int, quarter: str, across: int, world: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a map object moved to its quarter, with an id of its own."""
    down, right = divmod(number, across)
    return {
        **each,
        "id": each["id"] + number * int(world["nextobjectid"]),
        "name": f"{quarter} {each['name']}" if each["type"] == "sector" else each["name"],
        "x": each["x"] + right * world["width"] * world["tilewidth"],
        "y": each["y"] + down * world["height"] * world["tileheight"],
    }
