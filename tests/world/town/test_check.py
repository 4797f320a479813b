"""Every fault of a town has its own sentence, with the file and, where there is one, the line."""

import re
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from smolville.agents.errors import TownError
from smolville.agents.persona import Habits
from smolville.world.town.norms import RULES_FILE
from smolville.world.town.town import Town, check_town
from smolville.world.town.townfiles import PLOT_FILE
from tests.fixtures.small_town import PEOPLE, edit_map, edit_text, layer, place

SHIPPED = Path(__file__).parents[3] / "towns" / "smolville"

Spoil = Callable[[Path], object]


def ada(old: str, new: str) -> Spoil:
    return lambda folder: edit_text(folder / "personas" / "ada.toml", old, new)


def ben(old: str, new: str) -> Spoil:
    return lambda folder: edit_text(folder / "personas" / "ben.toml", old, new)


def settings(old: str, new: str) -> Spoil:
    return lambda folder: edit_text(folder / "town.toml", old, new)


def history(text: str) -> Spoil:
    return lambda folder: (folder / "history.csv").write_text(text, encoding="utf-8")


def raw(change: Callable[[dict[str, Any]], object]) -> Spoil:
    return lambda folder: edit_map(folder, lambda data: (change(data), None)[1])


def rectangle(layer_name: str, called: str, **values: object) -> Spoil:
    return raw(lambda data: place(data, layer_name, called).update(values))


def wall(x: int, y: int, tile: int = 3) -> Spoil:
    return raw(lambda data: layer(data, "walls")["data"].__setitem__(y * 34 + x, tile))


def properties(**values: object) -> Spoil:
    items = [{"name": key, "type": "string", "value": value} for key, value in values.items()]
    return rectangle("objects", "till", properties=items)


def text(content: str) -> Spoil:
    return lambda folder: (folder / "map.tmj").write_text(content, encoding="utf-8")


def file(name: str, content: str) -> Spoil:
    return lambda folder: (folder / name).write_text(content, encoding="utf-8")


RULE = "[[rules]]\nrule = 'Closed'\nwhere = ['Willow Park']\n"
PLOT = "title = 'A key'\n[[acts]]\nact = 'Somebody looks for a key.'\n"
TEXT_FAULTS: list[tuple[Spoil, str]] = [
    (ada("age = 34", "age = "), "personas/ada.toml, line 2: Invalid value."),
    (ada("age = 34", 'age = "old"'), "personas/ada.toml, line 2: `age` is 'old': it should be"),
    (ada("age = 34", "age = " + "9" * 5_000), "ada.toml cannot be read: Exceeds the limit"),
    (ada("age = 34\n", ""), "personas/ada.toml: `age` is missing."),
    (ada("vision = ", "company = []\nvision = "), "`company` is no field here; a run sets it."),
    (ada("vision", "vison"), "line 11: `vison` is no field here. Did you mean vision?"),
    (ben("importance = 2.0", "importance = -2"), "ben.toml, line 24: `weights.importance`"),
    (ada('wake = "06:00"', 'wake = "5"'), "line 14: `habits.wake` is '5': write a time of day"),
    (ada(': bedroom"', '"'), "line 7: `home` is 'Fern Cottage', a sector; name one of its arenas"),
    (ada('"Fern Cottage: b', '"Fern Cotage: b'), "which is no arena of the map. Did you mean Fern"),
    (ada('"Corner Shop", "W', '"Korner Shop", "W'), "line 10: `known_places` names 'Korner Shop'"),
    (ada('"Ben Hollis" =', '"Ben Holis" ='), "line 22: a relationship names 'Ben Holis'"),
    (
        ada('"Fern Cottage: b', '"Plum Cottage: b'),
        "the beds hold 1 but 2 people live: Ada Brook, B",
    ),
    (
        file("personas/zoe.toml", PEOPLE["ada"]),
        "personas/zoe.toml, line 2: 'Ada Brook' is there twice, also in personas/ada.toml",
    ),
    (
        lambda folder: (folder / "personas" / "ada.toml").write_bytes(b"name = '\xff'"),
        "personas/ada.toml cannot be read: line 1 is not UTF-8 text; save the file as UTF-8.",
    ),
    (
        lambda folder: [path.unlink() for path in (folder / "personas").iterdir()],
        "personas: the folder is empty; add a .toml file for each person.",
    ),
    (lambda folder: (folder / "town.toml").unlink(), "town.toml is missing in"),
    (settings('"map.tmj"', '"../map.tmj"'), "line 3: `map` is '../map.tmj': name a file inside"),
    (settings('"2" = ["Ada Brook", ', '"2" = ['), 'line 9: the cast "2" lists 1 people; its name'),
    (settings('"1" = ["Ada', '"1" = ["Ida'), "'Ida Brook', who has no persona file. Did you mean"),
    (lambda folder: (folder / "history.csv").unlink(), "history.csv cannot be read: No such file"),
    (history(""), "history.csv: it is empty; begin with the line Name,Whisper."),
    (history("Name,Whisper\n\nAda Broke,x\n"), "history.csv, line 3: nobody here is called 'Ada B"),
    (history('Name,Whisper\nBen Hollis," ; "\n'), "line 2: Ben Hollis has no whisper"),
    (file(RULES_FILE, "[[rules]]\nwhere = ['Willow Park']"), "line 1: `rules.rule` is missing."),
    (file(RULES_FILE, RULE.replace("low", "ow")), "line 3: `rules.where` is 'Wilow Park': the map"),
    (file(RULES_FILE, RULE + "who = {under = 3}"), "line 1: this rule binds nobody; change `who`"),
    (file(RULES_FILE, RULE + "when = ['at night']"), "'at night': these are no hours; write"),
    (file(RULES_FILE, RULE + "open = ['00:00-24:00']"), "line 1: this rule never holds; give"),
    (file(RULES_FILE, RULE + "when = ['Sunday']\nopen = ['Monday']"), "give `when` or `open`, not"),
    (
        file(RULES_FILE, RULE.replace("Willow Park", "Fern Cottage")),
        "line 1: this rule keeps Ada Brook from bed; leave the home out of `where`",
    ),
    (file(PLOT_FILE, PLOT + "people = ['Ada Brok']"), "'Ada Brok': nobody in the town is called"),
]
CAPACITY = {"name": "capacity", "type": "int", "value": 2**70}
MAP_FAULTS: list[tuple[Spoil, str]] = [
    (lambda folder: (folder / "map.tmj").unlink(), "There is no map"),
    (text('{"a":\n 1,,}'), "map.tmj: Invalid JSON: key must be a string at line 2 column 4"),
    (text("[" * 100_000 + "]" * 100_000), "map.tmj: Invalid JSON: recursion limit exceeded"),
    (
        lambda folder: (folder / "map.tmj").write_bytes(b'{"a": "\xeb"}'),
        "map.tmj cannot be read: line 1 is not UTF-8 text; save the file as UTF-8.",
    ),
    (raw(lambda data: data.update(width=10**9)), "`width` is 1000000000: it should be less than"),
    (rectangle("objects", "till", x=float("nan")), "`layers.objects.x` is nan"),
    (raw(lambda data: data.update(orientation="isometric")), "the map is isometric; save it as"),
    (raw(lambda data: data.update(tileheight=8)), "map.tmj: tiles must be square"),
    (raw(lambda data: data["layers"].pop(1)), "the tile layer `walls` is missing; it has `ground`"),
    (raw(lambda data: layer(data, "walls")["data"].pop()), "`walls` is not 34x15 tiles as the map"),
    (
        raw(lambda data: layer(data, "walls").update(encoding="base64", data="AAAA")),
        "layer `walls` is packed; set the map's layer format to CSV.",
    ),
    (raw(lambda data: layer(data, "walls").update(offsetx=16)), "layer `walls` is moved; set its"),
    (
        raw(lambda data: data["tilesets"].append({"firstgid": 9, "source": "../x.tsj"})),
        "map.tmj: the tileset '../x.tsj' is a file of its own; embed it.",
    ),
    (
        raw(lambda data: layer(data, "objects")["objects"].append({"id": 99, "template": "a.tx"})),
        "number 99 in layer `objects` comes from a template; detach it.",
    ),
    (rectangle("objects", "till", properties=[CAPACITY]), f"from 1 to 10,000, not {2**70}."),
    (properties(state=" "), "`Corner Shop: shop floor: till`: state must be a short text"),
    (rectangle("objects", "till", x=225), "'till' in layer `objects` is not on the grid of 16 pix"),
    (rectangle("objects", "till", x=544), "reaches beyond the map's 34x15 tiles: 1x1 tiles at (34"),
    (rectangle("objects", "till", name=" "), "in layer `objects` has no name; give it one in Til"),
    (rectangle("objects", "till", name="a: b"), "'a: b' in layer `objects` cannot be called so"),
    (rectangle("objects", "till", ellipse=True), "is no upright rectangle; draw it as one"),
    (rectangle("objects", "till", x=160, y=112), "'till' (1x1 tiles at (10, 7)) lies in no arena"),
    (rectangle("arenas", "shop floor", x=160), "(8x5 tiles at (10, 9)) reaches out of `Corner Sho"),
    (rectangle("objects", "desk", name="bed"), "`Fern Cottage: bedroom: bed` is there twice (1x2"),
    (rectangle("arenas", "back room", y=176), "room` and `Copper Kettle: back room` share 4x1"),
    (rectangle("objects", "bed", name="cot"), "the beds hold 0 but 1 people live: Ada Brook"),
    (wall(14, 9), "`Corner Shop: shop floor: till` stands on a wall at (14, 9); clear the layer"),
]
FAULTS = [*TEXT_FAULTS, *MAP_FAULTS]


@pytest.mark.parametrize(("spoil", "sentence"), FAULTS, ids=[fault[1][:70] for fault in FAULTS])
def test_a_fault_is_told_in_a_sentence_of_its_own(
    small_town: Path, spoil: Spoil, sentence: str
) -> None:
    spoil(small_town)
    faults = check_town(small_town)
    assert len(faults) == 1, faults
    assert sentence in faults[0]
    assert "\n" not in faults[0] and len(faults[0]) < 400
    with pytest.raises(TownError, match=re.escape(faults[0])):
        Town.load(small_town)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    assert check_town(nowhere) == [f"There is no town {str(nowhere)!r}: no such folder."]


def test_what_cannot_be_reached_is_named_but_not_what_lies_in_it(small_town: Path) -> None:
    wall(5, 6)(small_town)
    faults = check_town(small_town)
    assert len(faults) == 2
    assert "the place `Fern Cottage: bedroom` cannot be reached from the rest" in faults[0]
    assert "the place `Fern Cottage: kitchen` cannot be reached from the rest" in faults[1]
    wall(5, 6, tile=0)(small_town)
    for tile in ((13, 10), (14, 10), (15, 9), (13, 9)):
        wall(*tile)(small_town)
    (fault,) = check_town(small_town)
    assert "the place `Corner Shop: shop floor: till` cannot be reached from the rest" in fault


def test_all_faults_are_collected_and_the_first_is_raised_with_their_number(
    small_town: Path,
) -> None:
    for spoil in (ada("age = 34", "age = 0"), ben("age = 51", "age = 0"), wall(14, 9)):
        spoil(small_town)
    faults = check_town(small_town)
    assert [fault.split(":")[0] for fault in faults] == [
        "personas/ada.toml, line 2",
        "personas/ben.toml, line 2",
        "map.tmj",
    ]
    with pytest.raises(TownError, match=re.escape(f"{faults[0]} (and 2 more faults)")):
        Town.load(small_town)


def test_the_shipped_town_has_no_fault_and_every_bed_a_way_to_every_object(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "town"
    shutil.copytree(SHIPPED, folder)
    readme = (SHIPPED / "README.md").read_text(encoding="utf-8")
    examples = [part.partition("```")[0] for part in readme.split("```toml\n")[1:]]
    Habits.model_validate(tomllib.loads(examples[0])["habits"])
    (rules,) = [each for each in examples if "[[rules]]" in each]
    (folder / RULES_FILE).write_text(rules, encoding="utf-8")
    town = Town.load(folder)
    kitchen, library, cooking, pub = town.norms
    bound = [kitchen.who.includes(town.find(name)) for name in ("Walter", "Nadia")]
    assert bound == [True, False]
    assert (library.is_outside, len(library.when)) == (True, 3)
    assert cooking.what == ("cook", "grill", "barbecue")
    young = [name for name, persona in town.personas.items() if pub.who.includes(persona)]
    assert young == ["Amara Okoro", "Saoirse Daly"]
    assert town.plot is not None and len(town.plot.acts) == 4
    assert all(town.cast(size) for size in town.casts)
    homes = [town.map.beds_in(person.home)[0] for person in town.personas.values()]
    starts = [town.map.tiles_of(bed.address)[0] for bed in homes]
    for address in town.map.objects:
        goals = town.map.tiles_of(address)
        assert all(town.paths.distance_to(start, goals) is not None for start in starts), address
