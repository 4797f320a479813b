"""The drawn map: well-formed, escaped, the same each time."""

from pathlib import Path
from xml.etree import ElementTree

from smolville.world.town.drawing import draw_map
from smolville.world.town.townmap import TownMap
from tests.fixtures.small_town import edit_map, place

SVG = "{http://www.w3.org/2000/svg}"


def group(drawing: str, name: str) -> ElementTree.Element:
    root = ElementTree.fromstring(drawing)
    found = root.find(f"{SVG}g[@class='{name}']")
    assert found is not None
    return found


def titles(drawing: str, name: str) -> list[str]:
    return [title.text or "" for title in group(drawing, name).iter(f"{SVG}title")]


def test_every_arena_and_object_is_drawn_with_its_address(town_map: TownMap) -> None:
    drawing = draw_map(town_map)
    assert titles(drawing, "arenas") == list(town_map.arenas)
    shown = [title.partition(" (")[0] for title in titles(drawing, "objects")]
    assert shown == list(town_map.objects)
    assert "Corner Shop: shop floor: shelf (full, 3 places)" in titles(drawing, "objects")


def test_names_cannot_leave_the_text_they_stand_in(small_town: Path) -> None:
    nasty = '</title><script>alert("1")</script>&\x00'
    edit_map(small_town, lambda data: place(data, "objects", "till").update(name=nasty))
    drawing = draw_map(TownMap.load(small_town / "map.tmj"))
    assert "<script" not in drawing
    assert any("<script>" in title for title in titles(drawing, "objects"))
