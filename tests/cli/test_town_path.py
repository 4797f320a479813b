"""`smolville town --path`: the way between two places, told and drawn."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Command, Said
from tests.fixtures.small_town import edit_map, layer


def way(smolville: Command, start: str, end: str, *more: str) -> Said:
    """Ask for a way in the small town."""
    return smolville("town", str(smolville.town), "--path", start, end, *more)


def test_a_way_is_one_sentence_a_line_per_place_and_a_drawing(
    smolville: Command, tmp_path: Path
) -> None:
    drawing = tmp_path / "way.svg"
    told = way(smolville, "Fern Cottage: kitchen", "Willow Park", "--svg", str(drawing))
    head = re.match(
        r"From Fern Cottage: kitchen to Willow Park: (\d+) tiles, [\d.]+ minutes", told.out
    )
    assert head is not None and "outdoors" in told.out
    root = ElementTree.fromstring(drawing.read_text())
    lines = [each for each in root.iter() if each.tag.endswith("polyline")]
    assert {len(each.get("points", "").split()) for each in lines} == {int(head[1]) + 1}


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("Fern Cotage", "The town has no place 'Fern Cotage'. Did you mean Fern Cottage"),
        ("Fern Cottage: kitchn", "Did you mean Fern Cottage: kitchen"),
        ("999,1", "Nobody can stand on the tile 999,1: it is a wall, or not on the map of 34x15"),
        ("kitchen", "'kitchen' could be "),
    ],
)
def test_an_unknown_place_is_one_sentence(smolville: Command, wanted: str, said: str) -> None:
    told = way(smolville, wanted, "Willow Park")
    assert told.code == 2 and told.out == ""
    assert said in told.err and len(told.err.splitlines()) == 1


def test_where_no_way_leads_it_says_so(smolville: Command) -> None:
    def wall_in_the_corner(data: dict[str, Any]) -> None:
        for x, y in ((32, 14), (33, 13)):
            layer(data, "walls")["data"][y * 34 + x] = 3

    edit_map(smolville.town, wall_in_the_corner)
    told = way(smolville, "Fern Cottage", "33,14")
    assert told.code == 2
    assert told.err.startswith("No way leads from Fern Cottage to 33,14: ")
