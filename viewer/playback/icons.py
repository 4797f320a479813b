"""Chooses the icon for an object by the words of its name."""

from collections.abc import Mapping
from types import MappingProxyType

from smolville.world.town.palette import by_words

OTHER = "thing"
"""Icon for an object with an unknown name."""

NAMED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "bed": ("bed", "beds", "bunk", "cot", "hammock", "examination couch", "treatment couch"),
        "sofa": ("sofa", "couch", "settee", "window seat", "bean bag"),
        "armchair": ("armchair", "reading chair", "rocking chair"),
        "chair": (
            "chair", "chairs", "seat", "seating", "seats", "stool", "stools", "garden chair",
        ),
        "bench": ("bench", "benches", "pew", "garden bench"),
        "table": ("table", "tables", "trestle"),
        "desk": ("desk", "desks", "order desk"),
        "workbench": (
            "workbench", "worktop", "clock bench", "paint bench", "potting bench",
            "key cutting bench", "packing table", "modelling table", "bandsaw", "anvil", "lathe",
        ),
        "counter": ("counter", "reception", "till", "checkout", "bar", "pastry case"),
        "shelf": ("shelf", "shelves", "rack", "racks", "closet shelf", "cold store"),
        "bookshelf": (
            "bookshelf", "bookshelves", "bookcase", "novel shelves", "history shelves",
            "poetry shelves", "science shelves", "map and travel shelves", "magazine rack",
            "newspaper rack", "book crates", "books", "library shelf",
        ),
        "wardrobe": ("wardrobe", "closet", "coat pegs", "coat rack", "dresser"),
        "cupboard": (
            "instrument cupboard", "cupboard", "cabinet", "drawers", "chest", "lockers", "locker",
            "letter boxes", "mailbox", "safe",
        ),
        "crate": ("crate", "crates", "box", "boxes", "bins", "bin", "barrel", "barrels", "sack"),
        "stall": ("stall", "stand", "booth", "kiosk", "fruit stall", "vegetable stand"),
        "stove": ("stove", "cooker", "cooking area", "hob", "toaster", "grill", "microwave"),
        "oven": ("oven", "kiln", "bread oven", "forge"),
        "fridge": ("fridge", "refrigerator", "freezer", "icebox"),
        "sink": ("sink", "basin", "basins", "washbasin", "lab sink", "dishwasher"),
        "toilet": ("toilet", "toilets", "lavatory", "wc"),
        "shower": ("shower", "showers"),
        "bath": ("bath", "bathtub", "tub", "hot tub"),
        "washer": ("washing machine", "dryer", "laundry"),
        "kettle": ("kettle", "espresso machine", "coffee machine", "tea urn", "coffee maker"),
        "fireplace": ("fireplace", "hearth", "campfire", "chimney", "brazier"),
        "television": ("television", "tv", "screen", "projector", "game console", "console"),
        "computer": ("computer", "computers", "laptop", "pc", "terminal", "catalogue computer"),
        "machine": (
            "machine", "press", "loom", "printer", "sewing machine", "fume hood", "generator",
        ),
        "piano": ("piano", "organ", "keyboard", "harpsichord"),
        "instrument": (
            "guitar", "accordion", "harp", "violin", "drums", "drum", "trumpet", "cello",
            "flute",
        ),
        "record player": ("record player", "gramophone", "radio", "stereo", "jukebox"),
        "music stand": ("music stand", "conductor stand"),
        "microphone": ("microphone", "speaker"),
        "lectern": ("lectern", "podium", "pulpit"),
        "stage": ("stage", "platform", "bandstand", "band platform"),
        "easel": ("easel", "canvas"),
        "board": (
            "board", "blackboard", "whiteboard", "notice case", "notice board", "chore board",
            "sign", "poster", "map",
        ),
        "microscope": ("microscope", "microscope bench", "telescope"),
        "game": (
            "chess table", "game table", "pool table", "dartboard", "billiard", "ping pong",
            "chess", "board game",
        ),
        "weights": ("weight", "weights", "dumbbell", "treadmill", "gym"),
        "playground": ("swings", "swing", "slide", "seesaw", "climbing frame", "playground"),
        "sandpit": ("sandpit", "sandbox"),
        "rug": ("rug", "carpet", "mat", "story rug"),
        "flowers": ("roses", "flowers", "flower", "flower stall", "flowerbed", "flower bed"),
        "plant": (
            "plant", "plants", "herb rows", "bean rows", "seedling table", "garden", "rows",
            "vegetable patch", "patch", "compost heap", "greenhouse", "bush",
        ),
        "tree": ("tree", "trees", "orchard"),
        "pond": ("pond", "pool", "lake", "river"),
        "fountain": ("fountain", "well", "birdbath"),
        "sundial": ("sundial", "clock", "statue", "monument"),
        "boat": ("boat", "boats", "canoe", "ship", "jetty"),
        "shed": ("shed", "hut", "garden shed", "tent"),
        "tools": (
            "tools", "tool", "tool racks", "tool shelves", "garden tools rack", "timber rack",
        ),
        "lamp": ("lamp", "lantern", "light", "candle"),
        "door": ("door", "gate"),
        "medicine": ("medicine drawers", "remedy shelves", "medicine", "first aid"),
        "specimens": ("specimen cabinet", "bird specimen cabinet", "display case", "aquarium"),
    }
)  # fmt: skip
"""The words by which an object is recognised, by icon; if several match, the longest one counts."""

ICONS: tuple[str, ...] = (*NAMED, OTHER)
"""All icons that the map can draw."""

_BY_WORDS = {words: icon for icon, names in NAMED.items() for words in names}


def icon_of(name: str) -> str:
    """Return the icon, one of ICONS, for an object with this name."""
    return by_words(name, _BY_WORDS) or OTHER
