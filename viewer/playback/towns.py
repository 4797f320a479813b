"""The towns of runs, each drawn once and cached until it changes."""

from collections import deque
from dataclasses import dataclass

import orjson

from smolville.agents.errors import SmolvilleError
from smolville.history.folder import RunFolder
from smolville.viewer.playback.drawing import map_of
from smolville.world.town.town import Town, folder_of, town_of

MOST_KEPT = 8


@dataclass(frozen=True, slots=True)
class DrawnTown:
    """A town with its drawing data."""

    town: Town
    drawing: orjson.Fragment
    """The head's `map` as JSON."""
    objects: dict[str, int]
    """Number of each object by address."""


class Towns:
    """Reads, draws and caches the towns of runs."""

    def __init__(self) -> None:
        self._known: deque[DrawnTown] = deque(maxlen=MOST_KEPT)

    def of(self, folder: RunFolder) -> tuple[DrawnTown | None, list[str]]:
        """Return a run's town, and what is wrong with it, in sentences.

        A town that was changed after the run began is shown as it is now. The town is None if it
        is gone or cannot be read.
        """
        try:
            return self._drawn(town_of(folder)), []
        except SmolvilleError as error:
            faults = [without_paths(error, folder)]
        where = folder_of(folder)
        if not folder.spec.town_hash or not where.is_dir():
            return None, faults
        try:
            return self._drawn(Town.load(where)), faults
        except SmolvilleError as error:
            return None, [*faults, without_paths(error, folder)]

    def _drawn(self, town: Town) -> DrawnTown:
        found = next((each for each in self._known if each.town is town), None)
        if found is None:
            numbers = {address: number for number, address in enumerate(town.map.objects)}
            found = DrawnTown(town, orjson.Fragment(orjson.dumps(map_of(town.map))), numbers)
            self._known.append(found)
        return found


def without_paths(error: Exception, folder: RunFolder) -> str:
    """Return an error message for a page, without the paths of this machine."""
    text = str(error)
    for path in (folder.path, folder.path.parent, folder_of(folder)):
        for each in (path.absolute(), path):
            if len(str(each)) > 1:
                text = text.replace(str(each), path.name)
    return text
