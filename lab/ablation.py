"""Ablation studies: the same days run with whole minds and with minds without components.

A study has a cell per kind of mind, size of the cast and seed; every cell is a run of its own.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import NamedTuple

from smolville.agents.errors import RunError
from smolville.graphs.components import (
    OBSERVATION,
    PLANNING,
    REFLECTION,
    ROUTINES,
    SOCIAL,
    component_names,
)
from smolville.history.reader import RunReader
from smolville.reports.health import activity_name, count_run

WHOLE = "whole mind"
_FULL, _NONE = "full", "none"
"""Beginnings of the names of two kinds of runs: with the whole mind, and without any component."""
_NUMBER = re.compile(r"\d{1,9}")

Variant = tuple[str, ...]
"""The components that a mind lacks, in the order in which a thought uses them."""

PAPER: tuple[Variant, ...] = (
    (),
    (REFLECTION.name,),
    (PLANNING.name, REFLECTION.name),
    (OBSERVATION.name, PLANNING.name, REFLECTION.name),
)
"""The conditions that Park et al. 2023 compare (section 6.2)."""
AGA: tuple[Variant, ...] = ((), (ROUTINES.name,), (SOCIAL.name,), (ROUTINES.name, SOCIAL.name))
"""The conditions that Affordable Generative Agents compare (section 4)."""
STUDIES = {"paper": PAPER, "aga": AGA}


@dataclass(frozen=True, kw_only=True)
class StudyRun:
    """One run of a study."""

    without: Variant
    cast: int
    seed: int

    @property
    def name(self) -> str:
        """The run's name: `no-planning-reflection-cast3-seed0`."""
        is_bare = self.without == component_names()
        minds = _NONE if is_bare else "-".join(("no", *self.without)) if self.without else _FULL
        return f"{minds}-cast{self.cast}-seed{self.seed}"


def read_study(text: str) -> tuple[Variant, ...]:
    """Return the kinds of minds that a study compares, the whole one first.

    `paper` and `aga` stand for the kinds of minds that Park et al. (2023) and Affordable Generative
    Agents compare. `each` stands for one mind per component, which lacks only this component, and
    one mind that lacks all of them. `A,B;C` stands for a mind without A and B, and one without C.
    Raises RunError for anything else.
    """
    if text in STUDIES:
        return STUDIES[text]
    names = component_names()
    if text == "each":
        return ((), *((name,) for name in names), names)
    asked = [[name.strip() for name in part.split(",")] for part in text.split(";")]
    wrong = [name for part in asked for name in part if name not in names]
    if wrong:
        raise RunError(
            f"--study cannot be {text!r}: write paper, aga, each, or what to leave out, such as "
            f"'reflection;planning,reflection'; components are {', '.join(names)}."
        )
    variants = (tuple(name for name in names if name in part) for part in asked)
    return tuple(dict.fromkeys(((), *variants)))


def read_numbers(text: str, option: str, least: int) -> tuple[int, ...]:
    """Return the numbers in a list such as `0,1`, each once; raise RunError for any other text."""
    parts = [part.strip() for part in text.split(",")]
    if any(_NUMBER.fullmatch(part) is None or int(part) < least for part in parts):
        raise RunError(
            f"{option} cannot be {text!r}: write whole numbers from {least} up, "
            f"separated by commas, such as {least},{least + 1}."
        )
    return tuple(dict.fromkeys(map(int, parts)))


def list_cells(
    variants: Sequence[Variant], casts: Sequence[int], seeds: Sequence[int]
) -> tuple[StudyRun, ...]:
    """Return the cells of a study in the order in which they are run.

    Each seed of a cast is complete before the next begins, so that an interrupted study can
    already be compared.
    """
    return tuple(
        StudyRun(without=without, cast=cast, seed=seed)
        for cast in casts
        for seed in seeds
        for without in variants
    )


def describe_variant(without: Variant) -> str:
    """Return a kind of mind in words: `whole mind`, `no planning, reflection`."""
    return f"no {', '.join(without)}" if without else WHOLE


@dataclass(frozen=True, kw_only=True)
class CellFigures:
    """Costs and events of one run, summed over its people."""

    calls: int
    prompt_tokens: int
    reply_tokens: int
    model_seconds: float
    """Sum of the durations of all calls."""
    actions: int
    activities: int
    """Distinct activities of each person, with digits left out, summed over people."""
    talks: int
    """Talks, counted once for each person who took part."""
    reflections: int
    """Number of times that somebody drew insights from memories."""
    odd: float | None
    """Share of all steps with an answer to which a check objects, 0 to 1; None without steps."""
    failed_thoughts: int


def read_figures(reader: RunReader) -> CellFigures:
    """Return the figures of a run up to its watermark."""
    with reader.snapshot():
        tally, until = count_run(reader), reader.watermark()
        deeds = [] if until is None else reader.deeds(until=until)
        talks = [] if until is None else reader.talks(until=until)
    whole, reflected = tally.total, tally.of_steps.get("reflect_insights")
    done = {
        (deed.agent, activity_name(deed.action))
        for deed in deeds
        if deed.outcome == "accepted" and deed.action.kind == "do"
    }
    return CellFigures(
        calls=whole.calls,
        prompt_tokens=whole.prompt_tokens,
        reply_tokens=whole.completion_tokens,
        model_seconds=whole.milliseconds / 1000,
        actions=tally.actions,
        activities=len(done),
        talks=sum(len(talk.participants) for talk in talks),
        reflections=reflected.steps if reflected else 0,
        odd=whole.odd / whole.steps if whole.steps else None,
        failed_thoughts=tally.failed,
    )


SHARES = ("odd",)
"""Figures that are shares; all others are shown per person."""


class SeedRange(NamedTuple):
    """The mean and the range of a figure over several seeds."""

    mean: float
    least: float
    most: float


@dataclass(frozen=True, kw_only=True)
class StudyRow:
    """The figures of one kind of mind in casts of one size, per person, over seeds."""

    without: Variant
    cast: int
    seeds: tuple[int, ...]
    figures: Mapping[str, SeedRange | None]
    """Each figure over the seeds, by its name; None for a figure that no run has."""


@dataclass(frozen=True, kw_only=True)
class Study:
    """A study with the cells that have been run so far."""

    cells: tuple[StudyRun, ...]
    lived: Mapping[StudyRun, CellFigures]
    """The figures of the cells that have reached the goal."""

    def rows(self) -> list[StudyRow]:
        """Return a row for each size of the cast and kind of mind that has been run."""
        groups: dict[tuple[int, Variant], list[StudyRun]] = {}
        for cell in self.cells:
            if cell in self.lived:
                groups.setdefault((cell.cast, cell.without), []).append(cell)
        return [
            StudyRow(
                without=without,
                cast=cast,
                seeds=tuple(cell.seed for cell in group),
                figures={name: self._range(name, group) for name in FIGURES},
            )
            for (cast, without), group in groups.items()
        ]

    def plain(self) -> dict[str, object]:
        """Return the study as plain data: totals by run, and rows per person over seeds."""
        return {
            "finished": len(self.lived) == len(self.cells),
            "runs": [
                {
                    "run": cell.name,
                    "without": list(cell.without),
                    "people": cell.cast,
                    "seed": cell.seed,
                    "lived": cell in self.lived,
                    "figures": asdict(self.lived[cell]) if cell in self.lived else None,
                }
                for cell in self.cells
            ],
            "per_person": [
                {
                    "without": list(row.without),
                    "people": row.cast,
                    "seeds": list(row.seeds),
                    "figures": {
                        name: each and each._asdict() for name, each in row.figures.items()
                    },
                }
                for row in self.rows()
            ],
        }

    def _range(self, name: str, cells: Iterable[StudyRun]) -> SeedRange | None:
        """Return the mean and range of a figure per person, or of a share; None if unknown."""
        found = [
            value if name in SHARES else value / cell.cast
            for cell in cells
            if (value := getattr(self.lived[cell], name)) is not None
        ]
        return SeedRange(fmean(found), min(found), max(found)) if found else None


FIGURES = tuple(CellFigures.__dataclass_fields__)
"""Names of all figures."""
