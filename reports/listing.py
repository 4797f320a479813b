"""The runs of a folder, one row each: progress, quality of the answers, and state."""

from dataclasses import dataclass
from pathlib import Path

from agents.errors import SmolvilleError
from agents.times import moment
from history.counts import Counts
from history.folder import list_runs
from reports.opening import opened_run


@dataclass(frozen=True, kw_only=True)
class RunRow:
    """One run."""

    name: str
    town: str = ""
    cast: int = 0
    reached: str = ""
    """Day and clock up to which it has run."""
    goal: str = ""
    model: str = ""
    sensible: float | None = None
    """Share of all steps that a model answered without any oddity, 0 to 1; None before the
    first."""
    odd: int = 0
    fallbacks: int = 0
    state: str = ""
    problem: str = ""
    """Why it cannot be read; empty if it can."""


def read_rows(runs: Path) -> list[RunRow]:
    """Return every run of a folder, latest first; unreadable ones have the reason in their row."""
    return [read_row(runs, name) for name in list_runs(runs)]


def read_row(runs: Path, name: str) -> RunRow:
    """Return the row of one run of a folder."""
    try:
        with opened_run(runs, name) as run, run.reader.snapshot():
            spec = run.folder.spec
            total = Counts.summed(run.reader.counts(run.tick).values())
            goal = run.reader.goal()
            models = dict.fromkeys((spec.models.fast, spec.models.strong))
            return RunRow(
                name=name,
                town=spec.town_name,
                cast=len(spec.cast),
                reached="" if run.done is None else moment(run.at - run.at % 60),
                goal=moment(goal.at) if goal else "",
                model=" + ".join(models),
                sensible=total.sensible / total.steps if total.steps else None,
                odd=total.odd,
                fallbacks=total.outcomes.get("fallback", 0),
                state=run.state(),
            )
    except SmolvilleError as error:
        return RunRow(name=name, state="damaged", problem=str(error))
