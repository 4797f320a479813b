"""Keeps the edits of moments on the bench, so that a page can be left and opened again."""

from pathlib import Path

from lab.moments.finding import find_moment
from viewer.why.bench import MomentBench, on_bench

MOST = 50
"""Maximum number of moments with kept edits; the most recently viewed ones are kept."""


class Drafts:
    """Edits by moment, kept while the app runs."""

    def __init__(self) -> None:
        self._edits: dict[str, dict[str, str]] = {}

    def bench(self, runs: Path, run: str, digits: str) -> MomentBench:
        """Return a moment of a run with its edits; RunError where there is none."""
        moment = find_moment(runs, f"{run}/{digits}")
        edits = self._edits[moment.id] = self._edits.pop(moment.id, {})
        while len(self._edits) > MOST:
            del self._edits[next(iter(self._edits))]
        return on_bench(moment, edits)
