"""Moments on the bench with the edits of before, so that a page can be left and come back to."""

from pathlib import Path

from lab.moments.finding import find_moment
from viewer.why.bench import Bench, on_bench

MOST = 50
"""Moments whose edits are kept, the ones that were looked at last."""


class Drafts:
    """Edits by moment, as long as the app runs."""

    def __init__(self) -> None:
        self._edits: dict[str, dict[str, str]] = {}

    def bench(self, runs: Path, run: str, digits: str) -> Bench:
        """Return a moment of a run with its edits; RunError where there is none."""
        moment = find_moment(runs, f"{run}/{digits}")
        edits = self._edits[moment.id] = self._edits.pop(moment.id, {})
        while len(self._edits) > MOST:
            del self._edits[next(iter(self._edits))]
        return on_bench(moment, edits)
