"""The towns of runs as data for the page: ground, barriers, places, objects; each drawn once."""

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import Any

import orjson

from smolville.agents.errors import RunError
from smolville.history.folder import RunFolder
from smolville.history.records import Tile
from smolville.world.town.drawing import (
    GROUND,
    barrier,
    by_words,
    ground_colours,
    room_tint,
    thing_colour,
)
from smolville.world.town.tiled import Rect
from smolville.world.town.town import Town, folder_of, town_of
from smolville.world.town.townmap import TownMap

Json = dict[str, Any]
MOST_KEPT = 8
"""Number of towns whose drawing is kept."""
CHANGED = "The town was changed after the run began; it is shown as it is now."

_KINDS = {colour: kind for kind, colour in reversed(tuple(GROUND.items()))}
"""Kind of ground for each colour; if several kinds have the same colour, the first of them."""

OTHER = "thing"
"""Icon for an object with an unknown name."""
NAMED = {
    "bed": "bed, beds, bunk, cot, hammock, examination couch, treatment couch",
    "sofa": "sofa, couch, settee, window seat, bean bag",
    "armchair": "armchair, reading chair, rocking chair",
    "chair": "chair, chairs, seat, seating, seats, stool, stools, garden chair",
    "bench": "bench, benches, pew, garden bench",
    "table": "table, tables, trestle",
    "desk": "desk, desks, order desk",
    "workbench": (
        "workbench, worktop, clock bench, paint bench, potting bench, key cutting bench, "
        "packing table, modelling table, bandsaw, anvil, lathe, microscope, microscope bench, "
        "telescope"
    ),
    "counter": "counter, reception, till, checkout, bar, pastry case",
    "shelf": "shelf, shelves, rack, racks, closet shelf, cold store",
    "bookshelf": (
        "bookshelf, bookshelves, bookcase, novel shelves, history shelves, poetry shelves, "
        "science shelves, map and travel shelves, magazine rack, newspaper rack, book crates, "
        "books, library shelf"
    ),
    "wardrobe": "wardrobe, closet, coat pegs, coat rack, dresser",
    "cupboard": (
        "instrument cupboard, cupboard, cabinet, drawers, chest, lockers, locker, "
        "letter boxes, mailbox, safe, specimen cabinet, bird specimen cabinet, display case, "
        "aquarium, medicine drawers, remedy shelves, medicine, first aid"
    ),
    "crate": "crate, crates, box, boxes, bins, bin, barrel, barrels, sack",
    "stall": "stall, stand, booth, kiosk, fruit stall, vegetable stand",
    "stove": "stove, cooker, cooking area, hob, toaster, grill, microwave",
    "oven": "oven, kiln, bread oven, forge",
    "fridge": "fridge, refrigerator, freezer, icebox, washing machine, dryer, laundry",
    "sink": "sink, basin, basins, washbasin, lab sink, dishwasher",
    "toilet": "toilet, toilets, lavatory, wc",
    "shower": "shower, showers",
    "bath": "bath, bathtub, tub, hot tub",
    "kettle": "kettle, espresso machine, coffee machine, tea urn, coffee maker",
    "fireplace": "fireplace, hearth, campfire, chimney, brazier",
    "television": (
        "television, tv, screen, projector, game console, console, record player, gramophone, "
        "radio, stereo, jukebox"
    ),
    "computer": "computer, computers, laptop, pc, terminal, catalogue computer",
    "machine": "machine, press, loom, printer, sewing machine, fume hood, generator",
    "piano": "piano, organ, keyboard, harpsichord",
    "instrument": "guitar, accordion, harp, violin, drums, drum, trumpet, cello, flute",
    "lectern": "lectern, podium, pulpit, music stand, conductor stand, microphone, speaker",
    "stage": "stage, platform, bandstand, band platform",
    "easel": "easel, canvas",
    "board": (
        "board, blackboard, whiteboard, notice case, notice board, chore board, sign, poster, map"
    ),
    "game": (
        "chess table, game table, pool table, dartboard, billiard, ping pong, chess, board game"
    ),
    "playground": "swings, swing, slide, seesaw, climbing frame, playground",
    "sandpit": "sandpit, sandbox",
    "rug": "rug, carpet, mat, story rug",
    "flowers": "roses, flowers, flower, flower stall, flowerbed, flower bed",
    "plant": (
        "plant, plants, herb rows, bean rows, seedling table, garden, rows, vegetable patch, "
        "patch, compost heap, greenhouse, bush, tree, trees, orchard"
    ),
    "pond": "pond, pool, lake, river",
    "fountain": "fountain, well, birdbath",
    "sundial": "sundial, clock, statue, monument",
    "boat": "boat, boats, canoe, ship, jetty",
    "shed": "shed, hut, garden shed, tent",
    "tools": "tools, tool, tool racks, tool shelves, garden tools rack, timber rack",
}
"""The words by which an object is recognised, by icon; if several match, the longest one counts."""

ICONS: tuple[str, ...] = (*NAMED, OTHER)
"""All icons that the map can draw."""

_BY_WORDS = {words: icon for icon, names in NAMED.items() for words in names.split(", ")}


def map_of(town_map: TownMap) -> Json:
    """Return a map as data for drawing."""
    return {
        "width": town_map.width,
        "height": town_map.height,
        "ground": _ground(town_map),
        "barriers": _barriers(town_map),
        "sectors": [
            {"address": each.address, "name": each.name, "rect": _corners(each.rect)}
            for each in town_map.sectors.values()
        ],
        "arenas": [
            {
                "address": each.address,
                "name": each.name,
                "sector": each.sector,
                "rect": _corners(each.rect),
                "tint": room_tint(each.name),
            }
            for each in town_map.arenas.values()
        ],
        "objects": [
            {
                "address": each.address,
                "name": each.name,
                "rect": _corners(each.rect),
                "colour": thing_colour(each.name),
                "icon": icon_of(each.name),
                "capacity": each.capacity,
                "idle": each.idle_state,
            }
            for each in town_map.objects.values()
        ],
    }


def _corners(rect: Rect) -> list[int]:
    return [rect.x, rect.y, rect.width, rect.height]


def _ground(town_map: TownMap) -> list[list[Any]]:
    """Return each colour of the ground with its kind and with the stretches of tiles that have it.

    A stretch is given by its row, its first column and its width.
    """
    runs: defaultdict[str, list[list[int]]] = defaultdict(list)
    for y, row in enumerate(ground_colours(town_map)):
        start = 0
        for x in range(1, len(row) + 1):
            if x == len(row) or row[x] != row[start]:
                runs[row[start]].append([y, start, x - start])
                start = x
    return [[colour, _KINDS.get(colour, ""), runs[colour]] for colour in sorted(runs)]


def _barriers(town_map: TownMap) -> dict[str, list[Tile]]:
    found: defaultdict[str, list[Tile]] = defaultdict(list)
    for tile in town_map.frame.tiles():
        kind = barrier(town_map, tile)
        if kind:
            found[kind].append(tile)
    return dict(found)


@dataclass(frozen=True, slots=True)
class DrawnTown:
    """A town with its drawing data."""

    town: Town
    drawing: orjson.Fragment
    """The head's `map` as JSON."""
    objects: dict[str, int]
    """Number of each object by address."""


class Towns:
    """Reads, draws and caches the towns of runs."""

    def __init__(self) -> None:
        self._known: deque[DrawnTown] = deque(maxlen=MOST_KEPT)

    def of(self, folder: RunFolder) -> tuple[DrawnTown, list[str]]:
        """Return a run's town, and what is wrong with it, in sentences.

        A town that was changed after the run began is shown as it is now. Raises RunError or
        TownError if it is gone or cannot be read.
        """
        try:
            return self._drawn(town_of(folder)), []
        except RunError:
            if not folder.spec.town_hash:
                raise
            return self._drawn(Town.load(folder_of(folder))), [CHANGED]

    def _drawn(self, town: Town) -> DrawnTown:
        found = next((each for each in self._known if each.town is town), None)
        if found is None:
            numbers = {address: number for number, address in enumerate(town.map.objects)}
            found = DrawnTown(town, orjson.Fragment(orjson.dumps(map_of(town.map))), numbers)
            self._known.append(found)
        return found


def icon_of(name: str) -> str:
    """Return the icon, one of ICONS, for an object with this name."""
    return by_words(name, _BY_WORDS) or OTHER
