"""Read the replay of a run from the run's folder: head, tracks, people."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

from smolville.agents.errors import RunError, SmolvilleError
from smolville.agents.times import SECONDS_PER_TILE
from smolville.history.folder import RunFolder
from smolville.history.inbox import read_waiting
from smolville.history.reader import RunReader
from smolville.history.records import Intervention
from smolville.history.schema import reading
from smolville.reports.from_outside import is_told, outside_words
from smolville.reports.runs import describe_recording, name_model
from smolville.viewer.playback.people import person_entries
from smolville.viewer.playback.person import person
from smolville.viewer.playback.run_state import Json, RunState, read_state, state_of
from smolville.viewer.playback.towns import Towns
from smolville.viewer.playback.tracks import tracks
from smolville.viewer.step_names import PLAIN

FORMAT = 1
STANDIN = "standin"


class ReplayReader(AbstractContextManager["ReplayReader"]):
    """Reads a run's replay; may be used only in the thread that created it.

    Every method raises DamagedError for a damaged history, in the same sentence as the commands.
    """

    def __init__(self, folder: RunFolder, towns: Towns | None = None) -> None:
        """Open the history and the town; raises RunError or TownError if that fails."""
        self.folder = folder
        self._drawn, self._faults = (towns or Towns()).of(folder)
        self._reader = RunReader(folder)

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the history."""
        self._reader.close()

    def head(self) -> Json:
        """Return the first part of the replay's data: the run, its people and its town."""
        spec, drawn = self.folder.spec, self._drawn
        models = list(dict.fromkeys((spec.models.fast, spec.models.strong)))
        with self._showing() as showing:
            state = state_of(showing)
            return {
                "format": FORMAT,
                "run": spec.name,
                "forked_from": spec.forked_from,
                "town": spec.town_name,
                "start": drawn.town.start_date.isoformat(),
                "tick": spec.tick_seconds,
                "pace": SECONDS_PER_TILE,
                "until": showing.until,
                "goal": showing.goal_tick,
                "state": state,
                "waiting": [] if state == "running" else _list_waiting(self.folder),
                "models": " and ".join(map(name_model, models)),
                "about": describe_recording(self.folder) if self.folder.is_sample else "",
                "standin": all(each.split(":")[0] == STANDIN for each in models),
                "steps": PLAIN,
                "faults": self._faults,
                "people": person_entries(showing),
                "map": drawn.drawing,
            }

    def tracks(self, since: int = -1, until: int | None = None) -> Json:
        """Return what happened in the ticks after `since` (up to `until`)."""
        with self._showing(until) as showing:
            return tracks(showing, since)

    def person(self, n: int) -> Json:
        """Return one person's life; raises RunError for an unknown number."""
        with self._showing() as showing:
            if 0 <= n < len(showing.names):
                return person(showing, n)
        raise RunError(f"Nobody in the run {self.folder.name!r} has the number {n}.")

    def version(self) -> int:
        """Return a number that changes with every commit."""
        return self._reader.version()

    @contextmanager
    def _showing(self, until: int | None = None) -> Iterator[RunState]:
        with reading(self.folder), self._reader.snapshot():
            yield read_state(self.folder, self._reader.connection, self._drawn, until)


def _list_waiting(folder: RunFolder) -> list[str]:
    """Return a sentence for each request that a run will take in next, the oldest first.

    A damaged inbox yields none.
    """
    made = []
    with suppress(SmolvilleError):
        made = [
            Intervention(id="", tick=0, kind=wish.kind, target=wish.target, text=wish.text)
            for wish in read_waiting(folder)
        ]
    return [" ".join(filter(None, outside_words(each))) for each in made if is_told(each)]
