"""The colours of the drawn town, by the name of a tile or an object."""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from smolville.agents.chance import pick
from smolville.history.records import Tile
from smolville.world.town.townmap import TownMap

INK = "#3d3a4b"
PAPER = "#fffdf7"
GRASS = "#cde2b3"

GROUND: Mapping[str, str] = {
    "grass": GRASS,
    "tall grass": "#bfd9a1",
    "flowers": "#d6e0b0",
    "meadow": "#bfd9a1",
    "path": "#eadcbd",
    "road": "#d8d3ca",
    "street": "#d8d3ca",
    "pavement": "#e1dcd2",
    "cobbles": "#dcd3c6",
    "floor": "#efe0c6",
    "wood floor": "#efdcbb",
    "tile floor": "#e7eef0",
    "stone floor": "#e2ded7",
    "carpet": "#ecd3cb",
    "sand": "#f2e6c2",
    "bridge": "#d9b98b",
    "deck": "#d9b98b",
    "door": "#d2a676",
    "gate": "#d2a676",
    "water": "#a8d4ea",
    "soil": "#cfb189",
}

BARRIERS: Mapping[str, str] = {
    "wall": INK,
    "window": "#9fd3ea",
    "water": GROUND["water"],
    "hedge": "#7fae6b",
    "fence": "#b58d5e",
    "tree": "#6fa763",
    "pine": "#4f8a63",
    "blossom": "#eba9c0",
    "rock": "#aeb0b3",
}
"""Colours of obstacles, by a word of the tile's type; all other obstacles are drawn as walls."""

THINGS: Mapping[str, str] = {
    "bed": "#b9cdf0",
    "sofa": "#d9b8d4",
    "chair": "#e6cfa8",
    "seat": "#e6cfa8",
    "bench": "#e0c08f",
    "table": "#e5c596",
    "desk": "#e5c596",
    "counter": "#e5c596",
    "shelf": "#d3b08a",
    "shelves": "#d3b08a",
    "wardrobe": "#d3b08a",
    "stove": "#c9ccd3",
    "oven": "#d8b4a0",
    "fridge": "#dfe7ec",
    "sink": "#bfe0ec",
    "shower": "#bfe0ec",
    "bath": "#bfe0ec",
    "toilet": "#dfe7ec",
    "plants": "#a9d08f",
    "garden": "#a9d08f",
    "tree": "#8fc27d",
    "piano": "#8d8a9b",
    "machine": "#c9ccd3",
}
OTHER_THING = "#f3e7cf"

ROOMS: Mapping[str, str] = {
    "bedroom": "#9db8e8",
    "bathroom": "#8fd0dc",
    "kitchen": "#f0c36d",
    "garden": "#8fc27d",
    "lawn": "#8fc27d",
}
_TINTS = ("#e8a598", "#c3a6dd", "#e8cf7f", "#93c9b6", "#dfaecb", "#a5bfe0")


def by_words(name: str, colours: Mapping[str, str]) -> str:
    """Return the colour of the longest entry whose words all occur in `name`; empty if none."""
    words = set(name.casefold().replace("-", " ").split())
    fitting = [key for key in colours if words.issuperset(key.split())]
    return colours[max(fitting, key=lambda key: (len(key), key))] if fitting else ""


def thing_colour(name: str) -> str:
    """Return the colour of an object with this name."""
    return by_words(name, THINGS) or OTHER_THING


def room_tint(name: str) -> str:
    """Return the tint of an arena with this name."""
    return by_words(name, ROOMS) or pick(_TINTS, "room", name)


def ground_colours(town_map: TownMap) -> list[list[str]]:
    """Return the colour of the ground by row and column.

    It depends on the tile's type; below furniture, or without a type, it is the colour of the floor
    around, or of grass.
    """
    gids = np.unique(town_map.ground).tolist()
    known = {gid: by_words(town_map.sheet.kinds.get(gid, ""), GROUND) for gid in gids}
    rows = [[known[gid] for gid in row] for row in town_map.ground.tolist()]
    floors = {address: _floor(town_map, address, rows) for address in town_map.arenas}
    for y, row in enumerate(rows):
        for x, colour in enumerate(row):
            row[x] = colour or floors.get(town_map.arena_at((x, y))) or GRASS
    return rows


def barrier(town_map: TownMap, tile: Tile) -> str:
    """Return the kind of barrier that blocks a tile, a key of BARRIERS; empty for an open tile."""
    gid = int(town_map.walls[tile[1], tile[0]])
    if not gid:
        return ""
    words = town_map.sheet.kinds.get(gid, "").casefold().split()
    order = ("window", "water", "hedge", "fence", "pine", "blossom", "tree", "rock")
    return next((kind for kind in order if kind in words), "wall")


def _floor(town_map: TownMap, address: str, rows: list[list[str]]) -> str:
    """Return the most frequent known colour of the ground in an arena."""
    tiles = town_map.arenas[address].rect.tiles()
    seen = Counter(rows[y][x] for x, y in tiles if rows[y][x])
    return max(sorted(seen), key=lambda colour: seen[colour], default="")
