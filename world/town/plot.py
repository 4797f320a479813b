"""Reads a town's plot from `plot.yaml`, and reports every fault with its line."""

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator

from smolville.agents.entities import Act, Plot
from smolville.world.town.yaml_file import LISTED, Text, YamlFile, YamlPart, is_known, one_line

PLOT_FILE = "plot.yaml"
LONGEST_TITLE, LONGEST_ACT = 80, 400
"""Maximum numbers of characters of a title and of an act, which are used in prompts of small
models.
"""
MOST_ACTS = 12


def _some(acts: "tuple[_Act, ...]") -> "tuple[_Act, ...]":
    if not 1 <= len(acts) <= MOST_ACTS:
        raise ValueError(f"list 1 to {MOST_ACTS} acts")
    return acts


class _Act(YamlPart):
    act: Annotated[str, one_line(LONGEST_ACT)]
    people: Annotated[
        tuple[Annotated[Text, is_known("people", "nobody in the town is called so")], ...], LISTED
    ] = ()


class _Plot(YamlPart):
    title: Annotated[str, one_line(LONGEST_TITLE)]
    acts: Annotated[tuple[_Act, ...], AfterValidator(_some)]


@dataclass(slots=True)
class PlotFile:
    """The plot of a town, as far as it can be read."""

    outline: Plot | None = None
    faults: list[str] = field(default_factory=list)


def read_plot(folder: Path, people: Collection[str]) -> PlotFile:
    """Return the plot in a town's folder, and its faults as sentences; empty without a file."""
    file = YamlFile(folder, PLOT_FILE)
    read = file.read(_Plot, {"people": people})
    if read is None:
        return PlotFile(faults=file.faults)
    acts = tuple(Act(summary=each.act, people=each.people) for each in read.acts)
    return PlotFile(outline=Plot(title=read.title, acts=acts))


def describe_plot(plot: Plot) -> str:
    """Return a plot's title and its number of acts."""
    return f"{plot.title} ({len(plot.acts)} {'act' if len(plot.acts) == 1 else 'acts'})"
