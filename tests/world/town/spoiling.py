"""Ways to spoil one thing of the small town."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.fixtures.small_town import edit_map, edit_text, layer, place

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


def data(layer_name: str, value: object) -> Spoil:
    return raw(lambda data: layer(data, layer_name)["data"].__setitem__(36, value))


def text(content: str) -> Spoil:
    return lambda folder: (folder / "map.tmj").write_text(content, encoding="utf-8")


def file(name: str, content: str) -> Spoil:
    return lambda folder: (folder / name).write_text(content, encoding="utf-8")
