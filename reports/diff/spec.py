"""Differences between the specs of two runs, by their `run.json`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from history.spec import RunSpec

FUNDAMENTAL = ("town", "cast", "seed", "tick length")
"""Names of the differences with which two runs share nothing from the first moment on."""
VERSIONS = "version of "
MISSING = "none"


@dataclass(frozen=True, kw_only=True)
class SpecDifference:
    """One difference between the specs of two runs."""

    name: str
    """What differs: `seed`, `fast model`, `setting examples`, `template say`."""
    values: tuple[str, str]
    """Its value in each run; `none` where a run lacks it."""

    def __str__(self) -> str:
        """Return the difference in words: `seed: 1 and 2`."""
        return f"{self.name}: {self.values[0]} and {self.values[1]}"

    @property
    def is_fundamental(self) -> bool:
        """Whether runs with this difference share nothing from the first moment on."""
        return self.name in FUNDAMENTAL

    @property
    def is_version(self) -> bool:
        """Whether the difference is in the version of the program, or of a package that it uses."""
        return self.name.startswith(VERSIONS)


def compare_specs(one: RunSpec, other: RunSpec) -> tuple[SpecDifference, ...]:
    """Return the differences between the specs of two runs.

    Names, folders and schedules are ignored: they have no influence on the history.
    """
    return tuple(
        SpecDifference(name=name, values=(mine, theirs))
        for name, mine, theirs in _values(one, other)
        if mine != theirs
    )


def _values(one: RunSpec, other: RunSpec) -> Iterator[tuple[str, str, str]]:
    """Yield the name and both values of every entry of the specs."""
    towns = (one.town_name, other.town_name)
    if one.town_hash != other.town_hash and towns[0] == towns[1]:
        towns = (f"{towns[0]} ({one.town_hash})", f"{towns[1]} ({other.town_hash})")
    yield "town", *towns
    yield "cast", ", ".join(one.cast), ", ".join(other.cast)
    yield "seed", str(one.seed), str(other.seed)
    yield "tick length", f"{one.tick_seconds} s", f"{other.tick_seconds} s"
    yield "fast model", one.models.fast, other.models.fast
    yield "strong model", one.models.strong, other.models.strong
    yield "embedder", one.models.embedder, other.models.embedder
    yield "routines", one.routines or MISSING, other.routines or MISSING
    yield from _each("setting ", one.settings, other.settings)
    yield from _each("template ", one.prompts, other.prompts)
    yield from _each(VERSIONS, one.versions, other.versions)


def _each(
    kind: str, mine: Mapping[str, object], theirs: Mapping[str, object]
) -> Iterator[tuple[str, str, str]]:
    """Yield the entries of two mappings under a kind's name."""
    for name in sorted({*mine, *theirs}):
        yield f"{kind}{name}", str(mine.get(name, MISSING)), str(theirs.get(name, MISSING))
