"""A value that cannot be is told with its file and place, whatever a parser would make of it."""

from pathlib import Path

import pytest

from smolville.world.town.check import check_town
from smolville.world.town.town import Town
from tests.fixtures.small_town import edit_map, layer
from tests.world.town.spoiling import (
    Spoil,
    ada,
    data,
    image,
    raw,
    rectangle,
    settings,
    text,
)

VALUE_FAULTS: list[tuple[Spoil, str]] = [
    (raw(lambda data: data.update(width="abc")), "map.tmj: `width` is 'abc': it should be a num"),
    (raw(lambda data: data.update(height=0)), "map.tmj: `height` is 0: it should be a number of"),
    (raw(lambda data: data.update(width=10**9)), "`width` is 1000000000: it should be a number of"),
    (raw(lambda data: data.pop("tilewidth")), "map.tmj, or a file that it names, cannot be read"),
    (raw(lambda data: data.update(layers=7)), "map.tmj, or a file that it names, cannot be read"),
    (data("walls", "x"), "map.tmj, or a file that it names, cannot be read ("),
    (data("ground", 999), "layer `ground`: the tile 999 at (2, 1) is in no tileset (1 such tiles"),
    (
        raw(
            lambda data: layer(data, "walls").update(
                data="!", encoding="base64", compression="zlib"
            )
        ),
        "map.tmj, or a file that it names, cannot be read (",
    ),
    (rectangle("objects", "till", x=float("nan")), "cannot be read ("),
    (rectangle("objects", "till", y=float("inf")), "cannot be read ("),
    (rectangle("objects", "till", width=-16), "'till' in layer `objects` has no tile"),
    (rectangle("objects", "till", name=5), "cannot be read ("),
    (text("[" * 100_000 + "]" * 100_000), "map.tmj is no map that Tiled would write (nested too"),
    (text('{"layers": ' + "[" * 700 + "]" * 700 + "}"), "map.tmj"),
    (text("9" * 5_000), "map.tmj is no map that Tiled would write ("),
    (
        lambda folder: (folder / "map.tmj").write_bytes(b'{"a": "\xeb"}'),
        "map.tmj cannot be read: line 1 is not UTF-8 text; save the file as UTF-8.",
    ),
    (
        lambda folder: [
            edit_map(
                folder, lambda data: data["tilesets"].append({"firstgid": 9, "source": "a.tsx"})
            ),
            (folder / "a.tsx").write_text("<a"),
        ],
        "map.tmj, or a file that it names, cannot be read (ParseError: unclosed token",
    ),
    (image(None), "tileset 'small': its image tiles.png is missing"),
    (
        ada("age = 34", "age = " + "9" * 5_000),
        "personas/ada.toml cannot be read: Exceeds the limit",
    ),
    (ada("age = 34", "age = " + "[" * 9_000), "personas/ada.toml cannot be read: it is nested too"),
    (ada('"Ada Brook"\nage', '" "\nage'), "personas/ada.toml, line 1: `name` is ' '"),
    (settings('"history.csv"', '"a\\u0000b"'), "town.toml, line 4: `history` is 'a\\x00b': name a"),
]


@pytest.mark.parametrize(("spoil", "told"), VALUE_FAULTS)
def test_a_value_that_cannot_be_is_told_with_its_place(
    small_town: Path, spoil: Spoil, told: str
) -> None:
    spoil(small_town)
    faults = check_town(small_town)
    assert any(told in fault for fault in faults), faults[:3]
    assert all("\n" not in fault and len(fault) < 400 for fault in faults)


def test_a_run_lives_without_pictures_but_a_check_tells_of_them(small_town: Path) -> None:
    image(None)(small_town)
    assert Town.load(small_town).name == "Smalltown"
    assert len(check_town(small_town)) == 1
