"""The runs of a folder, one row each: how far, how well, in which state."""

from dataclasses import dataclass
from pathlib import Path

from agents.errors import SmolvilleError
from agents.times import moment
from world.runs.counts import Counts
from world.runs.folder import list_runs
from world.telling.opening import opened_run


@dataclass(frozen=True, kw_only=True)
class Row:
    """One run."""

    name: str
    town: str = ""
    cast: int = 0
    reached: str = ""
    """Day and clock."""
    goal: str = ""
    model: str = ""
    sensible: float | None = None
    """Which part of all steps a model answered with nothing odd, 0 to 1; None before the first."""
    odd: int = 0
    fallbacks: int = 0
    state: str = ""
    problem: str = ""
    """Why it cannot be read; empty when it can."""


def read_rows(runs: Path) -> list[Row]:
    """Return every run of a folder, latest first; one that cannot be read says why in its row."""
    return [read_row(runs, name) for name in list_runs(runs)]


def read_row(runs: Path, name: str) -> Row:
    """Return one run of a folder."""
    try:
        with opened_run(runs, name) as run, run.reader.snapshot():
            spec = run.folder.spec
            total = Counts.summed(run.reader.counts(run.tick).values())
            goal = run.reader.goal()
            models = dict.fromkeys((spec.models.fast, spec.models.strong))
            return Row(
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
        return Row(name=name, state="damaged", problem=str(error))
