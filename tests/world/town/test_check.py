"""Every fault of a town has its own sentence, with the file and, where there is one, the line."""

import re
from pathlib import Path

import pytest

from smolville.agents.errors import TownError
from smolville.world.town.check import check_town
from smolville.world.town.town import Town
from smolville.world.town.townfiles import SMALLVILLE
from tests.fixtures.small_town import PEOPLE, layer
from tests.world.town.spoiling import (
    SHIPPED,
    Spoil,
    ada,
    ben,
    history,
    properties,
    raw,
    rectangle,
    settings,
    wall,
)

PERSONA_FAULTS: list[tuple[Spoil, str]] = [
    (ada("age = 34", "age = "), "personas/ada.toml, line 2: Invalid value."),
    (ada("age = 34", 'age = "old"'), "personas/ada.toml, line 2: `age` is 'old': it should be"),
    (ada("age = 34", "age = 0"), "line 2: `age` is 0: it should be greater than or equal to 1."),
    (ada("age = 34\n", ""), "personas/ada.toml: `age` is missing."),
    (ada("vision = ", "company = []\nvision = "), "`company` is no field here; a run sets it."),
    (ada("vision", "vison"), "line 11: `vison` is no field here. Did you mean vision?"),
    (ada('"Ada Brook"\nage', '"Ada"\nage'), "line 1: `name` is 'Ada': write the full name"),
    (
        ben("importance = 2.0", "importance = -2"),
        "personas/ben.toml, line 24: `weights.importance`",
    ),
    (ben("importance = 2.0", "importence = 2"), "line 24: `weights.importence` is no field here."),
    (ada(': bedroom"', '"'), "line 7: `home` is 'Fern Cottage', a sector; name one of its arenas"),
    (ada('"Fern Cottage: b', '"Fern Cotage: b'), "which is no arena of the map. Did you mean Fern"),
    (ada("counter room", "bar"), "line 8: `work` is 'Copper Kettle: bar', which is no arena"),
    (ada('"Corner Shop", "W', '"Korner Shop", "W'), "line 10: `known_places` names 'Korner Shop'"),
    (ada('"Ben Hollis" =', '"Ben Holis" ='), "line 22: a relationship names 'Ben Holis'"),
    (ada('"Ben Hollis" =', '"Ada Brook" ='), "line 22: 'Ada Brook' has a relationship with them"),
    (
        ada('"Fern Cottage: b', '"Plum Cottage: b'),
        "the beds hold 1 but 2 people live: Ada Brook, B",
    ),
    (
        lambda folder: (folder / "personas" / "zoe.toml").write_text(PEOPLE["ada"], "utf-8"),
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
]

SETTINGS_FAULTS: list[tuple[Spoil, str]] = [
    (lambda folder: (folder / "town.toml").unlink(), "town.toml is missing in"),
    (settings("2024-05-06", '"soon"'), "town.toml, line 5: `start_date` is 'soon'"),
    (settings('"map.tmj"', '"../map.tmj"'), "line 3: `map` is '../map.tmj': name a file inside"),
    (settings("description", "descripton"), "`descripton` is no field here. Did you mean desc"),
    (settings('"2" = ["Ada Brook", ', '"2" = ['), 'line 9: the cast "2" lists 1 names; list'),
    (settings('"1" = ["Ada', '"one" = ["Ada'), 'line 8: the cast "one" must be a number of agents'),
    (settings('"1" = ["Ada', '"1" = ["Ida'), "'Ida Brook', who has no persona file. Did you mean"),
    (
        settings('"2" = ["Ada Brook", "Ben Hollis"]', '"2" = ["Ada Brook", "Ada Brook"]'),
        "town.toml, line 9: the cast \"2\" lists 'Ada Brook' 2 times.",
    ),
]

HISTORY_FAULTS: list[tuple[Spoil, str]] = [
    (lambda folder: (folder / "history.csv").unlink(), "history.csv cannot be read: No such file"),
    (history(""), "history.csv: it is empty; begin with the line Name,Whisper."),
    (history("Agent,Text\nAda Brook,x\n"), "line 1: the header must be Name,Whisper, not 'Agent"),
    (history("Name,Whisper\n\nAda Broke,x\n"), "history.csv, line 3: nobody here is called 'Ada B"),
    (history("Name,Whisper\nBen Hollis\n"), "history.csv, line 2: Ben Hollis has no whisper"),
    (history('Name,Whisper\nBen Hollis," ; "\n'), "line 2: Ben Hollis has no whisper"),
]


CAPACITY = {"name": "capacity", "type": "int", "value": 2**70}
MAP_FAULTS: list[tuple[Spoil, str]] = [
    (lambda folder: (folder / "map.tmj").unlink(), "There is no map"),
    (
        lambda folder: (folder / "map.tmj").write_text('{"a":\n 1,,}'),
        "map.tmj, line 2: not JSON (",
    ),
    (lambda folder: (folder / "map.tmj").write_text("[1]"), "map.tmj is no map that Tiled would"),
    (lambda folder: (folder / "map.tmj").write_text("{}"), "map.tmj is no map that Tiled would"),
    (raw(lambda data: data.update(orientation="isometric")), "the map is isometric; save it as"),
    (raw(lambda data: data.update(infinite=True)), "the map is infinite; save it as orthogonal"),
    (raw(lambda data: data.update(tileheight=8)), "map.tmj: tiles must be square"),
    (raw(lambda data: data["layers"].pop(1)), "the tile layer `walls` is missing; it has `ground`"),
    (raw(lambda data: data["layers"].pop(3)), "the object layer `arenas` is missing; it has"),
    (raw(lambda data: layer(data, "walls")["data"].pop()), "`walls` is not 34x15 tiles as the map"),
    (
        raw(lambda data: layer(data, "walls").update(encoding="base64", data="AAAA")),
        "map.tmj, or a file that it names, cannot be read (",
    ),
    (
        rectangle("objects", "till", properties=[CAPACITY]),
        f"capacity must be a whole number from 1 to 10,000, not {2**70}.",
    ),
    (raw(lambda data: data["tilesets"][0].update(image="../x.png")), "'../x.png' lies outside the"),
    (
        raw(lambda data: data["tilesets"].append({"firstgid": 9, "source": "x.tsj"})),
        "x.tsj, which is not there.",
    ),
    (
        raw(lambda data: layer(data, "walls").update(offsetx=24, offsety=0)),
        "layer `walls`, with the groups around it, is moved by (24, 0) pixels; move it by whole",
    ),
    (
        raw(lambda data: layer(data, "objects")["objects"].append({"id": 99, "template": "a.tx"})),
        "map.tmj: the template 'a.tx' is XML, which a map in JSON cannot be read with; save it",
    ),
    (rectangle("objects", "till", x=225), "'till' in layer `objects` is not on the grid of 16 pix"),
    (rectangle("objects", "till", x=544), "reaches beyond the map's 34x15 tiles: 1x1 tiles at (34"),
    (rectangle("objects", "till", name=" "), "in layer `objects` has no name; give it one in Til"),
    (rectangle("objects", "till", name="a: b"), "'a: b' in layer `objects` cannot be called so"),
    (rectangle("sectors", "Corner Shop", name="outdoors"), '"outdoors" is taken'),
    (
        rectangle("objects", "till", rotation=10),
        "'till' in layer `objects` is no upright rectangle",
    ),
    (rectangle("objects", "till", ellipse=True), "is no upright rectangle; draw it as one"),
    (rectangle("objects", "till", width=0), "'till' in layer `objects` has no tile"),
    (rectangle("objects", "till", x=160, y=112), "'till' (1x1 tiles at (10, 7)) lies in no arena"),
    (
        rectangle("objects", "shelf", x=320),
        "the object 'shelf' (2x3 tiles at (20, 10)) reaches out",
    ),
    (rectangle("arenas", "shop floor", x=160), "(8x5 tiles at (10, 9)) reaches out of `Corner Sho"),
    (
        rectangle("arenas", "back room", x=160, y=112, width=16, height=16),
        "lies in no sector; move",
    ),
    (rectangle("objects", "desk", name="bed"), "`Fern Cottage: bedroom: bed` is there twice (1x2"),
    (
        rectangle("arenas", "back room", y=176),
        "room` and `Copper Kettle: back room` share 4x1 tiles",
    ),
    (
        rectangle("sectors", "Plum Cottage", x=144, width=208),
        "the sectors `Fern Cottage` and `Plum",
    ),
    (properties(capacity=0), "capacity must be a whole number from 1 to 10,000, not 0."),
    (properties(capacity="two"), "capacity must be a whole number from 1 to 10,000, not 'two'."),
    (properties(state=" "), "`Corner Shop: shop floor: till`: state must be a short text"),
    (
        rectangle("objects", "bed", name="cot"),
        "line 7: `home` is 'Fern Cottage: bedroom', where th",
    ),
    (wall(14, 9), "`Corner Shop: shop floor: till` stands on a wall at (14, 9); clear the layer"),
]

FAULTS = [*PERSONA_FAULTS, *SETTINGS_FAULTS, *HISTORY_FAULTS, *MAP_FAULTS]


def test_the_small_town_has_no_fault(small_town: Path) -> None:
    assert check_town(small_town) == []


@pytest.mark.parametrize(("spoil", "sentence"), FAULTS, ids=[fault[1][:70] for fault in FAULTS])
def test_a_fault_is_told_in_a_sentence_of_its_own(
    small_town: Path, spoil: Spoil, sentence: str
) -> None:
    spoil(small_town)
    faults = check_town(small_town)
    assert len(faults) == 1, faults
    assert sentence in faults[0]
    with pytest.raises(TownError, match=re.escape(faults[0])):
        Town.load(small_town)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert check_town(tmp_path / "nowhere") == [
        f"There is no town {str(tmp_path / 'nowhere')!r}: no such folder."
    ]


@pytest.mark.parametrize("file", SMALLVILLE)
def test_a_folder_of_the_original_smallville_is_recognised(tmp_path: Path, file: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text("{}")
    (fault,) = check_town(tmp_path)
    assert "is part of the original Smallville" in fault


def test_a_house_without_a_door_names_its_rooms_but_not_their_objects(small_town: Path) -> None:
    wall(5, 6)(small_town)
    faults = check_town(small_town)
    assert len(faults) == 2
    assert "the home `Fern Cottage: bedroom` cannot be reached from the rest" in faults[0]
    assert "the place `Fern Cottage: kitchen` cannot be reached from the rest" in faults[1]


def test_an_object_walled_in_within_its_room_is_named(small_town: Path) -> None:
    for tile in ((13, 10), (14, 10), (15, 9)):
        wall(*tile)(small_town)
    wall(13, 9)(small_town)
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


def test_a_broken_persona_file_is_not_blamed_on_those_who_name_them(small_town: Path) -> None:
    ada("age = 34", "age = 0")(small_town)
    assert len(check_town(small_town)) == 1


@pytest.mark.skipif(not (SHIPPED / "town.toml").exists(), reason="no town is shipped yet")
def test_the_shipped_town_has_no_fault_and_nothing_to_mend() -> None:
    assert check_town(SHIPPED) == []
    town = Town.load(SHIPPED)
    assert town.notes == ()
    assert all(town.cast(size) for size in town.casts)


@pytest.mark.skipif(not (SHIPPED / "town.toml").exists(), reason="no town is shipped yet")
def test_in_the_shipped_town_every_bed_is_within_a_walk_of_every_object() -> None:
    town = Town.load(SHIPPED)
    homes = [town.map.beds_in(person.home)[0] for person in town.personas.values()]
    starts = [town.map.tiles_of(bed.address)[0] for bed in homes]
    for address in town.map.objects:
        goals = town.map.tiles_of(address)
        assert all(town.paths.distance_to(start, goals) is not None for start in starts), address
