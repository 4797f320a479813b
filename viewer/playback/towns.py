"""The towns of runs, each drawn once and cached until it changes."""

from collections import OrderedDict
from dataclasses import dataclass

import orjson

from smolville.agents.errors import SmolvilleError
from smolville.history.folder import RunFolder
from smolville.viewer.playback.damaged_history import sentence
from smolville.viewer.playback.drawing import map_of
from smolville.world.town.town import Town, folder_of, town_hash, town_of

MOST_KEPT = 8


@dataclass(frozen=True, slots=True)
class DrawnTown:
    """A town with its drawing data."""

    town: Town
    drawing: orjson.Fragment
    """The head's `map` as JSON."""
    objects: dict[str, int]
    """Number of each object by address."""


@dataclass(frozen=True, slots=True)
class RunTown:
    """The drawn town of a run, and sentences about its parts that could not be read."""

    drawn: DrawnTown | None
    """The drawn town; None if the town no longer exists or is not a tile town."""
    faults: tuple[str, ...] = ()


class Towns:
    """Reads, draws and caches the towns of runs."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], DrawnTown] = OrderedDict()

    def of(self, folder: RunFolder) -> RunTown:
        """Return a run's town; if its files have changed since the run, as the town is now."""
        key = (str(folder_of(folder)), _state(folder))
        known = self._known.get(key)
        if known is not None and key[1] == folder.spec.town_hash:
            return RunTown(known)
        try:
            return RunTown(self._draw_town_once(key, town_of(folder)))
        except SmolvilleError as error:
            faults = (sentence(error, folder),)
        if not key[1]:
            return RunTown(None, faults)
        try:
            return RunTown(known or self._draw_town_once(key, Town.load(folder_of(folder))), faults)
        except SmolvilleError as error:
            return RunTown(None, (*faults, sentence(error, folder)))

    def _draw_town_once(self, key: tuple[str, str], town: Town) -> DrawnTown:
        """Return a town with its drawing, from the cache if possible."""
        drawn = self._known.get(key)
        if drawn is None:
            numbers = {address: number for number, address in enumerate(town.map.objects)}
            drawn = DrawnTown(town, orjson.Fragment(orjson.dumps(map_of(town.map))), numbers)
            self._known[key] = drawn
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)
        return drawn


def _state(folder: RunFolder) -> str:
    """Return the hash of a run's town as it is now; empty if the town cannot be read."""
    where = folder_of(folder)
    if not folder.spec.town_hash or not where.is_dir():
        return ""
    try:
        return town_hash(where)
    except OSError:
        return ""
