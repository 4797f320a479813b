"""Reads a town's plot from `plot.yaml`, and reports every fault with its line."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from smolville.agents.entities import Act, Plot
from smolville.agents.wording import visible_line
from smolville.world.town.townfiles import nearest, short
from smolville.world.town.yaml_reader import YamlReader

PLOT_FILE = "plot.yaml"
LONGEST_TITLE, LONGEST_ACT = 80, 400
"""Maximum numbers of characters of a title and of an act, which are used in prompts of small
models.
"""
MOST_ACTS = 12


@dataclass(slots=True)
class PlotFile:
    """The plot of a town, as far as it can be read."""

    outline: Plot | None = None
    faults: list[str] = field(default_factory=list)


def read_plot(folder: Path, people: Collection[str]) -> PlotFile:
    """Return the plot in a town's folder, and its faults as sentences; empty without a file."""
    reader = _PlotReader(people)
    return reader.read(reader.compose(folder))


def describe_plot(plot: Plot) -> str:
    """Return a plot's title and its number of acts."""
    return f"{plot.title} ({len(plot.acts)} {'act' if len(plot.acts) == 1 else 'acts'})"


class _PlotReader(YamlReader):
    """Reads the acts of a plot, and checks that their people live in the town."""

    def __init__(self, people: Collection[str]) -> None:
        super().__init__(PLOT_FILE)
        self._people = people

    def read(self, root: yaml.Node | None) -> PlotFile:
        """Return the plot below the file's root."""
        if root is None:
            return PlotFile(faults=self._faults)
        parts = self._mapping(root, ("title", "acts"))
        title = self._text(root, parts, "title", LONGEST_TITLE)
        listed = parts.get("acts")
        nodes = listed.value if isinstance(listed, yaml.SequenceNode) else []
        if not 1 <= len(nodes) <= MOST_ACTS:
            self._fault(listed or root, f"`acts` should be a list of 1 to {MOST_ACTS} acts.")
        acts = tuple(self._act(node) for node in nodes[:MOST_ACTS])
        if self._faults:
            return PlotFile(faults=self._faults)
        return PlotFile(outline=Plot(title=title, acts=acts))

    def _act(self, node: yaml.Node) -> Act:
        """Return one act."""
        parts = self._mapping(node, ("act", "people"))
        summary = self._text(node, parts, "act", LONGEST_ACT)
        people = tuple(self._names(parts["people"])) if "people" in parts else ()
        return Act(summary=summary, people=people)

    def _names(self, node: yaml.Node) -> Iterator[str]:
        """Yield names of people of the town."""
        for item in node.value if isinstance(node, yaml.SequenceNode) else [node]:
            name = item.value if isinstance(item, yaml.ScalarNode) else ""
            if name in self._people:
                yield name
            else:
                told = nearest(name, self._people)
                self._fault(item, f"nobody in the town is called {short(name)}.{told}")

    def _text(self, node: yaml.Node, parts: dict[str, yaml.Node], key: str, most: int) -> str:
        """Return a required text in one line."""
        given = parts.get(key)
        value = given.value if isinstance(given, yaml.ScalarNode) else ""
        text = " ".join(visible_line(value).split())
        if not 1 <= len(text) <= most:
            self._fault(given or node, f"`{key}` should be a text of 1 to {most} characters.")
        return text
