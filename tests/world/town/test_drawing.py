"""The drawn map: well-formed, escaped, the same each time."""

import struct
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smolville.world.town.drawing import draw_map, plain
from smolville.world.town.labels import Labels, MapLabel
from smolville.world.town.palette import GRASS, GROUND, ground_colours
from smolville.world.town.tile_image import mean_colours
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


def test_every_sector_has_its_name_on_the_map(town_map: TownMap) -> None:
    names = [text.text for text in group(draw_map(town_map), "sector-names")]
    assert sorted(names) == sorted(town_map.sectors)  # type: ignore[type-var]


def test_the_same_town_gives_the_same_drawing_whoever_is_named_first(small_town: Path) -> None:
    one, other = (TownMap.load(small_town / "map.tmj") for _ in range(2))
    people = {"Ada Brook": (10, 7), "Ben Hollis": (10, 7), "Cora Vance": (3, 3)}
    backwards = dict(reversed(people.items()))
    assert draw_map(one, people) == draw_map(other, backwards)


def test_people_on_one_tile_stand_apart(town_map: TownMap) -> None:
    drawing = draw_map(town_map, {"Ada Brook": (10, 7), "Ben Hollis": (10, 7)})
    circles = list(group(drawing, "people").iter(f"{SVG}circle"))
    assert titles(drawing, "people") == ["Ada Brook", "Ben Hollis"]
    assert circles[0].get("cx") != circles[1].get("cx")
    assert circles[0].get("cy") == circles[1].get("cy")


def test_names_cannot_leave_the_text_they_stand_in(small_town: Path) -> None:
    nasty = '</title><script>alert("1")</script>&\x00'
    edit_map(small_town, lambda data: place(data, "objects", "till").update(name=nasty))
    drawing = draw_map(TownMap.load(small_town / "map.tmj"), {nasty: (1, 1)})
    assert "<script" not in drawing
    assert any("<script>" in title for title in titles(drawing, "objects"))
    assert titles(drawing, "people") == [nasty.replace("\x00", "")]


@given(st.text())
def test_any_text_can_stand_in_the_drawing(text: str) -> None:
    parsed = ElementTree.fromstring(f'<t a="{plain(text)}">{plain(text)}</t>')
    assert (parsed.text or "") == parsed.get("a")


def test_labels_never_lie_over_each_other() -> None:
    labels = Labels(100, 100)
    assert labels.place([MapLabel("market", 50, 50, 10)])
    assert labels.place([MapLabel("square", 55, 52, 10)]) is None
    assert labels.place([MapLabel("edge", 2, 50, 10)]) is None
    assert labels.place([MapLabel("square", 55, 52, 10), MapLabel("square", 50, 62, 10)])


def test_the_ground_has_the_colours_of_its_tiles_types(town_map: TownMap) -> None:
    rows = ground_colours(town_map)
    assert set(rows[7]) == {GROUND["road"]}
    assert set(rows[8]) == {GRASS}


def png(rows: list[list[tuple[int, int, int, int]]], filters: list[int]) -> bytes:
    """A PNG of these pixels, each line written with its filter (none, left or above)."""
    lines, above = b"", bytes(4 * len(rows[0]))
    for row, kind in zip(rows, filters, strict=True):
        line = bytes(value for pixel in row for value in pixel)
        guess = {0: bytes(len(line)), 1: bytes(4) + line[:-4], 2: above}[kind]
        lines += bytes([kind])
        lines += bytes((value - from_) & 255 for value, from_ in zip(line, guess, strict=True))
        above = line
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 6, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(lines)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )


def test_tiles_without_a_type_have_the_mean_colour_of_their_picture(small_town: Path) -> None:
    red, clear = (200, 0, 0, 255), (9, 9, 9, 0)
    rows = [[red] * 16 + [clear] * 16, *([[red] * 8 + [(0, 0, 100, 255)] * 8 + [clear] * 16] * 15)]
    (small_town / "tiles.png").write_bytes(png(rows, [index % 3 for index in range(16)]))
    assert mean_colours(small_town / "tiles.png", (16, 16), 0, 0) == ["#6a002e", ""]

    def use_picture(data: dict[str, list[dict[str, object]]]) -> None:
        data["tilesets"][0].update(image="tiles.png", imagewidth=32, imageheight=16, columns=2)
        del data["tilesets"][0]["tiles"]

    edit_map(small_town, use_picture)
    rows_of_colours = ground_colours(TownMap.load(small_town / "map.tmj"))
    assert rows_of_colours[8][24] == "#6a002e"
    assert set(rows_of_colours[7]) == {GRASS}


@pytest.mark.parametrize(
    "content", [b"", b"GIF89a", b"\x89PNG\r\n\x1a\n", b"\x89PNG\r\n\x1a\n1234"]
)
def test_a_picture_that_is_no_png_is_a_value_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "tiles.png"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"tiles\.png"):
        mean_colours(path, (16, 16), 0, 0)
