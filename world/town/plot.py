"""Read a town's plot from `plot.yaml`, with the line of every fault."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from agents.entities import Act, Plot
from agents.wording import visible_line
from world.town.townfiles import nearest, short

PLOT_FILE = "plot.yaml"
LONGEST_TITLE, LONGEST_ACT = 80, 400
"""Characters of a title and of an act at most: they stand in prompts of small models."""
MOST_ACTS = 12
_LARGEST = 100_000
"""Size of the file at most, in bytes."""


@dataclass(slots=True)
class PlotFile:
    """The plot of a town, as far as it can be read."""

    outline: Plot | None = None
    faults: list[str] = field(default_factory=list)


def read_plot(folder: Path, people: Collection[str]) -> PlotFile:
    """Return the plot in a town's folder, and a sentence for every fault; none without a file."""
    path = folder / PLOT_FILE
    try:
        if not path.exists():
            return PlotFile()
        if path.stat().st_size > _LARGEST:
            return PlotFile(faults=[f"{PLOT_FILE} is larger than 100 kB; keep only acts in it."])
        root = yaml.compose(path.read_text(encoding="utf-8-sig"), Loader=yaml.SafeLoader)
    except UnicodeDecodeError:
        return PlotFile(faults=[f"{PLOT_FILE} is not UTF-8 text; save it as UTF-8."])
    except OSError as error:
        return PlotFile(faults=[f"{PLOT_FILE} cannot be read: {error.strerror}."])
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        at = f", line {mark.line + 1}" if mark is not None else ""
        what = visible_line(str(getattr(error, "problem", None) or "it is no YAML"))
        return PlotFile(faults=[f"{PLOT_FILE}{at}: {what}; it must be YAML."])
    return _PlotReader(people).read(root)


def describe_plot(plot: Plot) -> str:
    """Return a plot's title and its number of acts."""
    return f"{plot.title} ({len(plot.acts)} {'act' if len(plot.acts) == 1 else 'acts'})"


class _PlotReader:
    """Reads the nodes of the file one by one, and notes what is wrong with them."""

    def __init__(self, people: Collection[str]) -> None:
        self._people = people
        self._faults: list[str] = []

    def read(self, root: yaml.Node | None) -> PlotFile:
        """Return the plot below the file's root."""
        if root is None:
            return PlotFile()
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

    def _mapping(self, node: yaml.Node, known: tuple[str, ...]) -> dict[str, yaml.Node]:
        """Return the values of a mapping by key; unknown keys are faults."""
        if not isinstance(node, yaml.MappingNode):
            self._fault(node, f"there should be keys here: {', '.join(known)}.")
            return {}
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            if name not in known:
                self._fault(key, f"`{visible_line(name)}` is no key here.{nearest(name, known)}")
            found[name] = value
        return found

    def _fault(self, node: yaml.Node, sentence: str) -> None:
        """Note a fault with the line of its node."""
        self._faults.append(f"{PLOT_FILE}, line {node.start_mark.line + 1}: {sentence}")
