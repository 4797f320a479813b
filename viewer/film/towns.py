"""The towns that runs live in, each drawn once and kept for as long as it stays as it is."""

from collections import OrderedDict
from dataclasses import dataclass

import orjson

from agents.errors import SmolvilleError
from viewer.film.drawing import map_of
from viewer.film.faults import sentence
from world.runs.folder import RunFolder
from world.town.town import Town, folder_of, town_hash, town_of

MOST_KEPT = 8


@dataclass(frozen=True, slots=True)
class Drawn:
    """A town with its drawing."""

    town: Town
    drawing: orjson.Fragment
    """JSON of the head's `map`."""
    objects: dict[str, int]
    """Address to number."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run is lived."""

    drawn: Drawn | None
    """None where the town is gone, or is no tile town."""
    faults: tuple[str, ...] = ()


class Towns:
    """Reads and draws the towns of runs."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], Drawn] = OrderedDict()

    def of(self, folder: RunFolder) -> Place:
        """Return where a run is lived; a town that was changed since is drawn as it is now."""
        key = (str(folder_of(folder)), _state(folder))
        known = self._known.get(key)
        if known is not None and key[1] == folder.spec.town_hash:
            return Place(known)
        try:
            return Place(self._kept(key, town_of(folder)))
        except SmolvilleError as error:
            faults = (sentence(error, folder),)
        if not key[1]:
            return Place(None, faults)
        try:
            return Place(known or self._kept(key, Town.load(folder_of(folder))), faults)
        except SmolvilleError as error:
            return Place(None, (*faults, sentence(error, folder)))

    def _kept(self, key: tuple[str, str], town: Town) -> Drawn:
        """Return a town with its drawing, and keep it."""
        drawn = self._known.get(key)
        if drawn is None:
            numbers = {address: number for number, address in enumerate(town.map.objects)}
            drawn = Drawn(town, orjson.Fragment(orjson.dumps(map_of(town.map))), numbers)
            self._known[key] = drawn
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)
        return drawn


def _state(folder: RunFolder) -> str:
    """Return what a run's town is like now; empty where there is none to be read."""
    where = folder_of(folder)
    if not folder.spec.town_hash or not where.is_dir():
        return ""
    try:
        return town_hash(where)
    except OSError:
        return ""
