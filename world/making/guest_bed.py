"""Finds a bed for a new person: a room that nobody sleeps in, or a guest bed drawn on the map."""

import json
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any

from smolville.agents.errors import TownError
from smolville.agents.persona import Persona
from smolville.agents.text_files import read_text
from smolville.world.town.placetree import TownObject
from smolville.world.town.tiled import Rect
from smolville.world.town.town import Town
from smolville.world.town.townmap import TownMap

GUEST_BED = "guest bed"


def find_bed(town: Town, people: Sequence[Persona]) -> tuple[str, dict[str, str]]:
    """Return the address of a bedroom, and the map's file with its new text if it changes.

    The first private room with a bed that nobody sleeps in is taken. If there is none, a guest bed
    is put into the roomiest other room of the house with the fewest people.

    Raises TownError if there is no room for another bed.
    """
    town_map = town.map
    sleepers = Counter(each.home for each in people)
    crowd = Counter(each.home.split(":")[0] for each in people)
    beds = {
        arena.address: town_map.beds_in(arena.address)
        for arena in town_map.arenas.values()
        if town_map.sectors[arena.sector].is_private
    }
    free = next((room for room in beds if beds[room] and not sleepers[room]), None)
    if free is not None:
        return free, {}
    bed = min(chain(*beds.values()), key=lambda bed: bed.rect.area, default=None)
    others = [room for room in beds if not beds[room]]
    spots = {room: _free_spots(town_map, room, bed) for room in others if bed is not None}
    file = town.folder / town_map.sheet.file
    raw = json.loads(read_text(file))
    layers = {layer["name"]: layer for layer in raw["layers"] if "offsetx" not in layer}
    if bed is None or not any(spots.values()) or not {"ground", "objects"} <= layers.keys():
        raise TownError(
            f"Every bedroom of {town.name} is taken. Open {file} in Tiled, and give a private "
            "sector another arena with an object `bed`."
        )
    home = min(
        (room for room in spots if spots[room]),
        key=lambda room: (crowd[town_map.arenas[room].sector], -len(spots[room])),
    )
    _add_bed(raw, layers, town_map, bed, spots[home][0])
    return home, {town_map.sheet.file: json.dumps(raw, separators=(",", ":")) + "\n"}


def _free_spots(town_map: TownMap, room: str, bed: TownObject) -> list[Rect]:
    """Return the places in a room where such a bed can stand on free floor."""
    free = set(town_map.tiles_of(room))
    for item in town_map.objects_in(room):
        free.difference_update(item.rect.tiles())
    spots = (Rect(x, y, bed.rect.width, bed.rect.height) for x, y in sorted(free))
    return [spot for spot in spots if free.issuperset(spot.tiles())]


def _add_bed(
    raw: dict[str, Any], layers: dict[str, Any], town_map: TownMap, bed: TownObject, spot: Rect
) -> None:
    """Add a bed that looks like `bed` to a map in Tiled's format."""
    ground = town_map.ground.copy()
    for (x, y), (from_x, from_y) in zip(spot.tiles(), bed.rect.tiles(), strict=True):
        ground[y, x] = ground[from_y, from_x]
    for key in ("encoding", "compression"):
        layers["ground"].pop(key, None)
    layers["ground"]["data"] = ground.ravel().tolist()
    number = raw.setdefault("nextobjectid", 1_000_000)
    raw["nextobjectid"] += 1
    size = town_map.tile_size
    layers["objects"]["objects"].append(
        {
            "id": number,
            "name": GUEST_BED,
            "type": "object",
            "x": spot.x * size,
            "y": spot.y * size,
            "width": spot.width * size,
            "height": spot.height * size,
            "rotation": 0,
            "visible": True,
            "properties": [{"name": "state", "type": "string", "value": bed.idle_state}],
        }
    )
