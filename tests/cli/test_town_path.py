"""`smolville town path`: the way between two places, told and drawn."""

from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from smolville.agents.places import sector_of
from smolville.history.folder import RunFolder
from smolville.history.reader import RunReader
from smolville.world.town.town import Town
from tests.cli.conftest import Command
from tests.fixtures.small_town import edit_map, layer


def path(smolville: Command, *words: str) -> tuple[str, ...]:
    """The words of a call in the small town."""
    return ("town", "path", *words, "--town", str(smolville.town))


def test_a_way_leads_tile_by_tile_through_the_doors_between(smolville: Command) -> None:
    told = smolville(*path(smolville, "Fern Cottage: bedroom", "the counter room", "--json"))
    way = told.json
    town_map = Town.load(smolville.town).map
    tiles = [tuple(tile) for tile in way["tiles"]]
    assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(tiles))
    assert all(town_map.is_walkable(tile) for tile in tiles)
    assert way["steps"] == len(tiles) - 1 and way["seconds"] == 10 * way["steps"]
    places = [each["place"] for each in way["passages"]]
    assert places[0] == "Fern Cottage: bedroom" and "outdoors" in places
    assert way["passages"][0]["tile"] == way["tiles"][0]


def test_the_same_way_is_one_sentence_and_a_line_per_place(smolville: Command) -> None:
    words = path(smolville, "Fern Cottage: kitchen", "Willow Park")
    page = smolville(*words).out
    way = smolville(*words, "--json").json
    first, *lines = page.splitlines()
    minutes = way["seconds"] / 60
    start = (
        f"From Fern Cottage: kitchen to Willow Park: {way['steps']} tiles, {minutes:.1f} minutes"
    )
    assert first.startswith(start)
    assert all(any(each["place"] in line for line in lines) for each in way["passages"])


def test_a_drawn_way_has_every_tile_of_it(smolville: Command, tmp_path: Path) -> None:
    drawing = tmp_path / "way.svg"
    words = path(smolville, "Willow Park", "Fern Cottage", "--svg", str(drawing), "--json")
    way = smolville(*words).json
    root = ElementTree.fromstring(drawing.read_text())
    lines = [each for each in root.iter() if each.tag.endswith("polyline")]
    assert {len(each.get("points", "").split()) for each in lines} == {len(way["tiles"])}


def test_any_place_is_the_same_for_the_same_seed(smolville: Command) -> None:
    def ends(seed: int) -> tuple[str, str]:
        way = smolville(
            *path(smolville, "<random>", "<random>", "--seed", str(seed), "--json")
        ).json
        return way["from"], way["to"]

    assert ends(3) == ends(3)
    assert len({ends(seed) for seed in range(8)}) > 1
    arenas = Town.load(smolville.town).map.arenas
    assert all(end in arenas for seed in range(8) for end in ends(seed))


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("Fern Cotage", "The town has no place 'Fern Cotage'. Did you mean Fern Cottage"),
        ("Fern Cottage: kitchn", "Did you mean Fern Cottage: kitchen"),
        ("999,1", "The tile 999,1 is not on the map; columns go from 0 to 33, rows from 0 to 14."),
        ("0,0", "Nobody can stand on the tile 0,0; the nearest free one is "),
        ("kitchen", "'kitchen' could be "),
    ],
)
def test_an_unknown_place_is_one_sentence(smolville: Command, wanted: str, said: str) -> None:
    told = smolville(*path(smolville, wanted, "Willow Park"))
    assert told.code == 2 and told.out == ""
    assert said in told.err and len(told.err.splitlines()) == 1


def test_where_no_way_leads_it_says_so(smolville: Command) -> None:
    def wall_in_the_corner(data: dict[str, Any]) -> None:
        for x, y in ((32, 14), (33, 13)):
            layer(data, "walls")["data"][y * 34 + x] = 3

    edit_map(smolville.town, wall_in_the_corner)
    told = smolville(*path(smolville, "Fern Cottage", "33,14"))
    assert told.code == 2
    assert told.err.startswith("No way leads from Fern Cottage to 33,14: ")


def test_the_check_of_a_town_is_still_the_bare_command(smolville: Command) -> None:
    assert "is in order" in smolville("town", str(smolville.town)).out


def test_somebody_wanders_to_the_place_that_the_day_has_drawn(smolville: Command) -> None:
    cora = smolville.town / "personas" / "cora.toml"
    before = cora.read_text()
    wandering = (
        'work = [\n  { start = "09:00", end = "11:00",'
        ' activity = "drawing the houses at <random>" },'
    )
    cora.write_text(before.replace("work = [", wandering))
    said = smolville.live("amber", "--agents", "Cora Vance", "--for", "12h", "-q")
    assert said.code == 0, said.err
    plan = smolville("show", "amber", "Cora", "--plan").out
    sectors = Town.load(smolville.town).map.sectors
    (place,) = [each for each in sectors if f"drawing the houses at {each}" in plan]
    told = smolville("timeline", "amber").out
    assert "<random>" not in plan + told
    with RunReader(RunFolder.open(smolville.runs, "amber")) as reader:
        drawing = [deed.action for deed in reader.deeds() if "drawing" in deed.action.activity]
    assert {sector_of(action.place) for action in drawing} == {place}
